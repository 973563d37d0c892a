/** Operators on regions of interest. */
import { tensor } from '../example.js';
import { own } from './own.js';

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

export const regions = [
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
