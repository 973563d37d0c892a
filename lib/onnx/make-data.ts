/** Makes tensors in memory. */
import { float16ToBits } from '../data-types/float16.js';
import type { DataType } from '../schema/generated/enums.js';
import { HostData, product, type HostOperand } from './operand.js';

type Numbers = Iterable<number | bigint>;

/** The bytes of elements. */
export function bytesFrom(dataType: DataType, elements: Numbers): Uint8Array {
  const numbers = () => Array.from(elements, Number);
  const bigints = () => Array.from(elements, (element) => BigInt(element));
  const make = {
    float32: () => Float32Array.from(numbers()),
    float64: () => Float64Array.from(numbers()),
    float16: () => Uint16Array.from(numbers(), float16ToBits),
    int8: () => Int8Array.from(numbers()),
    uint8: () => Uint8Array.from(numbers()),
    int16: () => Int16Array.from(numbers()),
    uint16: () => Uint16Array.from(numbers()),
    int32: () => Int32Array.from(numbers()),
    uint32: () => Uint32Array.from(numbers()),
    int64: () => BigInt64Array.from(bigints()),
    uint64: () => BigUint64Array.from(bigints()),
    uint4: () => nibblesOf(numbers()),
    int4: () => nibblesOf(numbers()),
  }[dataType];
  return new Uint8Array(make().buffer);
}

function nibblesOf(numbers: readonly number[]): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(Math.ceil(numbers.length / 2));
  for (const [i, number] of numbers.entries()) bytes[i >> 1] = (bytes[i >> 1] ?? 0) | ((number & 15) << (4 * (i % 2)));
  return bytes;
}

/** A tensor in memory. */
export function hostOperand(dataType: DataType, dims: readonly number[], elements: Numbers, isBool = false): HostOperand {
  return { dataType, dims, isBool, strides: null, data: new HostData(bytesFrom(dataType, elements)) };
}

/** One number, without dimensions. */
export function scalar(dataType: DataType, value: number | bigint): HostOperand {
  return hostOperand(dataType, [], [value]);
}

/** A list of numbers. */
export function vector(dataType: DataType, values: readonly (number | bigint)[]): HostOperand {
  return hostOperand(dataType, [values.length], values);
}

/** A tensor without elements: one of its sizes is 0. */
export function empty(dataType: DataType, dims: readonly number[], isBool = false): HostOperand {
  if (product(dims) !== 0) throw new TypeError('a tensor without elements has a size of 0');
  return { dataType, dims, isBool, strides: null, data: new HostData(new Uint8Array(0)) };
}
