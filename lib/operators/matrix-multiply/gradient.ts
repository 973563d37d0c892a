/** Gradients of matrix products. */
import type { GradientRules } from '../../descriptors/gradient.js';

const quantized = 'its inputs are integers';

export const gradients: GradientRules<
  'gemm' | 'matrixMultiplyInteger' | 'matrixMultiplyIntegerToFloat' | 'quantizedLinearMatrixMultiply'
> = {
  // For Y = A · B, that of A is G · Bᵀ, and that of B is Aᵀ · G. If A is transposed, so is its gradient.
  gemm: ({ aTensor, bTensor, transA, transB, alpha, beta }, g, o) => ({
    aTensor: () =>
      transA === 'transpose'
        ? o.gemm(bTensor, g, { transA: transB, transB: 'transpose', alpha })
        : o.gemm(g, bTensor, { transB: transB === 'transpose' ? 'none' : 'transpose', alpha }),
    bTensor: () =>
      transB === 'transpose'
        ? o.gemm(g, aTensor, { transA: 'transpose', transB: transA, alpha })
        : o.gemm(aTensor, g, { transA: transA === 'transpose' ? 'none' : 'transpose', alpha }),
    cTensor: () => (beta === 1 ? g : o.multiply(g, beta)),
  }),
  matrixMultiplyInteger: quantized,
  matrixMultiplyIntegerToFloat: quantized,
  quantizedLinearMatrixMultiply: quantized,
};
