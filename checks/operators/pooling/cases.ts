/** Cases and tolerances of pooling in two and three spatial dimensions. */
import type { TensorDesc } from 'node-directml';
import type { Random } from '../../harness/random.js';
import type { ConformanceCase, DataType } from '../../cases/case.js';
import { anyInteger, numberOf, orderedElement, quantizationScales } from '../../cases/element-values.js';
import { fillTensors, product, randomTensor } from '../../cases/layout.js';
import { arithmeticValue } from '../../cases/values.js';
import { floatsOfOneMagnitude } from '../../cases/magnitudes.js';
import { slidingWindows, type SlidingWindows } from '../fold/cases.js';
import {
  binades,
  EXACT,
  OF_MAGNITUDES,
  SAME_VALUE,
  type ComputedRow,
  type OperatorTolerance,
  type Variants,
} from '../../tolerance/row.js';

export * from './gradient-cases.js';

const AVERAGE: ComputedRow = {
  ulp: 1.5,
  perTerm: 0.5,
  magnitude: OF_MAGNITUDES,
  reason: 'each term of the sum rounds by 0.5 ULP; divided by their number, or multiplied by its rounded reciprocal',
};

const ofPower: Variants = {
  pick: (descriptor) => ('p' in descriptor && (descriptor.p === 1 || descriptor.p === 2) ? `p = ${descriptor.p}` : 'other p'),
  rows: {
    'p = 1': { ulp: 0, perTerm: 0.5, reason: 'each term of the sum rounds by 0.5 ULP' },
    'p = 2': { ulp: 2, perTerm: 0.5, reason: 'a square per term and their sum; a square root with an error of 1 ULP' },
    'other p': {
      ulp: 33,
      perTerm: 0.5,
      growth: { text: '13·|log2 y|', at: ({ y }) => 13 * binades(y) },
      reason:
        '(Σ exp2(p · log2 x))^(1/p): 8 ULP for the last exp2, 8 · ln 2 for its argument; the p-th root divides the errors of ' +
        'the terms by p, which leaves as much for each log2, also if x is up to 9 times smaller than y',
    },
  },
};

export const tolerances = {
  averagePooling: AVERAGE,
  averagePooling1: AVERAGE,
  averagePoolingGrad: { ...AVERAGE, reason: 'per term a quotient, or a product with a rounded reciprocal; and their sum' },
  lpPooling: ofPower,
  lpPooling1: ofPower,
  maxPooling: SAME_VALUE,
  maxPooling1: SAME_VALUE,
  maxPooling2: SAME_VALUE,
  // The gradients in the cases are multiples of one number, so that their sums are exact.
  maxPoolingGrad: SAME_VALUE,
  maxUnpooling: EXACT,
  quantizedLinearAveragePooling: { ulp: 0, tail: true },
} satisfies Record<string, OperatorTolerance>;

const FLOATS: readonly DataType[] = ['float32', 'float16'];
const ORDERED: readonly DataType[] = [
  ...FLOATS,
  ...(['int64', 'int32', 'int16', 'int8', 'uint64', 'uint32', 'uint16', 'uint8'] as const),
];

export function averagePooling(random: Random, index: number): ConformanceCase {
  const { descriptor, data } = averaged(random, index, false);
  return { descriptor: { type: 'averagePooling', ...descriptor }, data };
}

export function averagePooling1(random: Random, index: number): ConformanceCase {
  const { dilations, descriptor, data } = averaged(random, index, true);
  return { descriptor: { type: 'averagePooling1', ...descriptor, dilations }, data };
}

function averaged(random: Random, index: number, isDilated: boolean) {
  const dataType = FLOATS[index % 2] ?? 'float32';
  const { tensors, dilations, window, data } = pooled(random, dataType, Math.floor(index / 2), isDilated, (places) =>
    // If there is a single output element, DirectML sums as reduce does, in another order.
    random.chance(0.5)
      ? () => arithmeticValue(random, dataType)
      : floatsOfOneMagnitude(random, dataType, { isSummed: product(places) === 1 }),
  );
  return { dilations, descriptor: { ...tensors, ...window, includePadding: random.chance(0.5) }, data };
}

export function lpPooling(random: Random, index: number): ConformanceCase {
  const { descriptor, data } = powers(random, index, false);
  return { descriptor: { type: 'lpPooling', ...descriptor }, data };
}

export function lpPooling1(random: Random, index: number): ConformanceCase {
  const { dilations, descriptor, data } = powers(random, index, true);
  return { descriptor: { type: 'lpPooling1', ...descriptor, dilations }, data };
}

/** In some cases, powers overflow or underflow float32 by far. */
function powers(random: Random, index: number, isDilated: boolean) {
  const dataType = FLOATS[index % 2] ?? 'float32';
  const isLarge = random.chance(0.3);
  const p = isLarge ? random.pick([random.int(16, 200), random.int(1, 7)]) : Math.floor(index / 4) % 8;
  const { tensors, dilations, window, data } = pooled(random, dataType, Math.floor(index / 2), isDilated, () => () => {
    if (random.chance(0.05)) return numberOf(dataType, random.pick([0, -0, Infinity, -Infinity, NaN]));
    const value = isLarge ? powerOf2(random) ** (1 / p) : (1 + random.fraction()) * 2 ** random.int(-6, 3);
    return numberOf(dataType, random.chance(0.5) ? value : -value);
  });
  return { dilations, descriptor: { ...tensors, ...window, p }, data };
}

/** A power that float32 holds, with all sums of such powers; or one far outside its range. */
function powerOf2(random: Random): number {
  if (random.chance(0.9)) return 2 ** (random.fraction() * 200 - 100);
  return 2 ** (random.chance(0.3) ? 140 + random.fraction() * 60 : -170 - random.fraction() * 30);
}

export function maxPooling(random: Random, index: number): ConformanceCase {
  const { tensors, window, data } = ordered(random, index, false);
  return { descriptor: { type: 'maxPooling', ...tensors, ...window }, data };
}

export function maxPooling1(random: Random, index: number): ConformanceCase {
  const { tensors, window, outputIndicesTensor, data } = ordered(random, index, false);
  return { descriptor: { type: 'maxPooling1', ...tensors, outputIndicesTensor, ...window }, data };
}

export function maxPooling2(random: Random, index: number): ConformanceCase {
  const { tensors, window, dilations, outputIndicesTensor, data } = ordered(random, index, true);
  return { descriptor: { type: 'maxPooling2', ...tensors, outputIndicesTensor, ...window, dilations }, data };
}

function ordered(random: Random, index: number, isDilated: boolean) {
  const dataType = ORDERED[index % 10] ?? 'float32';
  const shape = pooled(random, dataType, Math.floor(index / 10), isDilated, () => orderedElement(random, dataType));
  const indices = random.pick<DataType | null>(['uint32', 'uint64', null]);
  const { sizes } = shape.tensors.outputTensor;
  return { ...shape, outputIndicesTensor: indices === null ? null : randomTensor(random, indices, sizes, 'output') };
}

/** True if, at some output position, no tap of the dilated window lies inside the image. */
function isEmptySomewhere({ space, windowSizes, strides, dilations, startPadding, places }: SlidingWindows): boolean {
  return space.some((size, i) =>
    Array.from({ length: places[i] ?? 1 }, (_, place) => place * (strides[i] ?? 1) - (startPadding[i] ?? 0)).some((first) =>
      Array.from({ length: windowSizes[i] ?? 1 }, (_, tap) => first + tap * (dilations[i] ?? 1)).every(
        (at) => at < 0 || at >= size,
      ),
    ),
  );
}

export function quantizedLinearAveragePooling(random: Random, index: number): ConformanceCase {
  const dataType: DataType = index % 2 === 0 ? 'int8' : 'uint8';
  const windows = slidingWindows(random, 2 + (Math.floor(index / 2) % 2), true);
  const { space, places, windowSizes: windowSize, ...window } = windows;
  const [batch, channels] = [random.int(1, 3), random.int(1, 3)];
  const includePadding = random.chance(0.5);
  const scales = quantizationScales(random, 4);
  // The quantized value of NaN, and so of the mean of no elements, depends on both layouts. It is known only for packed tensors.
  const isPacked = scales.areSpecial || (!includePadding && isEmptySomewhere(windows));
  const tensor = (sizes: readonly number[], role: 'input' | 'output'): TensorDesc =>
    isPacked ? { dataType, sizes } : randomTensor(random, dataType, sizes, role);
  const inputTensor = tensor([batch, channels, ...space], 'input');
  const outputTensor = tensor([batch, channels, ...places], 'output');
  const perTensor = inputTensor.sizes.map(() => 1);
  const parameters = () => {
    const sizes = random.chance(0.5) ? perTensor : perTensor.with(1, channels);
    const zeroPoint = random.chance(0.7) ? randomTensor(random, dataType, sizes, 'input') : null;
    return [randomTensor(random, 'float32', sizes, 'input'), zeroPoint] as const;
  };
  const [inputScaleTensor, inputZeroPointTensor] = parameters();
  const [outputScaleTensor, outputZeroPointTensor] = parameters();
  const isSmall = random.chance(0.3);
  const any = () => (isSmall ? random.int(dataType === 'int8' ? -4 : 0, 4) : anyInteger(random, dataType));
  return {
    descriptor: {
      type: 'quantizedLinearAveragePooling',
      ...{ inputTensor, inputScaleTensor, inputZeroPointTensor, outputScaleTensor, outputZeroPointTensor, outputTensor },
      ...window,
      windowSize,
      includePadding,
    },
    data: fillTensors(random, {
      inputTensor: [inputTensor, any],
      inputScaleTensor: [inputScaleTensor, scales.a],
      inputZeroPointTensor: [inputZeroPointTensor, any],
      outputScaleTensor: [outputScaleTensor, scales.output],
      outputZeroPointTensor: [outputZeroPointTensor, () => anyInteger(random, dataType)],
    }),
  };
}

/** `elementOf` takes the output's sizes and returns the generator of the input's elements. */
function pooled(
  random: Random,
  dataType: DataType,
  turn: number,
  isDilated: boolean,
  elementOf: (sizes: readonly number[]) => () => number | bigint,
) {
  const { space, places, dilations, windowSizes: windowSize, ...window } = slidingWindows(random, 2 + (turn % 2), isDilated);
  const planes = [random.int(1, 3), random.int(1, 3)];
  const inputTensor = randomTensor(random, dataType, [...planes, ...space], 'input');
  const outputTensor = randomTensor(random, dataType, [...planes, ...places], 'output');
  const data = fillTensors(random, { inputTensor: [inputTensor, elementOf(outputTensor.sizes)] });
  return { tensors: { inputTensor, outputTensor }, dilations, window: { windowSize, ...window }, data };
}
