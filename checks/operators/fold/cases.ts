/** Cases and tolerances of fold and unfold. */
import { bitsOf, isFloat } from '#lib/tensors/data-types.js';
import type { Random } from '../../harness/random.js';
import { base64, VALUE_TYPES, type ConformanceCase } from '../../cases/case.js';
import { floatElement, wrappingInteger } from '../../cases/element-values.js';
import { anyBits, fillTensor, product, randomTensor } from '../../cases/layout.js';
import { floatsOfOneMagnitude } from '../../cases/magnitudes.js';
import { EXACT, type OperatorTolerance } from '../../tolerance/row.js';
import { SUM } from '../../tolerance/shared-rows.js';

export const tolerances = {
  fold: SUM,
  unfold: EXACT,
} satisfies Record<string, OperatorTolerance>;

const dataTypes = VALUE_TYPES.filter((dataType) => dataType !== 'float64');

export function unfold(random: Random, index: number): ConformanceCase {
  const { dataType, images, columns, fields } = shape(random, index);
  const inputTensor = randomTensor(random, dataType, images, 'input');
  const outputTensor = randomTensor(random, dataType, columns, 'output');
  return {
    descriptor: { type: 'unfold', inputTensor, outputTensor, ...fields },
    data: { inputTensor: base64(anyBits(random, inputTensor)) },
  };
}

/** Floats with few or many significant digits, some with sums that overflow; integers whose sums wrap around or saturate. */
export function fold(random: Random, index: number): ConformanceCase {
  const { dataType, images, columns, fields } = shape(random, index);
  const inputTensor = randomTensor(random, dataType, columns, 'input');
  const outputTensor = randomTensor(random, dataType, images, 'output');
  const whole = random.chance(0.3);
  const element = random.chance(0.5) && isFloat(dataType) ? floatsOfOneMagnitude(random, dataType) : null;
  const bytes = fillTensor(random, inputTensor, () => {
    if (element !== null) return element();
    if (isFloat(dataType) && random.chance(0.02)) {
      return floatElement(dataType, random.pick([0, -0, Infinity, -Infinity, NaN, 1e-40, 2 ** -20]));
    }
    if (isFloat(dataType)) return floatElement(dataType, whole ? random.int(-8, 8) : random.fraction() * 16 - 8);
    return bitsOf(dataType) === 64 ? wrappingInteger(random) : random.int(-(2 ** 31), 2 ** 31 - 1);
  });
  return {
    descriptor: { type: 'fold', inputTensor, outputTensor, ...fields },
    data: { inputTensor: base64(bytes) },
  };
}

function shape(random: Random, index: number) {
  const dataType = dataTypes[index % dataTypes.length] ?? 'float32';
  const count = (Math.floor(index / dataTypes.length) % 6) + 1;
  const { windowSizes, dilations, space, places, ...fields } = slidingWindows(random, count, true);
  const [batch, channels] = [random.int(1, 3), random.int(1, 3)];
  return {
    dataType,
    images: [batch, channels, ...space],
    columns: [batch, channels * product(windowSizes), product(places)],
    fields: { windowSizes, dilations, ...fields },
  };
}

export type SlidingWindows = ReturnType<typeof slidingWindows>;

/** Windows, images with `count` spatial dimensions, and their padding. Some window positions lie entirely in the padding. */
export function slidingWindows(random: Random, count: number, isDilated: boolean) {
  const most = [12, 6, 4, 3, 2, 2][count - 1] ?? 2;
  const each = (low: number, high: number): number[] => Array.from({ length: count }, () => random.int(low, high));
  const windowSizes = each(1, Math.min(3, most));
  const strides = each(1, 3);
  const dilations = each(1, !isDilated ? 1 : count < 3 ? 3 : 2);
  const startPadding = each(0, count < 3 ? 2 : 1);
  const endPadding = each(0, count < 3 ? 2 : 1);
  const spans = windowSizes.map((size, i) => (size - 1) * (dilations[i] ?? 1) + 1);
  const padding = startPadding.map((start, i) => start + (endPadding[i] ?? 0));
  const space = spans.map((span, i) => Math.max(1, span - (padding[i] ?? 0)) + random.int(0, Math.max(0, most - 2)));
  const places = space.map((size, i) => Math.floor((size + (padding[i] ?? 0) - (spans[i] ?? 1)) / (strides[i] ?? 1)) + 1);
  return { windowSizes, strides, dilations, startPadding, endPadding, space, places };
}
