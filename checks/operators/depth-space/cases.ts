/** Cases and tolerances of space-to-depth and depth-to-space. */
import type { Random } from '../../harness/random.js';
import { base64, VALUE_TYPES, type ConformanceCase } from '../../cases/case.js';
import { anyBits, randomTensor } from '../../cases/layout.js';
import { EXACT, type OperatorTolerance } from '../../tolerance/row.js';

/** The operators only move elements, so results are exact. */
export const tolerances = {
  depthToSpace: EXACT,
  depthToSpace1: EXACT,
  spaceToDepth: EXACT,
  spaceToDepth1: EXACT,
} satisfies Record<string, OperatorTolerance>;

const ORDERS = ['depthColumnRow', 'columnRowDepth'] as const;

export function spaceToDepth(random: Random, index: number): ConformanceCase {
  const { descriptor, data } = moved(random, index, true);
  return { descriptor: { type: 'spaceToDepth', ...descriptor }, data };
}

export function spaceToDepth1(random: Random, index: number): ConformanceCase {
  const { descriptor, data } = moved(random, index, true);
  return { descriptor: { type: 'spaceToDepth1', ...descriptor, order: random.pick(ORDERS) }, data };
}

export function depthToSpace(random: Random, index: number): ConformanceCase {
  const { descriptor, data } = moved(random, index, false);
  return { descriptor: { type: 'depthToSpace', ...descriptor }, data };
}

export function depthToSpace1(random: Random, index: number): ConformanceCase {
  const { descriptor, data } = moved(random, index, false);
  return { descriptor: { type: 'depthToSpace1', ...descriptor, order: random.pick(ORDERS) }, data };
}

function moved(random: Random, index: number, toDepth: boolean) {
  const dataType = VALUE_TYPES[index % 11] ?? 'float32';
  const blockSize = random.pick([1, 2, 2, 3, 4]);
  const [batch, channels, height, width] = [random.int(1, 2), random.int(1, 5), random.int(1, 4), random.int(1, 5)];
  const space = [batch, channels, height * blockSize, width * blockSize];
  const depth = [batch, channels * blockSize * blockSize, height, width];
  const inputTensor = randomTensor(random, dataType, toDepth ? space : depth, 'input');
  const outputTensor = randomTensor(random, dataType, toDepth ? depth : space, 'output');
  return {
    descriptor: { inputTensor, outputTensor, blockSize },
    data: { inputTensor: base64(anyBits(random, inputTensor)) },
  };
}
