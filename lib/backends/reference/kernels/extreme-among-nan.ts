/** Where the largest or smallest of elements is, if some are NaN: then it shows in which order they are compared. */

export interface Wanted {
  readonly largest: boolean;
  /** Of equal ones the first, or else the last. */
  readonly isFirst: boolean;
}

/** So many threads compare the elements of a block two by two. */
const THREADS = 1024;

/**
 * As DirectML's shader does it. In each block of elements those of the second half meet those of the first, then of the
 * second quarter the first, and so on, and a NaN on either side makes the second one go on; what a block lacks is the
 * very first element. Of the blocks' results, a NaN never takes the place of one before it, nor gives it up.
 */
export function extremeAmongNaN(count: number, valueAt: (position: number) => number, wanted: Wanted): number {
  const { largest, isFirst } = wanted;
  const isBetter = (a: number, b: number) => (largest ? valueAt(a) > valueAt(b) : valueAt(a) < valueAt(b));
  const isBefore = (a: number, b: number) => valueAt(a) === valueAt(b) && (isFirst ? a < b : a > b);
  let best = 0;
  for (let block = 0; block < count; block += THREADS) {
    const lanes = Array.from({ length: THREADS }, (_, lane) => (block + lane < count ? block + lane : 0));
    for (let half = THREADS / 2; half >= 1; half /= 2) {
      for (let lane = 0; lane < half; lane++) {
        const [a = 0, b = 0] = [lanes[lane], lanes[lane + half]];
        if (!isBetter(a, b) && !isBefore(a, b)) lanes[lane] = b;
      }
    }
    const [result = 0] = lanes;
    if (block === 0 || isBetter(result, best) || isBefore(result, best)) best = result;
  }
  return best;
}
