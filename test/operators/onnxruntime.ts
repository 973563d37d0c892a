/**
 * The operators that the sandbox's Direct3D cannot run, or not always with DirectML's own shaders, in the terms of ONNX:
 * what onnxruntime's CPU provider makes of a case knows nothing of DirectML or of the reference.
 */
import type { WholeDescriptor } from '../conformance/case.js';
import type { OperatorType } from 'node-directml';
import type { Graph } from '../conformance/onnxruntime/graph.js';
import * as attention from './attention/onnxruntime.js';
import * as elementWise from './element-wise/onnxruntime.js';
import * as elementWiseBinary from './element-wise-binary/onnxruntime.js';
import { together, type Family } from './families.js';
import * as matrixMultiply from './matrix-multiply/onnxruntime.js';
import * as normalization from './normalization/onnxruntime.js';
import * as recurrent from './recurrent/onnxruntime.js';

/** Builds the graph of an operator. */
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

export const counterparts = together(counterpartsByFamily) satisfies Counterparts;
