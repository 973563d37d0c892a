/** Other sizes and strides for the same memory, as functions of tensor descriptions. Nothing is copied. */
import { fieldError, list, type Place } from '../errors.js';
import type { DataType } from '../schema/generated/enums.js';
import { featureLevels } from '../schema/feature-level.js';
import type { TensorDesc } from '../schema/tensor-desc.js';
import { readArray, readUint } from '../validation/input.js';
import type { ResolvedTensor } from '../validation/resolved.js';
import { resolveTensor } from '../validation/tensor.js';
import { packedStrides, productOf, sameStrides } from '../validation/tensor-size.js';

/** Data type, sizes and strides of a tensor. */
export type TensorLayout = Pick<ResolvedTensor, 'dataType' | 'sizes' | 'strides'>;

/** A description with its strides; null for a packed tensor. */
export interface ViewDesc extends TensorDesc {
  readonly strides: readonly number[] | null;
}

/**
 * The same elements in the same row-major order with other sizes.
 *
 * @param tensor A packed tensor, or its description.
 * @param sizes As many elements as the tensor has.
 * @throws {DirectMLError} ERR_SIZES for another number of elements, ERR_STRIDES for a tensor that is not packed,
 * ERR_INVALID_DESCRIPTOR and others for a wrong description.
 */
export function reshape<T extends DataType>(
  tensor: TensorDesc & { readonly dataType: T },
  sizes: readonly number[],
): ViewDesc & { readonly dataType: T } {
  return { ...reshaped('reshape', layoutOf('reshape', tensor), sizes), dataType: tensor.dataType };
}

/**
 * The tensor with its dimensions in another order.
 *
 * @param tensor A tensor, or its description.
 * @param axes The dimension of the tensor that each dimension of the result is. By default they are reversed.
 * @throws {DirectMLError} ERR_SIZES unless `axes` has each dimension once, ERR_INVALID_DESCRIPTOR and others for a wrong
 * description.
 */
export function transpose<T extends DataType>(
  tensor: TensorDesc & { readonly dataType: T },
  axes?: readonly number[],
): ViewDesc & { readonly dataType: T } {
  return { ...transposed('transpose', layoutOf('transpose', tensor), axes), dataType: tensor.dataType };
}

/**
 * The tensor repeated, by strides of 0, along dimensions in which it has the size 1, and along new ones in front. An operator
 * takes such a tensor as an input only.
 *
 * @param tensor A tensor, or its description.
 * @param sizes The sizes of the result.
 * @throws {DirectMLError} ERR_SIZES where a size is neither 1 nor that of the result, ERR_INVALID_DESCRIPTOR and others for a
 * wrong description.
 */
export function broadcastTo<T extends DataType>(
  tensor: TensorDesc & { readonly dataType: T },
  sizes: readonly number[],
): ViewDesc & { readonly dataType: T } {
  return { ...broadcasted('broadcastTo', layoutOf('broadcastTo', tensor), sizes), dataType: tensor.dataType };
}

/** As {@link reshape}, of a tensor that was validated. */
export function reshaped(method: string, { dataType, sizes: own, strides }: TensorLayout, given: unknown): TensorLayout {
  const place = { operator: method, field: 'sizes' };
  const sizes = readSizes(given, place);
  if (!isPacked(own, strides)) {
    const why = 'its elements do not lie in row-major order; copy it with elementWiseIdentity first';
    throw fieldError('ERR_STRIDES', { operator: method, field: 'strides' }, 'a packed tensor', list(strides ?? []), { why });
  }
  if (productOf(sizes) !== productOf(own)) {
    const given = `${list(sizes)}, which has ${productOf(sizes)}`;
    throw fieldError('ERR_SIZES', place, `${productOf(own)} elements, as ${list(own)} has`, given);
  }
  return { dataType, sizes, strides: null };
}

/** As {@link transpose}, of a tensor that was validated. */
export function transposed(method: string, { dataType, sizes, strides }: TensorLayout, given: unknown): TensorLayout {
  const place = { operator: method, field: 'axes' };
  const axes = given === undefined ? [...sizes.keys()].reverse() : readArray(given, place).map((axis) => readUint(axis, place));
  if (axes.length !== sizes.length || new Set(axes).size !== axes.length || axes.some((axis) => axis >= sizes.length)) {
    throw fieldError('ERR_SIZES', place, `each of the dimensions 0 to ${sizes.length - 1} once`, list(axes));
  }
  const own = strides ?? packedStrides(sizes);
  return { dataType, sizes: axes.map((axis) => sizes[axis] ?? 1), strides: axes.map((axis) => own[axis] ?? 0) };
}

/** As {@link broadcastTo}, of a tensor that was validated. */
export function broadcasted(method: string, { dataType, sizes: own, strides }: TensorLayout, given: unknown): TensorLayout {
  const place = { operator: method, field: 'sizes' };
  const sizes = readSizes(given, place);
  if (!canBroadcast(own, sizes)) {
    throw fieldError('ERR_SIZES', place, `sizes that ${list(own)} can be repeated to`, list(sizes));
  }
  const added = sizes.length - own.length;
  const ownStrides = strides ?? packedStrides(own);
  const repeats = sizes.map((size, axis) =>
    axis < added || (own[axis - added] === 1 && size !== 1) ? 0 : ownStrides[axis - added],
  );
  return { dataType, sizes, strides: repeats.map((stride) => stride ?? 0) };
}

/** True if each size, aligned to the right, is 1 or that of `target`. */
export function canBroadcast(sizes: readonly number[], target: readonly number[]): boolean {
  const added = target.length - sizes.length;
  return added >= 0 && sizes.every((size, axis) => size === 1 || size === target[axis + added]);
}

/** True if the elements lie one after the other in row-major order. */
export function isPacked(sizes: readonly number[], strides: readonly number[] | null): boolean {
  return strides === null || sameStrides(sizes, strides, null);
}

function readSizes(value: unknown, place: Place): readonly number[] {
  return Object.freeze(readArray(value, place, 'an array of sizes').map((size) => readUint(size, place)));
}

function layoutOf(method: string, tensor: unknown): TensorLayout {
  const [highest = '6.4'] = featureLevels.slice(-1);
  return resolveTensor(tensor, { operator: method, field: 'tensor' }, 'any', highest);
}
