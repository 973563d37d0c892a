/** Cases and tolerances of top-k: many ties, the extremes of each data type, NaN, every K. */
import { isFloat } from '#lib/tensors/data-types.js';
import type { Random } from '../../harness/random.js';
import { base64, VALUE_TYPES, type ConformanceCase, type DataType } from '../../cases/case.js';
import { numberOf } from '../../cases/element-values.js';
import { fillTensor, randomSizes, randomTensor } from '../../cases/layout.js';
import { orderedValue } from '../../cases/values.js';
import { EXACT, type OperatorTolerance } from '../../tolerance/row.js';

/** The operators only move elements, so results are exact. */
export const tolerances = {
  topK: EXACT,
  topK1: EXACT,
} satisfies Record<string, OperatorTolerance>;

export function topK(random: Random, index: number): ConformanceCase {
  const { descriptor, data } = top(random, index);
  return { descriptor: { type: 'topK', ...descriptor }, data };
}

export function topK1(random: Random, index: number): ConformanceCase {
  const { descriptor, data } = top(random, index);
  const axisDirection = random.pick(['increasing', 'decreasing'] as const);
  return { descriptor: { type: 'topK1', ...descriptor, axisDirection }, data };
}

function top(random: Random, index: number) {
  const types = VALUE_TYPES.filter((type) => type !== 'float64');
  const dataType = types[index % types.length] ?? 'float32';
  const indexType: DataType = random.pick(['uint32', 'uint64']);
  const rank = (Math.floor(index / types.length) % 8) + 1;
  // DirectML has another algorithm for more than 256 elements.
  const isLong = random.chance(0.1);
  const others = randomSizes(random, rank, isLong ? 4 : 400);
  const axis = random.int(0, rank - 1);
  const sizes = isLong ? others.with(axis, random.int(250, 1100)) : others;
  const size = sizes[axis] ?? 1;
  const k = random.chance(0.2) ? size : random.int(1, size);
  const inputTensor = randomTensor(random, dataType, sizes, 'input');
  const nans = isFloat(dataType) && random.chance(0.3) ? random.pick([0.05, 0.5]) : 0;
  const element = () => (random.chance(nans) ? numberOf(dataType, NaN) : orderedValue(random, dataType));
  const outputValueTensor = randomTensor(random, dataType, sizes.with(axis, k), 'output');
  const outputIndexTensor = randomTensor(random, indexType, sizes.with(axis, k), 'output');
  return {
    descriptor: { inputTensor, outputValueTensor, outputIndexTensor, axis, k },
    data: { inputTensor: base64(fillTensor(random, inputTensor, element)) },
  };
}
