/** Cases and tolerances of slices and splits. */
import type { Random } from '../../harness/random.js';
import { base64, VALUE_TYPES, type ConformanceCase } from '../../cases/case.js';
import { anyBits, product, randomTensor, shapeInTurn } from '../../cases/layout.js';
import { EXACT, type OperatorTolerance } from '../../tolerance/row.js';

/** The operators only move elements, so results are exact. */
export const tolerances = {
  slice: EXACT,
  slice1: EXACT,
  sliceGrad: EXACT,
  split: EXACT,
} satisfies Record<string, OperatorTolerance>;

export function slice(random: Random, index: number): ConformanceCase {
  const { dataType, sizes } = shapeInTurn(random, index, VALUE_TYPES);
  const lengths = sizes.map((size) => random.int(1, size));
  const strides = sizes.map((size, axis) => {
    const steps = (lengths[axis] ?? 1) - 1;
    return steps === 0 ? random.pick([1, 2, 7]) : random.int(1, Math.floor((size - 1) / steps));
  });
  const offsets = sizes.map((size, axis) => random.int(0, size - 1 - ((lengths[axis] ?? 1) - 1) * (strides[axis] ?? 1)));
  const inputTensor = randomTensor(random, dataType, sizes, 'input');
  const outputTensor = randomTensor(random, dataType, lengths, 'output');
  return {
    descriptor: { type: 'slice', inputTensor, outputTensor, offsets, sizes: lengths, strides },
    data: { inputTensor: base64(anyBits(random, inputTensor)) },
  };
}

export function slice1(random: Random, index: number): ConformanceCase {
  const { dataType, sizes } = shapeInTurn(random, index, VALUE_TYPES);
  const { taken, ...fields } = window(random, sizes);
  const inputTensor = randomTensor(random, dataType, sizes, 'input');
  const outputTensor = randomTensor(random, dataType, taken, 'output');
  return {
    descriptor: { type: 'slice1', inputTensor, outputTensor, ...fields },
    data: { inputTensor: base64(anyBits(random, inputTensor)) },
  };
}

export function sliceGrad(random: Random, index: number): ConformanceCase {
  const { dataType, sizes } = shapeInTurn(random, index, VALUE_TYPES);
  const { taken, ...fields } = window(random, sizes);
  const inputGradientTensor = randomTensor(random, dataType, taken, 'input');
  const outputGradientTensor = randomTensor(random, dataType, sizes, 'output');
  return {
    descriptor: { type: 'sliceGrad', inputGradientTensor, outputGradientTensor, ...fields },
    data: { inputGradientTensor: base64(anyBits(random, inputGradientTensor)) },
  };
}

export function split(random: Random, index: number): ConformanceCase {
  const { dataType, sizes } = shapeInTurn(random, index, VALUE_TYPES);
  const axis = random.int(0, sizes.length - 1);
  const others = product(sizes) / (sizes[axis] ?? 1);
  const most = Math.max(1, Math.min(6, Math.floor(400 / others)));
  const extents = Array.from({ length: random.int(1, 4) }, () => random.int(1, most));
  const total = extents.reduce((sum, size) => sum + size, 0);
  const inputTensor = randomTensor(random, dataType, sizes.with(axis, total), 'input');
  const outputTensors = extents.map((size) => randomTensor(random, dataType, sizes.with(axis, size), 'output'));
  return {
    descriptor: { type: 'split', inputTensor, outputTensors, axis },
    data: { inputTensor: base64(anyBits(random, inputTensor)) },
  };
}

/**
 * A window with strides of either sign; some strides are longer than the window. `taken` is the number of elements along each
 * axis: all that the window has, or fewer.
 */
function window(random: Random, sizes: readonly number[]) {
  const lengths = sizes.map((size) => (random.chance(0.3) ? size : random.int(1, size)));
  const inputWindowOffsets = sizes.map((size, axis) => random.int(0, size - (lengths[axis] ?? 1)));
  const inputWindowStrides = sizes.map(() => random.pick([1, 1, 2, 3, 5, 50]) * random.pick([1, -1]));
  const taken = lengths.map((size, axis) => {
    const steps = Math.ceil(size / Math.abs(inputWindowStrides[axis] ?? 1));
    return random.chance(0.2) ? random.int(1, steps) : steps;
  });
  // If the window is a whole dimension, DirectML takes all its elements (rule slice-whole-window).
  const inputWindowSizes = lengths.map((length, axis) => {
    const isWhole = length === sizes[axis] && inputWindowStrides[axis] === 1;
    return isWhole ? (taken[axis] ?? 1) : length;
  });
  return { inputWindowOffsets, inputWindowSizes, inputWindowStrides, taken };
}
