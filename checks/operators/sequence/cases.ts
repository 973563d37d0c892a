/** Cases and tolerances of diagonalMatrix, fillValueSequence and valueScale2d. */
import { isFloat } from '#lib/tensors/data-types.js';
import type { Random } from '../../harness/random.js';
import { base64, VALUE_TYPES, type ConformanceCase, type DataType } from '../../cases/case.js';
import { anyBits, fillTensor, randomSizes, randomTensor, shapeInTurn } from '../../cases/layout.js';
import { arithmeticValue, fieldValue, scalarValue } from '../../cases/values.js';
import { floatsOfOneMagnitude } from '../../cases/magnitudes.js';
import { EXACT, type ComputedRow, type Dependent, type OperatorTolerance } from '../../tolerance/row.js';

/** The tolerance of a product plus a summand. One magnitude is known from the descriptor; the other is the difference to y. */
function productAndSum(magnitude: Dependent): ComputedRow {
  return { ulp: 1, magnitude, reason: 'a product and a sum, each rounded to nearest even' };
}

const SEQUENCE = productAndSum({
  text: '|valueStart| + |y − valueStart|',
  at: ({ y, field }) => sumOfParts(field('valueStart'), y),
});

const SCALE_AND_BIAS = productAndSum({
  text: '|scale·x| + |y − scale·x|',
  at: ({ y, x: [x = 0], field }) => sumOfParts(field('scale') * x, y),
});

function sumOfParts(part: number, whole: number): number {
  return Math.abs(part) + Math.abs(whole - part);
}

export const tolerances = {
  diagonalMatrix: EXACT,
  diagonalMatrix1: EXACT,
  fillValueSequence: SEQUENCE,
  valueScale2d: SCALE_AND_BIAS,
} satisfies Record<string, OperatorTolerance>;

export function diagonalMatrix(random: Random, index: number): ConformanceCase {
  const { dataType, sizes, diagonal } = matrix(random, index);
  return {
    descriptor: {
      type: 'diagonalMatrix',
      outputTensor: randomTensor(random, dataType, sizes, 'output'),
      offset: diagonal(),
      value: fieldValue(random, dataType),
    },
    data: {},
  };
}

export function diagonalMatrix1(random: Random, index: number): ConformanceCase {
  const { dataType, sizes, diagonal } = matrix(random, index);
  const inputTensor = random.chance(0.6) ? randomTensor(random, dataType, sizes, 'input') : undefined;
  const diagonalFillBegin = random.chance(0.2) ? -(2 ** 31) : diagonal();
  const diagonalFillEnd = random.chance(0.2) ? 2 ** 31 - 1 : diagonal();
  return {
    descriptor: {
      type: 'diagonalMatrix1',
      ...(inputTensor === undefined ? {} : { inputTensor }),
      outputTensor: randomTensor(random, dataType, sizes, 'output'),
      valueDataType: dataType,
      value: scalarValue(random, dataType),
      diagonalFillBegin,
      diagonalFillEnd,
    },
    data: inputTensor === undefined ? {} : { inputTensor: base64(anyBits(random, inputTensor)) },
  };
}

export function fillValueSequence(random: Random, index: number): ConformanceCase {
  const types = VALUE_TYPES.filter((type) => type !== 'float64');
  const { dataType, sizes } = shapeInTurn(random, index, types);
  const isSpecial = isFloat(dataType) && random.chance(0.2);
  const valueStart = isFloat(dataType) && !isSpecial ? random.int(-800, 800) / 8 : scalarValue(random, dataType);
  const valueDelta = isFloat(dataType) && !isSpecial ? random.int(-100, 100) / 7 : scalarValue(random, dataType);
  return {
    descriptor: {
      type: 'fillValueSequence',
      outputTensor: randomTensor(random, dataType, sizes, 'output'),
      valueDataType: dataType,
      valueStart,
      valueDelta,
    },
    data: {},
  };
}

export function valueScale2d(random: Random, index: number): ConformanceCase {
  const dataType: DataType = index % 2 === 0 ? 'float32' : 'float16';
  const channels = random.pick([1, 3]);
  const sizes = [random.int(1, 3), channels, random.int(1, 8), random.int(1, 8)];
  const inputTensor = randomTensor(random, dataType, sizes, 'input');
  const outputTensor = randomTensor(random, dataType, sizes, 'output');
  const special = (value: number): number => (random.chance(0.1) ? random.pick([0, -0, NaN, Infinity, -Infinity]) : value);
  const scale = special((random.fraction() * 4 - 2) * random.pick([1, 1, 1e4, 1e-3]));
  const unit = random.pick([1, 1, dataType === 'float32' ? 2 ** 126 : 2 ** 15]);
  const bias = Array.from({ length: channels }, () => special((random.fraction() * 4 - 2) * unit));
  const element = random.chance(0.5) ? () => arithmeticValue(random, dataType) : floatsOfOneMagnitude(random, dataType);
  return {
    descriptor: { type: 'valueScale2d', inputTensor, outputTensor, scale, bias },
    data: { inputTensor: base64(fillTensor(random, inputTensor, element)) },
  };
}

/** The sizes of matrices, and a random diagonal, which lies in the matrix or just outside it. */
function matrix(random: Random, index: number) {
  const dataType = VALUE_TYPES[index % 11] ?? 'float32';
  const sizes = randomSizes(random, (Math.floor(index / 11) % 3) + 2, 300);
  const diagonal = () => random.int(-(sizes.at(-2) ?? 1) - 1, (sizes.at(-1) ?? 1) + 1);
  return { dataType, sizes, diagonal };
}
