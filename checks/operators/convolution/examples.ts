/** Examples of the convolutions. */
import { tensor, type ExampleTensor } from '../../cases/example.js';
import { own } from '../../cases/own-example.js';

const square = (dataType: ExampleTensor['dataType'], ...values: readonly number[]): ExampleTensor => {
  const side = Math.sqrt(values.length);
  return tensor(dataType, [1, 1, side, side], values);
};

const everywhere = { strides: [1, 1], dilations: [1, 1], startPadding: [0, 0], endPadding: [0, 0], groupCount: 1 };

const integers = {
  inputTensor: square('uint8', 11, 12, 13, 14, 15, 16, 17, 18, 19),
  inputZeroPointTensor: square('uint8', 10),
  filterTensor: square('int8', 1, 0, 0, 1),
};

/** The filters add each element and the one below it to the right: 1 + 5, 2 + 6, 4 + 8, 5 + 9. */
export const ours = [
  own(
    'convolution',
    {
      inputTensor: square('float32', 1, 2, 3, 4, 5, 6, 7, 8, 9),
      filterTensor: square('float32', 1, 0, 0, 1),
      biasTensor: square('float32', 0.5),
    },
    { outputTensor: square('float32', 6.5, 8.5, 12.5, 14.5) },
    { mode: 'crossCorrelation', direction: 'forward', ...everywhere, outputPadding: [0, 0] },
  ),
  own('convolutionInteger', integers, { outputTensor: square('int32', 6, 8, 12, 14) }, everywhere),
  own(
    'quantizedLinearConvolution',
    {
      ...{ ...integers, inputScaleTensor: square('float32', 1), filterScaleTensor: square('float32', 1) },
      ...{ outputScaleTensor: square('float32', 2), outputZeroPointTensor: square('int8', -1) },
    },
    { outputTensor: square('int8', 2, 3, 5, 6) },
    everywhere,
  ),
];
