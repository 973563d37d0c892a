/** Reads the data for a tensor: all its elements, in any of several forms. */
import { arraysOf, bitsOf } from '../data-types/table.js';
import { typedArrayName } from '../data-types/typed-array-name.js';
import { fieldError } from '../errors.js';
import type { DataType } from '../schema/generated/enums.js';
import { elementSpan, spanInBytes } from '../validation/tensor-size.js';
import type { TensorLayout } from '../validation/views.js';
import { argumentError } from '../validation/arguments.js';
import { bytesOfArray, isPlainArray } from './array-data.js';
import { bytesOf, isBufferSource } from './buffer-source.js';
import type { TypedArrayFor } from './typed-arrays.js';

/**
 * Data for {@link Tensor.write}: the typed array of the data type, an ArrayBuffer, a DataView, or a plain array of numbers
 * (of numbers or bigints for int64 and uint64).
 */
export type TensorData<T extends DataType> =
  TypedArrayFor<T> | ArrayBufferLike | DataView | readonly (T extends 'int64' | 'uint64' ? number | bigint : number)[];

/** True for data in any of the forms that {@link bytesOfTensor} takes. */
export function isData(method: string, value: unknown): boolean {
  return isPlainArray(method, value) || isBufferSource(value);
}

/** The elements as bytes, in memory order. They may be a view of the data: nothing is copied that need not be. */
export function bytesOfTensor(method: string, { dataType, sizes, strides }: TensorLayout, data: unknown): Uint8Array {
  const count = elementSpan(sizes, strides);
  if (isPlainArray(method, data)) return bytesOfArray(method, data, dataType, count);
  const bytes = bytesOf(method, data);
  const name = typedArrayName(data);
  const names = arraysOf(dataType);
  if (name !== undefined && !names.includes(name)) {
    throw argumentError(method, 'data', `${names.join(' or ')} for ${dataType}`, name, 'ERR_DATA_TYPE');
  }
  const expected = spanInBytes(dataType, sizes, strides);
  if (bytes.byteLength !== expected) {
    const per = bitsOf(dataType) / 8;
    const what = `${count} elements (${expected} bytes) for sizes [${sizes.join(', ')}]`;
    const given = `${bytes.byteLength / per} (${bytes.byteLength} bytes)`;
    throw fieldError('ERR_SIZES', { operator: method, field: 'data' }, what, given);
  }
  return bytes;
}
