/** Cases of the activations that work element by element, and random activations to fuse into other operators. */
import type { FusedActivation } from 'node-directml';
import type { Random } from '../../random.js';
import { base64, type ConformanceCase, type DataType } from '../case.js';
import { fillTensor, randomSizes, randomTensor } from '../layout.js';
import { arithmeticValue, LARGEST } from '../values.js';

const FLOATS: readonly DataType[] = ['float32', 'float16'];
const SIGNED: readonly DataType[] = ['float32', 'float16', 'int32', 'int16', 'int8'];
const ALL: readonly DataType[] = [...SIGNED, 'uint32', 'uint16', 'uint8'];

/** An activation without its tensors, and the largest intermediate result for inputs up to `largest`. */
interface Sample {
  readonly descriptor: FusedActivation;
  readonly magnitude: number;
}

type Sampler = (random: Random, largest: number) => Sample;

const samplers = {
  activationCelu(random, largest) {
    const alpha = between(random, 0.25, 2);
    return { descriptor: { type: 'activationCelu', alpha }, magnitude: Math.max(largest, alpha) };
  },
  activationElu(random) {
    const alpha = between(random, -2, 2);
    return { descriptor: { type: 'activationElu', alpha }, magnitude: Math.abs(alpha) };
  },
  activationGelu(_random, largest) {
    return { descriptor: { type: 'activationGelu' }, magnitude: largest };
  },
  activationHardSigmoid(random, largest) {
    const [alpha, beta] = [between(random, -1, 1), between(random, -1, 1)];
    return {
      descriptor: { type: 'activationHardSigmoid', alpha, beta },
      magnitude: largest * Math.abs(alpha) + Math.abs(beta),
    };
  },
  activationHardSwish(random, largest) {
    const [alpha, beta] = [between(random, -1, 1), between(random, -1, 1)];
    return {
      descriptor: { type: 'activationHardSwish', alpha, beta },
      magnitude: largest * (largest * Math.abs(alpha) + Math.abs(beta)),
    };
  },
  activationIdentity(_random, largest) {
    return { descriptor: { type: 'activationIdentity' }, magnitude: largest };
  },
  activationLeakyRelu(random, largest) {
    const alpha = between(random, 0, 2);
    return { descriptor: { type: 'activationLeakyRelu', alpha }, magnitude: largest * Math.max(1, alpha) };
  },
  activationLinear(random, largest) {
    const [alpha, beta] = [between(random, -2, 2), between(random, -2, 2)];
    return {
      descriptor: { type: 'activationLinear', alpha, beta },
      magnitude: largest * Math.max(1, Math.abs(alpha)) + Math.abs(beta),
    };
  },
  activationParametricSoftplus(random, largest) {
    const [alpha, beta] = [between(random, -2, 2), between(random, -2, 2)];
    return {
      descriptor: { type: 'activationParametricSoftplus', alpha, beta },
      magnitude: Math.abs(alpha) * Math.max(1, Math.abs(beta) * largest),
    };
  },
  activationRelu(_random, largest) {
    return { descriptor: { type: 'activationRelu' }, magnitude: largest };
  },
  activationScaledElu(random, largest) {
    const [alpha, gamma] = [between(random, -2, 2), between(random, -2, 2)];
    return {
      descriptor: { type: 'activationScaledElu', alpha, gamma },
      magnitude: Math.abs(gamma) * Math.max(Math.abs(alpha), largest),
    };
  },
  activationScaledTanh(random, largest) {
    const [alpha, beta] = [between(random, -2, 2), between(random, -2, 2)];
    // What is rounded before the hyperbolic tangent counts where that is steep, near 0: not more than 1.
    return {
      descriptor: { type: 'activationScaledTanh', alpha, beta },
      magnitude: Math.abs(alpha) * Math.max(1, Math.abs(beta)) * (largest > LARGEST ? largest : 1),
    };
  },
  activationShrink(random, largest) {
    // Multiples of a half are ties where integers are rounded.
    const bias = random.chance(0.5) ? between(random, -2, 2) : random.int(-4, 4) / 2;
    const threshold = between(random, -1, 2);
    return { descriptor: { type: 'activationShrink', bias, threshold }, magnitude: largest + Math.abs(bias) };
  },
  activationSigmoid() {
    return { descriptor: { type: 'activationSigmoid' }, magnitude: 0 };
  },
  activationSoftplus(random, largest) {
    const steepness = between(random, 1, 4);
    return { descriptor: { type: 'activationSoftplus', steepness }, magnitude: Math.max(1 / steepness, largest / 16) };
  },
  activationSoftsign(_random, largest) {
    return { descriptor: { type: 'activationSoftsign' }, magnitude: largest > LARGEST ? largest : 0 };
  },
  activationSwish(random) {
    return {
      descriptor: { type: 'activationSwish', sigmoidInputScale: between(random, -2, 2) },
      magnitude: 1,
    };
  },
  activationTanh(_random, largest) {
    return { descriptor: { type: 'activationTanh' }, magnitude: largest > LARGEST ? largest : 1 };
  },
  activationThresholdedRelu(random, largest) {
    const alpha = between(random, -2, 2);
    return { descriptor: { type: 'activationThresholdedRelu', alpha }, magnitude: largest };
  },
} satisfies Record<FusedActivation['type'], Sampler>;

const fusable: readonly Sampler[] = Object.values(samplers);

/** An activation for an operator whose own results are up to `magnitude`; never less than that, for they round. */
export function fusedActivation(random: Random, magnitude: number): Sample {
  const sample = random.pick(fusable)(random, magnitude);
  return { descriptor: sample.descriptor, magnitude: Math.max(magnitude, sample.magnitude) };
}

const alone =
  (sampler: Sampler, dataTypes = FLOATS) =>
  (random: Random, index: number): ConformanceCase => {
    const { dataType, sizes } = shapeOf(random, index, dataTypes);
    const inputTensor = randomTensor(random, dataType, sizes, 'input');
    const outputTensor = randomTensor(random, dataType, sizes, 'output');
    const { descriptor, magnitude } = sampler(random, LARGEST);
    return {
      descriptor: { ...descriptor, inputTensor, outputTensor },
      data: { inputTensor: base64(fillTensor(random, inputTensor, () => valueOf(random, dataType))) },
      magnitude,
    };
  };

function activationParameterizedRelu(random: Random, index: number): ConformanceCase {
  const { dataType, sizes } = shapeOf(random, index, SIGNED);
  const inputTensor = randomTensor(random, dataType, sizes, 'input');
  const slopeTensor = randomTensor(random, dataType, sizes, 'input');
  const outputTensor = randomTensor(random, dataType, sizes, 'output');
  return {
    descriptor: { type: 'activationParameterizedRelu', inputTensor, slopeTensor, outputTensor },
    data: {
      inputTensor: base64(fillTensor(random, inputTensor, () => valueOf(random, dataType))),
      slopeTensor: base64(fillTensor(random, slopeTensor, () => valueOf(random, dataType))),
    },
  };
}

function activationReluGrad(random: Random, index: number): ConformanceCase {
  const { dataType, sizes } = shapeOf(random, index, SIGNED);
  const inputTensor = randomTensor(random, dataType, sizes, 'input');
  const inputGradientTensor = randomTensor(random, dataType, sizes, 'input');
  const outputGradientTensor = randomTensor(random, dataType, sizes, 'output');
  return {
    descriptor: { type: 'activationReluGrad', inputTensor, inputGradientTensor, outputGradientTensor },
    data: {
      inputTensor: base64(fillTensor(random, inputTensor, () => valueOf(random, dataType))),
      inputGradientTensor: base64(fillTensor(random, inputGradientTensor, () => valueOf(random, dataType))),
    },
  };
}

function shapeOf(random: Random, index: number, dataTypes: readonly DataType[]) {
  const dataType = dataTypes[index % dataTypes.length] ?? 'float32';
  return { dataType, sizes: randomSizes(random, (Math.floor(index / dataTypes.length) % 8) + 1, 400) };
}

/** Now and then the largest or least of an integer type. */
function valueOf(random: Random, dataType: DataType): number {
  if (dataType.startsWith('float') || random.chance(0.9)) return arithmeticValue(random, dataType);
  const bits = Number(/\d+/.exec(dataType)?.[0]);
  return dataType.startsWith('uint') ? 2 ** bits - 1 : random.pick([-(2 ** (bits - 1)), 2 ** (bits - 1) - 1]);
}

function between(random: Random, low: number, high: number): number {
  return low + random.fraction() * (high - low);
}

export const activationCases = {
  activationCelu: alone(samplers.activationCelu),
  activationElu: alone(samplers.activationElu),
  activationGelu: alone(samplers.activationGelu),
  activationHardSigmoid: alone(samplers.activationHardSigmoid),
  activationHardSwish: alone(samplers.activationHardSwish),
  activationIdentity: alone(samplers.activationIdentity),
  activationLeakyRelu: alone(samplers.activationLeakyRelu),
  activationLinear: alone(samplers.activationLinear),
  activationParameterizedRelu,
  activationParametricSoftplus: alone(samplers.activationParametricSoftplus),
  activationRelu: alone(samplers.activationRelu, SIGNED),
  activationReluGrad,
  activationScaledElu: alone(samplers.activationScaledElu),
  activationScaledTanh: alone(samplers.activationScaledTanh),
  activationShrink: alone(samplers.activationShrink, ALL),
  activationSigmoid: alone(samplers.activationSigmoid),
  activationSoftplus: alone(samplers.activationSoftplus),
  activationSoftsign: alone(samplers.activationSoftsign),
  activationSwish: alone(samplers.activationSwish),
  activationTanh: alone(samplers.activationTanh),
  activationThresholdedRelu: alone(samplers.activationThresholdedRelu),
};
