/** The case generator of every operator. One without cases does not compile. */
import type { OperatorType } from 'node-directml';
import { isOperatorType } from '#lib/validation/index.js';
import type { Random } from '../../random.js';
import type { ConformanceCase } from '../case.js';
import { activationCases } from './activation.js';
import * as alongAxis from './along-axis.js';
import * as attention from './attention.js';
import * as depthSpace from './depth-space.js';
import { cast, elementWiseAdd1, elementWiseIdentity, signedNans } from './element-wise.js';
import * as convolution from './convolution.js';
import * as elementWiseBinary from './element-wise-binary.js';
import * as elementWisePow from './element-wise-pow.js';
import * as elementWiseQuantize from './element-wise-quantize.js';
import * as elementWiseUnary from './element-wise-unary.js';
import { fillValueConstant, join } from './fill-join.js';
import * as fixed from './fixed.js';
import * as matrixMultiply from './matrix-multiply.js';
import * as batchNormalization from './batch-normalization.js';
import * as normalization from './normalization.js';
import { nonzeroCoordinates } from './nonzero.js';
import * as padding from './padding.js';
import * as resample from './resample.js';
import * as roi from './roi.js';
import * as quantize from './quantize.js';
import * as pooling from './pooling.js';
import * as poolingGradient from './pooling-gradient.js';
import { adamOptimizer } from './optimizer.js';
import { randomGenerator } from './random.js';
import * as recurrent from './recurrent.js';
import { argmax, argmin, reduce } from './reduce.js';
import { cumulativeProduct, cumulativeSummation } from './scan.js';
import { gather, gatherNd, gatherNd1, scatterNd, specificationExamples } from './scatter-gather.js';
import * as sequence from './sequence.js';
import * as slice from './slice.js';
import { softmaxCases } from './softmax.js';
import * as topK from './top-k.js';
import { fold, unfold } from './windows.js';

export type CaseGenerator = (random: Random, index: number) => ConformanceCase;

export const generators: Readonly<Record<OperatorType, CaseGenerator>> = {
  argmax,
  argmin,
  ...activationCases,
  ...attention,
  ...softmaxCases,
  cast,
  ...convolution,
  cumulativeProduct,
  cumulativeSummation,
  elementWiseAdd1,
  elementWiseIdentity,
  ...elementWiseBinary,
  ...elementWisePow,
  ...elementWiseQuantize,
  ...elementWiseUnary,
  fillValueConstant,
  fold,
  gather,
  gatherNd,
  gatherNd1,
  join,
  ...matrixMultiply,
  ...batchNormalization,
  ...normalization,
  nonzeroCoordinates,
  adamOptimizer,
  ...quantize,
  ...resample,
  ...pooling,
  ...poolingGradient,
  ...recurrent,
  ...roi,
  randomGenerator,
  reduce,
  scatterNd,
  unfold,
  ...alongAxis,
  ...depthSpace,
  ...padding,
  ...sequence,
  ...slice,
  ...topK,
};

/** Cases that run first, before the random ones. */
export const fixedCases: Readonly<Partial<Record<OperatorType, () => ConformanceCase[]>>> = {
  argmax: fixed.extremesAmongNaN('argmax'),
  argmin: fixed.extremesAmongNaN('argmin'),
  batchNormalization: () => [fixed.differencesBeyondFloat32()],
  cast: () => [...signedNans(), fixed.castToSubnormals()],
  elementWisePow: fixed.largePowers,
  elementWiseQuantizeLinear: fixed.nanInFilledRows,
  matrixMultiplyIntegerToFloat: fixed.biasesBeyondFloat16,
  scatterNd: specificationExamples,
};

export const operatorTypes: readonly OperatorType[] = Object.keys(generators).filter(isOperatorType);
