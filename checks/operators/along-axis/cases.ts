/** Cases and tolerances of the operators that take an index or a sequence length for each position along one axis. */
import type { TensorDesc } from 'node-directml';
import { bitsOf, isSigned } from '#lib/tensors/data-types.js';
import type { Random } from '../../harness/random.js';
import { base64, VALUE_TYPES, type ConformanceCase, type DataType } from '../../cases/case.js';
import { anyBits, fillTensor, offsetOf, product, ones, randomSizes, randomTensor } from '../../cases/layout.js';
import { anyIndex, combination, maybeNegative } from '../scatter-gather/cases.js';
import { EXACT, type OperatorTolerance } from '../../tolerance/row.js';

/** The operators only move elements, so results are exact. */
export const tolerances = {
  gatherElements: EXACT,
  oneHot: EXACT,
  reverseSubsequences: EXACT,
  scatterElements: EXACT,
} satisfies Record<string, OperatorTolerance>;

/** Some indices are out of range, on either side. */
export function gatherElements(random: Random, index: number): ConformanceCase {
  const { dataType, indexType, rank } = combination(index);
  const sizes = randomSizes(random, rank, 300);
  const axis = random.int(0, rank - 1);
  const size = sizes[axis] ?? 1;
  const indicesSizes = sizes.with(axis, random.int(1, 2 * size));
  const inputTensor = randomTensor(random, dataType, sizes, 'input');
  const indicesTensor = randomTensor(random, indexType, indicesSizes, 'input');
  const outputTensor = randomTensor(random, dataType, indicesSizes, 'output');
  return {
    descriptor: { type: 'gatherElements', inputTensor, indicesTensor, outputTensor, axis },
    data: {
      inputTensor: base64(anyBits(random, inputTensor)),
      indicesTensor: base64(fillTensor(random, indicesTensor, () => anyIndex(random, indexType, size))),
    },
  };
}

/** Along the axis, all indices of one sequence differ, so that no element is updated twice. */
export function scatterElements(random: Random, index: number): ConformanceCase {
  const { dataType, indexType, rank } = combination(index);
  const sizes = randomSizes(random, rank, 300);
  const axis = random.int(0, rank - 1);
  const size = sizes[axis] ?? 1;
  const indicesSizes = sizes.with(axis, random.chance(0.2) ? size : random.int(1, size));
  const inputTensor = randomTensor(random, dataType, sizes, 'input');
  const indicesTensor = randomTensor(random, indexType, indicesSizes, 'output');
  const updatesTensor = randomTensor(random, dataType, indicesSizes, 'input');
  const outputTensor = randomTensor(random, dataType, sizes, 'output');
  const inner = product(indicesSizes.slice(axis + 1));
  const length = indicesSizes[axis] ?? 1;
  const sequences = Array.from({ length: product(indicesSizes) / length }, () => random.distinct(length, size));
  return {
    descriptor: { type: 'scatterElements', inputTensor, indicesTensor, updatesTensor, outputTensor, axis },
    data: {
      inputTensor: base64(anyBits(random, inputTensor)),
      indicesTensor: base64(
        fillTensor(random, indicesTensor, (i) => {
          const sequence = Math.floor(i / (inner * length)) * inner + (i % inner);
          // So far out of range that it lies outside the tensor with any strides.
          const dropped = random.chance(0.03) ? random.pick([2 ** 24, 2 ** 25 + 1]) : null;
          const coordinate = sequences[sequence]?.[Math.floor(i / inner) % length] ?? 0;
          return dropped ?? maybeNegative(random, indexType, coordinate, size);
        }),
      ),
      updatesTensor: base64(anyBits(random, updatesTensor)),
    },
  };
}

/** Some indices are out of range, on either side; their sequences have no on value. */
export function oneHot(random: Random, index: number): ConformanceCase {
  const { dataType, indexType, rank } = combination(index);
  const axis = random.int(0, rank - 1);
  const size = random.int(1, 9);
  const sequences = randomSizes(random, rank, 200).with(axis, 1);
  const indicesTensor = randomTensor(random, indexType, sequences, 'input');
  const valuesTensor = onOffValues(random, dataType, rank);
  const outputTensor = randomTensor(random, dataType, sequences.with(axis, size), 'output');
  const lowest = isSigned(indexType) ? -size - 2 : 0;
  return {
    descriptor: { type: 'oneHot', indicesTensor, valuesTensor, outputTensor, axis },
    data: {
      indicesTensor: base64(fillTensor(random, indicesTensor, () => lowOrHigh(random, indexType, random.int(lowest, size + 1)))),
      valuesTensor: base64(anyBits(random, valuesTensor)),
    },
  };
}

export function reverseSubsequences(random: Random, index: number): ConformanceCase {
  const dataType = VALUE_TYPES[index % 11] ?? 'float32';
  const lengthType: DataType = index % 2 === 0 ? 'uint32' : 'uint64';
  const sizes = randomSizes(random, (Math.floor(index / 11) % 8) + 1, 400);
  const axis = random.int(0, sizes.length - 1);
  const inputTensor = randomTensor(random, dataType, sizes, 'input');
  const sequenceLengthsTensor = randomTensor(random, lengthType, sizes.with(axis, 1), 'input');
  const outputTensor = randomTensor(random, dataType, sizes, 'output');
  return {
    descriptor: { type: 'reverseSubsequences', inputTensor, sequenceLengthsTensor, outputTensor, axis },
    data: {
      inputTensor: base64(anyBits(random, inputTensor)),
      sequenceLengthsTensor: base64(
        fillTensor(random, sequenceLengthsTensor, () =>
          lowOrHigh(
            random,
            lengthType,
            random.chance(0.03) ? random.pick([2 ** 31, 2 ** 32 - 1]) : random.int(0, (sizes[axis] ?? 1) + 2),
          ),
        ),
      ),
    },
  };
}

/** Returns `low`. For a 64-bit type, it sometimes also sets the high half. */
function lowOrHigh(random: Random, dataType: DataType, low: number): number | bigint {
  if (bitsOf(dataType) !== 64 || random.chance(0.97)) return low;
  return (BigInt(random.int(-9, 9)) << 32n) + BigInt(low);
}

/** The tensor of the off and the on value: at least two values along a random axis; all other sizes are 1. */
function onOffValues(random: Random, dataType: DataType, rank: number): TensorDesc {
  const sizes = ones(rank).with(random.int(0, rank - 1), random.pick([2, 2, 3, 5]));
  const tensor = randomTensor(random, dataType, sizes, 'input');
  // Both values must lie inside the tensor. The kernel says at which offsets DirectML reads them.
  const inside = (tensor.strides?.at(-1) ?? 1) <= offsetOf(tensor, product(sizes) - 1);
  return inside ? tensor : { dataType, sizes };
}
