/** Gradients of windows laid side by side, and of their sums: each is that of the other. */
import type { GradientRules } from '../../descriptors/gradient.js';

export const gradients: GradientRules<'fold' | 'unfold'> = {
  fold: ({ inputTensor, windowSizes, strides, dilations, startPadding, endPadding }, g, o) => ({
    inputTensor: () =>
      o.unfold(g, { windowSizes, strides, dilations, startPadding, endPadding, outputTensor: { sizes: inputTensor.sizes } }),
  }),
  unfold: ({ inputTensor, windowSizes, strides, dilations, startPadding, endPadding }, g, o) => ({
    inputTensor: () =>
      o.fold(g, { windowSizes, strides, dilations, startPadding, endPadding, outputTensor: { sizes: inputTensor.sizes } }),
  }),
};
