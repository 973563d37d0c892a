/** Examples of quantization in blocks. */
import { tensor } from '../../cases/example.js';
import { own } from '../../cases/own-example.js';

const scale = tensor('float32', [1, 2], [0.5, 2]);
const zeroPoint = tensor('uint8', [1, 2], [0, 10]);
const reals = tensor('float32', [1, 4], [1, 2, -4, 6]);
const levels = tensor('uint8', [1, 4], [2, 4, 8, 13]);

export const ours = [
  own(
    'quantize',
    { inputTensor: reals, quantizationTensors: [scale, zeroPoint] },
    { outputTensor: levels },
    { quantizationType: 'scaleZeroPoint' },
  ),
  own(
    'dequantize',
    { inputTensor: levels, quantizationTensors: [scale, zeroPoint] },
    { outputTensor: reals },
    { quantizationType: 'scaleZeroPoint' },
  ),
  own(
    'dynamicQuantizeLinear',
    { inputTensor: tensor('float32', [4], [-1, 0, 1, 254]) },
    {
      outputTensor: tensor('uint8', [4], [0, 1, 2, 255]),
      outputScaleTensor: tensor('float32', [1], [1]),
      outputZeroPointTensor: tensor('uint8', [1], [1]),
    },
  ),
];
