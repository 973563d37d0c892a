/** The kernel of every operator. One without a kernel does not compile. */
import type { OperatorType } from '../descriptors/generated/descriptors.js';
import { activationKernels } from './activation/kernel.js';
import * as alongAxis from './along-axis/kernel.js';
import * as attention from './attention/kernel.js';
import * as depthSpace from './depth-space/kernel.js';
import { cast, elementWiseAdd1, elementWiseIdentity } from './element-wise/kernel.js';
import * as convolution from './convolution/kernel.js';
import * as elementWiseBinary from './element-wise-binary/kernel.js';
import * as elementWiseClip from './element-wise-unary/kernel-clip.js';
import * as elementWiseLogical from './element-wise-binary/kernel-logical.js';
import { elementWisePow } from './element-wise-binary/kernel-pow.js';
import {
  elementWiseDequantizeLinear,
  elementWiseQuantizedLinearAdd,
  elementWiseQuantizeLinear,
} from './element-wise-quantize/kernel.js';
import * as elementWiseQuery from './element-wise-unary/kernel-query.js';
import * as elementWiseUnary from './element-wise-unary/kernel.js';
import { fillValueConstant, join } from './fill-join/kernel.js';
import type { Kernel } from '../compute/kernel.js';
import * as matrixMultiply from './matrix-multiply/kernel.js';
import * as batchNormalization from './batch-normalization/kernel.js';
import * as normalization from './normalization/kernel.js';
import { nonzeroCoordinates } from './nonzero/kernel.js';
import * as padding from './padding/kernel.js';
import * as resample from './resample/kernel.js';
import * as resampleGradient from './resample/kernel-gradient.js';
import { roiAlign, roiAlign1, roiPooling } from './roi/kernel.js';
import { roiAlignGrad } from './roi/kernel-gradient.js';
import * as quantize from './quantize/kernel.js';
import * as pooling from './pooling/kernel.js';
import * as poolingGradient from './pooling/kernel-gradient.js';
import * as optimizer from './optimizer/kernel.js';
import { randomGenerator } from './random/kernel.js';
import * as recurrent from './recurrent/kernel.js';
import { argmax, argmin, reduce } from './reduce/kernel.js';
import { cumulativeProduct, cumulativeSummation } from './scan/kernel.js';
import { gather, gatherNd, gatherNd1, scatterNd } from './scatter-gather/kernel.js';
import * as sequence from './sequence/kernel.js';
import * as slice from './slice/kernel.js';
import { softmaxKernels } from './softmax/kernel.js';
import * as topK from './top-k/kernel.js';
import { fold, unfold } from './fold/kernel.js';

export const kernels: { readonly [Type in OperatorType]: Kernel<Type> } = {
  argmax,
  argmin,
  ...activationKernels,
  ...attention,
  ...softmaxKernels,
  cast,
  ...convolution,
  cumulativeProduct,
  cumulativeSummation,
  elementWiseAdd1,
  elementWiseIdentity,
  ...elementWiseBinary,
  ...elementWiseClip,
  ...elementWiseLogical,
  elementWisePow,
  elementWiseDequantizeLinear,
  elementWiseQuantizedLinearAdd,
  elementWiseQuantizeLinear,
  ...elementWiseQuery,
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
  ...optimizer,
  ...quantize,
  ...resample,
  ...resampleGradient,
  ...pooling,
  ...poolingGradient,
  ...recurrent,
  roiAlign,
  roiAlign1,
  roiAlignGrad,
  roiPooling,
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
