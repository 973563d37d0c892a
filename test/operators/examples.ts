/** The examples of every family: those of the public reference that this package carries, and ours. */
import type { OperatorType } from 'node-directml';
import { isWorked, type OwnExample, type WorkedExample } from '../reference/example.js';
import * as activation from './activation/examples.js';
import * as alongAxis from './along-axis/examples.js';
import * as attention from './attention/examples.js';
import * as batchNormalization from './batch-normalization/examples.js';
import * as convolution from './convolution/examples.js';
import * as depthSpace from './depth-space/examples.js';
import * as elementWiseBinary from './element-wise-binary/examples.js';
import * as elementWiseQuantize from './element-wise-quantize/examples.js';
import * as elementWiseUnary from './element-wise-unary/examples.js';
import * as elementWise from './element-wise/examples.js';
import type { ByFamily } from './families.js';
import * as fillJoin from './fill-join/examples.js';
import * as matrixMultiply from './matrix-multiply/examples.js';
import * as nonzero from './nonzero/examples.js';
import * as normalization from './normalization/examples.js';
import * as optimizer from './optimizer/examples.js';
import * as padding from './padding/examples.js';
import * as pooling from './pooling/examples.js';
import * as quantize from './quantize/examples.js';
import * as random from './random/examples.js';
import * as recurrent from './recurrent/examples.js';
import * as reduce from './reduce/examples.js';
import * as resample from './resample/examples.js';
import * as roi from './roi/examples.js';
import * as scan from './scan/examples.js';
import * as scatterGather from './scatter-gather/examples.js';
import * as sequence from './sequence/examples.js';
import * as slice from './slice/examples.js';
import * as softmax from './softmax/examples.js';
import * as topK from './top-k/examples.js';
import * as fold from './fold/examples.js';

export const examplesByFamily: ByFamily<readonly (WorkedExample | OwnExample)[]> = {
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
};

const all = Object.values(examplesByFamily).flatMap((family) => Object.values(family).flat());

/** Those of the public reference. */
export const workedExamples: readonly WorkedExample[] = all.filter(isWorked);

export const ownExamples: readonly OwnExample[] = all.filter((example) => !isWorked(example));

/** By the operator that is computed. */
export function examplesByOperator(): ReadonlyMap<OperatorType, readonly WorkedExample[]> {
  const types = [...new Set(workedExamples.map(({ descriptor }) => descriptor.type))].sort();
  return new Map(types.map((type) => [type, workedExamples.filter(({ descriptor }) => descriptor.type === type)]));
}
