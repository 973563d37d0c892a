/**
 * Cases of quantization in blocks, and with a scale that the operator finds itself. Scales are powers of two, for which
 * all is exact, so that ties are ties.
 */
import type { Random } from '../../random.js';
import { base64, type ConformanceCase, type DataType } from '../case.js';
import { anyInteger, numberOf, type ElementValue } from '../element-values.js';
import { fillTensor, randomSizes, randomTensor } from '../layout.js';

const FLOATS: readonly DataType[] = ['float32', 'float16'];
const LEVELS: readonly DataType[] = ['int8', 'uint8', 'int4', 'uint4'];

const powerOfTwo: ElementValue = (random, dataType) => numberOf(dataType, (random.chance(0.1) ? -1 : 1) * 2 ** random.int(-4, 4));
/** Eighths, so that halves are frequent among the quotients. */
const eighth: ElementValue = (random, dataType) => numberOf(dataType, random.int(-1023, 1023) / 8);

export function quantize(random: Random, index: number): ConformanceCase {
  const { real, integer, sizes, parameters, parameterData, quantizationType } = shapeOf(random, index);
  const inputTensor = randomTensor(random, real, sizes, 'input');
  return {
    descriptor: {
      type: 'quantize',
      inputTensor,
      quantizationType,
      quantizationTensors: parameters,
      outputTensor: randomTensor(random, integer, sizes, 'output'),
    },
    data: {
      inputTensor: base64(fillTensor(random, inputTensor, () => eighth(random, real))),
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

/** What both have: data types, sizes, and scales and zero points of sizes that divide these. */
function shapeOf(random: Random, index: number) {
  const [real, integer] = [FLOATS[index % 2] ?? 'float32', LEVELS[Math.floor(index / 2) % 4] ?? 'int8'];
  const sizes = randomSizes(random, (Math.floor(index / 8) % 8) + 1, 400);
  const counts = sizes.map((size) => random.pick(divisorsOf(size)));
  const scale = randomTensor(random, real, counts, 'input');
  const scaleData = base64(fillTensor(random, scale, () => powerOfTwo(random, real)));
  if (random.chance(0.4)) {
    return { real, integer, sizes, parameters: [scale], parameterData: [scaleData], quantizationType: 'scale' as const };
  }
  const zeroPoint = randomTensor(random, integer, counts, 'input');
  const zeroPointData = base64(fillTensor(random, zeroPoint, () => anyInteger(random, integer)));
  const quantizationType = 'scaleZeroPoint' as const;
  return { real, integer, sizes, parameters: [scale, zeroPoint], parameterData: [scaleData, zeroPointData], quantizationType };
}

function divisorsOf(size: number): number[] {
  return Array.from({ length: size }, (_, i) => i + 1).filter((count) => size % count === 0);
}

/** The range is 255 times a power of two, so that the scale is one. */
export function dynamicQuantizeLinear(random: Random, index: number): ConformanceCase {
  const [real, integer] = [FLOATS[index % 2] ?? 'float32', LEVELS[Math.floor(index / 2) % 2] ?? 'int8'];
  const sizes = randomSizes(random, (Math.floor(index / 4) % 8) + 1, 400);
  const one = sizes.map(() => 1);
  // As an output's, its elements are all apart, so that both ends are there.
  const inputTensor = randomTensor(random, real, sizes, 'output');
  const unit = 2 ** random.int(-6, 2);
  const low = random.pick([0, -255, -random.int(1, 254)]);
  const ends = [low, low + 255];
  const special = random.chance(0.1) ? random.pick([NaN, 0, -0]) : null;
  return {
    descriptor: {
      type: 'dynamicQuantizeLinear',
      inputTensor,
      outputTensor: randomTensor(random, integer, sizes, 'output'),
      outputScaleTensor: randomTensor(random, 'float32', one, 'output'),
      outputZeroPointTensor: randomTensor(random, integer, one, 'output'),
    },
    data: {
      inputTensor: base64(
        fillTensor(random, inputTensor, (i) => numberOf(real, special ?? unit * (ends[i] ?? random.int(low * 4, (low + 255) * 4) / 4))),
      ),
    },
  };
}
