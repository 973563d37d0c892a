/**
 * The position of the largest or smallest element if some elements are NaN. The result then depends on the order in which they
 * are compared.
 */

interface Extreme {
  readonly largest: boolean;
  /** True for the first of equal elements, false for the last. */
  readonly isFirst: boolean;
}

/** The threads of a block. Each compares two elements; then their results are compared pairwise. */
const THREADS = 512;

/**
 * Compares in the order of DirectML's shader. A block has 1024 elements. First the elements of its second half are compared with
 * those of the first half, then the results of the second quarter with those of the first, and so on. If either side is NaN, the
 * second one wins. A thread whose first element is past the end takes element 0 as its first and element 512 as its second. If
 * only its second is past the end, it takes element 0 as its second. Between the results of blocks, a NaN neither replaces the
 * one before it nor is replaced.
 */
export function extremeAmongNaN(count: number, valueAt: (position: number) => number, extreme: Extreme): number {
  const { largest, isFirst } = extreme;
  const isBetter = (a: number, b: number) => (largest ? valueAt(a) > valueAt(b) : valueAt(a) < valueAt(b));
  const winsTie = (a: number, b: number) => valueAt(a) === valueAt(b) && (isFirst ? a < b : a > b);
  const wins = (a: number, b: number) => isBetter(a, b) || winsTie(a, b);
  const positionOrZero = (position: number) => (position < count ? position : 0);
  let best = 0;
  for (let block = 0; block < count; block += 2 * THREADS) {
    const threads = Array.from({ length: THREADS }, (_, thread) => {
      const first = positionOrZero(block + thread);
      const second = positionOrZero(first + THREADS);
      return wins(first, second) ? first : second;
    });
    for (let half = THREADS / 2; half >= 1; half /= 2) {
      for (let thread = 0; thread < half; thread++) {
        const [a = 0, b = 0] = [threads[thread], threads[thread + half]];
        if (!wins(a, b)) threads[thread] = b;
      }
    }
    const [result = 0] = threads;
    if (block === 0 || wins(result, best)) best = result;
  }
  return best;
}
