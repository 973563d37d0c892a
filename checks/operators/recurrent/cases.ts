/**
 * Cases and tolerances of recurrent networks: every direction, sequences of different lengths, with and without each optional
 * tensor.
 */
import type { FusedActivation, RecurrentNetworkDirection, TensorDesc } from 'node-directml';
import type { Random } from '../../harness/random.js';
import type { ConformanceCase, DataType } from '../../cases/case.js';
import { fillTensors, randomTensor } from '../../cases/layout.js';
import {
  boundedActivation,
  celu,
  smoothActivation,
  smoothGate,
  valuesOf,
  wholeActivation,
  wholeGate,
  type Values,
  isBounded,
  isStepwise,
} from './values.js';
import { withSpecials, type WithSpecials } from '../../cases/special-values.js';
import { SAME_VALUE, type ComputedRow, type Descriptor, type Variants } from '../../tolerance/row.js';

/** `bounded` is the tolerance for activations with gates from 0 to 1 and states from −1 to 1. */
function recurrent(other: ComputedRow, bounded?: ComputedRow): Variants {
  return { pick: kindOf, rows: { whole: SAME_VALUE, other, ...(bounded === undefined ? {} : { bounded }) } };
}

function kindOf(descriptor: Descriptor): 'whole' | 'bounded' | 'other' {
  switch (descriptor.type) {
    case 'gru':
    case 'lstm':
      if (isBounded(descriptor.activationDescs, descriptor.type === 'gru' ? 2 : 3)) return 'bounded';
      return isStepwise(descriptor.activationDescs) ? 'whole' : 'other';
    case 'rnn':
      return isStepwise(descriptor.activationDescs) ? 'whole' : 'other';
    default:
      return 'other';
  }
}

/**
 * In half of the cases all numbers are small integers, and nothing is rounded. In the others, a sum of weighted inputs is at
 * most 1, biases add at most 0.5, and the recurrence weights sum to at most 1/4; activations have slopes of at most 1.13 and
 * results of at most |x| + 1. A sum of n terms rounds by one unit per term.
 */
export const tolerances = {
  rnn: recurrent({
    ulp: 27,
    perTerm: 1.6,
    magnitude: 2,
    narrowed: 16,
    reason:
      'a step adds 1.13 ULP per term and 19 ULP for the activation, and passes on 0.29 of the error of the step before, so ' +
      'that all steps together have 1.4 times the error of one; with float16, products, sums and states truncate to float16, ' +
      'five times per step',
  }),
  gru: recurrent(
    {
      ulp: 62,
      perTerm: 9.3,
      magnitude: 4,
      narrowed: 25,
      reason:
        'two steps with gates from 0 to 1, or one step with other gates: gates have an error of 1.13 ULP per two terms and ' +
        '5.5 ULP for the activation, times states of up to 3.3; the error of the candidate, to whose recurrence gates of up ' +
        'to 2.8 contribute, counts 3.75 times; with float16, sums, gates and states truncate to float16',
    },
    {
      ulp: 73,
      perTerm: 4,
      magnitude: 1,
      narrowed: 20,
      reason:
        'one step: 1 ULP per term and 16 ULP for the activation in the candidate, and a quarter of that plus 5 ULP in each of ' +
        'two gates; the next step adds its own error, what a quarter of the previous error causes in it, and the previous ' +
        'error; with float16, sums, gates and states truncate to float16',
    },
  ),
  lstm: recurrent(
    {
      ulp: 360,
      perTerm: 31,
      magnitude: 8,
      narrowed: 30,
      reason:
        'two steps with gates from 0 to 1, or one step with other gates: gates have an error of 1.13 ULP per two terms and 6 ' +
        'ULP for the activation; the cell has 6.7 times that, and the state, with what the cell’s error causes in the ' +
        'peephole, 30 times per term; the state is at most 49; with float16, sums, gates and states truncate to float16',
    },
    {
      ulp: 60,
      perTerm: 4.9,
      magnitude: 2,
      narrowed: 22,
      reason:
        'one step: 1 ULP per term and 8 ULP for the activation in the candidate, and a quarter of that plus 2.5 ULP in each ' +
        'of three gates; the next step adds its own error, what a quarter of the state’s and an eighth of the cell’s previous ' +
        'error cause in it, and the cell’s previous error; with float16, sums, gates and states truncate to float16',
    },
  ),
};

const FLOATS: readonly DataType[] = ['float32', 'float16'];
const DIRECTIONS: readonly RecurrentNetworkDirection[] = ['forward', 'backward', 'bidirectional'];

export function rnn(random: Random, index: number): ConformanceCase {
  const { isWhole, directions, ...layer } = layerOf(random, index, { gates: 1, smoothSteps: 5 });
  const smooth = random.chance(0.1) ? celu : smoothActivation;
  const activationDescs = Array.from({ length: directions }, () => (isWhole ? wholeActivation : smooth)(random));
  return { descriptor: { type: 'rnn', ...layer.tensors, activationDescs, direction: layer.direction }, data: layer.data };
}

export function gru(random: Random, index: number): ConformanceCase {
  const layer = layerOf(random, index, { gates: 3, smoothSteps: 2 });
  const { tensors, direction, data } = layer;
  const activationDescs = gatedActivations(random, layer, 1);
  const linearBeforeReset = random.chance(0.5);
  return { descriptor: { type: 'gru', ...tensors, activationDescs, direction, linearBeforeReset }, data };
}

export function lstm(random: Random, index: number): ConformanceCase {
  const layer = layerOf(random, index, { gates: 4, smoothSteps: 2 });
  const { dataType, isWhole, tensors, direction, directions, batch, hidden, values, special } = layer;
  const perSequence = [1, directions, batch, hidden];
  const cellMemInitTensor = random.chance(0.6) ? randomTensor(random, dataType, perSequence, 'input') : null;
  const peepholeTensor = random.chance(0.5) ? randomTensor(random, dataType, [1, 1, directions, 3 * hidden], 'input') : null;
  const outputCellSingleTensor = random.chance(0.6) ? randomTensor(random, dataType, perSequence, 'output') : null;
  return {
    descriptor: {
      type: 'lstm',
      ...{ ...tensors, cellMemInitTensor, peepholeTensor, outputCellSingleTensor },
      activationDescs: gatedActivations(random, layer, 2),
      direction,
      clipThreshold: isWhole ? random.int(-1, 6) : random.int(1, 24) / 8,
      useClipThreshold: random.chance(0.4),
      coupleInputForget: random.chance(0.4),
    },
    data: {
      ...layer.data,
      ...fillTensors(random, {
        cellMemInitTensor: [cellMemInitTensor, special(values.state)],
        peepholeTensor: [peepholeTensor, special(values.peephole)],
      }),
    },
  };
}

/** For each direction, the activation of the gates and `others` more. Gates are from 0 to 1, except in some single-step cases. */
function gatedActivations(random: Random, { isWhole, directions, steps }: Layer, others: number): FusedActivation[] {
  const gate = isWhole ? wholeGate : steps === 1 && random.chance(0.3) ? smoothActivation : smoothGate;
  const other = isWhole ? wholeActivation : random.chance(0.5) ? boundedActivation : smoothActivation;
  return Array.from({ length: directions }, () => [gate(random), ...Array.from({ length: others }, () => other(random))]).flat();
}

/** The differences between the operators. */
interface Kind {
  readonly gates: number;
  /** The largest number of steps in cases with rounding errors, which accumulate. */
  readonly smoothSteps: number;
}

interface Layer {
  readonly dataType: DataType;
  readonly isWhole: boolean;
  readonly direction: RecurrentNetworkDirection;
  readonly directions: number;
  readonly steps: number;
  readonly batch: number;
  readonly hidden: number;
  readonly tensors: Tensors;
  readonly values: Values;
  /** Gives the tensors of a few cases special elements. */
  readonly special: WithSpecials;
  readonly data: Record<string, string>;
}

interface Tensors {
  readonly inputTensor: TensorDesc;
  readonly weightTensor: TensorDesc;
  readonly recurrenceTensor: TensorDesc;
  readonly biasTensor: TensorDesc | null;
  readonly hiddenInitTensor: TensorDesc | null;
  readonly sequenceLengthsTensor: TensorDesc | null;
  readonly outputSequenceTensor: TensorDesc | null;
  readonly outputSingleTensor: TensorDesc | null;
}

/** The parts that all operators share. Integer states stay exact in float16 for three steps, or for one step of a wide layer. */
function layerOf(random: Random, index: number, { gates, smoothSteps }: Kind): Layer {
  const dataType = FLOATS[index % 2] ?? 'float32';
  const isWhole = Math.floor(index / 2) % 2 === 0;
  const direction = DIRECTIONS[Math.floor(index / 4) % 3] ?? 'forward';
  const directions = direction === 'bidirectional' ? 2 : 1;
  const isWide = isWhole && random.chance(0.1);
  const wholeSteps = dataType === 'float16' ? (isWide ? 1 : 3) : isWide ? 2 : 5;
  const steps = random.int(1, isWhole ? wholeSteps : smoothSteps);
  const [batch, inputs, hidden] = isWide
    ? [random.int(1, 9), random.int(1, 40), random.int(5, 40)]
    : [random.int(1, 4), random.int(1, 5), random.int(1, 4)];
  const input = (...sizes: readonly number[]) => randomTensor(random, dataType, sizes, 'input');
  const perhaps = (...sizes: readonly number[]) => (random.chance(0.6) ? input(...sizes) : null);
  const outputs = random.pick(['sequence', 'single', 'both', 'both']);
  const output = (...sizes: readonly number[]) => randomTensor(random, dataType, sizes, 'output');
  const tensors: Tensors = {
    inputTensor: input(1, steps, batch, inputs),
    weightTensor: input(1, directions, gates * hidden, inputs),
    recurrenceTensor: input(1, directions, gates * hidden, hidden),
    biasTensor: perhaps(1, 1, directions, 2 * gates * hidden),
    hiddenInitTensor: perhaps(1, directions, batch, hidden),
    sequenceLengthsTensor: random.chance(0.6) ? randomTensor(random, 'uint32', [1, 1, 1, batch], 'input') : null,
    outputSequenceTensor: outputs === 'single' ? null : output(steps, directions, batch, hidden),
    outputSingleTensor: outputs === 'sequence' ? null : output(1, directions, batch, hidden),
  };
  const values = valuesOf(random, dataType, isWhole, inputs, hidden);
  // Cases without rounding stay exact with special elements; in other cases, errors would grow as large as these elements.
  // DirectML limits float16 to its finite range between passes, so that infinities become large numbers; only rnn has one pass.
  const isHalf = dataType === 'float16';
  const isEqual = isHalf ? isWhole && steps === 1 && gates === 1 : isWhole || steps === 1;
  const share = isEqual ? random.pick([0, 0.3]) : 0;
  const special = withSpecials(random, dataType, share, !isHalf);
  const data = fillTensors(random, {
    inputTensor: [tensors.inputTensor, special(values.input)],
    weightTensor: [tensors.weightTensor, special(values.weight)],
    recurrenceTensor: [tensors.recurrenceTensor, special(values.recurrence)],
    biasTensor: [tensors.biasTensor, special(values.bias)],
    hiddenInitTensor: [tensors.hiddenInitTensor, special(values.state)],
    sequenceLengthsTensor: [tensors.sequenceLengthsTensor, () => lengthOf(random, direction, steps)],
  });
  return { dataType, isWhole, direction, directions, steps, batch, hidden, tensors, values, special, data };
}

/** Only backward cases have lengths of 0 or beyond the tensor: forward, the last state would be whatever lies in memory. */
function lengthOf(random: Random, direction: RecurrentNetworkDirection, steps: number): number {
  if (direction !== 'backward' || random.chance(0.8)) return random.int(1, steps);
  return random.pick([0, steps + 1, 2 ** 31]);
}
