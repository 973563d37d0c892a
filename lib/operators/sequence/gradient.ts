/** Gradients of sequences, diagonals, and scales per channel. */
import type { GradientRules } from '../../descriptors/gradient.js';

const none = 'it has no input';

export const gradients: GradientRules<'fillValueSequence' | 'diagonalMatrix' | 'diagonalMatrix1' | 'valueScale2d'> = {
  fillValueSequence: none,
  diagonalMatrix: none,
  // The value takes the place of the elements on these diagonals.
  diagonalMatrix1: ({ valueDataType, diagonalFillBegin, diagonalFillEnd }, g, o) => ({
    inputTensor: () =>
      o.diagonalMatrix1({
        ...{ inputTensor: g, outputTensor: { sizes: g.sizes } },
        ...{ valueDataType, value: 0, diagonalFillBegin, diagonalFillEnd },
      }),
  }),
  valueScale2d: ({ scale }, g, o) => ({ inputTensor: () => o.multiply(g, scale) }),
};
