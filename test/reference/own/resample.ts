/** Operators that resample. */
import { tensor } from '../example.js';
import { floats, own, unary } from './own.js';

const usual = { inputPixelOffsets: [0.5], outputPixelOffsets: [-0.5] };

export const resampling = [
  unary(
    'upsample2d',
    tensor('float32', [1, 1, 1, 2], [1, 3]),
    tensor('float32', [1, 1, 1, 4], [1, 1.5, 2.5, 3]),
    { scaleSize: { width: 2, height: 1 }, interpolationMode: 'linear' },
  ),
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
