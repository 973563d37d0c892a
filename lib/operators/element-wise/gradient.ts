/** Gradients of copies, of the sum with an activation, and of conversions. */
import { isFloat } from '../../tensors/data-types.js';
import type { GradientRules } from '../../descriptors/gradient.js';

export const gradients: GradientRules<'elementWiseIdentity' | 'elementWiseAdd1' | 'cast'> = {
  elementWiseIdentity: (_, g) => ({ inputTensor: () => g }),
  elementWiseAdd1: (_, g) => ({ aTensor: () => g, bTensor: () => g }),
  cast: ({ inputTensor: { dataType } }, g, o) =>
    isFloat(dataType) ? { inputTensor: () => o.cast(g, { outputTensor: { dataType } }) } : 'its input has integers',
};
