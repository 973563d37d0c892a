/** Cases and tolerances of nonzeroCoordinates. */
import { isFloat } from '#lib/tensors/data-types.js';
import type { Random } from '../../harness/random.js';
import { base64, type ConformanceCase, type DataType } from '../../cases/case.js';
import { floatElement } from '../../cases/element-values.js';
import { fillTensor, ones, product, randomTensor, shapeInTurn } from '../../cases/layout.js';
import { EXACT, type OperatorTolerance } from '../../tolerance/row.js';

/** The outputs are integers, so they are exact. */
export const tolerances = {
  nonzeroCoordinates: EXACT,
} satisfies Record<string, OperatorTolerance>;

const TYPES: readonly DataType[] = ['float32', 'float16', 'int32', 'int16', 'int8', 'uint32', 'uint16', 'uint8'];

export function nonzeroCoordinates(random: Random, index: number): ConformanceCase {
  const { dataType, sizes } = shapeInTurn(random, index, TYPES, random.chance(0.2) ? 2000 : 200);
  const leading = sizes.findIndex((size) => size !== 1);
  const least = Math.max(1, leading < 0 ? 0 : sizes.length - leading);
  const coordinates = [...ones(random.int(0, 6)), product(sizes), random.int(least, sizes.length)];
  const inputTensor = randomTensor(random, dataType, sizes, 'input');
  // Float32 subnormals may count as zeros, so the smallest normal number is used.
  const smallest = dataType === 'float16' ? 2 ** -24 : 2 ** -126;
  const density = random.pick([0, 0.05, 0.5, 1]);
  const bytes = fillTensor(random, inputTensor, () => {
    if (!random.chance(density)) return isFloat(dataType) && random.chance(0.3) ? floatElement(dataType, -0) : 0;
    if (!isFloat(dataType)) return random.pick([1, -1, 127, 128, random.int(1, 100)]);
    return floatElement(dataType, random.pick([1, -1, Infinity, -Infinity, NaN, smallest, -smallest, 0.5 + random.fraction()]));
  });
  return {
    descriptor: {
      type: 'nonzeroCoordinates',
      inputTensor,
      outputCountTensor: randomTensor(random, 'uint32', ones(random.int(1, 8)), 'output'),
      outputCoordinatesTensor: randomTensor(random, 'uint32', coordinates, 'output'),
    },
    data: { inputTensor: base64(bytes) },
  };
}
