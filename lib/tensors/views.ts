/** Computes the sizes and strides of views. Nothing is copied. */
import { fieldError, list, type Place } from '../values/errors.js';
import { readArray, readInt, readUint } from '../values/input.js';
import type { ResolvedTensorDesc } from './tensor-desc.js';
import { canBroadcast, productOf, sameStrides, stridesOf } from './tensor-size.js';

/** Data type, sizes, and strides in elements (null for a packed tensor). */
export type TensorLayout = Pick<ResolvedTensorDesc, 'dataType' | 'sizes' | 'strides'>;

/** Like `reshape` for a validated tensor. `given` are the sizes, not yet validated. */
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

/** Like `transpose` for a validated tensor. `given` are the axes, not yet validated. */
export function transposed(method: string, tensor: TensorLayout, given: unknown): TensorLayout {
  const { dataType, sizes } = tensor;
  const place = { operator: method, field: 'axes' };
  const axes = given === undefined ? [...sizes.keys()].reverse() : readArray(given, place).map((axis) => readInt(axis, place));
  if (
    axes.length !== sizes.length ||
    new Set(axes).size !== axes.length ||
    axes.some((axis) => axis < 0 || axis >= sizes.length)
  ) {
    throw fieldError('ERR_SIZES', place, `each of the dimensions 0 to ${sizes.length - 1} once`, list(axes));
  }
  const own = stridesOf(tensor);
  return { dataType, sizes: axes.map((axis) => sizes[axis] ?? 1), strides: axes.map((axis) => own[axis] ?? 0) };
}

/** Like `broadcastTo` for a validated tensor. `given` are the sizes, not yet validated. */
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
