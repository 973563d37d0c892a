/** The gradient of joined tensors: its parts. */
import type { GradientRules } from '../../descriptors/gradient.js';

export const gradients: GradientRules<'fillValueConstant' | 'join'> = {
  fillValueConstant: 'it has no input',
  join: ({ inputTensors, axis }, g, o) => ({
    inputTensors: (index) => {
      const start = inputTensors.slice(0, index).reduce((sum, { sizes }) => sum + (sizes[axis] ?? 0), 0);
      const offsets = g.sizes.map((_, i) => (i === axis ? start : 0));
      return o.slice(g, { offsets, sizes: inputTensors[index]?.sizes, strides: offsets.map(() => 1) });
    },
  }),
};
