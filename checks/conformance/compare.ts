/** Compares two results of one tensor: bytes in gaps must be equal, elements must be within the tolerance. */
import type { TensorDesc } from 'node-directml';
import { counted } from '#lib/cli/layout.js';
import { isFloat } from '#lib/tensors/data-types.js';
import { bytesPerElement, type DataType } from '../cases/case.js';
import { coordinatesOf, offsetOf, product } from '../cases/layout.js';
import { hex, number, spread, textOf } from '../cases/decode.js';
import { allowedError, isExact, type Element, type ToleranceRow } from '../tolerance/row.js';

/** Who gave the two results of a comparison, and which of them is expected. */
export interface Sides {
  /** The side that the tolerance is measured from. */
  readonly reference: string;
  readonly other: string;
  readonly expected: 'reference' | 'other';
}

/** The error of the worst element and its allowed error, in ULP of its data type. */
export interface Worst {
  readonly ulp: number;
  readonly allowed: number;
}

interface Comparison {
  /** The first difference and the number of differences as text; null if there is none. */
  readonly mismatch: string | null;
  /** Null if nothing differs. */
  readonly worst: Worst | null;
}

/** A row of the tolerance table, and the facts about a case that it depends on. */
export interface Tolerance {
  readonly row: ToleranceRow;
  readonly terms: number;
  readonly element: (element: number) => Element;
  /** The reference's result if float32 subnormals count as zeros; undefined if there are none. */
  readonly flushed?: Uint8Array | undefined;
}

export function compare(
  tensor: TensorDesc,
  referenceBytes: Uint8Array,
  otherBytes: Uint8Array,
  tolerance: Tolerance,
  sides: Sides,
): Comparison {
  if (Buffer.compare(referenceBytes, otherBytes) === 0) return { mismatch: null, worst: null };
  const { dataType } = tensor;
  const isNibbles = bytesPerElement(dataType) < 1;
  const width = isNibbles ? 1 : bytesPerElement(dataType);
  const [reference, other] = isNibbles ? [spread(referenceBytes), spread(otherBytes)] : [referenceBytes, otherBytes];
  const wrong: number[] = [];
  let worst: Worst | null = null;
  const elements = elementsByOffset(tensor);
  const tolerant = isFloat(dataType) && (!isExact(tolerance.row) || tolerance.row.byValue === true);
  for (let at = 0; at * width < reference.length; at++) {
    const a = reference.subarray(at * width, (at + 1) * width);
    const b = other.subarray(at * width, (at + 1) * width);
    if (Buffer.compare(a, b) === 0 || (tolerance.row.tail === true && isTail(elements, at))) continue;
    const element = elements.get(at);
    const error = [reference, ...(tolerance.flushed === undefined ? [] : [tolerance.flushed])]
      .map((bytes) => bytes.subarray(at * width, (at + 1) * width))
      .map((bytes) => {
        if (Buffer.compare(bytes, b) === 0) return SAME;
        if (!tolerant || element === undefined) return WRONG;
        return errorOf(dataType, tolerance, element, number(dataType, bytes), number(dataType, b));
      })
      .reduce((best, next) => (next.ulp - next.allowed < best.ulp - best.allowed ? next : best));
    if (error.ulp > error.allowed) wrong.push(at);
    if (worst === null || error.ulp > worst.ulp) worst = error;
  }
  const first = wrong[0];
  if (first === undefined) return { mismatch: null, worst };
  const element = elements.get(first);
  const show = (bytes: Uint8Array): string => {
    const part = bytes.slice(first * width, (first + 1) * width);
    return part.length === width ? textOf(dataType, part) : hex(part);
  };
  // A byte in a gap has the offset of the element that would contain it.
  const where = element === undefined ? 'a gap' : `[${coordinatesOf(element, tensor.sizes).join(', ')}]`;
  const results = [`${show(reference)} from ${sides.reference}`, `${show(other)} from ${sides.other}`];
  if (sides.expected === 'other') results.reverse();
  const difference = `expected ${results.join(', given ')} (${counted(wrong.length, 'element')} differ${wrong.length === 1 ? 's' : ''})`;
  return { mismatch: `${where}, offset ${first}: ${difference}`, worst };
}

/** True if the offset `at` is in a gap, and an element lies before it in the same group of four elements. */
function isTail(elements: ReadonlyMap<number, number>, at: number): boolean {
  if (elements.has(at)) return false;
  for (let before = at - (at % 4); before < at; before++) if (elements.has(before)) return true;
  return false;
}

function elementsByOffset(tensor: TensorDesc): Map<number, number> {
  return new Map(Array.from({ length: product(tensor.sizes) }, (_, element) => [offsetOf(tensor, element), element]));
}

function errorOf(dataType: DataType, { row, terms, element }: Tolerance, index: number, expected: number, actual: number): Worst {
  if (isSame(dataType, expected, actual)) return SAME;
  if (isExact(row)) return WRONG;
  const at = element(index);
  const y = onLine(dataType, expected, at.finite);
  const distance = Math.abs(y - onLine(dataType, actual, at.finite));
  if (!Number.isFinite(distance)) return WRONG;
  const { error, unit } = allowedError(row, terms, dataType, { ...at, y });
  return { ulp: distance / unit, allowed: error / unit };
}

const SAME: Worst = { ulp: 0, allowed: 0 };
const WRONG: Worst = { ulp: Infinity, allowed: 0 };

/**
 * The value for measuring a distance. If no input is infinite, an infinite float16 counts as 65536, the next value after the
 * largest one: rounding gives infinity from 65520 on, some drivers give it for everything above 65504, truncation never does.
 */
function onLine(dataType: DataType, value: number, finiteInputs: boolean): number {
  if (dataType !== 'float16' || !finiteInputs || Math.abs(value) !== Infinity) return value;
  return Math.sign(value) * 65536;
}

/** True if Direct3D's rules allow `actual` for `expected` regardless of ULP: any NaN, either zero, a flushed subnormal. */
function isSame(dataType: DataType, expected: number, actual: number): boolean {
  if (Number.isNaN(expected)) return Number.isNaN(actual);
  if (expected === actual) return true;
  if (expected < 0 !== actual < 0 && actual !== 0) return false;
  // Float32 arithmetic flushes subnormal results to zero; float16 arithmetic keeps them.
  return dataType === 'float32' && actual === 0 && Math.abs(expected) < 2 ** -126;
}
