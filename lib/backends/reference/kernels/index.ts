/** The kernel of every operator. One without a kernel does not compile. */
import type { OperatorType } from '../../../descriptors/generated/descriptors.js';
import { activationKernels } from './activation.js';
import * as alongAxis from './along-axis.js';
import * as attention from './attention.js';
import * as depthSpace from './depth-space.js';
import { cast, elementWiseAdd1, elementWiseIdentity } from './element-wise.js';
import * as convolution from './convolution.js';
import * as elementWiseBinary from './element-wise-binary.js';
import * as elementWiseClip from './element-wise-unary-clip.js';
import * as elementWiseLogical from './element-wise-binary-logical.js';
import { elementWisePow } from './element-wise-binary-pow.js';
import {
  elementWiseDequantizeLinear,
  elementWiseQuantizedLinearAdd,
  elementWiseQuantizeLinear,
} from './element-wise-quantize.js';
import * as elementWiseQuery from './element-wise-unary-query.js';
import * as elementWiseUnary from './element-wise-unary.js';
import { fillValueConstant, join } from './fill-join.js';
import type { Kernel } from '../../../compute/kernel.js';
import * as matrixMultiply from './matrix-multiply.js';
import * as batchNormalization from './batch-normalization.js';
import * as normalization from './normalization.js';
import { nonzeroCoordinates } from './nonzero.js';
import * as padding from './padding.js';
import * as resample from './resample.js';
import * as resampleGradient from './resample-gradient.js';
import { roiAlign, roiAlign1, roiPooling } from './roi.js';
import { roiAlignGrad } from './roi-gradient.js';
import * as quantize from './quantize.js';
import * as pooling from './pooling.js';
import * as poolingGradient from './pooling-gradient.js';
import * as optimizer from './optimizer.js';
import { randomGenerator } from './random.js';
import * as recurrent from './recurrent.js';
import { argmax, argmin, reduce } from './reduce.js';
import { cumulativeProduct, cumulativeSummation } from './scan.js';
import { gather, gatherNd, gatherNd1, scatterNd } from './scatter-gather.js';
import * as sequence from './sequence.js';
import * as slice from './slice.js';
import { softmaxKernels } from './softmax.js';
import * as topK from './top-k.js';
import { fold, unfold } from './fold.js';

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
