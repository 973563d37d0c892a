/**
 * Tolerances of regions of interest. The elements of the cases are 1 to 2 in magnitude, and regions reach half an image
 * beyond it. Terms are the height and width of the image, in units of which positions are rounded; of the gradient times the
 * number of elements whose parts are added.
 */
import { EXACT, type Variants } from './row.js';

const align: Variants = {
  pick: (descriptor) => {
    if (!('interpolationMode' in descriptor) || !('reductionFunction' in descriptor)) return 'linear';
    if (descriptor.interpolationMode === 'linear') return 'linear';
    return descriptor.reductionFunction === 'max' ? 'nearestMax' : 'nearestAverage';
  },
  rows: {
    linear: {
      ulp: 16,
      perTerm: 16,
      magnitude: 2,
      reason:
        'a position is a quotient, two products and three sums of numbers up to twice the size of the image, 4 units of these, ' +
        'times a difference of two neighbours of up to 4; the sum of up to 16 samples and its quotient',
    },
    nearestAverage: { ulp: 9, magnitude: 2, reason: 'the sum of up to 16 samples, half a unit each, and its quotient' },
    nearestMax: EXACT,
  },
};

export const roiTolerances = {
  roiPooling: EXACT,
  roiAlign: align,
  roiAlign1: align,
  roiAlignGrad: {
    ulp: 16,
    perTerm: 16,
    magnitude: 2,
    reason:
      'what roiAlign has for each part, whose factors are gradients up to 2 and slopes up to 4 times the size of the image; ' +
      'the sum rounds half a unit per part',
  },
};
