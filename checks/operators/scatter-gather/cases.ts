/** Cases and tolerances of gather, gatherNd and scatterNd. */
import type { TensorDesc } from 'node-directml';
import { bitsOf, isSigned } from '#lib/tensors/data-types.js';
import { base64, INDEX_TYPES, VALUE_TYPES, type ConformanceCase, type DataType } from '../../cases/case.js';
import { anyBits, coordinatesOf, fillTensor, ones, product, randomSizes, randomTensor } from '../../cases/layout.js';
import type { Random } from '../../harness/random.js';
import { EXACT, type OperatorTolerance } from '../../tolerance/row.js';

/** The operators only move elements, so results are exact. */
export const tolerances = {
  gather: EXACT,
  gatherNd: EXACT,
  gatherNd1: EXACT,
  scatterNd: EXACT,
} satisfies Record<string, OperatorTolerance>;

/**
 * `index` runs through the 11 value types × 4 index types × 8 dimension counts; everything else is random. No element is
 * updated twice: DirectML does not define which update stays.
 */
export function scatterNd(random: Random, index: number): ConformanceCase {
  const { dataType, indexType, rank } = combination(index);
  const inputRank = random.int(1, rank);
  const sizes = [...ones(rank - inputRank), ...randomSizes(random, inputRank, 600)];
  const meaningful = sizes.slice(rank - inputRank);
  const tupleSize = random.int(1, inputRank);
  const tupleSizes = meaningful.slice(0, tupleSize);
  const sliceSizes = meaningful.slice(tupleSize);
  // The updates have indicesRank − 1 + sliceSizes.length significant dimensions, which must fit into `rank`.
  const indicesRank = random.int(1, Math.min(rank, rank - sliceSizes.length + 1));
  const slots = product(tupleSizes);
  const tupleDimensions = tuplesOf(random, indicesRank - 1, slots);
  const count = product(tupleDimensions);
  const indicesSizes = [...ones(rank - indicesRank), ...tupleDimensions, tupleSize];
  const updatesSizes = [...ones(rank - indicesRank + 1 - sliceSizes.length), ...tupleDimensions, ...sliceSizes];

  const inputTensor = randomTensor(random, dataType, sizes, 'input');
  const indicesTensor = indexTensor(random, indexType, indicesSizes);
  const updatesTensor = randomTensor(random, dataType, updatesSizes, 'input');
  const outputTensor = randomTensor(random, dataType, sizes, 'output');
  const coordinates = random.distinct(count, slots).flatMap((slot) => coordinatesOf(slot, tupleSizes));
  return {
    descriptor: {
      type: 'scatterNd',
      inputTensor,
      indicesTensor,
      updatesTensor,
      outputTensor,
      inputDimensionCount: inputRank,
      indicesDimensionCount: indicesRank,
    },
    data: {
      inputTensor: base64(anyBits(random, inputTensor)),
      indicesTensor: base64(
        fillTensor(random, indicesTensor, (i) =>
          maybeNegative(random, indexType, coordinates[i] ?? 0, tupleSizes[i % tupleSize] ?? 1),
        ),
      ),
      updatesTensor: base64(anyBits(random, updatesTensor)),
    },
  };
}

export function gather(random: Random, index: number): ConformanceCase {
  const { dataType, indexType, rank } = combination(index);
  const axis = random.int(0, rank - 1);
  // All tensors have the same dimension count. Leading ones of the input make room for the index dimensions of the output.
  const inputRank = random.int(rank - axis, rank);
  const ownDimensions = random.int(1, rank - inputRank + 1);
  const sizes = [...ones(rank - inputRank), ...randomSizes(random, inputRank, 300)];
  // Further index dimensions have the size 1. The output omits them after all sizes before `axis`, which then must be 1.
  const moreDimensions = rank - inputRank === axis && random.chance(0.3) ? random.int(0, rank - ownDimensions) : 0;
  const indexDimensions = ownDimensions + moreDimensions;
  const indexSizes = [...ones(moreDimensions), ...randomSizes(random, ownDimensions, 12)];
  const outputSizes = [...sizes.slice(0, axis), ...indexSizes, ...sizes.slice(axis + 1)].slice(-rank);
  const inputTensor = randomTensor(random, dataType, sizes, 'input');
  const indicesTensor = randomTensor(random, indexType, [...ones(rank - indexDimensions), ...indexSizes], 'input');
  const outputTensor = randomTensor(random, dataType, outputSizes, 'output');
  const size = sizes[axis] ?? 1;
  return {
    descriptor: { type: 'gather', inputTensor, indicesTensor, outputTensor, axis, indexDimensions },
    data: {
      inputTensor: base64(anyBits(random, inputTensor)),
      indicesTensor: base64(fillTensor(random, indicesTensor, () => anyIndex(random, indexType, size))),
    },
  };
}

export function gatherNd1(random: Random, index: number): ConformanceCase {
  const { batchRank, descriptor, data } = gatherNdCase(random, index, true);
  return { descriptor: { type: 'gatherNd1', ...descriptor, batchDimensionCount: batchRank }, data };
}

export function gatherNd(random: Random, index: number): ConformanceCase {
  const { descriptor, data } = gatherNdCase(random, index, false);
  return { descriptor: { type: 'gatherNd', ...descriptor }, data };
}

function gatherNdCase(random: Random, index: number, batched: boolean) {
  const { dataType, indexType, rank } = combination(index);
  const inputRank = random.int(1, rank);
  const sizes = [...ones(rank - inputRank), ...randomSizes(random, inputRank, 300)];
  const meaningful = sizes.slice(rank - inputRank);
  const batchRank = batched ? random.int(0, inputRank - 1) : 0;
  const tupleSize = random.int(1, inputRank - batchRank);
  const batchSizes = meaningful.slice(0, batchRank);
  const tupleSizes = meaningful.slice(batchRank, batchRank + tupleSize);
  const sliceSizes = meaningful.slice(batchRank + tupleSize);
  const indicesRank = random.int(batchRank + 1, Math.min(rank, rank - sliceSizes.length + 1));
  const own = randomSizes(random, indicesRank - 1 - batchRank, 12);
  const indicesSizes = [...ones(rank - indicesRank), ...batchSizes, ...own, tupleSize];
  const outputNatural = [...batchSizes, ...own, ...sliceSizes];
  const inputTensor = randomTensor(random, dataType, sizes, 'input');
  const indicesTensor = randomTensor(random, indexType, indicesSizes, 'input', []);
  const outputTensor = randomTensor(random, dataType, [...ones(rank - outputNatural.length), ...outputNatural], 'output');
  // A broadcast index is used for several coordinates, so it must be valid in the smallest of these dimensions.
  const smallest = Math.min(...tupleSizes);
  return {
    batchRank,
    descriptor: {
      inputTensor,
      indicesTensor,
      outputTensor,
      inputDimensionCount: inputRank,
      indicesDimensionCount: indicesRank,
    },
    data: {
      inputTensor: base64(anyBits(random, inputTensor)),
      indicesTensor: base64(fillTensor(random, indicesTensor, () => anyIndex(random, indexType, smallest))),
    },
  };
}

/** The two examples of DirectML's reference page for ScatterND. */
export function specificationExamples(): ConformanceCase[] {
  const indices = (sizes: readonly number[], values: readonly number[]) => ({
    tensor: { dataType: 'uint32' as const, sizes: [...sizes] },
    data: base64(new Uint8Array(Uint32Array.from(values).buffer)),
  });
  const floats = (count: number, first: number) =>
    base64(new Uint8Array(Float32Array.from({ length: count }, (_, i) => first + i).buffer));
  const one = indices([4, 1], [4, 3, 1, 7]);
  const two = indices([1, 1, 1, 2, 3], [1, 2, 3, 2, 0, 4]);
  return [
    {
      descriptor: {
        type: 'scatterNd',
        inputTensor: { dataType: 'float32', sizes: [1, 8] },
        indicesTensor: one.tensor,
        updatesTensor: { dataType: 'float32', sizes: [1, 4] },
        outputTensor: { dataType: 'float32', sizes: [1, 8] },
        inputDimensionCount: 1,
        indicesDimensionCount: 2,
      },
      data: { inputTensor: floats(8, 1), indicesTensor: one.data, updatesTensor: floats(4, 9) },
    },
    {
      descriptor: {
        type: 'scatterNd',
        inputTensor: { dataType: 'float32', sizes: [3, 4, 5, 6, 7] },
        indicesTensor: two.tensor,
        updatesTensor: { dataType: 'float32', sizes: [1, 1, 2, 6, 7] },
        outputTensor: { dataType: 'float32', sizes: [3, 4, 5, 6, 7] },
        inputDimensionCount: 5,
        indicesDimensionCount: 3,
      },
      data: { inputTensor: floats(2520, 1), indicesTensor: two.data, updatesTensor: floats(84, -84) },
    },
  ];
}

export function combination(index: number): { dataType: DataType; indexType: DataType; rank: number } {
  return {
    dataType: VALUE_TYPES[index % 11] ?? 'float32',
    indexType: INDEX_TYPES[Math.floor(index / 11) % 4] ?? 'uint32',
    rank: (Math.floor(index / 44) % 8) + 1,
  };
}

/** Only dimensions of size 1 may have stride 0: two tuples that share memory would update one element twice. */
function indexTensor(random: Random, dataType: DataType, sizes: readonly number[]): TensorDesc {
  const single = sizes.flatMap((size, axis) => (size === 1 ? [axis] : []));
  return randomTensor(random, dataType, sizes, 'output', random.chance(0.3) ? single : []);
}

/** `rank` sizes with at most `slots` tuples in total; in one of five cases exactly `slots`. */
function tuplesOf(random: Random, rank: number, slots: number): number[] {
  if (rank === 0) return [];
  const sizes = ones(rank);
  if (random.chance(0.2)) {
    sizes[random.int(0, rank - 1)] = slots;
    return sizes;
  }
  return randomSizes(random, rank, Math.min(slots, 200));
}

export function maybeNegative(random: Random, indexType: DataType, coordinate: number, size: number): number {
  return isSigned(indexType) && random.chance(0.3) ? coordinate - size : coordinate;
}

/**
 * An index for the gathers, which is mostly in range. The reference reads indices out of range as DirectML does, and of 64-bit
 * indices only the low half.
 */
export function anyIndex(random: Random, indexType: DataType, size: number): number | bigint {
  const index = random.chance(0.08)
    ? random.pick([size, -size - 1, random.int(-4 * size, 4 * size), 2 ** 31 - 1, -(2 ** 31)])
    : maybeNegative(random, indexType, random.int(0, size - 1), size);
  const highHalf = bitsOf(indexType) === 64 && random.chance(0.05) ? BigInt(random.int(-9, 9)) << 32n : 0n;
  return highHalf === 0n ? index : highHalf + BigInt(index);
}
