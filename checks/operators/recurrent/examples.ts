/** Examples of recurrent networks, with whole numbers so that a reader can follow them. */
import { tensor } from '../../cases/example.js';
import { floatTensor, own } from '../../cases/own-example.js';

/** Two sequences of three steps with one input each; the second is shorter. */
const sequences = {
  inputTensor: floatTensor([1, 3, 2, 1], 1, 10, 2, 20, 3, 30),
  sequenceLengthsTensor: tensor('uint32', [1, 1, 1, 2], [3, 2]),
};

/** Three steps of one sequence. Only the last gate has weights; the others are 0.5, the beta of their activation. */
const gated = (gates: number) => ({
  inputTensor: floatTensor([1, 3, 1, 1], 2, 4, 6),
  weightTensor: floatTensor([1, 1, gates, 1], ...new Array<number>(gates).fill(0).with(-1, 1)),
  recurrenceTensor: floatTensor([1, 1, gates, 1], ...new Array<number>(gates).fill(0)),
});

const half = { type: 'activationHardSigmoid', alpha: 1, beta: 0.5 };
const identity = { type: 'activationIdentity' };

export const ours = [
  own(
    'rnn',
    { ...sequences, weightTensor: floatTensor([1, 1, 1, 1], 2), recurrenceTensor: floatTensor([1, 1, 1, 1], -1) },
    {
      outputSequenceTensor: floatTensor([3, 1, 2, 1], 2, 20, 2, 20, 4, 0),
      outputSingleTensor: floatTensor([1, 1, 2, 1], 4, 20),
    },
    { activationDescs: [{ type: 'activationRelu' }], direction: 'forward' },
  ),
  own(
    'gru',
    gated(3),
    { outputSequenceTensor: floatTensor([3, 1, 1, 1], 1, 2.5, 4.25) },
    { activationDescs: [half, identity], direction: 'forward', linearBeforeReset: false },
  ),
  own(
    'lstm',
    gated(4),
    {
      outputSequenceTensor: floatTensor([3, 1, 1, 1], 0.5, 1.25, 2.125),
      outputCellSingleTensor: floatTensor([1, 1, 1, 1], 4.25),
    },
    {
      activationDescs: [half, identity, identity],
      direction: 'forward',
      clipThreshold: 0,
      useClipThreshold: false,
      coupleInputForget: false,
    },
  ),
  // The directions differ only in the peephole of the output gate.
  own(
    'lstm',
    {
      inputTensor: floatTensor([1, 1, 1, 1], 1),
      weightTensor: floatTensor([1, 2, 4, 1], 0, 0, 0, 1, 0, 0, 0, 1),
      recurrenceTensor: floatTensor([1, 2, 4, 1], ...new Array<number>(8).fill(0)),
      peepholeTensor: floatTensor([1, 1, 2, 3], 0, 0.5, 0, 0, -0.5, 0),
    },
    {
      outputSequenceTensor: floatTensor([1, 2, 1, 1], 0.375, 0.125),
      outputCellSingleTensor: floatTensor([1, 2, 1, 1], 0.5, 0.5),
    },
    {
      activationDescs: [half, identity, identity, half, identity, identity],
      direction: 'bidirectional',
      clipThreshold: 0,
      useClipThreshold: false,
      coupleInputForget: false,
    },
  ),
];
