/** The kernel of every finished operator. One without a kernel does not compile. */
import type { FinishedOperatorType } from '../../../schema/generated/finished.js';
import { activationKernels } from './activation.js';
import { cast, elementWiseAdd1, elementWiseIdentity } from './element-wise.js';
import * as elementWiseBinary from './element-wise-binary.js';
import * as elementWiseClip from './element-wise-clip.js';
import * as elementWiseLogical from './element-wise-logical.js';
import * as elementWisePow from './element-wise-pow.js';
import * as elementWiseQuantize from './element-wise-quantize.js';
import * as elementWiseQuery from './element-wise-query.js';
import * as elementWiseUnary from './element-wise-unary.js';
import { fillValueConstant, join } from './fill-join.js';
import type { Kernel } from './kernel.js';
import * as matrixMultiply from './matrix-multiply.js';
import { nonzeroCoordinates } from './nonzero.js';
import { randomGenerator } from './random.js';
import { argmax, argmin, reduce } from './reduce.js';
import { cumulativeProduct, cumulativeSummation } from './scan.js';
import { gather, gatherNd1, scatterNd } from './scatter-gather.js';
import { fold, unfold } from './windows.js';
import { softmaxKernels } from './softmax.js';

export const kernels: Readonly<Record<FinishedOperatorType, Kernel>> = {
  argmax,
  argmin,
  ...activationKernels,
  ...softmaxKernels,
  cast,
  cumulativeProduct,
  cumulativeSummation,
  elementWiseAdd1,
  elementWiseIdentity,
  ...elementWiseBinary,
  ...elementWiseClip,
  ...elementWiseLogical,
  ...elementWisePow,
  ...elementWiseQuantize,
  ...elementWiseQuery,
  ...elementWiseUnary,
  fillValueConstant,
  fold,
  gather,
  gatherNd1,
  join,
  ...matrixMultiply,
  nonzeroCoordinates,
  randomGenerator,
  reduce,
  scatterNd,
  unfold,
};
