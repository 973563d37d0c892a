/** Tolerances of the matrix products: each term rounds a product and a sum by half a unit each. */
import { fusable } from '../../conformance/tolerance/fused.js';
import { integerProduct } from './integer-tolerance.js';
import { EXACT, OF_MAGNITUDES, type ComputedRow, type Descriptor } from '../../conformance/tolerance/row.js';

const PRODUCT: ComputedRow = {
  ulp: 1.5,
  perTerm: 1,
  magnitude: OF_MAGNITUDES,
  reason: 'each term rounds a product and a sum; alpha, beta and the sum with C round once each',
};
/** For a product with C or an activation. */
const KEPT = { ...PRODUCT, narrowed: 1, reason: `${PRODUCT.reason}; with float16, the input of the last step truncates` };

export const tolerances = {
  gemm: {
    rows: { ...fusable(KEPT).rows, added: KEPT, alone: PRODUCT },
    pick: (descriptor: Descriptor) =>
      (descriptor.type === 'gemm' ? (descriptor.fusedActivation?.type ?? (descriptor.cTensor ? 'added' : null)) : null) ??
      'alone',
  },
  matrixMultiplyInteger: EXACT,
  matrixMultiplyIntegerToFloat: integerProduct,
  quantizedLinearMatrixMultiply: EXACT,
};
