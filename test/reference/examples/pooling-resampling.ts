/** Worked examples of pooling and resampling. The pages of the gradients show the forward operators too. */
import { examplesOf, tensor } from '../example.js';

const nine = [1, 2, 3, 4, 5, 6, 7, 8, 9];
const window = { strides: [1, 1], windowSize: [2, 2], startPadding: [0, 0], endPadding: [0, 0] };

export const averagePoolingGrad = examplesOf('averagePoolingGrad', 'ns-directml-dml_average_pooling_grad_operator_desc.md', [
  {
    type: 'averagePooling',
    title: 'the pooling whose gradient it is',
    inputs: { inputTensor: tensor('float32', [1, 1, 3, 3], nine) },
    outputs: { outputTensor: tensor('float32', [1, 1, 2, 2], [3, 4, 6, 7]) },
    fields: { ...window, includePadding: false },
  },
  {
    title: 'the gradient',
    inputs: { inputGradientTensor: tensor('float32', [1, 1, 2, 2], [1, 2, 3, 4]) },
    outputs: {
      outputGradientTensor: tensor('float32', [1, 1, 3, 3], [0.25, 0.75, 0.5, 1, 2.5, 1.5, 0.75, 1.75, 1]),
    },
    fields: { ...window, includePadding: false },
  },
]);

const peaks = tensor('float32', [1, 1, 3, 3], [1, 2, 3, 2, 4, 2, 5, 6, 7]);

export const maxPoolingGrad = examplesOf('maxPoolingGrad', 'ns-directml-dml_max_pooling_grad_operator_desc.md', [
  {
    type: 'maxPooling2',
    title: 'the pooling whose gradient it is',
    inputs: { inputTensor: peaks },
    outputs: {
      outputTensor: tensor('float32', [1, 1, 2, 2], [4, 4, 6, 7]),
      outputIndicesTensor: tensor('uint32', [1, 1, 2, 2], [4, 4, 7, 8]),
    },
    fields: { ...window, dilations: [1, 1] },
  },
  {
    title: 'the gradient, summed where windows overlap',
    inputs: { inputTensor: peaks, inputGradientTensor: tensor('float32', [1, 1, 2, 2], [1, 2, 4, 5]) },
    outputs: { outputGradientTensor: tensor('float32', [1, 1, 3, 3], [0, 0, 0, 0, 3, 0, 0, 4, 5]) },
    fields: { ...window, dilations: [1, 1] },
  },
]);

const OFFSETS = 'The page tells no pixel offsets: these give its result, where the usual 0.5 and -0.5 do not.';
const CORNERS = 'The page tells neither pixel offsets nor rounding direction: these give its result.';
const halfHeight = { interpolationMode: 'nearestNeighbor', scales: [0.5, 1.5] };
const image = { inputTensor: tensor('float32', [2, 2], [1, 2, 3, 4]) };
const resampled = { outputTensor: tensor('float32', [1, 3], [1, 1, 2]) };
const gradient = { inputGradientTensor: tensor('float32', [1, 3], [4, 5, 6]) };
const summed = { outputGradientTensor: tensor('float32', [2, 2], [9, 6, 0, 0]) };

const nearest = { ...halfHeight, inputPixelOffsets: [0.5, 0.5], outputPixelOffsets: [0, 0] };

export const resampleGrad = examplesOf('resampleGrad', 'ns-directml-dml_resample_grad_operator_desc.md', [
  {
    type: 'resample1',
    title: 'the resampling whose gradient it is',
    inputs: image,
    outputs: resampled,
    fields: nearest,
    note: OFFSETS,
  },
  { title: 'the gradient', inputs: gradient, outputs: summed, fields: nearest, note: OFFSETS },
]);

const roundedDown = {
  ...halfHeight,
  roundingDirection: 'decreasing',
  inputPixelOffsets: [0, 0],
  outputPixelOffsets: [0, 0],
};

export const resampleGrad1 = examplesOf('resampleGrad1', 'ns-directml-dml_resample_grad1_operator_desc.md', [
  {
    type: 'resample2',
    title: 'the resampling whose gradient it is',
    inputs: image,
    outputs: resampled,
    fields: roundedDown,
    note: CORNERS,
  },
  { title: 'the gradient', inputs: gradient, outputs: summed, fields: roundedDown, note: CORNERS },
]);

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
    title: 'the alignment whose gradient it is',
    inputs: {
      inputTensor: tensor('float32', [1, 1, 4, 4], [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16]),
      ...regions,
    },
    outputs: { outputTensor: tensor('float32', [4, 1, 1, 3], [1, 1, 2, 3, 3, 4, 9, 9, 10, 11, 11, 12]) },
    fields: { ...align, outOfBoundsInputValue: 0 },
    note: OFFSETS,
  },
  {
    title: 'the gradient',
    inputs: {
      inputGradientTensor: tensor('float32', [4, 1, 1, 3], [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12]),
      ...regions,
    },
    outputs: {
      outputGradientTensor: tensor('float32', [1, 1, 4, 4], [
        ...[3, 3, 9, 6],
        ...[0, 0, 0, 0],
        ...[15, 9, 21, 12],
        ...[0, 0, 0, 0],
      ]),
    },
    fields: align,
    note: OFFSETS,
  },
]);
