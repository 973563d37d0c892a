/**
 * The operators that the sandbox's Direct3D cannot run, or not always with DirectML's own shaders, in the terms of ONNX:
 * what onnxruntime's CPU provider makes of a case knows nothing of DirectML or of the reference.
 */
import type { OperatorDescriptors, OperatorType } from 'node-directml';
import type { ConformanceCase } from '../case.js';
import type { Output } from '../run-case.js';
import { multiheadAttention, multiheadAttention1 } from './attention.js';
import {
  cast, elementWiseAdd, elementWiseAdd1, elementWiseDifferenceSquare, elementWiseDivide, elementWiseMax,
  elementWiseMean, elementWiseMin, elementWiseMultiply, elementWiseSubtract,
} from './element-wise.js';
import { Graph, NoCounterpart } from './graph.js';
import { matrixMultiplyIntegerToFloat } from './matrix.js';
import { lpNormalization } from './normalization.js';
import { gru, lstm, rnn } from './recurrent.js';

/** Builds the graph of an operator. */
type Counterparts = { readonly [Type in OperatorType]?: (graph: Graph, descriptor: OperatorDescriptors[Type]) => void };

export const counterparts = {
  cast,
  elementWiseAdd,
  elementWiseAdd1,
  elementWiseDifferenceSquare,
  elementWiseDivide,
  elementWiseMax,
  elementWiseMean,
  elementWiseMin,
  elementWiseMultiply,
  elementWiseSubtract,
  gru,
  lpNormalization,
  lstm,
  matrixMultiplyIntegerToFloat,
  multiheadAttention,
  multiheadAttention1,
  rnn,
} satisfies Counterparts;

/** The case's outputs as onnxruntime computes them, or why it does not. Gaps are those of the expected ones. */
export async function runInOnnxruntime(test: ConformanceCase, expected: readonly Output[]): Promise<Output[] | string> {
  const graph = new Graph(test);
  try {
    build(graph, test.descriptor.type, test.descriptor);
  } catch (error) {
    if (error instanceof NoCounterpart) return `${test.descriptor.type} ${error.message}`;
    throw error;
  }
  return graph.run(expected);
}

function build<Type extends OperatorType>(graph: Graph, type: Type, descriptor: OperatorDescriptors[Type]): void {
  const all: Counterparts = counterparts;
  const counterpart = all[type];
  if (counterpart === undefined) throw new NoCounterpart('is not expressed in ONNX');
  counterpart(graph, descriptor);
}
