/** Tolerances of casts, of identity with a scale and a bias, and of additions with a fused activation. */
import { fusable } from '../../conformance/tolerance/fused.js';
import { EXACT, type OperatorTolerance, type Variants } from '../../conformance/tolerance/row.js';
import { fusableTolerances, linear } from '../activation/tolerance.js';

const elementWiseAdd1 = fusable({ ulp: 0, reason: 'one sum, rounded to nearest even' }, Object.keys(fusableTolerances));

const elementWiseIdentity: Variants = {
  pick: (descriptor) => (descriptor.type === 'elementWiseIdentity' && descriptor.scaleBias ? 'scaleBias' : 'alone'),
  rows: { alone: EXACT, scaleBias: linear('scale', 'bias') },
};

export const tolerances = { cast: EXACT, elementWiseAdd1, elementWiseIdentity } satisfies Record<string, OperatorTolerance>;
