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
import { copySums, layOutTiles, panelColumns, rowsAtATime, rowsFrom, tilesOf } from './tiles.js';

/** Products of fewer multiplications are faster in TypeScript. */
const FEW_MULTIPLICATIONS = 256;

/** Multiplies as {@link multiplyInTiles} does, by several threads. */
export interface MatrixHelpers {
  /** Returns false if this thread is to compute everything by itself. The target may have numbers of the product then. */
  multiply(rows: Rows, columns: number, layOut: LayOutColumns, target: Target, isInFloat32: boolean): boolean;
}

let threadPool: MatrixHelpers | null = null;

/** Lets a thread pool compute from now on what is large enough for it. */
export function engage(helpers: MatrixHelpers): void {
  threadPool = helpers;
}

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
  if (threadPool?.multiply(rows, columns, layOut, target, isInFloat32) === true) return true;
  const places = placesFor(rows, isInFloat32);
  const simd = simdWith(places.end);
  if (simd === null) return false;
  const { float64, float32, exports } = simd;
  const elements = isInFloat32 ? float32 : float64;
  const pack = isInFloat32 ? exports.packFloat32 : exports.packFloat64;
  for (let done = 0; done < count; done += places.rows) {
    const some = rowsFrom(rows, done, places.rows);
    layOutTiles(some, elements, places.tiles / elements.BYTES_PER_ELEMENT);
    for (let column = 0; column < columns; column += BLOCK_COLUMNS) {
      const width = Math.min(BLOCK_COLUMNS, columns - column);
      const panelCount = Math.ceil(width / panelColumns(isInFloat32));
      layOut(column, width, float64);
      pack(0, length, panelCount, places.panels);
      exports.multiply(places.tiles, tilesOf(some.count), places.panels, panelCount, length, places.sums, isInFloat32);
      const sums = places.sums / elements.BYTES_PER_ELEMENT;
      copySums(elements, sums, some.count, width, { ...target, start: target.start + some.first * target.stride + column });
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
function placesFor(all: Rows, isInFloat32: boolean): Places {
  const { length } = all;
  const bytes = isInFloat32 ? 4 : 8;
  const rows = rowsAtATime(all, bytes);
  const panels = BLOCK_COLUMNS * length * 8;
  const tiles = panels + BLOCK_COLUMNS * length * bytes;
  const sums = tiles + rows * length * bytes;
  return { panels, tiles, sums, end: sums + rows * BLOCK_COLUMNS * bytes, rows };
}
