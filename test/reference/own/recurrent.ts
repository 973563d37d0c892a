/** Recurrent networks, with whole numbers so that a reader can follow them. */
import { tensor, type ExampleTensor } from '../example.js';
import { own } from './own.js';

const floats = (sizes: readonly number[], ...values: readonly number[]): ExampleTensor => tensor('float32', sizes, values);

/** Two sequences of three steps with one input each; the second is shorter. */
const sequences = {
  inputTensor: floats([1, 3, 2, 1], 1, 10, 2, 20, 3, 30),
  sequenceLengthsTensor: tensor('uint32', [1, 1, 1, 2], [3, 2]),
};

export const networks = [
  own(
    'rnn',
    { ...sequences, weightTensor: floats([1, 1, 1, 1], 2), recurrenceTensor: floats([1, 1, 1, 1], -1) },
    {
      outputSequenceTensor: floats([3, 1, 2, 1], 2, 20, 2, 20, 4, 0),
      outputSingleTensor: floats([1, 1, 2, 1], 4, 20),
    },
    { activationDescs: [{ type: 'activationRelu' }], direction: 'forward' },
  ),
];
