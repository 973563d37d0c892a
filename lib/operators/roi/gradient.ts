/** Gradients of regions of interest. */
import type { GradientRule, GradientRules } from '../../descriptors/gradient.js';

const aligned: GradientRule<'roiAlign' | 'roiAlign1'> = (node, g, o) => {
  const { reductionFunction, interpolationMode, spatialScaleX, spatialScaleY, roiTensor, inputTensor } = node;
  const { minimumSamplesPerOutput, maximumSamplesPerOutput, outOfBoundsInputValue } = node;
  const isMax = reductionFunction === 'max';
  if (isMax && outOfBoundsInputValue !== 0) return 'DirectML computes the gradient of a max as if outOfBoundsInputValue were 0';
  const sampling = { reductionFunction, interpolationMode, spatialScaleX, spatialScaleY };
  const offsets =
    node.type === 'roiAlign'
      ? {}
      : {
          inputPixelOffset: node.inputPixelOffset,
          outputPixelOffset: node.outputPixelOffset,
          alignRegionsToCorners: node.alignRegionsToCorners,
        };
  return {
    inputTensor: () => {
      // An index past the last image is that of the last one, which the operator of the gradient does not know.
      const indices = o.cast(node.batchIndicesTensor, { outputTensor: { dataType: 'uint32' } });
      const batchIndicesTensor = o.min(indices, (inputTensor.sizes[0] ?? 1) - 1);
      const { outputGradientTensor } = o.roiAlignGrad(g, roiTensor, batchIndicesTensor, {
        ...{ ...sampling, ...offsets, minimumSamplesPerOutput, maximumSamplesPerOutput },
        ...(isMax && { inputTensor }),
        outputGradientTensor: { sizes: inputTensor.sizes },
      }) as unknown as { readonly outputGradientTensor: typeof g };
      return outputGradientTensor;
    },
    roiTensor: () => 'DirectML computes the gradient of the regions as if each element had only its first sample',
  };
};

export const gradients: GradientRules<'roiPooling' | 'roiAlign' | 'roiAlign1' | 'roiAlignGrad'> = {
  roiPooling: 'DirectML has no gradient of it',
  roiAlign: aligned,
  roiAlign1: aligned,
  roiAlignGrad: 'it is a gradient, whose own gradient DirectML does not have',
};
