/** Cases of batch normalization and its gradients. */
import type { Random } from '../../random.js';
import type { ConformanceCase, DataType } from '../case.js';
import { numberOf } from '../element-values.js';
import { fillTensors, randomTensor } from '../layout.js';
import { activationFor, anyElement, element, shapeOf, shortened } from './normalization-parts.js';

const EPSILONS = [0.00001, 0.001, 0.25];

/** Mean, variance, scale and bias broadcast in their own ways each. */
export function batchNormalization(random: Random, index: number): ConformanceCase {
  const { dataType, sizes } = shapeOf(random, index);
  const isShared = random.chance(0.3);
  const short = shortened(random, sizes);
  const parameter = () =>
    isShared ? { dataType, sizes: short } : randomTensor(random, dataType, shortened(random, sizes), 'input');
  const inputTensor = randomTensor(random, dataType, sizes, 'input');
  const [meanTensor, varianceTensor, scaleTensor, biasTensor] = [parameter(), parameter(), parameter(), parameter()];
  const outputTensor = randomTensor(random, dataType, sizes, 'output');
  const isFused = random.chance(0.5);
  const isWithoutVariance = !isFused && random.chance(0.2);
  const anyVariance = variance(random, dataType);
  return {
    descriptor: {
      type: 'batchNormalization',
      ...{ inputTensor, meanTensor, varianceTensor, scaleTensor, biasTensor, outputTensor },
      spatial: random.chance(0.5),
      epsilon: isWithoutVariance ? 0 : random.pick(EPSILONS),
      fusedActivation: isFused ? activationFor(random, dataType) : null,
    },
    data: fillTensors(random, {
      inputTensor: [inputTensor, (isFused ? element : anyElement)(random, dataType, 4)],
      meanTensor: [meanTensor, element(random, dataType, 2)],
      varianceTensor: [varianceTensor, () => (isWithoutVariance && random.chance(0.5) ? 0 : anyVariance())],
      scaleTensor: [scaleTensor, element(random, dataType, 2)],
      biasTensor: [biasTensor, element(random, dataType, 2)],
    }),
  };
}

export function batchNormalizationTraining(random: Random, index: number): ConformanceCase {
  const { dataType, sizes } = shapeOf(random, index);
  const short = shortened(random, sizes);
  const inputTensor = randomTensor(random, dataType, sizes, 'input');
  const scaleTensor = randomTensor(random, dataType, short, 'input');
  const biasTensor = randomTensor(random, dataType, short, 'input');
  const fusedAddTensor = random.chance(0.5) ? randomTensor(random, dataType, sizes, 'input') : null;
  const outputTensor = randomTensor(random, dataType, sizes, 'output');
  const outputMeanTensor = randomTensor(random, dataType, short, 'output');
  const outputVarianceTensor = randomTensor(random, dataType, short, 'output');
  const isFused = random.chance(0.5);
  return {
    descriptor: {
      type: 'batchNormalizationTraining',
      ...{ inputTensor, scaleTensor, biasTensor, fusedAddTensor, outputTensor, outputMeanTensor, outputVarianceTensor },
      epsilon: random.pick([0.001, 0.25]),
      fusedActivation: isFused ? activationFor(random, dataType) : null,
    },
    data: fillTensors(random, {
      inputTensor: [inputTensor, (isFused ? element : anyElement)(random, dataType, 4, random.pick([0, 0, 3, -2]))],
      scaleTensor: [scaleTensor, element(random, dataType, 2)],
      biasTensor: [biasTensor, element(random, dataType, 2)],
      fusedAddTensor: [fusedAddTensor, element(random, dataType, 2)],
    }),
  };
}

const gradients =
  (type: 'batchNormalizationGrad' | 'batchNormalizationTrainingGrad') =>
  (random: Random, index: number): ConformanceCase => {
    const { dataType, sizes } = shapeOf(random, index);
    const short = shortened(random, sizes);
    const tensor = (of: readonly number[], role: 'input' | 'output') => randomTensor(random, dataType, of, role);
    const [inputTensor, inputGradientTensor] = [tensor(sizes, 'input'), tensor(sizes, 'input')];
    const parameter = () => tensor(short, 'input');
    const [meanTensor, varianceTensor, scaleTensor] = [parameter(), parameter(), parameter()];
    const outputGradientTensor = tensor(sizes, 'output');
    const [outputScaleGradientTensor, outputBiasGradientTensor] = [tensor(short, 'output'), tensor(short, 'output')];
    return {
      descriptor: {
        type,
        ...{ inputTensor, inputGradientTensor, meanTensor, varianceTensor, scaleTensor },
        ...{ outputGradientTensor, outputScaleGradientTensor, outputBiasGradientTensor },
        epsilon: random.pick(EPSILONS),
      },
      data: fillTensors(random, {
        inputTensor: [inputTensor, element(random, dataType, 2)],
        inputGradientTensor: [inputGradientTensor, element(random, dataType, 2)],
        meanTensor: [meanTensor, element(random, dataType, 1)],
        varianceTensor: [varianceTensor, variance(random, dataType)],
        scaleTensor: [scaleTensor, element(random, dataType, 2)],
      }),
    };
  };

export const batchNormalizationGrad = gradients('batchNormalizationGrad');
export const batchNormalizationTrainingGrad = gradients('batchNormalizationTrainingGrad');

function variance(random: Random, dataType: DataType): () => number {
  return () => numberOf(dataType, 0.25 + random.fraction() * 4);
}
