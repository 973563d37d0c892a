/** Gradients of slices and parts. */
import type { Expression, GradientRules, NodeFields, Operations } from '../../descriptors/gradient.js';

type Window = Pick<NodeFields<'slice1'>, 'inputWindowOffsets' | 'inputWindowSizes' | 'inputWindowStrides'>;

const scattered = (g: Expression, sizes: readonly number[], window: Window, o: Operations) =>
  o.sliceGrad(g, { ...window, outputGradientTensor: { sizes } });

export const gradients: GradientRules<'slice' | 'slice1' | 'sliceGrad' | 'split'> = {
  slice: ({ inputTensor, offsets, sizes, strides }, g, o) => ({
    inputTensor: () => {
      const inputWindowSizes = sizes.map((size, axis) => (size - 1) * (strides[axis] ?? 1) + 1);
      return scattered(g, inputTensor.sizes, { inputWindowOffsets: offsets, inputWindowSizes, inputWindowStrides: strides }, o);
    },
  }),
  slice1: ({ inputTensor, inputWindowOffsets, inputWindowSizes, inputWindowStrides }, g, o) => ({
    inputTensor: () => scattered(g, inputTensor.sizes, { inputWindowOffsets, inputWindowSizes, inputWindowStrides }, o),
  }),
  sliceGrad: ({ inputGradientTensor, inputWindowOffsets, inputWindowSizes, inputWindowStrides }, g, o) => ({
    inputGradientTensor: () =>
      o.slice1(g, {
        ...{ inputWindowOffsets, inputWindowSizes, inputWindowStrides },
        outputTensor: { sizes: inputGradientTensor.sizes },
      }),
  }),
  split: ({ outputTensors, axis }, _, o, gradientOf) => ({
    inputTensor: () =>
      o.join(
        outputTensors.map((each, i) => gradientOf(`outputTensors[${i}]`) ?? o.zeros(each)),
        { axis },
      ),
  }),
};
