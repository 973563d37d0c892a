/** LP normalization in ONNX. */
import type { WholeDescriptor } from '../../cases/case.js';
import type { Graph } from '../../networks/case-graph.js';

/** Composed of basic operators, because ONNX's LpNormalization has no epsilon. */
export function lpNormalization(graph: Graph, { axis, epsilon, p }: WholeDescriptor<'lpNormalization'>): void {
  const input = graph.floats('inputTensor');
  const norm = graph.node(p === 1 ? 'ReduceL1' : 'ReduceL2', [input, graph.integers(axis)]);
  const square = graph.node('Add', [graph.node('Mul', [norm, norm]), graph.float32(epsilon)]);
  graph.output('outputTensor', graph.node('Div', [input, graph.node('Sqrt', [square])]));
}
