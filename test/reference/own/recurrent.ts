/** Recurrent networks, with whole numbers so that a reader can follow them. */
import { tensor, type ExampleTensor } from '../example.js';
import { own } from './own.js';

const floats = (sizes: readonly number[], ...values: readonly number[]): ExampleTensor => tensor('float32', sizes, values);

/** Two sequences of three steps with one input each; the second is shorter. */
const sequences = {
  inputTensor: floats([1, 3, 2, 1], 1, 10, 2, 20, 3, 30),
  sequenceLengthsTensor: tensor('uint32', [1, 1, 1, 2], [3, 2]),
};

/** Three steps of one sequence. Only the last gate is weighted; the others are halves, by the beta of their activation. */
const gated = (gates: number) => ({
  inputTensor: floats([1, 3, 1, 1], 2, 4, 6),
  weightTensor: floats([1, 1, gates, 1], ...new Array<number>(gates).fill(0).with(-1, 1)),
  recurrenceTensor: floats([1, 1, gates, 1], ...new Array<number>(gates).fill(0)),
});
const half = { type: 'activationHardSigmoid', alpha: 1, beta: 0.5 };
const identity = { type: 'activationIdentity' };

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
  own(
    'gru',
    gated(3),
    { outputSequenceTensor: floats([3, 1, 1, 1], 1, 2.5, 4.25) },
    { activationDescs: [half, identity], direction: 'forward', linearBeforeReset: false },
  ),
  own(
    'lstm',
    gated(4),
    {
      outputSequenceTensor: floats([3, 1, 1, 1], 0.5, 1.25, 2.125),
      outputCellSingleTensor: floats([1, 1, 1, 1], 4.25),
    },
    {
      activationDescs: [half, identity, identity],
      direction: 'forward',
      clipThreshold: 0,
      useClipThreshold: false,
      coupleInputForget: false,
    },
  ),
];
