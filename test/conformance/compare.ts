/** Compares two results of one tensor: every byte in the gaps, every element within the tolerance. */
import type { TensorDesc } from 'node-directml';
import { BYTES, type DataType } from './case.js';
import { offsetOf, product } from './layout.js';
import { allowedError, isExact, ulpOf, type Tolerance } from './tolerance/row.js';

export interface Mismatch {
  /** In elements from the tensor's start; for a byte in a gap, the element it would be in. */
  readonly offset: number;
  readonly coordinates: readonly number[] | 'gap';
  readonly expected: string;
  readonly actual: string;
  readonly count: number;
}

/** How far off the worst element is, in ULP of its type, and how far it might be. */
export interface Worst {
  readonly ulp: number;
  readonly allowed: number;
}

export interface Comparison {
  /** The first difference and how many there are; null where there is none. */
  readonly mismatch: Mismatch | null;
  /** null where nothing differs. */
  readonly worst: Worst | null;
}

export function compare(
  tensor: TensorDesc,
  expected: Uint8Array,
  actual: Uint8Array,
  tolerance: Tolerance,
): Comparison {
  if (Buffer.compare(expected, actual) === 0) return { mismatch: null, worst: null };
  const { dataType } = tensor;
  const width = BYTES[dataType];
  const wrong: number[] = [];
  let worst: Worst | null = null;
  const elements = elementsByOffset(tensor);
  const end = Math.max(...elements.keys()) + 1;
  const tailEnd = tolerance.row.tail === true ? Math.ceil(end / 4) * 4 : end;
  const tolerant = dataType.startsWith('float') && (!isExact(tolerance.row) || tolerance.row.byValue === true);
  for (let at = 0; at * width < expected.length; at++) {
    const a = expected.subarray(at * width, (at + 1) * width);
    const b = actual.subarray(at * width, (at + 1) * width);
    if (Buffer.compare(a, b) === 0 || (at >= end && at < tailEnd)) continue;
    const error =
      tolerant && elements.has(at)
        ? errorOf(dataType, number(dataType, a), number(dataType, b), tolerance)
        : { ulp: Infinity, allowed: 0 };
    if (error.ulp > error.allowed) wrong.push(at);
    if (worst === null || error.ulp > worst.ulp) worst = error;
  }
  const first = wrong[0];
  if (first === undefined) return { mismatch: null, worst };
  const element = elements.get(first);
  const show = (bytes: Uint8Array): string => {
    const part = bytes.slice(first * width, (first + 1) * width);
    const hex = `0x${Buffer.from(part).reverse().toString('hex')}`;
    return part.length === width ? `${number(dataType, part)} (${hex})` : hex;
  };
  const mismatch: Mismatch = {
    offset: first,
    coordinates: element === undefined ? 'gap' : coordinatesOf(element, tensor.sizes),
    expected: show(expected),
    actual: show(actual),
    count: wrong.length,
  };
  return { mismatch, worst };
}

function elementsByOffset(tensor: TensorDesc): Map<number, number> {
  const elements = new Map<number, number>();
  const count = product(tensor.sizes);
  for (let i = 0; i < count; i++) elements.set(offsetOf(tensor, i), i);
  return elements;
}

function errorOf(dataType: DataType, expected: number, actual: number, tolerance: Tolerance): Worst {
  if (isSame(dataType, expected, actual, tolerance)) return { ulp: 0, allowed: 0 };
  if (!Number.isFinite(expected) || !Number.isFinite(actual)) return { ulp: Infinity, allowed: 0 };
  const unit = ulpOf(dataType, Math.max(Math.abs(expected), tolerance.magnitude));
  return {
    ulp: Math.abs(expected - actual) / unit,
    allowed: allowedError(tolerance, dataType, expected) / unit,
  };
}

/** What Direct3D's rules leave open, and no tolerance in ULP can say. */
function isSame(dataType: DataType, expected: number, actual: number, { row }: Tolerance): boolean {
  if (Number.isNaN(expected)) return Number.isNaN(actual);
  if (expected === actual) return true;
  if (expected < 0 !== actual < 0 && actual !== 0) return false;
  // Arithmetic in float32 flushes subnormal results to zero; that in float16 keeps them.
  if (dataType === 'float32') return actual === 0 && Math.abs(expected) < 2 ** -126;
  // Cut off, all finite float32 beyond the largest float16 become that; rounded, they are infinite from 65520 on; and
  // some drivers take infinity for whatever is larger. What the result was before it was narrowed is not known here.
  const ends = [Math.abs(expected), Math.abs(actual)];
  return dataType === 'float16' && !isExact(row) && ends.includes(65504) && ends.includes(Infinity);
}

function number(dataType: DataType, bytes: Uint8Array): number {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  switch (dataType) {
    case 'float64':
      return view.getFloat64(0, true);
    case 'float32':
      return view.getFloat32(0, true);
    case 'float16':
      return float16(view.getUint16(0, true));
    case 'uint64':
      return Number(view.getBigUint64(0, true));
    case 'int64':
      return Number(view.getBigInt64(0, true));
    case 'uint32':
      return view.getUint32(0, true);
    case 'int32':
      return view.getInt32(0, true);
    case 'uint16':
      return view.getUint16(0, true);
    case 'int16':
      return view.getInt16(0, true);
    case 'int8':
      return view.getInt8(0);
    default:
      return view.getUint8(0);
  }
}

/** Written apart from the package's own conversion, which it checks. */
function float16(bits: number): number {
  const exponent = (bits >> 10) & 31;
  const mantissa = bits & 1023;
  const magnitude =
    exponent === 31
      ? mantissa === 0
        ? Infinity
        : NaN
      : exponent === 0
        ? mantissa * 2 ** -24
        : (1024 + mantissa) * 2 ** (exponent - 25);
  return bits & 0x8000 ? -magnitude : magnitude;
}

function coordinatesOf(element: number, sizes: readonly number[]): number[] {
  const coordinates = sizes.map(() => 0);
  let rest = element;
  for (let axis = sizes.length - 1; axis >= 0; axis--) {
    const size = sizes[axis] ?? 1;
    coordinates[axis] = rest % size;
    rest = Math.floor(rest / size);
  }
  return coordinates;
}
