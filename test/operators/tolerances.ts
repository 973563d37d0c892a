/** The tolerances of every family. An operator without one does not compile. */
import type { OperatorType } from 'node-directml';
import type { ConformanceCase } from '../conformance/case.js';
import { EXACT, type OperatorTolerance, type ToleranceRow } from '../conformance/tolerance/row.js';
import { tolerances as activation } from './activation/tolerance.js';
import { tolerances as alongAxis } from './along-axis/tolerance.js';
import { tolerances as attention } from './attention/tolerance.js';
import { tolerances as batchNormalization } from './batch-normalization/tolerance.js';
import { tolerances as convolution } from './convolution/tolerance.js';
import { tolerances as depthSpace } from './depth-space/tolerance.js';
import { tolerances as elementWiseBinary } from './element-wise-binary/tolerance.js';
import { tolerances as elementWiseQuantize } from './element-wise-quantize/tolerance.js';
import { tolerances as elementWiseUnary } from './element-wise-unary/tolerance.js';
import { tolerances as elementWise } from './element-wise/tolerance.js';
import { together, type ByFamily } from './families.js';
import { tolerances as fillJoin } from './fill-join/tolerance.js';
import { tolerances as matrixMultiply } from './matrix-multiply/tolerance.js';
import { tolerances as nonzero } from './nonzero/tolerance.js';
import { tolerances as normalization } from './normalization/tolerance.js';
import { tolerances as optimizer } from './optimizer/tolerance.js';
import { tolerances as padding } from './padding/tolerance.js';
import { tolerances as pooling } from './pooling/tolerance.js';
import { tolerances as quantize } from './quantize/tolerance.js';
import { tolerances as random } from './random/tolerance.js';
import { tolerances as recurrent } from './recurrent/tolerance.js';
import { tolerances as reduce } from './reduce/tolerance.js';
import { tolerances as resample } from './resample/tolerance.js';
import { tolerances as roi } from './roi/tolerance.js';
import { tolerances as scan } from './scan/tolerance.js';
import { tolerances as scatterGather } from './scatter-gather/tolerance.js';
import { tolerances as sequence } from './sequence/tolerance.js';
import { tolerances as slice } from './slice/tolerance.js';
import { tolerances as softmax } from './softmax/tolerance.js';
import { tolerances as topK } from './top-k/tolerance.js';
import { tolerances as fold } from './fold/tolerance.js';

export const tolerancesByFamily = {
  activation,
  'along-axis': alongAxis,
  attention,
  'batch-normalization': batchNormalization,
  convolution,
  'depth-space': depthSpace,
  'element-wise': elementWise,
  'element-wise-binary': elementWiseBinary,
  'element-wise-quantize': elementWiseQuantize,
  'element-wise-unary': elementWiseUnary,
  'fill-join': fillJoin,
  fold,
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
  'scatter-gather': scatterGather,
  sequence,
  slice,
  softmax,
  'top-k': topK,
} satisfies ByFamily<OperatorTolerance>;

export const TOLERANCES: Readonly<Record<OperatorType, OperatorTolerance>> = together(tolerancesByFamily);

/** `output` is the field's name. */
export function toleranceOf({ descriptor }: ConformanceCase, output: string): ToleranceRow {
  const own = TOLERANCES[descriptor.type];
  return 'rows' in own ? (own.rows[own.pick(descriptor, output)] ?? EXACT) : own;
}
