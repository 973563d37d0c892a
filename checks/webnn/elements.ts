/** Elements of tensors as bytes, rounding to data types, and the distance of two floats. */
import type { MLOperandDataType } from 'node-directml/webnn';
import { float16ToBits } from '#lib/tensors/float16.js';
import { bitsOf, isWide, wideRangeOf, wrapped } from '#lib/tensors/data-types.js';
import { exactAt } from '../cases/decode.js';
import { writeElement } from '../cases/layout.js';
import type { Element } from './plain-tensor.js';

/** The bits of the significand, including the hidden bit, and the exponents of the least and the largest normal number. */
const formats = {
  float32: { precision: 24, least: -126, largest: 127 },
  float16: { precision: 11, least: -14, largest: 15 },
} as const;

export type FloatType = keyof typeof formats;

export function isFloatType(dataType: MLOperandDataType): dataType is FloatType {
  return dataType in formats;
}

/** The largest finite number of a type. */
export function largestOf(dataType: FloatType): number {
  const { precision, largest } = formats[dataType];
  return (2 - 2 ** (1 - precision)) * 2 ** largest;
}

/** The number that would follow the largest finite one. */
export function afterLargest(dataType: FloatType): number {
  return 2 ** (formats[dataType].largest + 1);
}

/** The distance between neighboring floats at this magnitude, as if exponents had no upper limit. */
export function unitAt(dataType: FloatType, magnitude: number): number {
  const { precision, least } = formats[dataType];
  return 2 ** ((magnitude > 2 ** least ? exponentOf(magnitude) : least) - precision + 1);
}

/** The nearest float of the type; ties go to even. */
export function roundTo(dataType: FloatType, value: number): number {
  if (!Number.isFinite(value) || value === 0) return value;
  const unit = unitAt(dataType, Math.abs(value));
  const rounded = halvesToEven(value / unit) * unit;
  return Math.abs(rounded) > largestOf(dataType) ? Math.sign(value) * Infinity : rounded;
}

export function halvesToEven(value: number): number {
  const floor = Math.floor(value);
  const rest = value - floor;
  return rest < 0.5 || (rest === 0.5 && floor % 2 === 0) ? floor : floor + 1;
}

/** The exponent of a positive number: the largest integer e with 2^e at most the number. */
function exponentOf(magnitude: number): number {
  if (magnitude === Infinity) return 1024;
  let exponent = Math.floor(Math.log2(magnitude));
  if (2 ** exponent > magnitude) exponent--;
  if (2 ** (exponent + 1) <= magnitude) exponent++;
  return exponent;
}

/** The number of steps from float to float between two numbers of the type; infinity is one step past the largest. */
export function stepsBetween(dataType: FloatType, a: number, b: number): number {
  return Math.abs(placeOf(dataType, a) - placeOf(dataType, b));
}

/** The position of a float in the order of all floats of its type: its bits without the sign, negated for negative floats. */
function placeOf(dataType: FloatType, value: number): number {
  const magnitude = Math.abs(value);
  const place =
    dataType === 'float16' ? float16ToBits(magnitude) : new DataView(Float32Array.of(magnitude).buffer).getInt32(0, true);
  return value < 0 ? -place : place;
}

/** The least and the greatest number of an integer type. */
export { wideRangeOf as limitsOf } from '#lib/tensors/data-types.js';

/** Wraps an integer around to the range of the type. */
export function wrappedTo(dataType: MLOperandDataType, value: bigint): Element {
  return natural(dataType, wrapped(dataType, value));
}

/** An integer as an element of the type: a bigint for 64 bits, else a number. */
export function natural(dataType: MLOperandDataType, value: bigint): Element {
  return isWide(dataType) ? value : Number(value);
}

export function bytesOf(dataType: MLOperandDataType, elements: readonly Element[]): ArrayBuffer {
  const view = new DataView(new ArrayBuffer(Math.ceil((elements.length * bitsOf(dataType)) / 8)));
  for (const [i, element] of elements.entries()) {
    writeElement(view, dataType, i, dataType === 'float16' ? float16ToBits(Number(element)) : element);
  }
  return view.buffer;
}

export function elementsOf(dataType: MLOperandDataType, buffer: ArrayBuffer, count: number): readonly Element[] {
  const [tensor, bytes] = [{ dataType, sizes: [count] }, new Uint8Array(buffer)];
  return Array.from({ length: count }, (_, i) => exactAt(tensor, bytes, i));
}

/** The specification's "cast", which it applies to numbers in options. */
export function castNumber(value: number | bigint, dataType: MLOperandDataType): Element {
  if (isFloatType(dataType)) return roundTo(dataType, Number(value));
  const { low, high } = wideRangeOf(dataType);
  if (Number.isNaN(value)) return natural(dataType, 0n);
  if (value <= low) return natural(dataType, low);
  if (value >= high) return natural(dataType, high);
  return natural(dataType, typeof value === 'bigint' ? value : BigInt(halvesToEven(value)));
}
