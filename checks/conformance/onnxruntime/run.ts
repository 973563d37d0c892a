/** Runs a case in onnxruntime, if ONNX can express its operator. */
import type { OperatorType } from 'node-directml';
import { counterparts, type Counterparts } from '../../operators/onnxruntime.js';
import type { ConformanceCase, WholeDescriptor } from '../../cases/case.js';
import type { Output } from '../../cases/run-case.js';
import { Graph, NoCounterpart } from '../../networks/case-graph.js';

/** The case's outputs as onnxruntime computes them, or the reason why it cannot. Gaps are copied from `expected`. */
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

function build<Type extends OperatorType>(graph: Graph, type: Type, descriptor: WholeDescriptor<Type>): void {
  const all: Counterparts = counterparts;
  const counterpart = all[type];
  if (counterpart === undefined) throw new NoCounterpart('is not expressed in ONNX');
  counterpart(graph, descriptor);
}
