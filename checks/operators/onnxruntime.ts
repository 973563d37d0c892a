/**
 * ONNX counterparts of the operators that the sandbox's Direct3D cannot run, or not always with DirectML's own shaders.
 * onnxruntime's CPU provider gives results for them that are independent of DirectML and of the reference.
 */
import type { WholeDescriptor } from '../cases/case.js';
import type { OperatorType } from 'node-directml';
import type { Graph } from '../networks/case-graph.js';
import * as attention from './attention/onnxruntime.js';
import * as elementWise from './element-wise/onnxruntime.js';
import * as elementWiseBinary from './element-wise-binary/onnxruntime.js';
import { merged, type Family } from './families.js';
import * as matrixMultiply from './matrix-multiply/onnxruntime.js';
import * as normalization from './normalization/onnxruntime.js';
import * as recurrent from './recurrent/onnxruntime.js';

/** For some operators, a function that adds the operator to a graph. */
export type Counterparts = {
  readonly [Type in OperatorType]?: (graph: Graph, descriptor: WholeDescriptor<Type>) => void;
};

export const counterpartsByFamily = {
  attention,
  'element-wise': elementWise,
  'element-wise-binary': elementWiseBinary,
  'matrix-multiply': matrixMultiply,
  normalization,
  recurrent,
} satisfies Readonly<Partial<Record<Family, object>>>;

export const counterparts = merged(Object.values(counterpartsByFamily)) satisfies Counterparts;
