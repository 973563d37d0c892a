/** Compares the elements of values to the bit. Bytes in gaps between elements do not count: nothing promises them in a graph. */
import { number, spread, textOf } from '../conformance/decode.js';
import { bytesPerElement } from '../conformance/case.js';
import { offsetOf, product } from '../conformance/layout.js';
import type { Bytes, Layout } from './graph-case.js';

export interface Comparison {
  /** True if an element may be any NaN where the other is NaN too: JavaScript does not say which NaN a computation gives. */
  readonly anyNan?: boolean;
  /** The number of elements that are defined; the others may have any bits. By default all. */
  readonly defined?: number;
}

/** The first difference as text; null if there is none. */
export function differenceOf(
  tensor: Layout,
  expected: Bytes,
  actual: Bytes,
  { anyNan = false, defined }: Comparison = {},
): string | null {
  if (Buffer.compare(expected, actual) === 0) return null;
  const isNibbles = bytesPerElement(tensor.dataType) < 1;
  const width = isNibbles ? 1 : bytesPerElement(tensor.dataType);
  const [wanted, given] = isNibbles ? [spread(expected), spread(actual)] : [expected, actual];
  const count = defined ?? product(tensor.sizes);
  let first: string | null = null;
  let wrong = 0;
  for (let element = 0; element < count; element++) {
    const at = offsetOf(tensor, element) * width;
    const [a, b] = [wanted.subarray(at, at + width), given.subarray(at, at + width)];
    if (Buffer.compare(a, b) === 0 || (tensor.dataType === 'float16' && isMadeQuiet(a, b))) continue;
    const [x, y] = [number(tensor.dataType, a), number(tensor.dataType, b)];
    if (anyNan && Number.isNaN(x) && Number.isNaN(y)) continue;
    wrong += 1;
    first ??= `element ${element}: expected ${textOf(tensor.dataType, a)}, given ${textOf(tensor.dataType, b)}`;
  }
  return first === null ? null : `${first}, ${wrong} of ${count} elements differ`;
}

/** True for a signaling NaN of float16 and the same NaN made quiet, as DirectML does with strides (docs/differences.md). */
function isMadeQuiet([low = 0, high = 0]: Uint8Array, given: Uint8Array): boolean {
  const isNaN = (high & 0x7c) === 0x7c && ((high & 3) | low) !== 0;
  return isNaN && given[0] === low && given[1] === (high | 2);
}
