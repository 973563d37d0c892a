/** The rule of each operator. An operator without one does not compile. */
import * as activation from './activation/rule.js';
import * as alongAxis from './along-axis/rule.js';
import * as attention from './attention/rule.js';
import * as depthSpace from './depth-space/rule.js';
import * as convolution from './convolution/rule.js';
import * as elementWise from './element-wise/rule.js';
import * as elementWiseBinary from './element-wise-binary/rule.js';
import * as elementWiseQuantize from './element-wise-quantize/rule.js';
import * as elementWiseUnary from './element-wise-unary/rule.js';
import * as fillJoin from './fill-join/rule.js';
import * as matrixMultiply from './matrix-multiply/rule.js';
import * as batchNormalization from './batch-normalization/rule.js';
import * as normalization from './normalization/rule.js';
import * as nonzero from './nonzero/rule.js';
import * as padding from './padding/rule.js';
import * as quantize from './quantize/rule.js';
import * as pooling from './pooling/rule.js';
import * as optimizer from './optimizer/rule.js';
import * as random from './random/rule.js';
import * as recurrent from './recurrent/rule.js';
import * as reduce from './reduce/rule.js';
import type { Rules } from '../descriptors/rule.js';
import * as resample from './resample/rule.js';
import * as roi from './roi/rule.js';
import * as scan from './scan/rule.js';
import * as scatterGather from './scatter-gather/rule.js';
import * as sequence from './sequence/rule.js';
import * as slice from './slice/rule.js';
import * as softmax from './softmax/rule.js';
import * as topK from './top-k/rule.js';
import * as fold from './fold/rule.js';

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
