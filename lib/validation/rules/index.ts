/** The rule of each operator. An operator without one does not compile. */
import * as activation from './activation.js';
import * as alongAxis from './along-axis.js';
import * as attention from './attention.js';
import * as depthSpace from './depth-space.js';
import * as convolution from './convolution.js';
import * as elementWise from './element-wise.js';
import * as elementWiseBinary from './element-wise-binary.js';
import * as elementWiseQuantize from './element-wise-quantize.js';
import * as elementWiseUnary from './element-wise-unary.js';
import * as fillJoin from './fill-join.js';
import * as matrixMultiply from './matrix-multiply.js';
import * as batchNormalization from './batch-normalization.js';
import * as normalization from './normalization.js';
import * as nonzero from './nonzero.js';
import * as padding from './padding.js';
import * as quantize from './quantize.js';
import * as pooling from './pooling.js';
import * as optimizer from './optimizer.js';
import * as random from './random.js';
import * as recurrent from './recurrent.js';
import * as reduce from './reduce.js';
import type { Rules } from '../../descriptors/rule.js';
import * as resample from './resample.js';
import * as roi from './roi.js';
import * as scan from './scan.js';
import * as scatterGather from './scatter-gather.js';
import * as sequence from './sequence.js';
import * as slice from './slice.js';
import * as softmax from './softmax.js';
import * as topK from './top-k.js';
import * as fold from './fold.js';

export const rules: Rules = {
  ...activation,
  ...attention,
  ...convolution,
  ...elementWise,
  ...elementWiseUnary,
  ...elementWiseBinary,
  ...elementWiseQuantize,
  ...fillJoin,
  ...matrixMultiply,
  ...batchNormalization,
  ...normalization,
  ...nonzero,
  ...optimizer,
  ...quantize,
  ...pooling,
  ...random,
  ...recurrent,
  ...reduce,
  ...resample,
  ...roi,
  ...scan,
  ...scatterGather,
  ...fold,
  ...softmax,
  ...alongAxis,
  ...depthSpace,
  ...padding,
  ...sequence,
  ...slice,
  ...topK,
};
