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
      'a step adds 1.13 for each term and 19 for the activation, and hands on 0.29 of the error before it, so that ' +
      'all steps have 1.4 times as much; float16 keeps products, sums and states as float16, five a step',
  }),
  gru: recurrent(
    {
      ulp: 62,
      perTerm: 9.3,
      magnitude: 4,
      narrowed: 25,
      reason:
        'two steps with gates from 0 to 1, or one with others: gates, wrong by 1.13 per two terms and 5.5 for the activation, ' +
        'times states of up to 3.3; the candidate, to whose recurrence gates of up to 2.8 add, times 3.75; float16 keeps ' +
        'sums, gates and states as float16',
    },
    {
      ulp: 73,
      perTerm: 4,
      magnitude: 1,
      narrowed: 20,
      reason:
        'a step: 1 per term and 16 for the activation in the candidate, a quarter of it and 5 in each of two gates; ' +
        'another step with what a quarter of the error before it makes, and with that error; float16 keeps ' +
        'sums, gates and states as float16',
    },
  ),
  lstm: recurrent(
    {
      ulp: 360,
      perTerm: 31,
      magnitude: 8,
      narrowed: 30,
      reason:
        'two steps with gates from 0 to 1, or one with others: gates, wrong by 1.13 per two terms and 6 for the activation, ' +
        'make 6.7 times as much of it in the cell, and with what that makes of the peephole 30 times per term in the ' +
        'state, which is 49 at most; float16 keeps sums, gates and states as float16',
    },
    {
      ulp: 60,
      perTerm: 4.9,
      magnitude: 2,
      narrowed: 22,
      reason:
        'a step: 1 per term and 8 for the activation in the candidate, a quarter of it and 2.5 in each of three gates; ' +
        'another step with what a quarter of the error of the state and an eighth of that of the cell make of it, and ' +
        'with the latter; float16 keeps sums, gates and states as float16',
    },
  ),
};
