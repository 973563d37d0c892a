/** The data types of tensors, in the order of `DML_TENSOR_DATA_TYPE`, with their properties. */
import type { DataType } from './generated/enums.js';

interface DataTypeFacts {
  readonly kind: 'float' | 'int' | 'uint';
  readonly bits: 4 | 8 | 16 | 32 | 64;
  /** The typed arrays that may be written to a tensor, by name; its natural one first. */
  readonly arrays: readonly string[];
}

const facts: Readonly<Record<DataType, DataTypeFacts>> = {
  float32: { kind: 'float', bits: 32, arrays: ['Float32Array'] },
  float16: { kind: 'float', bits: 16, arrays: ['Float16Array', 'Uint16Array'] },
  uint32: { kind: 'uint', bits: 32, arrays: ['Uint32Array'] },
  uint16: { kind: 'uint', bits: 16, arrays: ['Uint16Array'] },
  uint8: { kind: 'uint', bits: 8, arrays: ['Uint8Array', 'Uint8ClampedArray'] },
  int32: { kind: 'int', bits: 32, arrays: ['Int32Array'] },
  int16: { kind: 'int', bits: 16, arrays: ['Int16Array'] },
  int8: { kind: 'int', bits: 8, arrays: ['Int8Array'] },
  float64: { kind: 'float', bits: 64, arrays: ['Float64Array'] },
  uint64: { kind: 'uint', bits: 64, arrays: ['BigUint64Array'] },
  int64: { kind: 'int', bits: 64, arrays: ['BigInt64Array'] },
  uint4: { kind: 'uint', bits: 4, arrays: ['Uint8Array'] },
  int4: { kind: 'int', bits: 4, arrays: ['Uint8Array'] },
};

/** The largest finite float16. */
export const largestFloat16 = 65504;

/** The largest finite float32. */
export const largestFloat32 = (2 - 2 ** -23) * 2 ** 127;

/** The smallest positive normal float32; nonzero magnitudes below it are subnormal. */
export const leastNormalFloat32 = 2 ** -126;

/** DML_MINIMUM_BUFFER_TENSOR_ALIGNMENT: every offset of a tensor in a buffer is a multiple of it, in bytes. */
export const minimumAlignment = 16;

export function isDataType(value: unknown): value is DataType {
  return typeof value === 'string' && Object.hasOwn(facts, value);
}

export const dataTypes: readonly DataType[] = Object.freeze(Object.keys(facts).filter(isDataType));

export function bitsOf(dataType: DataType): number {
  return facts[dataType].bits;
}

export function arraysOf(dataType: DataType): readonly string[] {
  return facts[dataType].arrays;
}

export function isFloat(dataType: DataType): boolean {
  return facts[dataType].kind === 'float';
}

/** Of integers. */
export function isSigned(dataType: DataType): boolean {
  return facts[dataType].kind === 'int';
}

/** Of integers. */
export function isUnsigned(dataType: DataType): boolean {
  return facts[dataType].kind === 'uint';
}

/** Whether elements are integers of 64 bits, which need bigints. */
export function isWide(dataType: DataType): boolean {
  return bitsOf(dataType) === 64 && !isFloat(dataType);
}

/** The least and the greatest number of an integer type of up to 32 bits. */
export function rangeOf(dataType: DataType): { readonly low: number; readonly high: number } {
  const { low, high } = wideRangeOf(dataType);
  return { low: Number(low), high: Number(high) };
}

/** The same of any integer type. */
export function wideRangeOf(dataType: DataType): { readonly low: bigint; readonly high: bigint } {
  const bits = BigInt(bitsOf(dataType));
  return isUnsigned(dataType)
    ? { low: 0n, high: (1n << bits) - 1n }
    : { low: -(1n << (bits - 1n)), high: (1n << (bits - 1n)) - 1n };
}

/** Wraps an integer to the type's width. */
export function wrapped(dataType: DataType, value: bigint): bigint {
  return isUnsigned(dataType) ? BigInt.asUintN(bitsOf(dataType), value) : BigInt.asIntN(bitsOf(dataType), value);
}

/** Rounds to the nearest integer, halves to even. */
export function roundToEven(value: number): number {
  const floor = Math.floor(value);
  const rest = value - floor;
  if (rest !== 0.5) return rest < 0.5 ? floor : Math.ceil(value);
  return floor % 2 === 0 ? floor : floor + 1;
}
