/**
 * Memory for the numbers that kernels compute with. The blocks of a tensor share it: an engine collects garbage only after tens of
 * MiB of it, which is much beside small tensors.
 */

/** In elements. Longer arrays are always new. */
const LONGEST = 2 ** 14;

const arrays: Float64Array[] = [];
/** How many of them the current block uses; null outside of blocks. */
let used: number | null = null;

/** Runs what computes a block. The arrays that it gets by {@link numbersFor} are used again afterwards. */
export function inBlock(run: () => void): void {
  const before = used;
  used ??= 0;
  try {
    run();
  } finally {
    used = before;
  }
}

/** For so many numbers, with any values. Within a block it lives as long as the block. */
export function numbersFor(count: number): Float64Array {
  if (used === null || count > LONGEST) return new Float64Array(count);
  const array = (arrays[used] ??= new Float64Array(LONGEST));
  used++;
  return new Float64Array(array.buffer, 0, count);
}

/** Like `values.map`. */
export function mapped(values: Float64Array, apply: (value: number, i: number) => number): Float64Array {
  const results = numbersFor(values.length);
  for (let i = 0; i < results.length; i++) results[i] = apply(values[i] ?? 0, i);
  return results;
}
