/** Examples of regions of interest. The page of the gradient shows the forward operator too. */
import { examplesOf, tensor, UNTOLD_OFFSETS } from '../../cases/example.js';
import { own } from '../../cases/own-example.js';

const regions = {
  roiTensor: tensor('float32', [4, 4], [0, 0, 2, 2, 2, 0, 4, 2, 0, 2, 2, 4, 2, 2, 4, 4]),
  batchIndicesTensor: tensor('uint32', [4], [0, 0, 0, 0]),
};
const align = {
  reductionFunction: 'average',
  interpolationMode: 'nearestNeighbor',
  spatialScaleX: 1,
  spatialScaleY: 1,
  inputPixelOffset: 0.5,
  outputPixelOffset: 0,
  minimumSamplesPerOutput: 1,
  maximumSamplesPerOutput: 1,
  alignRegionsToCorners: false,
};

export const roiAlignGrad = examplesOf('roiAlignGrad', 'ns-directml-dml_roi_align_grad_operator_desc.md', [
  {
    type: 'roiAlign1',
    title: 'the forward alignment',
    inputs: {
      inputTensor: tensor('float32', [1, 1, 4, 4], [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16]),
      ...regions,
    },
    outputs: { outputTensor: tensor('float32', [4, 1, 1, 3], [1, 1, 2, 3, 3, 4, 9, 9, 10, 11, 11, 12]) },
    fields: { ...align, outOfBoundsInputValue: 0 },
    note: UNTOLD_OFFSETS,
  },
  {
    title: 'the gradient',
    inputs: {
      inputGradientTensor: tensor('float32', [4, 1, 1, 3], [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12]),
      ...regions,
    },
    outputs: {
      outputGradientTensor: tensor(
        'float32',
        [1, 1, 4, 4],
        [...[3, 3, 9, 6], ...[0, 0, 0, 0], ...[15, 9, 21, 12], ...[0, 0, 0, 0]],
      ),
    },
    fields: align,
    note: UNTOLD_OFFSETS,
  },
]);

const row = tensor('float32', [1, 1, 1, 6], [1, 2, 4, 8, 16, 32]);
const batchIndicesTensor = tensor('uint32', [2], [0, 0]);
const roiTensor = tensor('float32', [2, 4], [1, 0, 5, 1, 4, 0, 8, 1]);

const sampling = {
  reductionFunction: 'average',
  interpolationMode: 'linear',
  spatialScaleX: 1,
  spatialScaleY: 1,
  minimumSamplesPerOutput: 1,
  maximumSamplesPerOutput: 4,
};

const placing = { inputPixelOffset: 0.5, outputPixelOffset: -0.5, alignRegionsToCorners: false };

export const ours = [
  own(
    'roiPooling',
    {
      inputTensor: row,
      roiTensor: tensor('float32', [1, 1, 2, 5], [0, 1, 0, 4, 0, 0, 4, 0, 7, 0]),
    },
    { outputTensor: tensor('float32', [2, 1, 1, 2], [4, 16, 32, 0]) },
    { spatialScale: 1, pooledSize: { width: 2, height: 1 } },
  ),
  own(
    'roiAlign',
    { inputTensor: row, roiTensor, batchIndicesTensor },
    { outputTensor: tensor('float32', [2, 1, 1, 2], [3, 12, 24, 0]) },
    { ...sampling, outOfBoundsInputValue: 0 },
  ),
  own(
    'roiAlign1',
    { inputTensor: row, roiTensor, batchIndicesTensor },
    { outputTensor: tensor('float32', [2, 1, 1, 2], [4, 16, 32, -1]) },
    { ...sampling, ...placing, reductionFunction: 'max', outOfBoundsInputValue: -1 },
  ),
];
