/**
 * Tolerances of recurrent networks. The weights of the cases' recurrences make the error of a state at most 0.29 of
 * itself in the next state, so that all steps together have 1/(1 - 0.29) = 1.4 of the error of one, however many there
 * are. No number in them is larger than 4; errors are told in units of those from 2 on.
 */
import { isStepwise } from '../cases/recurrent-values.js';
import { SAME_VALUE, type Variants } from './row.js';

const rnn: Variants = {
  pick: (descriptor) => (descriptor.type === 'rnn' && isStepwise(descriptor.activationDescs) ? 'whole' : 'other'),
  rows: {
    whole: SAME_VALUE,
    other: {
      ulp: 27,
      perTerm: 1.6,
      magnitude: 2,
      narrowed: 16,
      reason:
        '1.4 times what one step adds: a product and a sum for each term, half a unit each, which an activation makes up ' +
        'to 1.13 of; 19 units for the activation; float16 keeps products, sums and states as float16, five a step',
    },
  },
};

export const recurrentTolerances = { rnn };
