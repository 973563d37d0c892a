/** Makes tensors in memory. */
import { codecs } from '../tensors/element.js';
import { bitsOf } from '../tensors/data-types.js';
import type { DataType } from '../tensors/generated/enums.js';
import { productOf } from '../tensors/tensor-size.js';
import { HostData, type HostOperand } from './operand.js';

type Numbers = Iterable<number | bigint>;

/** The bytes of elements. Integers are wrapped to the bits of the data type. */
export function bytesFrom(dataType: DataType, elements: Numbers): Uint8Array {
  const all = Array.from(elements);
  const bytes = new Uint8Array(Math.ceil((all.length * bitsOf(dataType)) / 8));
  const view = new DataView(bytes.buffer);
  const { write } = codecs[dataType];
  for (const [i, element] of all.entries()) write(view, i, element);
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
  if (productOf(dims) !== 0) throw new TypeError('a tensor without elements has a size of 0');
  return { dataType, dims, isBool, strides: null, data: new HostData(new Uint8Array(0)) };
}
