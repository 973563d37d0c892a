/** Cases and tolerances of the random generator. */
import type { Random } from '../../harness/random.js';
import { base64, type ConformanceCase } from '../../cases/case.js';
import { fillTensor, ones, randomSizes, randomTensor } from '../../cases/layout.js';
import { EXACT, type OperatorTolerance } from '../../tolerance/row.js';

/** The outputs are integers, so they are exact. */
export const tolerances = {
  randomGenerator: EXACT,
} satisfies Record<string, OperatorTolerance>;

/** Random counters, and counters that are about to carry into the next words. Output lengths have every remainder modulo 4. */
export function randomGenerator(random: Random, index: number): ConformanceCase {
  const rank = (index % 8) + 1;
  const state = ones(rank).with(rank - 1, 6);
  const inputStateTensor = randomTensor(random, 'uint32', state, 'input');
  const outputTensor = randomTensor(random, 'uint32', randomSizes(random, random.int(1, 8), 600), 'output');
  const withState = random.chance(0.7);
  const any = (): number => random.int(-(2 ** 31), 2 ** 31 - 1);
  const full = random.int(0, 4);
  const bytes = fillTensor(random, inputStateTensor, (word) => {
    if (word >= 4 || full === 0) return any();
    return word < full ? -1 - (word === 0 ? random.int(0, 40) : 0) : random.int(0, 3);
  });
  return {
    descriptor: {
      type: 'randomGenerator',
      inputStateTensor,
      outputTensor,
      ...(withState ? { outputStateTensor: randomTensor(random, 'uint32', state, 'output') } : {}),
      generatorType: 'philox4x32_10',
    },
    data: { inputStateTensor: base64(bytes) },
  };
}
