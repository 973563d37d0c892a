/** Cases and tolerances of quantization in blocks, and of dynamicQuantizeLinear, which computes the scale itself. */
import type { Random } from '../../harness/random.js';
import { base64, type ConformanceCase, type DataType } from '../../cases/case.js';
import { anyInteger, anyScale, numberOf, orSpecialScale, SUBNORMALS, type ElementValue } from '../../cases/element-values.js';
import { fillTensor, randomSizes, randomTensor } from '../../cases/layout.js';
import { SAME_VALUE, type OperatorTolerance } from '../../tolerance/row.js';

/** DirectML gives the same values as the reference. */
export const tolerances = {
  dequantize: SAME_VALUE,
  dynamicQuantizeLinear: SAME_VALUE,
  quantize: SAME_VALUE,
} satisfies Record<string, OperatorTolerance>;

const FLOATS: readonly DataType[] = ['float32', 'float16'];
const LEVELS: readonly DataType[] = ['int8', 'uint8', 'int4', 'uint4'];

const FAR: readonly number[] = [NaN, Infinity, -Infinity, -0, 3e38, -3e38, 1e-30, ...SUBNORMALS];

/** Multiples of 1/8 of the unit, so that ties are frequent among the quotients. In a few cases a value of {@link FAR}. */
function realsOf(unit: number): ElementValue {
  return (random, dataType) =>
    numberOf(dataType, random.chance(0.03) ? random.pick(FAR) : Math.fround((random.int(-1023, 1023) / 8) * unit));
}

/** The unit times a power of two from 1/4 to 4; in some cases a few special scales. */
function scalesOf(random: Random, unit: number): () => number {
  const special = random.chance(0.3) ? 0.1 : 0;
  return () => orSpecialScale(random, unit * 2 ** random.int(-2, 2), special);
}

export function quantize(random: Random, index: number): ConformanceCase {
  const { real, integer, sizes, unit, parameters, parameterData, quantizationType } = shapeOf(random, index);
  const inputTensor = randomTensor(random, real, sizes, 'input');
  const value = realsOf(unit);
  return {
    descriptor: {
      type: 'quantize',
      inputTensor,
      quantizationType,
      quantizationTensors: parameters,
      outputTensor: randomTensor(random, integer, sizes, 'output'),
    },
    data: {
      inputTensor: base64(fillTensor(random, inputTensor, () => value(random, real))),
      quantizationTensors: parameterData,
    },
  };
}

export function dequantize(random: Random, index: number): ConformanceCase {
  const { real, integer, sizes, parameters, parameterData, quantizationType } = shapeOf(random, index);
  const inputTensor = randomTensor(random, integer, sizes, 'input');
  return {
    descriptor: {
      type: 'dequantize',
      inputTensor,
      quantizationType,
      quantizationTensors: parameters,
      outputTensor: randomTensor(random, real, sizes, 'output'),
    },
    data: {
      inputTensor: base64(fillTensor(random, inputTensor, () => anyInteger(random, integer))),
      quantizationTensors: parameterData,
    },
  };
}

/** Data types, sizes, scales and zero points. The sizes of scales and zero points divide those of the tensor. */
function shapeOf(random: Random, index: number) {
  const [real, integer] = [FLOATS[index % 2] ?? 'float32', LEVELS[Math.floor(index / 2) % 4] ?? 'int8'];
  const sizes = randomSizes(random, (Math.floor(index / 8) % 8) + 1, 400);
  const counts = sizes.map((size) => random.pick(divisorsOf(size)));
  const scale = randomTensor(random, real, counts, 'input');
  const unit = random.chance(0.3) ? 1 : anyScale(random);
  const anyOf = scalesOf(random, unit);
  const scaleData = base64(fillTensor(random, scale, () => numberOf(real, anyOf())));
  if (random.chance(0.4)) {
    return { real, integer, sizes, unit, parameters: [scale], parameterData: [scaleData], quantizationType: 'scale' as const };
  }
  const zeroPoint = randomTensor(random, integer, counts, 'input');
  const zeroPointData = base64(fillTensor(random, zeroPoint, () => anyInteger(random, integer)));
  const quantizationType = 'scaleZeroPoint' as const;
  return {
    real,
    integer,
    sizes,
    unit,
    parameters: [scale, zeroPoint],
    parameterData: [scaleData, zeroPointData],
    quantizationType,
  };
}

function divisorsOf(size: number): number[] {
  return Array.from({ length: size }, (_, i) => i + 1).filter((count) => size % count === 0);
}

/** In most cases the range is 255 times the unit, so that ties are frequent among the quotients; in the others it is random. */
export function dynamicQuantizeLinear(random: Random, index: number): ConformanceCase {
  const [real, integer] = [FLOATS[index % 2] ?? 'float32', LEVELS[Math.floor(index / 2) % 2] ?? 'int8'];
  const sizes = randomSizes(random, (Math.floor(index / 4) % 8) + 1, 400);
  const one = sizes.map(() => 1);
  // The layout of an output has no broadcast axes, so that both ends of the range are among the elements.
  const inputTensor = randomTensor(random, real, sizes, 'output');
  const unit = random.chance(0.3) ? 2 ** random.int(-6, 2) : anyScale(random);
  const low = random.pick([0, -255, -random.int(1, 254)]);
  const ends = [low, low + 255];
  const alone = random.chance(0.1) ? random.pick([NaN, 0, -0]) : null;
  const [isAny, special] = [random.chance(0.3), random.chance(0.1) ? 0.2 : 0];
  const value = (i: number): number => {
    if (random.chance(special)) return random.pick(FAR);
    if (isAny) return (random.fraction() * 2 - 1) * 100 * unit;
    return alone ?? unit * (ends[i] ?? random.int(low * 4, (low + 255) * 4) / 4);
  };
  return {
    descriptor: {
      type: 'dynamicQuantizeLinear',
      inputTensor,
      outputTensor: randomTensor(random, integer, sizes, 'output'),
      outputScaleTensor: randomTensor(random, 'float32', one, 'output'),
      outputZeroPointTensor: randomTensor(random, integer, one, 'output'),
    },
    data: {
      inputTensor: base64(fillTensor(random, inputTensor, (i) => numberOf(real, value(i)))),
    },
  };
}
