/**
 * Matrix products by WebAssembly SIMD: the same sums as those of multiply-block.ts, bit by bit, five times as fast. Four
 * rows are multiplied by two vectors of columns at a time, so the memory has
 * - a block of the right matrix: rows of {@link BLOCK_COLUMNS} float64, one for each term of the sums,
 * - panels: the same elements, but as many columns as fit in two vectors at a time, and rounded for sums in float32,
 * - tiles: four rows of the left matrix at a time, term by term,
 * - sums: rows of {@link BLOCK_COLUMNS} elements.
 */
import { BLOCK_COLUMNS, TILE_ROWS, type LayOutColumns, type Rows, type Target } from './multiply-block.js';
import { simdWith } from './simd.js';

/** In bytes; bounds the memory for tiles. The right matrix is laid out once for as many rows as fit. */
const TILE_MEMORY = 2 ** 22;

/** Products of fewer multiplications are faster in TypeScript. */
const FEW_MULTIPLICATIONS = 256;

/**
 * Computes the product of the rows with `columns` columns, which `layOut` provides. Returns false, and has done nothing, if the
 * engine has no SIMD, or if the product is too small or too large for it.
 */
export function multiplyInTiles(
  rows: Rows,
  columns: number,
  layOut: LayOutColumns,
  target: Target,
  isInFloat32: boolean,
): boolean {
  const { count, length } = rows;
  if (count < TILE_ROWS || count * length * columns < FEW_MULTIPLICATIONS) return false;
  const places = placesFor(length, count, isInFloat32);
  const simd = simdWith(places.end);
  if (simd === null) return false;
  const { float64, float32, exports } = simd;
  const elements = isInFloat32 ? float32 : float64;
  const pack = isInFloat32 ? exports.packFloat32 : exports.packFloat64;
  const panelColumns = isInFloat32 ? 8 : 4;
  for (let done = 0; done < count; done += places.rows) {
    // If fewer rows than a tile has are left, it begins with rows that are done.
    const first = Math.min(done, count - TILE_ROWS);
    const some = { ...rows, start: rows.start + first * length, count: Math.min(places.rows, count - first) };
    layOutTiles(some, elements, places.tiles / elements.BYTES_PER_ELEMENT);
    for (let column = 0; column < columns; column += BLOCK_COLUMNS) {
      const width = Math.min(BLOCK_COLUMNS, columns - column);
      const panelCount = Math.ceil(width / panelColumns);
      layOut(column, width, float64);
      pack(0, length, panelCount, places.panels);
      exports.multiply(places.tiles, tilesOf(some.count), places.panels, panelCount, length, places.sums, isInFloat32);
      const sums = places.sums / elements.BYTES_PER_ELEMENT;
      copySums(elements, sums, some.count, width, { ...target, start: target.start + first * target.stride + column });
    }
  }
  return true;
}

/** Places in the memory, in bytes, and how many rows it has room for. */
interface Places {
  readonly panels: number;
  readonly tiles: number;
  readonly sums: number;
  readonly end: number;
  readonly rows: number;
}

/** The block comes first. Each part is a multiple of 16 bytes long. */
function placesFor(length: number, count: number, isInFloat32: boolean): Places {
  const bytes = isInFloat32 ? 4 : 8;
  const rows = Math.max(1, Math.min(tilesOf(count), Math.floor(TILE_MEMORY / (TILE_ROWS * length * bytes)))) * TILE_ROWS;
  const panels = BLOCK_COLUMNS * length * 8;
  const tiles = panels + BLOCK_COLUMNS * length * bytes;
  const sums = tiles + rows * length * bytes;
  return { panels, tiles, sums, end: sums + rows * BLOCK_COLUMNS * bytes, rows };
}

function tilesOf(rows: number): number {
  return Math.ceil(rows / TILE_ROWS);
}

/** Lays out the rows in tiles. If the last tile has too few rows, it begins with rows of the tile before it. */
function layOutTiles({ values, start, count, length }: Rows, tiles: Float64Array | Float32Array, to: number): void {
  for (let row = 0; row < count; row += TILE_ROWS) {
    const a = start + Math.min(row, count - TILE_ROWS) * length;
    for (let k = a; k < a + length; k++, to += TILE_ROWS) {
      tiles[to] = values[k] ?? 0;
      tiles[to + 1] = values[k + length] ?? 0;
      tiles[to + 2] = values[k + 2 * length] ?? 0;
      tiles[to + 3] = values[k + 3 * length] ?? 0;
    }
  }
}

/** Copies the sums of so many rows and columns, which begin with element `first`. */
function copySums(
  sums: Float64Array | Float32Array,
  first: number,
  rows: number,
  columns: number,
  { values, start, stride }: Target,
): void {
  const surplus = tilesOf(rows) * TILE_ROWS - rows;
  for (let row = 0; row < rows; row++) {
    // Only the last tile begins with rows of the tile before it.
    const from = first + (row < rows - (rows % TILE_ROWS) ? row : row + surplus) * BLOCK_COLUMNS;
    const to = start + row * stride;
    for (let i = 0; i < columns; i++) values[to + i] = sums[from + i] ?? 0;
  }
}
