/** Elements of tensors as bytes, rounding to data types, and the distance of two floats. */
import type { MLOperandDataType } from 'node-directml/webnn';
import type { Element } from './plain-tensor.js';

export interface FloatFormat {
  /** Bits of the significand, the hidden one included. */
  readonly precision: number;
  /** The exponents of the least and the largest normal number. */
  readonly least: number;
  readonly largest: number;
}

const formats = {
  float32: { precision: 24, least: -126, largest: 127 },
  float16: { precision: 11, least: -14, largest: 15 },
} as const;

export type FloatType = keyof typeof formats;

export function isFloatType(dataType: MLOperandDataType): dataType is FloatType {
  return dataType in formats;
}

export function formatOf(dataType: FloatType): FloatFormat {
  return formats[dataType];
}

/** The largest finite number of a type. */
export function largestOf(dataType: FloatType): number {
  const { precision, largest } = formats[dataType];
  return (2 - 2 ** (1 - precision)) * 2 ** largest;
}

/** The number after it, if there were one. */
export function afterLargest(dataType: FloatType): number {
  return 2 ** (formats[dataType].largest + 1);
}

/** The distance of neighboring floats at this magnitude, as if there were larger ones than there are. */
export function unitAt(dataType: FloatType, magnitude: number): number {
  const { precision, least } = formats[dataType];
  return 2 ** ((magnitude > 2 ** least ? exponentOf(magnitude) : least) - precision + 1);
}

/** The nearest float of the type, halves to even. */
export function roundTo(dataType: FloatType, value: number): number {
  if (!Number.isFinite(value) || value === 0) return value;
  const unit = unitAt(dataType, Math.abs(value));
  const rounded = halvesToEven(value / unit) * unit;
  return Math.abs(rounded) > largestOf(dataType) ? Math.sign(value) * Infinity : rounded;
}

export function halvesToEven(value: number): number {
  const floor = Math.floor(value);
  const rest = value - floor;
  if (rest === 0.5) return floor % 2 === 0 ? floor : floor + 1;
  return rest < 0.5 ? floor : floor + 1;
}

/** The exponent of a positive number, which need not be whole in base 2. */
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

/** Where a float is in the order of all floats of its type, 0 at 0. */
function placeOf(dataType: FloatType, value: number): number {
  const { precision, least, largest } = formats[dataType];
  const magnitude = Math.abs(value);
  const perExponent = 2 ** (precision - 1);
  let place: number;
  if (magnitude === Infinity) place = (largest - least + 2) * perExponent;
  else if (magnitude < 2 ** least) place = magnitude / unitAt(dataType, 0);
  else {
    const exponent = exponentOf(magnitude);
    place = (exponent - least) * perExponent + magnitude / 2 ** (exponent - precision + 1);
  }
  return value < 0 ? -place : place;
}

const bits: Readonly<Record<MLOperandDataType, number>> = {
  ...{ float32: 32, float16: 16, int32: 32, uint32: 32, int64: 64, uint64: 64, int8: 8, uint8: 8, int4: 4, uint4: 4 },
};

export function isWideType(dataType: MLOperandDataType): boolean {
  return bits[dataType] === 64;
}

/** The least and the greatest number of an integer type. */
export function limitsOf(dataType: MLOperandDataType): readonly [low: bigint, high: bigint] {
  const count = BigInt(bits[dataType]);
  return dataType.startsWith('u') ? [0n, 2n ** count - 1n] : [-(2n ** (count - 1n)), 2n ** (count - 1n) - 1n];
}

/** The lowest bits of a whole number, as an element of an integer type. */
export function wrappedTo(dataType: MLOperandDataType, value: bigint): Element {
  const count = bits[dataType];
  return natural(dataType, dataType.startsWith('u') ? BigInt.asUintN(count, value) : BigInt.asIntN(count, value));
}

/** A whole number as an element of the type: a bigint only for 64 bits. */
export function natural(dataType: MLOperandDataType, value: bigint): Element {
  return isWideType(dataType) ? value : Number(value);
}

export function bytesOf(dataType: MLOperandDataType, elements: readonly Element[]): ArrayBuffer {
  if (bits[dataType] === 4) return nibbles(elements.map(Number));
  const view = new DataView(new ArrayBuffer((elements.length * bits[dataType]) / 8));
  for (const [i, element] of elements.entries()) writers[wordOf(dataType)](view, i, element);
  return view.buffer;
}

export function elementsOf(dataType: MLOperandDataType, bytes: ArrayBuffer, count: number): readonly Element[] {
  const view = new DataView(bytes);
  return Array.from({ length: count }, (_, i) => {
    if (bits[dataType] !== 4) return readers[wordOf(dataType)](view, i);
    const nibble = (view.getUint8(i >> 1) >> (i % 2 === 0 ? 0 : 4)) & 15;
    return dataType === 'int4' && nibble > 7 ? nibble - 16 : nibble;
  });
}

/** The first of two elements is in the lower bits. */
function nibbles(elements: readonly number[]): ArrayBuffer {
  const bytes = new Uint8Array(Math.ceil(elements.length / 2));
  for (const [i, element] of elements.entries()) bytes[i >> 1] = (bytes[i >> 1] ?? 0) | ((element & 15) << (i % 2 === 0 ? 0 : 4));
  return bytes.buffer;
}

type Word = Exclude<MLOperandDataType, 'int4' | 'uint4'>;

function wordOf(dataType: MLOperandDataType): Word {
  if (dataType === 'int4' || dataType === 'uint4') throw new TypeError(`${dataType} has no bytes of its own`);
  return dataType;
}

const writers: Readonly<Record<Word, (view: DataView, index: number, element: Element) => void>> = {
  float32: (view, i, x) => view.setFloat32(i * 4, Number(x), true),
  float16: (view, i, x) => view.setUint16(i * 2, float16Bits(Number(x)), true),
  int32: (view, i, x) => view.setInt32(i * 4, Number(x), true),
  uint32: (view, i, x) => view.setUint32(i * 4, Number(x), true),
  int64: (view, i, x) => view.setBigInt64(i * 8, BigInt(x), true),
  uint64: (view, i, x) => view.setBigUint64(i * 8, BigInt(x), true),
  int8: (view, i, x) => view.setInt8(i, Number(x)),
  uint8: (view, i, x) => view.setUint8(i, Number(x)),
};

const readers: Readonly<Record<Word, (view: DataView, index: number) => Element>> = {
  float32: (view, i) => view.getFloat32(i * 4, true),
  float16: (view, i) => float16Number(view.getUint16(i * 2, true)),
  int32: (view, i) => view.getInt32(i * 4, true),
  uint32: (view, i) => view.getUint32(i * 4, true),
  int64: (view, i) => view.getBigInt64(i * 8, true),
  uint64: (view, i) => view.getBigUint64(i * 8, true),
  int8: (view, i) => view.getInt8(i),
  uint8: (view, i) => view.getUint8(i),
};

function float16Bits(value: number): number {
  if (Number.isNaN(value)) return 0x7e00;
  const rounded = roundTo('float16', value);
  const sign = rounded < 0 || Object.is(rounded, -0) ? 0x8000 : 0;
  return sign | placeOf('float16', Math.abs(rounded));
}

function float16Number(word: number): number {
  const [sign, exponent, fraction] = [word >> 15 === 1 ? -1 : 1, (word >> 10) & 31, word & 1023];
  if (exponent === 31) return fraction === 0 ? sign * Infinity : NaN;
  return exponent === 0 ? sign * fraction * 2 ** -24 : sign * (1 + fraction / 1024) * 2 ** (exponent - 15);
}
