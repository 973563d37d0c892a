/**
 * Tolerances of resampling. The elements of the cases are 1 to 2 in magnitude. Terms are the sizes along which positions
 * are computed: a position rounds in units of itself, and its weight with it.
 */
import type { ConformanceCase } from '../case.js';
import { product } from '../layout.js';
import { EXACT, OF_MAGNITUDES, ofMagnitudes, type ComputedRow, type Dependent, type Descriptor, type Variants } from './row.js';

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

/** Weights of 1 + w and -w, by which the terms of a result are larger than what |x| would give. */
const EXTRAPOLATED: ComputedRow = {
  ...LINEAR,
  magnitude: ofMagnitudes('2·Π(1 + 2w), w what an offset of the input has outside of 0 to 1'),
  magnitudesOf: extrapolatedMagnitudes,
  narrowed: 0,
  reason: 'the position and the weighted sums of interpolation, with weights above 1 and below 0',
};

const modeOf = (descriptor: Descriptor) => ('interpolationMode' in descriptor ? descriptor.interpolationMode : 'linear');

const resampling: Variants = {
  pick: (descriptor) => {
    const mode = modeOf(descriptor);
    return mode === 'linear' && outsides(descriptor).some((outside) => outside > 0) ? 'extrapolated' : mode;
  },
  rows: { nearestNeighbor: EXACT, linear: LINEAR, extrapolated: EXTRAPOLATED },
};

function outsides(descriptor: Descriptor): number[] {
  if (!('inputPixelOffsets' in descriptor)) return [];
  return Array.from(descriptor.inputPixelOffsets, (offset) => Math.max(0, -offset, offset - 1));
}

function extrapolatedMagnitudes({ descriptor }: ConformanceCase): Float64Array {
  const largest = 2 * product(outsides(descriptor).map((outside) => 1 + 2 * outside));
  return new Float64Array('outputTensor' in descriptor ? product(descriptor.outputTensor?.sizes ?? []) : 0).fill(largest);
}

const gradient: Variants = {
  pick: modeOf,
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
