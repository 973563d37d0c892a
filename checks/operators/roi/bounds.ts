/**
 * The errors of regions of interest. All elements of a case have about the same magnitude, and regions reach up to half an
 * image beyond it. The number of terms is the image's height plus its width, because positions round in these units; for the
 * gradient, times the number of elements that are summed.
 */
import type { ConformanceCase } from '../../cases/case.js';
import { isTensor, product } from '../../cases/layout.js';
import { inputOf } from '../../tolerance/magnitudes.js';
import { ofMagnitudes, SAME_VALUE, type Variants } from '../../tolerance/row.js';

const LARGEST = ofMagnitudes('the largest |x|, in the image or outside of it');
export const OF_PRODUCTS = ofMagnitudes('the largest |x| of the gradient, for corners times that of the image');

export const align: Variants = {
  pick: (descriptor) => {
    if (!('interpolationMode' in descriptor) || !('reductionFunction' in descriptor)) return 'linear';
    if (descriptor.interpolationMode === 'linear') return 'linear';
    return descriptor.reductionFunction === 'max' ? 'nearestMax' : 'nearestAverage';
  },
  rows: {
    linear: {
      ulp: 16,
      perTerm: 16,
      magnitude: LARGEST,
      magnitudesOf: largestSample,
      reason:
        'a position rounds a quotient, two products and three sums of numbers up to twice the image size, 4 ULP of these, and ' +
        'multiplies a difference of two neighbors of up to 4; then the sum of up to 16 samples and its quotient',
    },
    nearestAverage: {
      ulp: 9,
      magnitude: LARGEST,
      magnitudesOf: largestSample,
      reason: 'each of up to 16 samples rounds the sum by 0.5 ULP; a quotient',
    },
    nearestMax: SAME_VALUE,
  },
};

/** The largest magnitude of a sample, for each element of the output. */
function largestSample(test: ConformanceCase): Float64Array {
  const { descriptor } = test;
  const outside = 'outOfBoundsInputValue' in descriptor ? Math.abs(descriptor.outOfBoundsInputValue) : 0;
  const largest = Math.max(largestIn(test, 'inputTensor'), Number.isFinite(outside) ? outside : 0);
  return new Float64Array(elementsOf(test)).fill(largest);
}

/** A bound of the magnitude of one part of a gradient, for each element of either output. */
export function largestProduct(test: ConformanceCase): Float64Array {
  const gradient = largestIn(test, 'inputGradientTensor');
  const image = largestIn(test, 'inputTensor');
  return new Float64Array(elementsOf(test)).fill(gradient * Math.max(1, image));
}

function elementsOf({ descriptor }: ConformanceCase): number {
  const outputs = ['outputTensor', 'outputGradientTensor', 'outputRoiGradientTensor'].map((name): unknown =>
    Reflect.get(descriptor, name),
  );
  return Math.max(...outputs.map((tensor) => (isTensor(tensor) ? product(tensor.sizes) : 0)));
}

function largestIn(test: ConformanceCase, name: string): number {
  const tensor: unknown = Reflect.get(test.descriptor, name);
  if (!isTensor(tensor)) return 0;
  return inputOf(test, name, tensor).reduce((most, x) => (Number.isFinite(x) ? Math.max(most, Math.abs(x)) : most), 0);
}
