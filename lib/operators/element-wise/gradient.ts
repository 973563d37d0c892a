/** Gradients of copies, of the sum with an activation, and of conversions. */
import { isFloat } from '../../tensors/data-types.js';
import type { GradientRules } from '../../descriptors/gradient.js';

export const gradients: GradientRules<'elementWiseIdentity' | 'elementWiseAdd1' | 'cast'> = {
  elementWiseIdentity: (_, g) => ({ inputTensor: () => g }),
  elementWiseAdd1: (_, g) => ({ aTensor: () => g, bTensor: () => g }),
  // Integers hand the gradient on to what made them, which has none and says so.
  cast: ({ inputTensor: { dataType } }, g, o) => ({
    inputTensor: () => (isFloat(dataType) ? o.cast(g, { outputTensor: { dataType } }) : g),
  }),
};
