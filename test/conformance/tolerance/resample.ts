/**
 * Tolerances of resampling. The elements of the cases are 1 to 2 in magnitude. Terms are the sizes along which positions
 * are computed: a position rounds in units of itself, and its weight with it.
 */
import { EXACT, OF_MAGNITUDES, type ComputedRow, type Dependent, type Variants } from './row.js';

const LINEAR: ComputedRow = {
  ulp: 8,
  perTerm: 4,
  magnitude: OF_MAGNITUDES,
  narrowed: 4,
  reason:
    'the position, a quotient and two differences of up to 2 units of itself, times the difference of two neighbours; ' +
    'the weighted sums of up to 4 dimensions; antialiasing cuts float16 off after each halving',
};

const AT_LEAST_TWO: Dependent = {
  text: 'what |x| would give, at least 2',
  at: ({ ofMagnitudes }) => Math.max(2, ofMagnitudes),
  needsMagnitudes: true,
};

const resampling: Variants = {
  pick: (descriptor) => ('interpolationMode' in descriptor ? descriptor.interpolationMode : 'linear'),
  rows: { nearestNeighbor: EXACT, linear: LINEAR },
};

const gradient: Variants = {
  pick: resampling.pick,
  rows: {
    nearestNeighbor: { ulp: 0, perTerm: 0.5, magnitude: OF_MAGNITUDES, reason: 'a sum rounds half a unit per term' },
    linear: { ...LINEAR, magnitude: AT_LEAST_TWO, narrowed: 0, reason: 'the weights of resampling, and the sum of what they weigh' },
  },
};

export const resampleTolerances = {
  upsample2d: resampling,
  resample: resampling,
  resample1: resampling,
  resample2: resampling,
  resample3: resampling,
  resampleGrad: gradient,
  resampleGrad1: gradient,
};
