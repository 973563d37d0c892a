/** Functions that compute the sizes and strides of views from tensor descriptions. Nothing is copied. */
import type { DataType } from '../../tensors/generated/enums.js';
import { highestFeatureLevel } from '../../descriptors/feature-level.js';
import type { TensorDesc } from '../../tensors/tensor-desc.js';
import { resolveTensor } from '../../descriptors/tensor.js';
import { broadcasted, reshaped, transposed, type TensorLayout } from '../../tensors/views.js';

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
 * Describes the tensor repeated by strides of 0: along dimensions of size 1, and along new leading dimensions. You can use the
 * result only as an input of operators.
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

function layoutOf(method: string, tensor: unknown): TensorLayout {
  return resolveTensor(tensor, { operator: method, field: 'tensor' }, 'any', highestFeatureLevel);
}
