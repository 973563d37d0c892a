/** Cases and tolerances of padding and tile. */
import type { Random } from '../../harness/random.js';
import { base64, VALUE_TYPES, type ConformanceCase } from '../../cases/case.js';
import { anyBits, randomTensor, shapeInTurn } from '../../cases/layout.js';
import { fieldValue, scalarValue } from '../../cases/values.js';
import { EXACT, type OperatorTolerance } from '../../tolerance/row.js';

/** The operators only move elements, so results are exact. */
export const tolerances = {
  padding: EXACT,
  padding1: EXACT,
  tile: EXACT,
} satisfies Record<string, OperatorTolerance>;

const MODES = ['constant', 'edge', 'reflection', 'symmetric', 'wrap'] as const;

export function padding(random: Random, index: number): ConformanceCase {
  const { descriptor, data } = padded(random, index);
  const { dataType } = descriptor.inputTensor;
  return { descriptor: { type: 'padding', ...descriptor, paddingValue: fieldValue(random, dataType) }, data };
}

export function padding1(random: Random, index: number): ConformanceCase {
  const { descriptor, data } = padded(random, index);
  const { dataType } = descriptor.inputTensor;
  return {
    descriptor: {
      type: 'padding1',
      ...descriptor,
      paddingValueDataType: dataType,
      paddingValue: scalarValue(random, dataType),
    },
    data,
  };
}

export function tile(random: Random, index: number): ConformanceCase {
  const { dataType, sizes } = shapeInTurn(random, index, VALUE_TYPES, 60);
  let room = 800 / sizes.reduce((product, size) => product * size, 1);
  const repeats = sizes.map(() => {
    const repeat = random.int(1, Math.max(1, Math.min(4, Math.floor(room))));
    room /= repeat;
    return repeat;
  });
  const inputTensor = randomTensor(random, dataType, sizes, 'input');
  const outputTensor = randomTensor(
    random,
    dataType,
    sizes.map((size, axis) => size * (repeats[axis] ?? 1)),
    'output',
  );
  return {
    descriptor: { type: 'tile', inputTensor, outputTensor, repeats },
    data: { inputTensor: base64(anyBits(random, inputTensor)) },
  };
}

/** Every padding mode; paddings from 0 to longer than the input. */
function padded(random: Random, index: number) {
  const { dataType, sizes } = shapeInTurn(random, index, VALUE_TYPES, 60);
  let room = 1200 / sizes.reduce((product, size) => product * size, 1);
  const amounts = sizes.map((size) => {
    const most = Math.min(2 * size + 1, Math.floor(size * (room - 1)));
    const both = most < 1 || random.chance(0.3) ? 0 : random.int(1, most);
    room /= (size + both) / size;
    return both;
  });
  const startPadding = amounts.map((amount) => random.int(0, amount));
  const endPadding = amounts.map((amount, axis) => amount - (startPadding[axis] ?? 0));
  const inputTensor = randomTensor(random, dataType, sizes, 'input');
  const outputSizes = sizes.map((size, axis) => size + (amounts[axis] ?? 0));
  const outputTensor = randomTensor(random, dataType, outputSizes, 'output');
  return {
    descriptor: { inputTensor, outputTensor, paddingMode: random.pick(MODES), startPadding, endPadding },
    data: { inputTensor: base64(anyBits(random, inputTensor)) },
  };
}
