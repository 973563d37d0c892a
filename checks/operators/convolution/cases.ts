/** Cases and tolerances of the convolutions: any combination of strides, dilations, start and end padding, groups and layouts. */
import type { ConvolutionFusedActivation } from 'node-directml';
import type { Random } from '../../harness/random.js';
import type { ConformanceCase, DataType } from '../../cases/case.js';
import { anyInteger, floatElement, quantizationScales } from '../../cases/element-values.js';
import { fillTensors, ones, randomTensor } from '../../cases/layout.js';
import { fusedActivation } from '../activation/cases.js';
import { withSpecials } from '../../cases/special-values.js';
import { fusable } from '../fused.js';
import { EXACT, OF_MAGNITUDES, type ComputedRow } from '../../tolerance/row.js';

const CONVOLUTION: ComputedRow = {
  ulp: 0.5,
  perTerm: 1,
  magnitude: OF_MAGNITUDES,
  reason: 'each term rounds a product and a sum; the sum with the bias rounds once',
};
const FUSED = fusable({
  ...CONVOLUTION,
  narrowed: 1,
  reason: `${CONVOLUTION.reason}; with float16, the activation’s argument truncates to float16`,
});

/** Each term rounds a product and a sum by half a unit each. */
export const tolerances = {
  convolution: { ...FUSED, rows: { ...FUSED.rows, alone: CONVOLUTION } },
  convolutionInteger: EXACT,
  quantizedLinearConvolution: EXACT,
};

const FLOATS: readonly DataType[] = ['float32', 'float16'];
const BYTE_TYPES: readonly DataType[] = ['int8', 'uint8'];

export function convolution(random: Random, index: number): ConformanceCase {
  const dataType = FLOATS[index % 2] ?? 'float32';
  const direction = Math.floor(index / 6) % 2 === 0 ? 'forward' : 'backward';
  const { input, filter, output, fields } = shapeOf(random, (Math.floor(index / 2) % 3) + 1, direction);
  const hasBias = random.chance(0.6);
  const fused = random.chance(0.5) ? convolutionActivation(random) : null;
  const outputPadding = fields.strides.map(() => (random.chance(0.2) ? random.int(1, 2) : 0));
  const padded = output.map((size, axis) => size + (outputPadding[axis - 2] ?? 0));
  const inputTensor = randomTensor(random, dataType, input, 'input');
  const filterTensor = randomTensor(random, dataType, filter, 'input');
  const biasTensor = hasBias ? randomTensor(random, dataType, perChannel(output), 'input') : null;
  const outputTensor = randomTensor(random, dataType, padded, 'output');
  const special = withSpecials(random, dataType, random.pick([0, 0, 0.5]));
  const plain = () => floatElement(dataType, random.fraction() * 4 - 2);
  const element = () => special(plain);
  const filterElement = direction === 'backward' && skipsGaps(fields, filter.slice(2)) ? plain : element();
  return {
    descriptor: {
      type: 'convolution',
      ...{ inputTensor, filterTensor, biasTensor, outputTensor },
      mode: Math.floor(index / 12) % 2 === 0 ? 'crossCorrelation' : 'convolution',
      direction,
      ...fields,
      outputPadding,
      fusedActivation: fused,
    },
    data: fillTensors(random, {
      inputTensor: [inputTensor, element()],
      filterTensor: [filterTensor, filterElement],
      biasTensor: [biasTensor, element()],
    }),
  };
}

/**
 * True if DirectML's transposed convolution skips the zeros between input elements. Otherwise these zeros are multiplied with
 * the filter, and an infinite filter element gives NaN.
 */
function skipsGaps({ strides, dilations, groupCount }: Shape['fields'], window: readonly number[]): boolean {
  const isSpread = strides.length === 2 && strides.every((stride) => stride === 2) && window.every((size) => size > 1);
  return isSpread && dilations.every((dilation) => dilation === 1) && groupCount === 1;
}

/** Any activation that convolution can fuse, including a clip. */
function convolutionActivation(random: Random): ConvolutionFusedActivation {
  if (random.chance(0.8)) return fusedActivation(random);
  return { type: 'elementWiseClip', min: random.int(-8, 0) / 4, max: random.int(0, 8) / 4 };
}

export function convolutionInteger(random: Random, index: number): ConformanceCase {
  const [inputType, filterType] = [BYTE_TYPES[index % 2] ?? 'int8', BYTE_TYPES[Math.floor(index / 2) % 2] ?? 'int8'];
  const { input, filter, output, fields } = shapeOf(random, (Math.floor(index / 4) % 2) + 1, 'forward');
  const inputTensor = randomTensor(random, inputType, input, 'input');
  const filterTensor = randomTensor(random, filterType, filter, 'input');
  const outputTensor = randomTensor(random, 'int32', output, 'output');
  const count = random.int(2, 4);
  const inputZeroPointTensor = random.chance(0.7) ? randomTensor(random, inputType, ones(count), 'input') : null;
  const filterSizes = perChannelOrOne(random, output, count);
  const filterZeroPointTensor = random.chance(0.7) ? randomTensor(random, filterType, filterSizes, 'input') : null;
  const [anyInput, anyFilter] = [() => anyInteger(random, inputType), () => anyInteger(random, filterType)];
  return {
    descriptor: {
      type: 'convolutionInteger',
      ...{ inputTensor, inputZeroPointTensor, filterTensor, filterZeroPointTensor, outputTensor },
      ...fields,
    },
    data: fillTensors(random, {
      inputTensor: [inputTensor, anyInput],
      inputZeroPointTensor: [inputZeroPointTensor, anyInput],
      filterTensor: [filterTensor, anyFilter],
      filterZeroPointTensor: [filterZeroPointTensor, anyFilter],
    }),
  };
}

export function quantizedLinearConvolution(random: Random, index: number): ConformanceCase {
  const [inputType, filterType, outputType] = [0, 1, 2].map((bit) => BYTE_TYPES[(index >> bit) % 2] ?? 'int8') as [
    DataType,
    DataType,
    DataType,
  ];
  const { input, filter, output, fields } = shapeOf(random, (Math.floor(index / 8) % 2) + 1, 'forward');
  const inputTensor = randomTensor(random, inputType, input, 'input');
  const filterTensor = randomTensor(random, filterType, filter, 'input');
  const outputTensor = randomTensor(random, outputType, output, 'output');
  const biasTensor = random.chance(0.5) ? randomTensor(random, 'int32', perChannel(output), 'input') : null;
  const parameters = (type: DataType, sizes: readonly number[]) => {
    const zeroPoint = random.chance(0.7) ? randomTensor(random, type, sizes, 'input') : null;
    return [randomTensor(random, 'float32', sizes, 'input'), zeroPoint] as const;
  };
  const [inputScaleTensor, inputZeroPointTensor] = parameters(inputType, ones(random.int(1, 4)));
  const [filterScaleTensor, filterZeroPointTensor] = parameters(filterType, perChannelOrOne(random, output, random.int(2, 4)));
  const [outputScaleTensor, outputZeroPointTensor] = parameters(outputType, ones(random.int(1, 4)));
  const [anyInput, anyFilter] = [() => anyInteger(random, inputType), () => anyInteger(random, filterType)];
  const scales = quantizationScales(random, 12);
  const [isBiasLarge, isBiasSmall] = [random.chance(0.2), random.chance(0.3)];
  const bias = () =>
    isBiasLarge ? anyInteger(random, 'int32') : random.int(isBiasSmall ? -9 : -(2 ** 16), isBiasSmall ? 9 : 2 ** 16);
  return {
    descriptor: {
      type: 'quantizedLinearConvolution',
      ...{ inputTensor, inputScaleTensor, inputZeroPointTensor, filterTensor, filterScaleTensor, filterZeroPointTensor },
      ...{ biasTensor, outputScaleTensor, outputZeroPointTensor, outputTensor },
      ...fields,
    },
    data: fillTensors(random, {
      inputTensor: [inputTensor, anyInput],
      inputScaleTensor: [inputScaleTensor, scales.a],
      inputZeroPointTensor: [inputZeroPointTensor, anyInput],
      filterTensor: [filterTensor, anyFilter],
      filterScaleTensor: [filterScaleTensor, scales.b],
      filterZeroPointTensor: [filterZeroPointTensor, anyFilter],
      biasTensor: [biasTensor, bias],
      outputScaleTensor: [outputScaleTensor, scales.output],
      outputZeroPointTensor: [outputZeroPointTensor, () => anyInteger(random, outputType)],
    }),
  };
}

interface Shape {
  readonly input: number[];
  readonly filter: number[];
  readonly output: number[];
  readonly fields: {
    readonly strides: number[];
    readonly dilations: number[];
    readonly startPadding: number[];
    readonly endPadding: number[];
    readonly groupCount: number;
  };
}

/** `count` spatial dimensions; up to three groups of up to three channels and filters, in a few cases up to nine. */
function shapeOf(random: Random, count: number, direction: 'forward' | 'backward'): Shape {
  const [largest, furthest, room] = (
    [
      [5, 3, 10],
      [3, 3, 6],
      [3, 2, 3],
    ] as const
  )[count - 1] ?? [3, 2, 3];
  const batch = random.int(1, 2);
  const groupCount = random.pick([1, 1, 1, 2, 3]);
  const [channels, filters] = [few(random), few(random)];
  const space = Array.from({ length: count }, () => {
    const [window, stride, dilation] = [random.int(1, largest), random.int(1, furthest), random.int(1, furthest)];
    const reach = (window - 1) * dilation + 1;
    const [start, end] = [random.int(0, 3), random.int(0, 3)];
    const places = (size: number) =>
      direction === 'forward' ? Math.floor((size + start + end - reach) / stride) + 1 : (size - 1) * stride + reach - start - end;
    let size = random.int(1, room);
    // DirectML is wrong if, in every dimension, the window is as large as the input and has a single position.
    const isWhole = () => size === window && places(size) === 1 && (dilation > 1 || start > 0);
    while (places(size) < 1 || isWhole()) size += 1;
    return { window, stride, dilation, start, end, size, places: places(size) };
  });
  const [inputChannels, outputChannels] = [channels * groupCount, filters * groupCount];
  const windows = space.map(({ window }) => window);
  return {
    input: [batch, inputChannels, ...space.map(({ size }) => size)],
    filter: [...(direction === 'forward' ? [outputChannels, channels] : [inputChannels, filters]), ...windows],
    output: [batch, outputChannels, ...space.map(({ places }) => places)],
    fields: {
      strides: space.map(({ stride }) => stride),
      dilations: space.map(({ dilation }) => dilation),
      startPadding: space.map(({ start }) => start),
      endPadding: space.map(({ end }) => end),
      groupCount,
    },
  };
}

function few(random: Random): number {
  return random.chance(0.15) ? random.int(4, 9) : random.int(1, 3);
}

/** [1, channels, 1, …] */
function perChannel(output: readonly number[], count = output.length): number[] {
  return ones(count).with(1, output[1] ?? 1);
}

function perChannelOrOne(random: Random, output: readonly number[], count: number): number[] {
  return random.chance(0.5) ? ones(count) : perChannel(output, count);
}
