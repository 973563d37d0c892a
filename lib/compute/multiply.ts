/** Matrix products whose right matrix is laid out block by block, by SIMD or in TypeScript: with the same result. */
import { multiplyInTiles } from './matrix-tiles.js';
import {
  BLOCK_COLUMNS,
  multiplyBlock,
  multiplyBlockInFloat32,
  type LayOutColumns,
  type Rows,
  type Target,
} from './multiply-block.js';

/** In elements. Longer blocks are new each time. */
const LONGEST = 2 ** 18;
let kept = new Float64Array(0);

/** Multiplies rows by so many columns. */
export type Multiply = (rows: Rows, columns: number, layOut: LayOutColumns, target: Target) => void;

/** Products of rows with `length` elements. Sums are computed in float64, or rounded to float32 at each step. */
export function multiplication(length: number, isInFloat32 = false): Multiply {
  const multiplyBy = isInFloat32 ? multiplyBlockInFloat32 : multiplyBlock;
  let block: Float64Array | null = null;
  return (rows, columns, layOut, target) => {
    if (multiplyInTiles(rows, columns, layOut, target, isInFloat32)) return;
    block ??= blockOf(BLOCK_COLUMNS * length);
    for (let first = 0; first < columns; first += BLOCK_COLUMNS) {
      const count = Math.min(BLOCK_COLUMNS, columns - first);
      layOut(first, count, block);
      multiplyBy(rows, block, count, { ...target, start: target.start + first });
    }
  };
}

/** For so many numbers, with any values. All products share it: an engine collects garbage only after tens of MiB of it. */
function blockOf(count: number): Float64Array {
  if (kept.length >= count) return kept;
  const block = new Float64Array(count);
  if (count <= LONGEST) kept = block;
  return block;
}
