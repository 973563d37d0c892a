/**
 * Tolerances of recurrent networks. In half of the cases all numbers are small integers, and nothing is rounded. In the
 * others, a sum of weighted inputs is at most 1, biases add at most 0.5, and the recurrence weights sum to at most 1/4;
 * activations have slopes of at most 1.13 and results of at most |x| + 1. A sum of n terms rounds by one unit per term.
 */
import { isBounded, isStepwise } from './values.js';
import { SAME_VALUE, type ComputedRow, type Descriptor, type Variants } from '../../conformance/tolerance/row.js';

/** `bounded` is for activations whose gates are from 0 to 1 and whose states are from −1 to 1. */
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
