/** Reads the data for a tensor: all its elements, in any of several forms. */
import { types } from 'node:util';
import { arraysOf, bitsOf } from '../../tensors/data-types.js';
import { typedArrayName } from '../../values/typed-array-name.js';
import { fieldError, type Place } from '../../values/errors.js';
import type { DataType } from '../../tensors/generated/enums.js';
import { elementSpan, spanInBytes } from '../../tensors/tensor-size.js';
import type { TensorLayout } from '../../tensors/views.js';
import { argumentError } from '../../values/arguments.js';
import { bytesOfArray, isPlainArray } from './array-data.js';
import { arrayAdvice } from './array-advice.js';
import { bytesOf, isBufferSource } from './buffer-source.js';
import { partAt } from './tensor-part.js';
import type { TypedArrayFor } from './typed-arrays.js';

/**
 * Data for {@link Tensor.write}: the typed array of the data type, an ArrayBuffer, a DataView, or a plain array of numbers
 * (of numbers or bigints for int64 and uint64).
 */
export type TensorData<T extends DataType> =
  TypedArrayFor<T> | ArrayBufferLike | DataView | readonly (T extends 'int64' | 'uint64' ? number | bigint : number)[];

/** What errors call data for a tensor. */
export const elements = 'an array of numbers, a typed array, a DataView or an ArrayBuffer';

/** True for data in any of the forms that {@link bytesOfTensor} takes. */
export function isData(place: Place, value: unknown): boolean {
  return isPlainArray(place, value) || isBufferSource(value);
}

/** True for a number and for data of any kind: what a program may give in the place of a tensor. Runs no code of the value. */
export function isNumbers(value: unknown): boolean {
  return typeof value === 'number' || typeof value === 'bigint' || isBufferSource(value) || isNumberArray(value);
}

/** Of numbers, or of arrays of them in as many levels as tensors have dimensions: an array may contain itself. */
function isNumberArray(value: unknown, levels = 8): boolean {
  if (levels === 0 || typeof value !== 'object' || types.isProxy(value) || !Array.isArray(value)) return false;
  const first: unknown = Object.getOwnPropertyDescriptor(value, 0)?.value;
  return typeof first === 'number' || typeof first === 'bigint' || isNumberArray(first, levels - 1);
}

/** The elements as bytes, in memory order. They may be a view of the data: nothing is copied that need not be. */
export function bytesOfTensor(place: Place, { dataType, sizes, strides }: TensorLayout, data: unknown): Uint8Array {
  const count = elementSpan(sizes, strides);
  if (isPlainArray(place, data)) return bytesOfArray(place, data, dataType, count);
  const bytes = bytesFor(place, dataType, data);
  const expected = spanInBytes(dataType, sizes, strides);
  if (bytes.byteLength !== expected) {
    const per = bitsOf(dataType) / 8;
    const what = `${count} elements (${expected} bytes) for sizes [${sizes.join(', ')}]`;
    const given = `${bytes.byteLength / per} (${bytes.byteLength} bytes)`;
    throw fieldError('ERR_SIZES', place, what, given);
  }
  return bytes;
}

/** Elements of a part of a tensor, as many as the data has. */
export function bytesOfPart(
  place: Place,
  { dataType, sizes, strides }: TensorLayout,
  data: unknown,
  offset: number,
): { readonly bytes: Uint8Array; readonly start: number } {
  const span = elementSpan(sizes, strides);
  const bits = bitsOf(dataType);
  const given = isPlainArray(place, data) ? data : bytesFor(place, dataType, data);
  const length = given instanceof Uint8Array ? (given.byteLength * 8) / bits : given.length;
  if (!Number.isInteger(length)) {
    throw fieldError('ERR_SIZES', place, `whole elements of ${bits / 8} bytes`, `${(length * bits) / 8} bytes`);
  }
  const isLastHalf = bits === 4 && length === span - offset + 1;
  const { start } = partAt(place.operator, dataType, span, offset, isLastHalf ? length - 1 : length);
  if (given instanceof Uint8Array) return { bytes: given, start };
  const { length: count } = given;
  if (bits === 4 && count % 2 !== 0 && offset + count < span) {
    throw fieldError('ERR_SIZES', place, 'whole bytes: an even number of elements', `${count}`);
  }
  return { bytes: bytesOfArray(place, given, dataType, count), start };
}

function bytesFor(place: Place, dataType: DataType, data: unknown): Uint8Array {
  const bytes = bytesOf(place, data, place.field === 'target' ? undefined : elements);
  const name = typedArrayName(data);
  const names = arraysOf(dataType);
  if (name === undefined || names.includes(name)) return bytes;
  const expected = `a ${names.join(' or ')} for ${dataType}`;
  throw argumentError(place.operator, place.field, expected, data, 'ERR_DATA_TYPE', arrayAdvice(place, dataType, data));
}
