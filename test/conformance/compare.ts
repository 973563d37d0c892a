/** Compares two results of one tensor: every byte in the gaps, every element within the tolerance. */
import type { TensorDesc } from 'node-directml';
import { BYTES, type DataType } from './case.js';
import { offsetOf, product } from './layout.js';
import type { Tolerance } from './tolerances.js';

export interface Mismatch {
  /** In elements from the tensor's start; for a byte in a gap, the element it would be in. */
  readonly offset: number;
  readonly coordinates: readonly number[] | 'gap';
  readonly expected: string;
  readonly actual: string;
  readonly count: number;
}

/** The first difference and how many there are; null where there is none. */
export function compare(
  tensor: TensorDesc,
  expected: Uint8Array,
  actual: Uint8Array,
  tolerance: Tolerance,
  magnitude = 0,
): Mismatch | null {
  if (Buffer.compare(expected, actual) === 0) return null;
  const width = BYTES[tensor.dataType];
  const wrong: number[] = [];
  const elements = new Map<number, number>();
  const count = product(tensor.sizes);
  for (let i = 0; i < count; i++) elements.set(offsetOf(tensor, i), i);
  for (let at = 0; at * width < expected.length; at++) {
    const a = expected.subarray(at * width, (at + 1) * width);
    const b = actual.subarray(at * width, (at + 1) * width);
    if (Buffer.compare(a, b) === 0) continue;
    const byValue = tolerance.ulp > 0 || tolerance.byValue === true;
    const floating = tensor.dataType.startsWith('float') && byValue && elements.has(at);
    if (
      !floating ||
      !close(tensor.dataType, number(tensor.dataType, a), number(tensor.dataType, b), tolerance, magnitude)
    ) {
      wrong.push(at);
    }
  }
  const first = wrong[0];
  if (first === undefined) return null;
  const element = elements.get(first);
  const show = (bytes: Uint8Array): string => {
    const part = bytes.slice(first * width, (first + 1) * width);
    const hex = `0x${Buffer.from(part).reverse().toString('hex')}`;
    return part.length === width ? `${number(tensor.dataType, part)} (${hex})` : hex;
  };
  return {
    offset: first,
    coordinates: element === undefined ? 'gap' : coordinatesOf(element, tensor.sizes),
    expected: show(expected),
    actual: show(actual),
    count: wrong.length,
  };
}

function close(
  dataType: DataType,
  expected: number,
  actual: number,
  tolerance: Tolerance,
  magnitude: number,
): boolean {
  if (Number.isNaN(expected) || Number.isNaN(actual)) return Number.isNaN(expected) && Number.isNaN(actual);
  if (expected === actual) return true;
  // Direct3D flushes subnormal results of float32 arithmetic to zero; those of float16 it keeps.
  if (dataType === 'float32' && actual === 0 && Math.abs(expected) < 2 ** -126) return true;
  // One ULP past the largest float16: where the conversion from float32 rounds up instead of to the nearest.
  if (dataType === 'float16' && tolerance.ulp >= 1 && [expected, actual].map(Math.abs).sort().join() === '65504,Infinity') {
    return expected < 0 === actual < 0;
  }
  const unit = ulpOf(dataType, Math.max(Math.abs(expected), magnitude));
  return (
    Number.isFinite(expected) &&
    Number.isFinite(actual) &&
    Math.abs(expected - actual) <=
      tolerance.ulp * unit + (tolerance.absolute ?? 0) + (tolerance.relative ?? 0) * Math.abs(expected)
  );
}

/** The distance between neighbouring values at `value`. */
function ulpOf(dataType: DataType, value: number): number {
  const [digits, least] =
    dataType === 'float16' ? [10, -14] : dataType === 'float32' ? [23, -126] : [52, -1022];
  return 2 ** (Math.max(Math.floor(Math.log2(Math.max(value, 2 ** least))), least) - digits);
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
