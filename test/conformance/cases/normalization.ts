/** Cases of normalization by statistics of the input itself. */
import type { FusedActivation, TensorDesc } from 'node-directml';
import type { Random } from '../../random.js';
import type { ConformanceCase } from '../case.js';
import { fillTensors, randomSizes, randomTensor } from '../layout.js';
import { activationFor, anyElement, element, shapeOf, shortened, typeOf, type Shape } from './normalization-parts.js';

/** Large enough to tell a constant group's zeros from the rounding errors of its mean. */
const EPSILONS = [0.001, 0.0625, 1];

export function meanVarianceNormalization(random: Random, index: number): ConformanceCase {
  const shape = { dataType: typeOf(index), sizes: randomSizes(random, 4, 200) };
  const fields = { crossChannel: index % 4 < 2, normalizeVariance: random.chance(0.8), ...common(random, shape) };
  const { tensors, data } = normalized(random, shape, fields.fusedActivation !== null);
  return { descriptor: { type: 'meanVarianceNormalization', ...tensors, ...fields }, data };
}

export function meanVarianceNormalization1(random: Random, index: number): ConformanceCase {
  const shape = shapeOf(random, index);
  const fields = { axes: someAxes(random, shape), normalizeVariance: random.chance(0.8), ...common(random, shape) };
  const { tensors, data } = normalized(random, shape, fields.fusedActivation !== null);
  return { descriptor: { type: 'meanVarianceNormalization1', ...tensors, ...fields }, data };
}

export function meanVarianceNormalization2(random: Random, index: number): ConformanceCase {
  const shape = shapeOf(random, index);
  const [useMean, useVariance] = [random.chance(0.6), random.chance(0.6)];
  const fields = { axes: someAxes(random, shape), useMean, useVariance, ...common(random, shape) };
  const { tensors, data } = normalized(random, shape, fields.fusedActivation !== null);
  return { descriptor: { type: 'meanVarianceNormalization2', ...tensors, ...fields }, data };
}

function common(random: Random, { dataType }: Shape): { epsilon: number; fusedActivation: FusedActivation | null } {
  return { epsilon: random.pick(EPSILONS), fusedActivation: random.chance(0.5) ? activationFor(random, dataType) : null };
}

/** Input and output, with a scale, a bias or both, which broadcast in their own ways. */
function normalized(random: Random, { dataType, sizes }: Shape, isFused: boolean) {
  const factors = (): TensorDesc | null =>
    random.chance(0.6) ? randomTensor(random, dataType, shortened(random, sizes), 'input') : null;
  const inputTensor = randomTensor(random, dataType, sizes, 'input');
  const [scaleTensor, biasTensor] = [factors(), factors()];
  const outputTensor = randomTensor(random, dataType, sizes, 'output');
  const offset = random.pick([0, 0, 3, -2]);
  return {
    tensors: { inputTensor, scaleTensor, biasTensor, outputTensor },
    data: fillTensors(random, {
      inputTensor: [inputTensor, (isFused ? element : anyElement)(random, dataType, 4, offset)],
      scaleTensor: [scaleTensor, element(random, dataType, 2)],
      biasTensor: [biasTensor, element(random, dataType, 2)],
    }),
  };
}

export function localResponseNormalization(random: Random, index: number): ConformanceCase {
  const { dataType, sizes, fields } = local(random, index);
  const inputTensor = randomTensor(random, dataType, sizes, 'input');
  const outputTensor = randomTensor(random, dataType, sizes, 'output');
  const data = fillTensors(random, { inputTensor: [inputTensor, anyElement(random, dataType, 4)] });
  return { descriptor: { type: 'localResponseNormalization', inputTensor, outputTensor, ...fields }, data };
}

export function localResponseNormalizationGrad(random: Random, index: number): ConformanceCase {
  // Of windows from 10 × 10 on DirectML may lose parts of the sums of squares.
  const { dataType, sizes, fields } = local(random, index, 9);
  const inputTensor = randomTensor(random, dataType, sizes, 'input');
  const inputGradientTensor = randomTensor(random, dataType, sizes, 'input');
  const outputGradientTensor = randomTensor(random, dataType, sizes, 'output');
  return {
    descriptor: {
      type: 'localResponseNormalizationGrad',
      ...{ inputTensor, inputGradientTensor, outputGradientTensor },
      ...fields,
    },
    data: fillTensors(random, {
      inputTensor: [inputTensor, element(random, dataType, 4)],
      inputGradientTensor: [inputGradientTensor, element(random, dataType, 4)],
    }),
  };
}

/** Windows of even and odd sizes, smaller and larger than the tensor; bases from 1 to some hundred. */
function local(random: Random, index: number, largestPlane = 100) {
  const crossChannel = index % 4 < 2;
  return {
    dataType: typeOf(index),
    sizes: randomSizes(random, 4, 200),
    fields: {
      crossChannel,
      localSize: random.chance(0.1) ? random.int(6, crossChannel ? 100 : largestPlane) : random.int(1, 5),
      alpha: random.pick([0.0001, 0.5, 1, random.fraction()]),
      beta: random.pick([0.75, 0.5, 1, 2, random.fraction() * 2]),
      bias: random.pick([1, 2, 1 + random.fraction()]),
    },
  };
}

export function lpNormalization(random: Random, index: number): ConformanceCase {
  const { dataType, sizes } = shapeOf(random, index);
  const inputTensor = randomTensor(random, dataType, sizes, 'input');
  const outputTensor = randomTensor(random, dataType, sizes, 'output');
  // The square of a norm overflows or underflows float32; that of float16 is kept as float16.
  const extreme = dataType === 'float16' ? element(random, dataType, 4) : () => element(random, dataType, random.pick([1, 1e-25, 1e25]))();
  return {
    descriptor: {
      type: 'lpNormalization',
      ...{ inputTensor, outputTensor },
      axis: random.int(0, sizes.length - 1),
      epsilon: random.pick(EPSILONS),
      p: random.int(1, 2),
    },
    data: fillTensors(random, { inputTensor: [inputTensor, random.chance(0.1) ? extreme : anyElement(random, dataType, 4)] }),
  };
}

function someAxes(random: Random, { sizes }: Shape): number[] {
  return random.distinct(random.int(random.chance(0.1) ? 0 : 1, sizes.length), sizes.length);
}
