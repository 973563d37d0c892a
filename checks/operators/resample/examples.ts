/** Examples of resampling. The pages of the gradients show the forward operators too. */
import { examplesOf, tensor, UNTOLD_OFFSETS } from '../../cases/example.js';
import { floats, own, unary } from '../../cases/own-example.js';

const CORNERS = 'The page gives neither pixel offsets nor a rounding direction; the ones here give its result.';
const halfHeight = { interpolationMode: 'nearestNeighbor', scales: [0.5, 1.5] };
const image = { inputTensor: tensor('float32', [2, 2], [1, 2, 3, 4]) };
const resampled = { outputTensor: tensor('float32', [1, 3], [1, 1, 2]) };
const gradient = { inputGradientTensor: tensor('float32', [1, 3], [4, 5, 6]) };
const summed = { outputGradientTensor: tensor('float32', [2, 2], [9, 6, 0, 0]) };
const nearest = { ...halfHeight, inputPixelOffsets: [0.5, 0.5], outputPixelOffsets: [0, 0] };

export const resampleGrad = examplesOf('resampleGrad', 'ns-directml-dml_resample_grad_operator_desc.md', [
  {
    type: 'resample1',
    title: 'the forward resampling',
    inputs: image,
    outputs: resampled,
    fields: nearest,
    note: UNTOLD_OFFSETS,
  },
  { title: 'the gradient', inputs: gradient, outputs: summed, fields: nearest, note: UNTOLD_OFFSETS },
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
    title: 'the forward resampling',
    inputs: image,
    outputs: resampled,
    fields: roundedDown,
    note: CORNERS,
  },
  { title: 'the gradient', inputs: gradient, outputs: summed, fields: roundedDown, note: CORNERS },
]);

const usual = { inputPixelOffsets: [0.5], outputPixelOffsets: [-0.5] };

export const ours = [
  unary('upsample2d', tensor('float32', [1, 1, 1, 2], [1, 3]), tensor('float32', [1, 1, 1, 4], [1, 1.5, 2.5, 3]), {
    scaleSize: { width: 2, height: 1 },
    interpolationMode: 'linear',
  }),
  unary('resample', floats(1, 2, 3, 4), floats(2, 4), { interpolationMode: 'nearestNeighbor', scales: [0.5] }),
  unary('resample1', floats(1, 3), floats(1, 1.5, 2.5, 3), { interpolationMode: 'linear', scales: [2], ...usual }),
  unary('resample1', floats(10, 20, 40, 80, 160), floats(22.5, 45, 90, 180, 160), {
    interpolationMode: 'linear',
    scales: [1],
    inputPixelOffsets: [-1.25],
    outputPixelOffsets: [0],
  }),
  unary('resample2', floats(1, 2, 3, 4), floats(1, 3), {
    interpolationMode: 'nearestNeighbor',
    roundingDirection: 'decreasing',
    scales: [0.5],
    ...usual,
  }),
  unary('resample3', floats(0, 4, 0, 8, 0, 0, 0, 4), floats(3, 1), {
    interpolationMode: 'linear',
    roundingDirection: 'increasing',
    scales: [0.25],
    antialiased: true,
    ...usual,
  }),
  own(
    'resampleGrad1',
    { inputGradientTensor: floats(1, 2, 3, 4) },
    { outputGradientTensor: floats(3, 7) },
    {
      interpolationMode: 'nearestNeighbor',
      roundingDirection: 'decreasing',
      scales: [2],
      inputPixelOffsets: [0],
      outputPixelOffsets: [0],
    },
  ),
];
