/** Examples of quantization, element by element. */
import { bytes, floats, own } from '../../cases/own-example.js';

const scales = floats(0.5, 0.5, 0.5);
const zeroPoints = bytes(128, 128, 128);

export const ours = [
  // -1, 0 and 2.6 as bytes of half a unit each, around 128.
  own(
    'elementWiseQuantizeLinear',
    { inputTensor: floats(-1, 0, 2.6), scaleTensor: scales, zeroPointTensor: zeroPoints },
    { outputTensor: bytes(126, 128, 133) },
  ),
  own(
    'elementWiseDequantizeLinear',
    { inputTensor: bytes(126, 128, 133), scaleTensor: scales, zeroPointTensor: zeroPoints },
    { outputTensor: floats(-1, 0, 2.5) },
  ),
  own(
    'elementWiseQuantizedLinearAdd',
    {
      aTensor: bytes(130, 128, 140),
      aScaleTensor: floats(0.5),
      aZeroPointTensor: bytes(128),
      bTensor: bytes(132, 126, 130),
      bScaleTensor: floats(0.5),
      bZeroPointTensor: bytes(128),
      outputScaleTensor: floats(1),
      outputZeroPointTensor: bytes(128),
    },
    { outputTensor: bytes(131, 127, 135) },
  ),
];
