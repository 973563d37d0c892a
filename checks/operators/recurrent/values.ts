/**
 * Activations and values for recurrent networks, whose errors accumulate over the steps. Half of the cases have integers
 * and activations that map integers to integers, so that every step is exact. The others have continuous activations, and
 * weights so small that errors fade.
 */
import type { FusedActivation } from 'node-directml';
import type { Random } from '../../harness/random.js';
import type { DataType } from '../../cases/case.js';
import { floatElement } from '../../cases/element-values.js';

/** True if the activations map integers to integers, given that their fields are integers. */
export function isStepwise(activations: readonly FusedActivation[]): boolean {
  return activations.every(({ type }) => STEPWISE.has(type));
}

const STEPWISE: ReadonlySet<string> = new Set<FusedActivation['type']>([
  'activationHardSigmoid',
  'activationIdentity',
  'activationLeakyRelu',
  'activationLinear',
  'activationRelu',
  'activationShrink',
  'activationThresholdedRelu',
]);

/** An activation of {@link STEPWISE} whose result is at most 1 larger than its argument, in magnitude. */
export function wholeActivation(random: Random): FusedActivation {
  switch (random.int(0, 6)) {
    case 0:
      return wholeGate(random);
    case 1:
      return { type: 'activationIdentity' };
    case 2:
      return { type: 'activationLeakyRelu', alpha: random.int(-1, 1) };
    case 3:
      return { type: 'activationLinear', alpha: random.int(-1, 1), beta: random.int(-1, 1) };
    case 4:
      return { type: 'activationShrink', bias: random.int(-1, 1), threshold: random.int(0, 3) };
    case 5:
      return { type: 'activationThresholdedRelu', alpha: random.int(-2, 2) };
    default:
      return { type: 'activationRelu' };
  }
}

/** A gate that maps integers to 0 or 1. */
export function wholeGate(random: Random): FusedActivation {
  return { type: 'activationHardSigmoid', alpha: random.pick([1, 2, -1]), beta: random.int(-1, 1) };
}

/** A continuous activation: for |x| up to 4, its slope is at most 1.13 and its result at most |x| + 1. */
export function smoothActivation(random: Random): FusedActivation {
  const [alpha, beta] = [random.fraction() * 2 - 1, random.fraction() * 2 - 1];
  return random.pick<FusedActivation>([
    { type: 'activationElu', alpha },
    { type: 'activationGelu' },
    { type: 'activationHardSwish', alpha: alpha / 12, beta: beta / 3 },
    { type: 'activationParametricSoftplus', alpha, beta },
    { type: 'activationScaledElu', alpha, gamma: beta },
    { type: 'activationScaledTanh', alpha, beta },
    { type: 'activationSigmoid' },
    { type: 'activationSoftplus', steepness: 1 + random.fraction() * 3 },
    { type: 'activationSoftsign' },
    { type: 'activationSwish', sigmoidInputScale: beta * 2 },
    { type: 'activationTanh' },
    { type: 'activationTanh' },
  ]);
}

/** True if, in each direction, the first activation (of the gates) gives 0 to 1 and the others −1 to 1. `each` is their number. */
export function isBounded(activations: readonly FusedActivation[], each: number): boolean {
  return activations.every(({ type }, i) => (i % each === 0 ? GATES : BOUNDED).has(type));
}

const GATES: ReadonlySet<string> = new Set<FusedActivation['type']>(['activationHardSigmoid', 'activationSigmoid']);
const BOUNDED: ReadonlySet<string> = new Set<FusedActivation['type']>([
  'activationScaledTanh',
  'activationSigmoid',
  'activationSoftsign',
  'activationTanh',
]);

/** A continuous activation with results from −1 to 1. */
export function boundedActivation(random: Random): FusedActivation {
  return random.pick<FusedActivation>([
    { type: 'activationScaledTanh', alpha: random.fraction() * 2 - 1, beta: random.fraction() * 2 - 1 },
    { type: 'activationSigmoid' },
    { type: 'activationSoftsign' },
    { type: 'activationTanh' },
    { type: 'activationTanh' },
  ]);
}

/** A continuous activation that only rnn supports. */
export function celu(random: Random): FusedActivation {
  return { type: 'activationCelu', alpha: 0.25 + random.fraction() * 0.75 };
}

/** A continuous gate, with results from 0 to 1. */
export function smoothGate(random: Random): FusedActivation {
  return random.chance(0.7) ? { type: 'activationSigmoid' } : { type: 'activationHardSigmoid', alpha: 0.2, beta: 0.5 };
}

export interface Values {
  readonly input: () => number;
  readonly weight: () => number;
  readonly recurrence: () => number;
  readonly bias: () => number;
  readonly peephole: () => number;
  readonly state: () => number;
}

/**
 * Integers; or values for which a sum of weighted inputs is at most 1, and a sum of weighted states at most 1/4 of the largest
 * state.
 */
export function valuesOf(random: Random, dataType: DataType, isWhole: boolean, inputs: number, hidden: number): Values {
  const upTo = (limit: number, whole: number) => () =>
    floatElement(dataType, isWhole ? random.int(-whole, whole) : (random.fraction() * 2 - 1) * limit);
  return {
    input: upTo(1, 2),
    weight: upTo(1 / inputs, 1),
    recurrence: upTo(1 / (4 * hidden), 1),
    bias: upTo(1 / 4, 1),
    peephole: upTo(1 / 8, 1),
    state: upTo(1, 2),
  };
}
