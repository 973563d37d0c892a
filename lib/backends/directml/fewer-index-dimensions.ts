/** A form of `gather` that DirectML computes right. */
import { resolvedFrom, valuesOf, type Resolved, type ResolvedActivation } from '../../descriptors/resolved.js';
import { maximumDimensionCount } from '../../descriptors/tensor.js';

/**
 * DirectML aligns tensors to the last of eight dimensions, and the significant dimensions of the indices so that they end at
 * `axis`. If they then begin before the first dimension, it writes outside of an array: results are wrong, or the process ends
 * later. The first sizes of such indices are 1, because the output leaves them out. So the output is the same without them.
 */
export function withFewerIndexDimensions(operator: Resolved | ResolvedActivation): Resolved | ResolvedActivation {
  if (operator.type !== 'gather') return operator;
  const most = operator.axis + 1 + maximumDimensionCount - operator.inputTensor.sizes.length;
  if (operator.indexDimensions <= most) return operator;
  return resolvedFrom({ ...valuesOf(operator), indexDimensions: most });
}
