/** Cases and tolerances of element-wise quantization: scales of any kind, and many values at ties, where the last bit decides. */
import type { TensorDesc } from 'node-directml';
import type { Random } from '../../harness/random.js';
import { base64, type CaseGenerator, type DataType } from '../../cases/case.js';
import { isFloat } from '#lib/tensors/data-types.js';
import {
  anyInteger,
  anyScale,
  numberOf,
  orSpecialScale,
  quantizationScales,
  SUBNORMALS,
  type ElementValue,
} from '../../cases/element-values.js';
import { fillTensor, randomTensor, shapeInTurn } from '../../cases/layout.js';
import type { OperatorTolerance } from '../../tolerance/row.js';

/** At a tie, the quotient's last bit decides. DirectML was observed to give the nearest float32; it does not promise that. */
export const tolerances = {
  elementWiseDequantizeLinear: { ulp: 1, tail: true, reason: 'a difference and a product, each rounded to nearest even' },
  elementWiseQuantizeLinear: { ulp: 0, tail: true },
  elementWiseQuantizedLinearAdd: { ulp: 0, tail: true },
} satisfies Record<string, OperatorTolerance>;

interface Input {
  readonly tensor: TensorDesc;
  readonly bytes: string;
}

const BYTE_TYPES: readonly DataType[] = ['int8', 'uint8'];
const REALS: readonly DataType[] = ['float32', 'float16', 'int32'];
const INTEGERS: readonly DataType[] = ['int32', 'int16', 'int8', 'uint32', 'uint16', 'uint8'];
const FLOATS: readonly DataType[] = ['float32', 'float16'];

const FAR: readonly number[] = [NaN, Infinity, -Infinity, 0, -0, 3e38, -3e38, 1e-30, ...SUBNORMALS];

export const elementWiseQuantizeLinear: CaseGenerator = (random, index) => {
  const { dataType, sizes } = shapeInTurn(random, index, REALS);
  const outputType = random.pick(BYTE_TYPES);
  const unit = random.chance(0.3) ? 1 : anyScale(random);
  // Multiples of 1/16 of the unit, so that ties are frequent among the quotients.
  const value: ElementValue = () => {
    if (!isFloat(dataType)) return random.chance(0.5) ? random.int(-999, 999) : anyInteger(random, dataType);
    return numberOf(dataType, random.chance(0.03) ? random.pick(FAR) : Math.fround((random.int(-2047, 2047) / 16) * unit));
  };
  const special = random.chance(0.3) ? 0.1 : 0;
  const scaleType = dataType === 'int32' ? 'float32' : dataType;
  const scale: ElementValue = () => numberOf(scaleType, orSpecialScale(random, unit * 2 ** random.int(-2, 2), special));
  const input = inputOf(random, dataType, sizes, value);
  const isSingle = random.chance(0.3);
  const scales = inputOf(random, scaleType, sizes, scale, isSingle);
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
    data: { inputTensor: input.bytes, scaleTensor: scales.bytes, ...dataOf('zeroPointTensor', zeroPoint) },
  };
};

export const elementWiseDequantizeLinear: CaseGenerator = (random, index) => {
  const { dataType, sizes } = shapeInTurn(random, index, INTEGERS);
  const outputType = random.pick(FLOATS);
  const scale: ElementValue = () => numberOf(outputType, orSpecialScale(random, anyScale(random)));
  const input = inputOf(random, dataType, sizes, anyInteger);
  const scales = inputOf(random, outputType, sizes, scale);
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
    data: { inputTensor: input.bytes, scaleTensor: scales.bytes, ...dataOf('zeroPointTensor', zeroPoint) },
  };
};

export const elementWiseQuantizedLinearAdd: CaseGenerator = (random, index) => {
  const { dataType, sizes } = shapeInTurn(random, index, BYTE_TYPES);
  const ones = sizes.map(() => 1);
  const [bType, outputType] = [random.pick(BYTE_TYPES), random.pick(BYTE_TYPES)];
  const kinds = quantizationScales(random, 1);
  const scale = (value: () => number): Input => inputOf(random, 'float32', ones, value);
  const [a, b] = [inputOf(random, dataType, sizes, anyInteger), inputOf(random, bType, sizes, anyInteger)];
  const [aScale, bScale, outputScale] = [scale(kinds.a), scale(kinds.b), scale(kinds.output)];
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
      ...dataOf('aZeroPointTensor', aZeroPoint),
      bTensor: b.bytes,
      bScaleTensor: bScale.bytes,
      ...dataOf('bZeroPointTensor', bZeroPoint),
      outputScaleTensor: outputScale.bytes,
      ...dataOf('outputZeroPointTensor', outputZeroPoint),
    },
  };
};

function inputOf(random: Random, dataType: DataType, sizes: readonly number[], value: ElementValue, isSingle = false): Input {
  const tensor = randomTensor(random, dataType, sizes, 'input', isSingle ? [...sizes.keys()] : []);
  return { tensor, bytes: base64(fillTensor(random, tensor, () => value(random, dataType))) };
}

/** A zero point; null in one of five cases. */
function zeroPointOf(random: Random, dataType: DataType, sizes: readonly number[], isSingle = false): Input | null {
  return random.chance(0.8) ? inputOf(random, dataType, sizes, anyInteger, isSingle) : null;
}

function dataOf(name: string, input: Input | null): Record<string, string> {
  return input === null ? {} : { [name]: input.bytes };
}
