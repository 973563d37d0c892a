/** The rules of gradients of all operators, or why there is none. */
import { gradients as activation } from './activation/gradient.js';
import { gradients as alongAxis } from './along-axis/gradient.js';
import { gradients as attention } from './attention/gradient.js';
import { gradients as batchNormalization } from './batch-normalization/gradient.js';
import { gradients as convolution } from './convolution/gradient.js';
import { gradients as depthSpace } from './depth-space/gradient.js';
import { gradients as elementWise } from './element-wise/gradient.js';
import { gradients as elementWiseBinary } from './element-wise-binary/gradient.js';
import { gradients as elementWiseQuantize } from './element-wise-quantize/gradient.js';
import { gradients as elementWiseUnary } from './element-wise-unary/gradient.js';
import { gradients as fillJoin } from './fill-join/gradient.js';
import { gradients as fold } from './fold/gradient.js';
import { gradients as matrixMultiply } from './matrix-multiply/gradient.js';
import { gradients as nonzero } from './nonzero/gradient.js';
import { gradients as normalization } from './normalization/gradient.js';
import { gradients as optimizer } from './optimizer/gradient.js';
import { gradients as padding } from './padding/gradient.js';
import { gradients as pooling } from './pooling/gradient.js';
import { gradients as quantize } from './quantize/gradient.js';
import { gradients as random } from './random/gradient.js';
import { gradients as recurrent } from './recurrent/gradient.js';
import { gradients as reduce } from './reduce/gradient.js';
import { gradients as resample } from './resample/gradient.js';
import { gradients as roi } from './roi/gradient.js';
import { gradients as scan } from './scan/gradient.js';
import { gradients as scatterGather } from './scatter-gather/gradient.js';
import { gradients as sequence } from './sequence/gradient.js';
import { gradients as slice } from './slice/gradient.js';
import { gradients as softmax } from './softmax/gradient.js';
import { gradients as topK } from './top-k/gradient.js';
import type { OperatorType } from '../descriptors/generated/descriptors.js';
import type { GradientRule } from '../descriptors/gradient.js';

const rules: { readonly [Type in OperatorType]: GradientRule<Type> | string } = {
  ...activation,
  ...alongAxis,
  ...attention,
  ...batchNormalization,
  ...convolution,
  ...depthSpace,
  ...elementWise,
  ...elementWiseBinary,
  ...elementWiseQuantize,
  ...elementWiseUnary,
  ...fillJoin,
  ...fold,
  ...matrixMultiply,
  ...nonzero,
  ...normalization,
  ...optimizer,
  ...padding,
  ...pooling,
  ...quantize,
  ...random,
  ...recurrent,
  ...reduce,
  ...resample,
  ...roi,
  ...scan,
  ...scatterGather,
  ...sequence,
  ...slice,
  ...softmax,
  ...topK,
};

/** The rule of an operator. A text says why there is none. */
export function gradientRuleOf(type: OperatorType): GradientRule | string {
  return rules[type] as GradientRule | string;
}
