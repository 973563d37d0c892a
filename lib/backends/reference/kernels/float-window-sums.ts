/** The sums of pooling's windows as DirectML computes them: element after element, in row-major order, in float32. */
import { productOf } from './kernel.js';
import type { Windows } from './pooling-windows.js';

/** By element of the output; elements in the padding are left out, as zeros change nothing. */
export function windowSumsInFloat32(values: Float64Array, windows: readonly Windows[]): Float32Array {
  const image = productOf(windows.map(({ size }) => size));
  const places = productOf(windows.map((along) => along.places));
  const sums = new Float32Array((values.length / image) * places);
  for (let from = 0, to = 0; to < sums.length; from += image, to += places) {
    addWindows(values, from, windows, sums, to);
  }
  return sums;
}

/** Adds one plane, which begins at `from`, to the sums from `to` on; the first of `windows` is along its outermost dimension. */
function addWindows(values: Float64Array, from: number, windows: readonly Windows[], sums: Float32Array, to: number): void {
  const [along, ...rest] = windows;
  if (along === undefined) throw new TypeError('pooling has no windows');
  const { taps, stride } = along;
  if (rest.length === 0) {
    for (const { place, count, element } of taps) {
      for (let i = 0; i < count; i++) {
        const at = to + place + i;
        sums[at] = (sums[at] ?? 0) + (values[from + element + i * stride] ?? 0);
      }
    }
    return;
  }
  const image = productOf(rest.map(({ size }) => size));
  const places = productOf(rest.map((inner) => inner.places));
  for (const { place, count, element } of taps) {
    for (let i = 0; i < count; i++) {
      addWindows(values, from + (element + i * stride) * image, rest, sums, to + (place + i) * places);
    }
  }
}
