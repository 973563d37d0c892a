/** Tolerances of the convolutions: each term rounds a product and a sum by half a unit each. */
import { fusable } from '../../conformance/tolerance/fused.js';
import { EXACT, OF_MAGNITUDES, type ComputedRow } from '../../conformance/tolerance/row.js';

const CONVOLUTION: ComputedRow = {
  ulp: 0.5,
  perTerm: 1,
  magnitude: OF_MAGNITUDES,
  reason: 'each term rounds a product and a sum; the sum with the bias rounds once',
};
const FUSED = fusable({
  ...CONVOLUTION,
  narrowed: 1,
  reason: `${CONVOLUTION.reason}; with float16, the activation’s argument truncates to float16`,
});

export const tolerances = {
  convolution: { ...FUSED, rows: { ...FUSED.rows, alone: CONVOLUTION } },
  convolutionInteger: EXACT,
  quantizedLinearConvolution: EXACT,
};
