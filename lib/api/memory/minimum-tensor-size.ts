/** Computes the size in bytes of a tensor from its description. */
import type { DataType } from '../../tensors/generated/enums.js';
import { highestFeatureLevel } from '../../descriptors/feature-level.js';
import { resolveTensor } from '../../descriptors/tensor.js';

/**
 * Returns the smallest `totalTensorSizeInBytes` of a tensor: the bytes up to the end of its last element, rounded up to a
 * multiple of 4, as `DMLCalcBufferTensorSize` computes it.
 *
 * @param dataType The data type of each element.
 * @param sizes 1 to 8 sizes, each at least 1.
 * @param strides Strides in elements, one per dimension; null for a packed tensor.
 * @throws {DirectMLError} The errors for a tensor of a descriptor, such as ERR_DATA_TYPE, ERR_DIMENSION_COUNT, ERR_SIZES and
 * ERR_STRIDES.
 */
export function minimumTensorSizeInBytes(
  dataType: DataType,
  sizes: readonly number[],
  strides: readonly number[] | null = null,
): number {
  const place = { operator: 'minimumTensorSizeInBytes', field: '' };
  return resolveTensor({ dataType, sizes, strides }, place, 'any', highestFeatureLevel).totalTensorSizeInBytes;
}
