/** The size in bytes of a tensor that is not made yet. */
import type { DataType } from '../schema/generated/enums.js';
import { featureLevels } from '../schema/feature-level.js';
import { resolveTensor } from '../validation/tensor.js';

/**
 * The smallest `totalTensorSizeInBytes` of a tensor: up to the end of its last element, rounded up to 4 bytes.
 *
 * @param sizes 1 to 8 of them.
 * @param strides In elements; null for a packed tensor.
 * @throws {DirectMLError} ERR_DATA_TYPE, ERR_SIZES and others, as for a tensor of a descriptor.
 */
export function minimumTensorSizeInBytes(
  dataType: DataType,
  sizes: readonly number[],
  strides: readonly number[] | null = null,
): number {
  const place = { operator: 'minimumTensorSizeInBytes', field: '' };
  const latest = featureLevels[featureLevels.length - 1] ?? '6.4';
  return resolveTensor({ dataType, sizes, strides }, place, 'any', latest).totalTensorSizeInBytes;
}
