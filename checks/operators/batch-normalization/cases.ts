/** Cases and tolerances of batch normalization and its gradients. */
import type { Random } from '../../harness/random.js';
import type { ConformanceCase, DataType } from '../../cases/case.js';
import { numberOf } from '../../cases/element-values.js';
import { fillTensors, randomTensor } from '../../cases/layout.js';
import {
  activationFor,
  anyElement,
  element,
  extremeElement,
  extremeEpsilon,
  isExtreme,
  shapeOf,
  shortened,
  withoutRepeats,
  type Role,
} from '../normalization-parts.js';
import { gradientRows, normalMagnitudes, ROOT, trainingGradientMagnitudes, trainingRows } from './bounds.js';
import { fusable } from '../fused.js';
import { ofMagnitudes } from '../../tolerance/row.js';

export const tolerances = {
  batchNormalization: fusable({
    ulp: 12,
    magnitude: ofMagnitudes('|scale|·(|x| + |mean|)/√(variance + epsilon) + |bias|'),
    magnitudesOf: normalMagnitudes,
    narrowed: 2,
    reason: `two sums and a difference, two products; ${ROOT}; with float16, the factor and the addend truncate to float16`,
  }),
  batchNormalizationTraining: trainingRows,
  batchNormalizationGrad: gradientRows({ ulp: 11, narrowed: 1, reason: `a sum, two products; ${ROOT}` }),
  batchNormalizationTrainingGrad: gradientRows({
    ulp: 24,
    perTerm: 1.5,
    magnitude: ofMagnitudes(
      '|scale|/√V·(|gradient| + mean |gradient| + |d|·mean |gradient·d|/V), d = |x| + |mean|, V = variance + epsilon',
    ),
    magnitudesOf: trainingGradientMagnitudes,
    narrowed: 5,
    reason:
      `two means, one of them a mean of products; ${ROOT}; quotients, products and differences; with float16, the means, the ` +
      'two differences and the root truncate to float16',
  }),
};

const EPSILONS = [0.00001, 0.001, 0.25];

/** Mean, variance, scale and bias broadcast independently in most cases; in some they share one shape. */
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
  const extremes = isExtreme(random, isFused);
  const { large, small, factors, variances } = valuesOf(
    random,
    dataType,
    extremes,
    (isFused ? element : anyElement)(random, dataType, 4),
  );
  return {
    descriptor: {
      type: 'batchNormalization',
      ...{ inputTensor, meanTensor, varianceTensor, scaleTensor, biasTensor, outputTensor },
      spatial: random.chance(0.5),
      epsilon: isWithoutVariance ? 0 : epsilonFor(random, extremes),
      fusedActivation: isFused ? activationFor(random, dataType) : null,
    },
    data: fillTensors(random, {
      inputTensor: [inputTensor, large],
      meanTensor: [meanTensor, small()],
      varianceTensor: [varianceTensor, isWithoutVariance ? () => (random.chance(0.5) ? 0 : anyVariance()) : variances],
      scaleTensor: [scaleTensor, factors],
      biasTensor: [biasTensor, small()],
    }),
  };
}

export function batchNormalizationTraining(random: Random, index: number): ConformanceCase {
  const { dataType, sizes } = shapeOf(random, index);
  const short = shortened(random, sizes);
  const anyInput = randomTensor(random, dataType, sizes, 'input');
  const scaleTensor = randomTensor(random, dataType, short, 'input');
  const biasTensor = randomTensor(random, dataType, short, 'input');
  const fusedAddTensor = random.chance(0.5) ? randomTensor(random, dataType, sizes, 'input') : null;
  const outputTensor = randomTensor(random, dataType, sizes, 'output');
  const outputMeanTensor = randomTensor(random, dataType, short, 'output');
  const outputVarianceTensor = randomTensor(random, dataType, short, 'output');
  const isFused = random.chance(0.5);
  const extremes = isExtreme(random, isFused);
  const inputTensor = extremes
    ? withoutRepeats(
        anyInput,
        [...sizes.keys()].filter((axis) => short[axis] === 1),
      )
    : anyInput;
  const moderate = (isFused ? element : anyElement)(random, dataType, 4, random.pick([0, 0, 3, -2]));
  const { large, small, factors } = valuesOf(random, dataType, extremes, moderate);
  return {
    descriptor: {
      type: 'batchNormalizationTraining',
      ...{ inputTensor, scaleTensor, biasTensor, fusedAddTensor, outputTensor, outputMeanTensor, outputVarianceTensor },
      epsilon: extremes && random.chance(0.5) ? extremeEpsilon(random) : random.pick([0.001, 0.25]),
      fusedActivation: isFused ? activationFor(random, dataType) : null,
    },
    data: fillTensors(random, {
      inputTensor: [inputTensor, large],
      scaleTensor: [scaleTensor, factors],
      biasTensor: [biasTensor, small()],
      fusedAddTensor: [fusedAddTensor, small()],
    }),
  };
}

const gradients =
  (type: 'batchNormalizationGrad' | 'batchNormalizationTrainingGrad') =>
  (random: Random, index: number): ConformanceCase => {
    // The order of two multiplications in DirectML depends on the layouts; neither order may overflow.
    const isTraining = type === 'batchNormalizationTrainingGrad';
    const { dataType, sizes } = shapeOf(random, index);
    const short = shortened(random, sizes);
    const tensor = (of: readonly number[], role: 'input' | 'output') => randomTensor(random, dataType, of, role);
    const [inputTensor, inputGradientTensor] = [tensor(sizes, 'input'), tensor(sizes, 'input')];
    const parameter = () => tensor(short, 'input');
    const [meanTensor, varianceTensor, scaleTensor] = [parameter(), parameter(), parameter()];
    const outputGradientTensor = tensor(sizes, 'output');
    const [outputScaleGradientTensor, outputBiasGradientTensor] = [tensor(short, 'output'), tensor(short, 'output')];
    const extremes = isExtreme(random, false);
    const { large, small, factors, variances } = valuesOf(
      random,
      dataType,
      extremes,
      element(random, dataType, 2),
      isTraining ? 'root' : 'term',
    );
    return {
      descriptor: {
        type,
        ...{ inputTensor, inputGradientTensor, meanTensor, varianceTensor, scaleTensor },
        ...{ outputGradientTensor, outputScaleGradientTensor, outputBiasGradientTensor },
        epsilon: epsilonFor(random, extremes),
      },
      data: fillTensors(random, {
        inputTensor: [inputTensor, large],
        inputGradientTensor: [inputGradientTensor, small()],
        meanTensor: [meanTensor, small(1)],
        varianceTensor: [varianceTensor, variances],
        scaleTensor: [scaleTensor, factors],
      }),
    };
  };

export const batchNormalizationGrad = gradients('batchNormalizationGrad');
export const batchNormalizationTrainingGrad = gradients('batchNormalizationTrainingGrad');

/** The element generators of the tensors, extreme or moderate. */
function valuesOf(random: Random, dataType: DataType, extremes: boolean, moderate: () => number, terms: Role = 'element') {
  const of = (role: Role, value: () => number) => (extremes ? extremeElement(random, dataType, role, value) : value);
  return {
    large: of(terms, moderate),
    small: (largest = 2) => of(terms, element(random, dataType, largest)),
    factors: of('factor', element(random, dataType, 2)),
    variances: of('variance', variance(random, dataType)),
  };
}

function epsilonFor(random: Random, extremes: boolean): number {
  return extremes && random.chance(0.5) ? random.pick([0, extremeEpsilon(random)]) : random.pick(EPSILONS);
}

function variance(random: Random, dataType: DataType): () => number {
  return () => numberOf(dataType, 0.25 + random.fraction() * 4);
}
