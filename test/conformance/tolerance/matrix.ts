/** Tolerances of the products of matrices: a product and a sum round by half a unit each per term. */
import { fusable } from './fused.js';
import { integerProduct } from './integer-matrix.js';
import { EXACT, OF_MAGNITUDES } from './row.js';

export const matrixTolerances = {
  gemm: fusable({
    ulp: 1.5,
    perTerm: 1,
    magnitude: OF_MAGNITUDES,
    reason: 'a product and a sum per term; alpha, beta and the sum with C',
  }),
  matrixMultiplyInteger: EXACT,
  matrixMultiplyIntegerToFloat: integerProduct,
  quantizedLinearMatrixMultiply: EXACT,
};
