/**
 * Matrix products, one block of the right matrix's columns at a time. Convolutions use them too. Each element is summed from the
 * first term to the last, whichever loop computes it.
 */

/** Columns that a block has room for: few enough that the block stays in a processor's cache. */
export const BLOCK_COLUMNS = 32;

/** Rows that share what is read from a block. */
export const TILE_ROWS = 4;

/**
 * Multiplies all rows by the first `columns` columns of a block. The block has one row of {@link BLOCK_COLUMNS} elements for
 * each term of the sums.
 */
type MultiplyBlock = (rows: Rows, block: Float64Array, columns: number, target: Target) => void;

/** Lays out `count` columns of the right matrix, from column `first` on, as a block. */
export type LayOutColumns = (first: number, count: number, block: Float64Array) => void;

/** Rows of the left matrix: `count` rows of `length` elements, one after the other from index `start` on. */
export interface Rows {
  readonly values: Float64Array;
  readonly start: number;
  readonly count: number;
  readonly length: number;
}

/** Where the product goes: the index of its first element, and the distance from one row to the next. */
export interface Target {
  readonly values: Float64Array;
  readonly start: number;
  readonly stride: number;
}

/** Computes in float64. */
export const multiplyBlock: MultiplyBlock = (rows, block, columns, target) => {
  const tiled = rows.count - (rows.count % TILE_ROWS);
  for (let row = 0; row < tiled; row += TILE_ROWS) {
    for (let column = 0; column < columns; column += 2) {
      multiplyTile(rows, row, block, column, target, column + 1 < columns);
    }
  }
  for (let row = tiled; row < rows.count; row++) multiplyRow(rows, row, block, columns, target);
};

/** Rounds each product and each sum to float32, for sums that may become infinite before the last term. */
export const multiplyBlockInFloat32: MultiplyBlock = ({ values, start, count, length }, block, columns, target) => {
  const { fround } = Math;
  for (let row = 0; row < count; row++) {
    for (let column = 0; column < columns; column++) {
      let sum = 0;
      for (let k = 0; k < length; k++) {
        sum = fround(sum + fround((values[start + row * length + k] ?? 0) * (block[k * BLOCK_COLUMNS + column] ?? 0)));
      }
      target.values[target.start + row * target.stride + column] = sum;
    }
  }
};

/**
 * Multiplies four rows by two columns, so that eight sums share what is read. The second column is ignored if the block does not
 * have it.
 */
function multiplyTile(
  { values, start, length }: Rows,
  row: number,
  block: Float64Array,
  column: number,
  target: Target,
  hasSecondColumn: boolean,
): void {
  const a = start + row * length;
  const b = a + length;
  const c = b + length;
  const d = c + length;
  let [a0, a1, b0, b1, c0, c1, d0, d1] = [0, 0, 0, 0, 0, 0, 0, 0];
  for (let k = 0, at = column; k < length; k++, at += BLOCK_COLUMNS) {
    const x0 = block[at] ?? 0;
    const x1 = block[at + 1] ?? 0;
    const p = values[a + k] ?? 0;
    const q = values[b + k] ?? 0;
    const r = values[c + k] ?? 0;
    const s = values[d + k] ?? 0;
    a0 += p * x0;
    a1 += p * x1;
    b0 += q * x0;
    b1 += q * x1;
    c0 += r * x0;
    c1 += r * x1;
    d0 += s * x0;
    d1 += s * x1;
  }
  const { values: sums, stride } = target;
  const first = target.start + row * stride + column;
  sums[first] = a0;
  sums[first + stride] = b0;
  sums[first + 2 * stride] = c0;
  sums[first + 3 * stride] = d0;
  if (!hasSecondColumn) return;
  sums[first + 1] = a1;
  sums[first + stride + 1] = b1;
  sums[first + 2 * stride + 1] = c1;
  sums[first + 3 * stride + 1] = d1;
}

/** Multiplies one row, term by term, so that the inner loop runs over adjacent elements. */
function multiplyRow(
  { values, start, length }: Rows,
  row: number,
  block: Float64Array,
  columns: number,
  { values: sums, start: first, stride }: Target,
): void {
  const target = first + row * stride;
  sums.fill(0, target, target + columns);
  for (let k = 0; k < length; k++) {
    const factor = values[start + row * length + k] ?? 0;
    for (let i = 0; i < columns; i++) {
      sums[target + i] = (sums[target + i] ?? 0) + factor * (block[k * BLOCK_COLUMNS + i] ?? 0);
    }
  }
}

/** Matrices one after the other, each packed. */
interface Matrices {
  readonly values: Float64Array;
  readonly rows: number;
  readonly columns: number;
}

/** Lays out `count` columns, from `first` on, of the matrix with this index. */
export function copyColumns(
  { values, rows, columns }: Matrices,
  index: number,
  first: number,
  count: number,
  block: Float64Array,
): void {
  for (let row = 0; row < rows; row++) {
    const from = (index * rows + row) * columns + first;
    for (let i = 0; i < count; i++) block[row * BLOCK_COLUMNS + i] = values[from + i] ?? 0;
  }
}
