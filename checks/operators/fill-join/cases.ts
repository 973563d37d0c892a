/** Cases and tolerances of the operators that fill a tensor or join tensors. */
import type { Random } from '../../harness/random.js';
import { base64, VALUE_TYPES, type ConformanceCase } from '../../cases/case.js';
import { anyBits, product, randomTensor, shapeInTurn } from '../../cases/layout.js';
import { scalarValue } from '../../cases/values.js';
import { EXACT, type OperatorTolerance } from '../../tolerance/row.js';

export const tolerances = {
  fillValueConstant: EXACT,
  join: EXACT,
} satisfies Record<string, OperatorTolerance>;

export function fillValueConstant(random: Random, index: number): ConformanceCase {
  const { dataType, sizes } = shapeInTurn(random, index, VALUE_TYPES);
  return {
    descriptor: {
      type: 'fillValueConstant',
      outputTensor: randomTensor(random, dataType, sizes, 'output'),
      valueDataType: dataType,
      value: scalarValue(random, dataType),
    },
    data: {},
  };
}

export function join(random: Random, index: number): ConformanceCase {
  const { dataType, sizes } = shapeInTurn(random, index, VALUE_TYPES, 200);
  const axis = random.int(0, sizes.length - 1);
  const others = product(sizes) / (sizes[axis] ?? 1);
  const most = Math.max(1, Math.min(6, Math.floor(400 / others)));
  const extents = Array.from({ length: random.int(1, 4) }, () => random.int(1, most));
  const inputTensors = extents.map((size) => randomTensor(random, dataType, sizes.with(axis, size), 'input'));
  const total = extents.reduce((sum, size) => sum + size, 0);
  return {
    descriptor: {
      type: 'join',
      inputTensors,
      outputTensor: randomTensor(random, dataType, sizes.with(axis, total), 'output'),
      axis,
    },
    data: { inputTensors: inputTensors.map((tensor) => base64(anyBits(random, tensor))) },
  };
}
