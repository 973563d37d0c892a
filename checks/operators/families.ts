/**
 * The families of operators. A family has a folder in lib/operators, with its facts, its rule and its kernel, and one of the same
 * name here. The folder's index.ts exports the parts below. If ONNX has
 * counterparts of its operators, the folder's onnxruntime.ts defines them; it is loaded only when needed.
 */
import type { CaseGenerator } from '../cases/case.js';
import type { OperatorTolerance } from '../tolerance/row.js';
import type { OwnExample, WorkedExample } from '../cases/example.js';
import * as activation from './activation/index.js';
import * as alongAxis from './along-axis/index.js';
import * as attention from './attention/index.js';
import * as batchNormalization from './batch-normalization/index.js';
import * as convolution from './convolution/index.js';
import * as depthSpace from './depth-space/index.js';
import * as elementWise from './element-wise/index.js';
import * as elementWiseBinary from './element-wise-binary/index.js';
import * as elementWiseQuantize from './element-wise-quantize/index.js';
import * as elementWiseUnary from './element-wise-unary/index.js';
import * as fillJoin from './fill-join/index.js';
import * as fold from './fold/index.js';
import * as matrixMultiply from './matrix-multiply/index.js';
import * as nonzero from './nonzero/index.js';
import * as normalization from './normalization/index.js';
import * as optimizer from './optimizer/index.js';
import * as padding from './padding/index.js';
import * as pooling from './pooling/index.js';
import * as quantize from './quantize/index.js';
import * as random from './random/index.js';
import * as recurrent from './recurrent/index.js';
import * as reduce from './reduce/index.js';
import * as resample from './resample/index.js';
import * as roi from './roi/index.js';
import * as scan from './scan/index.js';
import * as scatterGather from './scatter-gather/index.js';
import * as sequence from './sequence/index.js';
import * as slice from './slice/index.js';
import * as softmax from './softmax/index.js';
import * as topK from './top-k/index.js';

interface FamilyParts {
  /** The case generator of each operator. */
  readonly cases: Readonly<Record<string, CaseGenerator>>;
  /** The tolerance of each operator. */
  readonly tolerances: Readonly<Record<string, OperatorTolerance>>;
  /** Lists of examples, by any name. */
  readonly examples: Readonly<Record<string, readonly (WorkedExample | OwnExample)[]>>;
}

export const families = {
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
} satisfies Readonly<Record<string, FamilyParts>>;

export type Family = keyof typeof families;

/** The cases or the tolerances of all families in one record, by operator. */
export function byOperator<Part extends 'cases' | 'tolerances'>(part: Part): Intersection<(typeof families)[Family][Part]>;
export function byOperator(part: 'cases' | 'tolerances'): object {
  return merged(Object.values(families).map((family) => family[part]));
}

/** The entries of all parts in one record. */
export function merged<Part extends object>(parts: readonly Part[]): Intersection<Part>;
export function merged(parts: readonly object[]): object {
  return Object.fromEntries(parts.flatMap((part) => Object.entries(part)));
}

/** The intersection of a union's members. */
type Intersection<Union> = (Union extends unknown ? (member: Union) => void : never) extends (all: infer All) => void
  ? All
  : never;
