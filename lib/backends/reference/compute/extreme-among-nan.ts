/** Where the largest or smallest of elements is, if some are NaN: then it shows in which order they are compared. */

export interface Wanted {
  readonly largest: boolean;
  /** Of equal ones the first, or else the last. */
  readonly isFirst: boolean;
}

/** So many threads compare the elements of a block, two each, and what is left two by two. */
const THREADS = 512;

/**
 * As DirectML's shader does it. In each block of elements those of the second half meet those of the first, then of the
 * second quarter the first, and so on, and a NaN on either side makes the second one go on. A thread whose first element
 * is beyond the last takes element 0 for it, and 512 for its second; one whose second alone is beyond takes 0 for that. Of
 * the blocks' results, a NaN never takes the place of one before it, nor gives it up.
 */
export function extremeAmongNaN(count: number, valueAt: (position: number) => number, wanted: Wanted): number {
  const { largest, isFirst } = wanted;
  const isBetter = (a: number, b: number) => (largest ? valueAt(a) > valueAt(b) : valueAt(a) < valueAt(b));
  const isBefore = (a: number, b: number) => valueAt(a) === valueAt(b) && (isFirst ? a < b : a > b);
  const isOver = (a: number, b: number) => isBetter(a, b) || isBefore(a, b);
  const present = (position: number) => (position < count ? position : 0);
  let best = 0;
  for (let block = 0; block < count; block += 2 * THREADS) {
    const threads = Array.from({ length: THREADS }, (_, thread) => {
      const first = present(block + thread);
      const second = present(first + THREADS);
      return isOver(first, second) ? first : second;
    });
    for (let half = THREADS / 2; half >= 1; half /= 2) {
      for (let thread = 0; thread < half; thread++) {
        const [a = 0, b = 0] = [threads[thread], threads[thread + half]];
        if (!isOver(a, b)) threads[thread] = b;
      }
    }
    const [result = 0] = threads;
    if (block === 0 || isOver(result, best)) best = result;
  }
  return best;
}
