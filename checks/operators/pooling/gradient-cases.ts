/** Cases of the gradients of pooling, and of max unpooling. */
import type { Random } from '../../harness/random.js';
import { base64, VALUE_TYPES, type ConformanceCase, type DataType } from '../../cases/case.js';
import { numberOf, orderedElement } from '../../cases/element-values.js';
import { anyBits, fillTensors, product, randomSizes, randomTensor } from '../../cases/layout.js';
import { arithmeticValue } from '../../cases/values.js';
import { floatsOfOneMagnitude } from '../../cases/magnitudes.js';
import { slidingWindows } from '../fold/cases.js';

const FLOATS: readonly DataType[] = ['float32', 'float16'];
const MOVED = VALUE_TYPES.filter((dataType) => dataType !== 'float64');

export function averagePoolingGrad(random: Random, index: number): ConformanceCase {
  const { dataType, image, pooled, window } = shape(random, index, false);
  const inputGradientTensor = randomTensor(random, dataType, pooled, 'input');
  const outputGradientTensor = randomTensor(random, dataType, image, 'output');
  const includePadding = random.chance(0.5);
  const element = random.chance(0.5) ? () => arithmeticValue(random, dataType) : floatsOfOneMagnitude(random, dataType);
  return {
    descriptor: { type: 'averagePoolingGrad', inputGradientTensor, outputGradientTensor, ...window, includePadding },
    data: fillTensors(random, { inputGradientTensor: [inputGradientTensor, element] }),
  };
}

/** Gradients are multiples of one number, so that their sums are exact; some sums of float32 overflow. */
export function maxPoolingGrad(random: Random, index: number): ConformanceCase {
  const { dataType, image, pooled, window, dilations } = shape(random, index, true);
  const inputTensor = randomTensor(random, dataType, image, 'input');
  const inputGradientTensor = randomTensor(random, dataType, pooled, 'input');
  const outputGradientTensor = randomTensor(random, dataType, image, 'output');
  const unit = dataType === 'float32' ? random.pick([1, 1, 2 ** 123, 2 ** -130]) : 1;
  const gradient = () => {
    const value = random.chance(0.03) ? random.pick([NaN, Infinity, -Infinity]) : random.int(-32, 32) * unit;
    return numberOf(dataType, value);
  };
  return {
    descriptor: { type: 'maxPoolingGrad', inputTensor, inputGradientTensor, outputGradientTensor, ...window, dilations },
    data: fillTensors(random, {
      inputTensor: [inputTensor, orderedElement(random, dataType)],
      inputGradientTensor: [inputGradientTensor, gradient],
    }),
  };
}

function shape(random: Random, index: number, isDilated: boolean) {
  const count = 2 + (Math.floor(index / 2) % 2);
  const { space, places, dilations, windowSizes: windowSize, ...window } = slidingWindows(random, count, isDilated);
  const planes = [random.int(1, 3), random.int(1, 3)];
  return {
    dataType: FLOATS[index % 2] ?? 'float32',
    image: [...planes, ...space],
    pooled: [...planes, ...places],
    window: { windowSize, ...window },
    dilations,
  };
}

/**
 * All indices differ: DirectML does not define which of two values stays. Some lie past the output; 64-bit ones have any high
 * half.
 */
export function maxUnpooling(random: Random, index: number): ConformanceCase {
  const dataType = MOVED[index % 10] ?? 'float32';
  const indexType: DataType = Math.floor(index / 10) % 2 === 0 ? 'uint32' : 'uint64';
  const sizes = randomSizes(random, 4, 40);
  const outputTensor = randomTensor(random, dataType, randomSizes(random, 4, 80), 'output');
  const indicesTensor = randomTensor(random, indexType, sizes, 'output');
  const inputTensor = randomTensor(random, dataType, sizes, 'input');
  const count = product(sizes);
  const targets = random.distinct(count, Math.max(count, product(outputTensor.sizes)) + random.int(0, 10));
  const high = () => (indexType === 'uint64' && random.chance(0.3) ? BigInt(random.int(0, 0x7fffffff)) << 33n : 0n);
  return {
    descriptor: { type: 'maxUnpooling', inputTensor, indicesTensor, outputTensor },
    data: {
      inputTensor: base64(anyBits(random, inputTensor)),
      ...fillTensors(random, { indicesTensor: [indicesTensor, (element) => BigInt(targets[element] ?? 0) + high()] }),
    },
  };
}
