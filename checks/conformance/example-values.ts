/** Converts the values of an example to a tensor's elements and back, and compares them. */
import { fromFloat16Bits, toFloat16Bits } from 'node-directml';
import type { DataType } from '../cases/case.js';
import type { Element, ExampleTensor } from '../cases/example.js';

/** The values as `Tensor.write` takes them. */
export function encode(dataType: DataType, values: readonly Element[]): ArrayBuffer {
  const numbers = (): number[] => values.map(Number);
  switch (dataType) {
    case 'float64':
      return Float64Array.from(numbers()).buffer;
    case 'float32':
      return Float32Array.from(numbers()).buffer;
    case 'float16':
      return Uint16Array.from(toFloat16Bits(numbers())).buffer;
    case 'uint64':
    case 'int64':
      return BigInt64Array.from(values, (value) => BigInt.asIntN(64, BigInt(value ?? 0))).buffer;
    case 'uint32':
    case 'int32':
      return Uint32Array.from(numbers()).buffer;
    case 'uint16':
    case 'int16':
      return Uint16Array.from(numbers()).buffer;
    case 'uint8':
    case 'int8':
      return Uint8Array.from(numbers()).buffer;
    default:
      throw new TypeError(`no reference page has an example of ${dataType}`);
  }
}

/** The values from `Tensor.read`, which may give float16 as bits. */
export function decode(dataType: DataType, array: ArrayLike<number | bigint>): Element[] {
  if (dataType === 'float16' && array instanceof Uint16Array) return [...fromFloat16Bits(array)];
  return Array.from(array);
}

/**
 * True if the given elements agree with the example. An exact value agrees with the same number in the tensor's data type;
 * −0 agrees with 0, NaN with NaN. A rounded value agrees if it has the decimals that the page prints. A null value agrees
 * with anything.
 */
export function agree({ dataType, values, decimals }: ExampleTensor, given: readonly Element[]): boolean {
  if (values === null) return true;
  const half = decimals === undefined ? 0 : 0.5 * 10 ** -decimals * (1 + 1e-6);
  return (
    values.length === given.length &&
    values.every((value, i) => {
      const other = given[i] ?? null;
      if (value === null) return true;
      if (typeof other === 'bigint') return BigInt(value) === other;
      const expected = nearest(dataType, Number(value));
      return Object.is(expected + 0, Number(other) + 0) || Math.abs(expected - Number(other)) <= half;
    })
  );
}

function nearest(dataType: DataType, value: number): number {
  if (dataType === 'float32') return Math.fround(value);
  return dataType === 'float16' ? (fromFloat16Bits(toFloat16Bits([value]))[0] ?? NaN) : value;
}
