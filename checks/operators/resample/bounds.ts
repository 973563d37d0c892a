/**
 * The errors of resampling. All elements of a case have about the same magnitude. The number of terms is the sum of the
 * sizes: a position rounds in its own units, which grow with the size, and its weight inherits this error.
 */
import type { TensorDesc } from 'node-directml';
import type { ConformanceCase } from '../../cases/case.js';
import { isTensor, product } from '../../cases/layout.js';
import { inputOf } from '../../tolerance/magnitudes.js';
import { EXACT, OF_MAGNITUDES, ofMagnitudes, type ComputedRow, type Descriptor, type Variants } from '../../tolerance/row.js';

const LINEAR: ComputedRow = {
  ulp: 8,
  perTerm: 4,
  magnitude: OF_MAGNITUDES,
  narrowed: 4,
  reason:
    'the position rounds a quotient and two differences, up to 2 ULP of itself, and multiplies the difference of two ' +
    'neighbors; weighted sums along up to 4 dimensions; with float16, antialiasing truncates after each halving',
};

/** Extrapolation has the weights 1 + w and −w, so the terms are larger than an interpolation of the magnitudes. */
const EXTRAPOLATED: ComputedRow = {
  ...LINEAR,
  magnitude: ofMagnitudes('the largest |x| · Π(1 + 2w) in each pass, w what an offset of the input has outside of 0 to 1'),
  magnitudesOf: extrapolatedMagnitudes,
  reason: 'interpolation’s position and weighted sums, with weights above 1 and below 0',
};

const modeOf = (descriptor: Descriptor) => ('interpolationMode' in descriptor ? descriptor.interpolationMode : 'linear');

export const resamplingRows: Variants = {
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

function extrapolatedMagnitudes(test: ConformanceCase): Float64Array {
  const { descriptor } = test;
  const growth = product(outsides(descriptor).map((outside) => 1 + 2 * outside));
  return Float64Array.from(largestElement(test), (largest) => largest * growth ** passesOf(descriptor));
}

/** The input's largest finite magnitude, repeated for each element of the output. */
function largestElement(test: ConformanceCase): Float64Array {
  const { descriptor } = test;
  const [name, output] =
    'outputGradientTensor' in descriptor
      ? ['inputGradientTensor', descriptor.outputGradientTensor]
      : ['inputTensor', outputOf(descriptor)];
  const input: unknown = Reflect.get(descriptor, name);
  const values = isTensor(input) ? inputOf(test, name, input) : new Float64Array(0);
  const largest = values.reduce((most, value) => (Number.isFinite(value) ? Math.max(most, Math.abs(value)) : most), 0);
  return new Float64Array(product(output?.sizes ?? [])).fill(largest);
}

function outputOf(descriptor: Descriptor): TensorDesc | null {
  return 'outputTensor' in descriptor && isTensor(descriptor.outputTensor) ? descriptor.outputTensor : null;
}

/** With antialiasing, DirectML halves the sizes repeatedly, in at least two passes. */
function passesOf(descriptor: Descriptor): number {
  if (descriptor.type !== 'resample3' || !descriptor.antialiased) return 1;
  const { inputTensor, outputTensor } = descriptor;
  return Math.max(
    2,
    ...Array.from(inputTensor.sizes, (size, axis) => Math.ceil(Math.log2(size / (outputTensor?.sizes?.[axis] ?? 1)))),
  );
}

const OF_SUMS = ofMagnitudes('the largest |x| · how many gradients an element takes');

export const gradientRows: Variants = {
  pick: modeOf,
  rows: {
    nearestNeighbor: {
      ulp: 0,
      perTerm: 0.5,
      magnitude: OF_SUMS,
      magnitudesOf: sumsOfGradients,
      reason: 'each term of the sum rounds by 0.5 ULP',
    },
    linear: {
      ...LINEAR,
      magnitude: OF_SUMS,
      magnitudesOf: sumsOfGradients,
      narrowed: 0,
      reason: 'the weights have the error of resampling; the sum of the weighted gradients rounds',
    },
  },
};

/** The largest magnitude times a bound for the number of gradients per element: its share along each axis, plus 3 for edges. */
function sumsOfGradients(test: ConformanceCase): Float64Array {
  const { descriptor } = test;
  if (!('outputGradientTensor' in descriptor && 'inputGradientTensor' in descriptor)) return new Float64Array(0);
  const targets = descriptor.inputGradientTensor.sizes;
  const sizes = descriptor.outputGradientTensor?.sizes ?? [];
  const shares = Array.from(sizes, (size, axis) => Math.ceil((targets[axis] ?? 1) / size) + 3);
  return Float64Array.from(largestElement(test), (largest) => largest * product(shares));
}
