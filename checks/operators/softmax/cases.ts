/** Cases and tolerances of softmax, log-softmax and hardmax, along the last axis and along random axes. */
import type { OperatorDescriptor } from 'node-directml';
import type { Random } from '../../harness/random.js';
import { base64, type ConformanceCase, type DataType } from '../../cases/case.js';
import { numberOf } from '../../cases/element-values.js';
import { fillTensor, ones, randomSizes, randomTensor } from '../../cases/layout.js';
import { float16ToBits } from '#lib/tensors/float16.js';
import { LARGEST } from '../../cases/values.js';
import { EXACT, perBinade, type ComputedRow, type OperatorTolerance } from '../../tolerance/row.js';

const SOFTMAX: ComputedRow = {
  ulp: 18,
  perTerm: 1,
  growth: perBinade(1.55),
  narrowed: 2,
  reason:
    'a quotient of exponentials: 2⁻²¹ for its own exponential and 2⁻²¹ for those in the sum, which rounds by 2⁻²⁴ per term; ' +
    'per binade of the argument, 0.7 ULP for its difference and 0.85 ULP for its product; with float16, exponentials and ' +
    'their sum truncate to float16',
};

const LOG_SOFTMAX: ComputedRow = {
  ulp: 14,
  perTerm: 0.5,
  magnitude: 1,
  narrowed: 3,
  reason:
    'x − largest − log(sum): 2⁻²¹ of log(sum), which is no larger than the result; 2⁻²¹ of 1 for the exponentials; 2⁻²⁴ of 1 ' +
    'for each term; with float16, the exponentials, their sum and its logarithm truncate to float16',
};

export const tolerances = {
  activationHardmax: EXACT,
  activationHardmax1: EXACT,
  activationLogSoftmax: LOG_SOFTMAX,
  activationLogSoftmax1: LOG_SOFTMAX,
  activationSoftmax: SOFTMAX,
  activationSoftmax1: SOFTMAX,
} satisfies Record<string, OperatorTolerance>;

type Type = Extract<OperatorDescriptor['type'], `activation${string}${'max' | 'max1'}`>;

const alongLast =
  (type: Exclude<Type, `${string}1`>) =>
  (random: Random, index: number): ConformanceCase => {
    const rank = rankOf(index);
    const sizes = sizesOf(random, type, Math.min(rank, 2));
    const io = tensors(random, index, [...ones(Math.max(0, rank - 2)), ...sizes]);
    return { descriptor: { type, ...io.tensors }, data: io.data };
  };

const alongAxes =
  (type: Extract<Type, `${string}1`>) =>
  (random: Random, index: number): ConformanceCase => {
    const rank = rankOf(index);
    const io = tensors(random, index, sizesOf(random, type, rank));
    const axes = random.distinct(random.int(random.chance(0.9) ? 1 : 0, rank), rank);
    return { descriptor: { type, ...io.tensors, axes }, data: io.data };
  };

/** Some hardmax cases are long: it compares in blocks of 1024 elements, which is visible with NaN. */
function sizesOf(random: Random, type: Type, rank: number): number[] {
  if (!type.startsWith('activationHardmax') || random.chance(0.8)) return randomSizes(random, rank, 400);
  return [...ones(rank - 1), random.int(500, 2200)];
}

function rankOf(index: number): number {
  return (Math.floor(index / 2) % 8) + 1;
}

function tensors(random: Random, index: number, sizes: readonly number[]) {
  const dataType: DataType = index % 2 === 0 ? 'float32' : 'float16';
  const inputTensor = randomTensor(random, dataType, sizes, 'input');
  const outputTensor = randomTensor(random, dataType, sizes, 'output');
  const whole = random.chance(0.5);
  const special = random.chance(0.3);
  const share = random.pick([0.04, 0.04, 0.5]);
  const largest =
    dataType === 'float16'
      ? random.pick([LARGEST, LARGEST, 60000])
      : random.pick([LARGEST, LARGEST, LARGEST, 1e-10, 100, 1e20, 3e38]);
  const value = () => {
    if (special && random.chance(share))
      return numberOf(dataType, random.pick([NaN, Infinity, -Infinity, -0, 1e-40, 2 ** -20, 3e38, -3e38]));
    // Small integers are often equal. Of several largest elements, hardmax marks the first.
    const number = whole ? random.int(-4, 4) : (random.fraction() * 2 - 1) * largest;
    return dataType === 'float16' ? float16ToBits(number) : number;
  };
  return {
    tensors: { inputTensor, outputTensor },
    data: { inputTensor: base64(fillTensor(random, inputTensor, value)) },
  };
}

export const softmaxCases = {
  activationHardmax: alongLast('activationHardmax'),
  activationHardmax1: alongAxes('activationHardmax1'),
  activationLogSoftmax: alongLast('activationLogSoftmax'),
  activationLogSoftmax1: alongAxes('activationLogSoftmax1'),
  activationSoftmax: alongLast('activationSoftmax'),
  activationSoftmax1: alongAxes('activationSoftmax1'),
};
