/** Functions that compute the sizes and strides of views from tensor descriptions. Nothing is copied. */
import { fieldError, list, type Place } from '../errors.js';
import type { DataType } from '../schema/generated/enums.js';
import { highestFeatureLevel } from '../schema/feature-level.js';
import type { TensorDesc } from '../schema/tensor-desc.js';
import { readArray, readUint } from '../validation/input.js';
import type { ResolvedTensor } from '../validation/resolved.js';
import { resolveTensor } from '../validation/tensor.js';
import { canBroadcast, productOf, sameStrides, stridesOf } from '../validation/tensor-size.js';

/** Data type, sizes, and strides in elements (null for a packed tensor). */
export type TensorLayout = Pick<ResolvedTensor, 'dataType' | 'sizes' | 'strides'>;

/** The description of a view. */
export interface ViewDesc extends TensorDesc {
  /** Strides in elements, one per dimension; null for a packed tensor. */
  readonly strides: readonly number[] | null;
}

/**
 * Describes the same elements in the same row-major order with other sizes.
 *
 * @param tensor A packed tensor, or its description.
 * @param sizes The sizes of the result. Their product must be the number of elements of the tensor.
 * @throws {DirectMLError} ERR_SIZES if the sizes have another number of elements; ERR_STRIDES if the tensor is not packed;
 * ERR_INVALID_DESCRIPTOR and others for a wrong description.
 */
export function reshape<T extends DataType>(
  tensor: TensorDesc & { readonly dataType: T },
  sizes: readonly number[],
): ViewDesc & { readonly dataType: T } {
  return { ...reshaped('reshape', layoutOf('reshape', tensor), sizes), dataType: tensor.dataType };
}

/**
 * Describes the tensor with its dimensions in another order.
 *
 * @param tensor A tensor, or its description.
 * @param axes Dimension `i` of the result is dimension `axes[i]` of the tensor. Default: the reverse order.
 * @throws {DirectMLError} ERR_SIZES unless `axes` has each dimension exactly once; ERR_INVALID_DESCRIPTOR and others for a
 * wrong description.
 */
export function transpose<T extends DataType>(
  tensor: TensorDesc & { readonly dataType: T },
  axes?: readonly number[],
): ViewDesc & { readonly dataType: T } {
  return { ...transposed('transpose', layoutOf('transpose', tensor), axes), dataType: tensor.dataType };
}

/**
 * Describes the tensor repeated by strides of 0: along dimensions of size 1, and along new leading dimensions. Operators take
 * such a tensor as an input only.
 *
 * @param tensor A tensor, or its description.
 * @param sizes The sizes of the result.
 * @throws {DirectMLError} ERR_SIZES if a size of the tensor is neither 1 nor that of the result; ERR_INVALID_DESCRIPTOR and
 * others for a wrong description.
 */
export function broadcastTo<T extends DataType>(
  tensor: TensorDesc & { readonly dataType: T },
  sizes: readonly number[],
): ViewDesc & { readonly dataType: T } {
  return { ...broadcasted('broadcastTo', layoutOf('broadcastTo', tensor), sizes), dataType: tensor.dataType };
}

/** Like {@link reshape} for a validated tensor. `given` are the sizes, not yet validated. */
export function reshaped(method: string, { dataType, sizes: own, strides }: TensorLayout, given: unknown): TensorLayout {
  const place = { operator: method, field: 'sizes' };
  const sizes = readSizes(given, place);
  if (!sameStrides(own, strides, null)) {
    const why = 'its elements do not lie in row-major order; copy it with elementWiseIdentity first';
    throw fieldError('ERR_STRIDES', { operator: method, field: 'strides' }, 'a packed tensor', list(strides ?? []), { why });
  }
  if (productOf(sizes) !== productOf(own)) {
    const given = `${list(sizes)}, which has ${productOf(sizes)}`;
    throw fieldError('ERR_SIZES', place, `${productOf(own)} elements, as ${list(own)} has`, given);
  }
  return { dataType, sizes, strides: null };
}

/** Like {@link transpose} for a validated tensor. `given` are the axes, not yet validated. */
export function transposed(method: string, tensor: TensorLayout, given: unknown): TensorLayout {
  const { dataType, sizes } = tensor;
  const place = { operator: method, field: 'axes' };
  const axes = given === undefined ? [...sizes.keys()].reverse() : readArray(given, place).map((axis) => readUint(axis, place));
  if (axes.length !== sizes.length || new Set(axes).size !== axes.length || axes.some((axis) => axis >= sizes.length)) {
    throw fieldError('ERR_SIZES', place, `each of the dimensions 0 to ${sizes.length - 1} once`, list(axes));
  }
  const own = stridesOf(tensor);
  return { dataType, sizes: axes.map((axis) => sizes[axis] ?? 1), strides: axes.map((axis) => own[axis] ?? 0) };
}

/** Like {@link broadcastTo} for a validated tensor. `given` are the sizes, not yet validated. */
export function broadcasted(method: string, tensor: TensorLayout, given: unknown): TensorLayout {
  const { dataType, sizes: own } = tensor;
  const place = { operator: method, field: 'sizes' };
  const sizes = readSizes(given, place);
  if (!canBroadcast(own, sizes)) {
    throw fieldError('ERR_SIZES', place, `sizes that ${list(own)} can be repeated to`, list(sizes));
  }
  const added = sizes.length - own.length;
  const ownStrides = stridesOf(tensor);
  const isRepeated = (size: number, axis: number) => axis < added || (own[axis - added] === 1 && size !== 1);
  const strides = sizes.map((size, axis) => (isRepeated(size, axis) ? 0 : (ownStrides[axis - added] ?? 0)));
  return { dataType, sizes, strides };
}

function readSizes(value: unknown, place: Place): readonly number[] {
  return Object.freeze(readArray(value, place, 'an array of sizes').map((size) => readUint(size, place)));
}

function layoutOf(method: string, tensor: unknown): TensorLayout {
  return resolveTensor(tensor, { operator: method, field: 'tensor' }, 'any', highestFeatureLevel);
}
