/** The case generators of every family. An operator without cases does not compile. */
import type { OperatorType } from 'node-directml';
import { isOperatorType } from '#lib/validation/index.js';
import type { CaseGenerator, ConformanceCase } from '../conformance/case.js';
import * as fixed from '../conformance/fixed.js';
import { activationCases } from './activation/cases.js';
import * as alongAxis from './along-axis/cases.js';
import * as attention from './attention/cases.js';
import * as batchNormalization from './batch-normalization/cases.js';
import * as convolution from './convolution/cases.js';
import * as depthSpace from './depth-space/cases.js';
import { cast, elementWiseAdd1, elementWiseIdentity, signedNans } from './element-wise/cases.js';
import * as elementWiseBinary from './element-wise-binary/cases.js';
import * as elementWiseQuantize from './element-wise-quantize/cases.js';
import * as elementWiseUnary from './element-wise-unary/cases.js';
import { together, type ByFamily } from './families.js';
import * as fillJoin from './fill-join/cases.js';
import * as matrixMultiply from './matrix-multiply/cases.js';
import * as nonzero from './nonzero/cases.js';
import * as normalization from './normalization/cases.js';
import * as optimizer from './optimizer/cases.js';
import * as padding from './padding/cases.js';
import * as pooling from './pooling/cases.js';
import * as quantize from './quantize/cases.js';
import * as random from './random/cases.js';
import * as recurrent from './recurrent/cases.js';
import * as reduce from './reduce/cases.js';
import * as resample from './resample/cases.js';
import * as roi from './roi/cases.js';
import * as scan from './scan/cases.js';
import { gather, gatherNd, gatherNd1, scatterNd, specificationExamples } from './scatter-gather/cases.js';
import * as sequence from './sequence/cases.js';
import * as slice from './slice/cases.js';
import { softmaxCases } from './softmax/cases.js';
import * as topK from './top-k/cases.js';
import { fold, unfold } from './fold/cases.js';

export const casesByFamily = {
  activation: activationCases,
  'along-axis': alongAxis,
  attention,
  'batch-normalization': batchNormalization,
  convolution,
  'depth-space': depthSpace,
  'element-wise': { cast, elementWiseAdd1, elementWiseIdentity },
  'element-wise-binary': elementWiseBinary,
  'element-wise-quantize': elementWiseQuantize,
  'element-wise-unary': elementWiseUnary,
  'fill-join': fillJoin,
  fold: { fold, unfold },
  'matrix-multiply': matrixMultiply,
  nonzero,
  normalization,
  optimizer,
  padding,
  pooling,
  quantize,
  random,
  recurrent,
  reduce,
  resample,
  roi,
  scan,
  'scatter-gather': { gather, gatherNd, gatherNd1, scatterNd },
  sequence,
  slice,
  softmax: softmaxCases,
  'top-k': topK,
} satisfies ByFamily<CaseGenerator>;

export const generators: Readonly<Record<OperatorType, CaseGenerator>> = together(casesByFamily);

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
