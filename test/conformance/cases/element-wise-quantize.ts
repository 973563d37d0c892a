/**
 * Cases of quantization. A quotient next to a half would be rounded up or down by its last bit, so that scales are
 * powers of two, for which all is exact, or one for all elements, with quotients that stay clear of the halves.
 */
import type { TensorDesc } from 'node-directml';
import type { Random } from '../../random.js';
import { base64, type DataType } from '../case.js';
import { anyInteger, isFloat, numberOf, type ElementValue } from '../element-values.js';
import { fillTensor, randomSizes, randomTensor } from '../layout.js';
import type { CaseGenerator } from './index.js';

interface Input {
  readonly tensor: TensorDesc;
  readonly bytes: string;
}

const BYTES: readonly DataType[] = ['int8', 'uint8'];
const REALS: readonly DataType[] = ['float32', 'float16', 'int32'];
const INTEGERS: readonly DataType[] = ['int32', 'int16', 'int8', 'uint32', 'uint16', 'uint8'];
const FLOATS: readonly DataType[] = ['float32', 'float16'];

const powerOfTwo: ElementValue = (random, dataType) =>
  numberOf(dataType, (random.chance(0.1) ? -1 : 1) * 2 ** random.int(-4, 4));
/** Now and then what makes a NaN. */
const orSpecial =
  (value: ElementValue): ElementValue =>
  (random, dataType) =>
    isFloat(dataType) && random.chance(0.06)
      ? numberOf(dataType, random.pick([NaN, Infinity, -Infinity, 0, -0]))
      : value(random, dataType);
const orOneOf =
  (value: ElementValue, ...others: number[]): ElementValue =>
  (random, dataType) =>
    random.chance(0.2) ? random.pick(others) : value(random, dataType);

/** Sixteenths, so that halves are frequent among the quotients. */
const sixteenths: ElementValue = (random, dataType) =>
  isFloat(dataType) ? numberOf(dataType, random.int(-2047, 2047) / 16) : anyInteger(random, dataType);

export const elementWiseQuantizeLinear: CaseGenerator = (random, index) => {
  const { dataType, sizes } = shapeOf(random, index, REALS);
  const outputType = random.pick(BYTES);
  const exact = dataType === 'int32' || random.chance(0.5);
  const scale = anyScale(random);
  // Kept 1/4 from a half, and small enough for float16's own rounding not to reach one.
  const clear: ElementValue = () => numberOf(dataType, (random.int(-150, 150) + random.pick([-0.25, 0.25])) * scale);
  const scaleAlone: ElementValue = () => numberOf(dataType, scale);
  const input = inputOf(random, dataType, sizes, exact ? orSpecial(sixteenths) : clear);
  const scaleType = dataType === 'int32' ? 'float32' : dataType;
  const isSingle = random.chance(0.3);
  const scales = inputOf(random, scaleType, sizes, exact ? orSpecial(powerOfTwo) : scaleAlone, isSingle);
  const zeroPoint = zeroPointOf(random, outputType, sizes, isSingle);
  const outputTensor = randomTensor(random, outputType, sizes, 'output');
  return {
    descriptor: {
      type: 'elementWiseQuantizeLinear',
      inputTensor: input.tensor,
      scaleTensor: scales.tensor,
      zeroPointTensor: zeroPoint?.tensor ?? null,
      outputTensor,
    },
    data: { inputTensor: input.bytes, scaleTensor: scales.bytes, ...bytesOf('zeroPointTensor', zeroPoint) },
  };
};

export const elementWiseDequantizeLinear: CaseGenerator = (random, index) => {
  const { dataType, sizes } = shapeOf(random, index, INTEGERS);
  const outputType = random.pick(FLOATS);
  const any: ElementValue = () => numberOf(outputType, anyScale(random));
  const input = inputOf(random, dataType, sizes, anyInteger);
  const scales = inputOf(random, outputType, sizes, orSpecial(random.chance(0.5) ? powerOfTwo : any));
  const zeroPoint = zeroPointOf(random, dataType, sizes);
  const outputTensor = randomTensor(random, outputType, sizes, 'output');
  return {
    descriptor: {
      type: 'elementWiseDequantizeLinear',
      inputTensor: input.tensor,
      scaleTensor: scales.tensor,
      zeroPointTensor: zeroPoint?.tensor ?? null,
      outputTensor,
    },
    data: { inputTensor: input.bytes, scaleTensor: scales.bytes, ...bytesOf('zeroPointTensor', zeroPoint) },
  };
};

/** Scales that are powers of two, or thirds of the output's scale: whole multiples of a third are never a half. */
export const elementWiseQuantizedLinearAdd: CaseGenerator = (random, index) => {
  const { dataType, sizes } = shapeOf(random, index, BYTES);
  const ones = sizes.map(() => 1);
  const [bType, outputType] = [random.pick(BYTES), random.pick(BYTES)];
  const unit = random.chance(0.5) ? null : anyScale(random);
  const scale = (most: number, ...special: number[]): Input =>
    inputOf(random, 'float32', ones, unit === null ? orOneOf(powerOfTwo, ...special) : () => (unit * random.int(1, most)) / most);
  const [a, b] = [inputOf(random, dataType, sizes, anyInteger), inputOf(random, bType, sizes, anyInteger)];
  const [aScale, bScale, outputScale] = [scale(3, 0, 2 ** 100, NaN), scale(3, -0, 2 ** 100, Infinity), scale(1, 0, Infinity, 2 ** -100)];
  const aZeroPoint = zeroPointOf(random, dataType, ones);
  const bZeroPoint = zeroPointOf(random, bType, ones);
  const outputZeroPoint = zeroPointOf(random, outputType, ones);
  return {
    descriptor: {
      type: 'elementWiseQuantizedLinearAdd',
      aTensor: a.tensor,
      aScaleTensor: aScale.tensor,
      aZeroPointTensor: aZeroPoint?.tensor ?? null,
      bTensor: b.tensor,
      bScaleTensor: bScale.tensor,
      bZeroPointTensor: bZeroPoint?.tensor ?? null,
      outputScaleTensor: outputScale.tensor,
      outputZeroPointTensor: outputZeroPoint?.tensor ?? null,
      outputTensor: randomTensor(random, outputType, sizes, 'output'),
    },
    data: {
      aTensor: a.bytes,
      aScaleTensor: aScale.bytes,
      ...bytesOf('aZeroPointTensor', aZeroPoint),
      bTensor: b.bytes,
      bScaleTensor: bScale.bytes,
      ...bytesOf('bZeroPointTensor', bZeroPoint),
      outputScaleTensor: outputScale.bytes,
      ...bytesOf('outputZeroPointTensor', outputZeroPoint),
    },
  };
};

/** Data types in turn, and for each the dimension counts in turn. */
function shapeOf(random: Random, index: number, dataTypes: readonly DataType[]) {
  const dataType = dataTypes[index % dataTypes.length] ?? 'float32';
  return { dataType, sizes: randomSizes(random, (Math.floor(index / dataTypes.length) % 8) + 1, 400) };
}

function inputOf(
  random: Random,
  dataType: DataType,
  sizes: readonly number[],
  value: ElementValue,
  isSingle = false,
): Input {
  const tensor = randomTensor(random, dataType, sizes, 'input', isSingle ? [...sizes.keys()] : []);
  return { tensor, bytes: base64(fillTensor(random, tensor, () => value(random, dataType))) };
}

/** Left out now and then. */
function zeroPointOf(random: Random, dataType: DataType, sizes: readonly number[], isSingle = false): Input | null {
  return random.chance(0.8) ? inputOf(random, dataType, sizes, anyInteger, isSingle) : null;
}

function bytesOf(name: string, input: Input | null): Record<string, string> {
  return input === null ? {} : { [name]: input.bytes };
}

function anyScale(random: Random): number {
  return random.pick([0.1, 1 / 3, 0.7, 3, 11]) * 2 ** random.int(-2, 2);
}
