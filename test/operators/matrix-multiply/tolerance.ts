/** Tolerances of the matrix products: each term rounds a product and a sum by half a unit each. */
import { fusable } from '../../conformance/tolerance/fused.js';
import { integerProduct } from './integer-tolerance.js';
import { EXACT, OF_MAGNITUDES, type ComputedRow, type Descriptor } from '../../conformance/tolerance/row.js';

const PRODUCT: ComputedRow = {
  ulp: 1.5,
  perTerm: 1,
  magnitude: OF_MAGNITUDES,
  reason: 'a product and a sum per term; alpha, beta and the sum with C',
};
/** For a product with C or an activation. */
const KEPT = { ...PRODUCT, narrowed: 1, reason: `${PRODUCT.reason}; float16 keeps as float16 what the last step is given` };

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
