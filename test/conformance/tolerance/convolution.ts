/** Tolerances of the convolutions: a product and a sum round by half a unit each per term. */
import { fusable } from './fused.js';
import { EXACT, OF_MAGNITUDES } from './row.js';

export const convolutionTolerances = {
  convolution: fusable({
    ulp: 0.5,
    perTerm: 1,
    magnitude: OF_MAGNITUDES,
    reason: 'a product and a sum per term; the sum with the bias',
  }),
  convolutionInteger: EXACT,
  quantizedLinearConvolution: EXACT,
};
