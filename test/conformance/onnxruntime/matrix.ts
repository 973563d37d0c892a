/** Products of matrices. */
import type { Graph, Value } from './graph.js';

export function matrixMultiplyIntegerToFloat(graph: Graph): void {
  const product = graph.node('MatMul', [dequantized(graph, 'a'), dequantized(graph, 'b')]);
  const bias = graph.floats('biasTensor');
  graph.output('outputTensor', bias === null ? product : graph.node('Add', [product, bias]));
}

function dequantized(graph: Graph, matrix: 'a' | 'b'): Value {
  const values = graph.floats(`${matrix}Tensor`);
  const zeroPoint = graph.floats(`${matrix}ZeroPointTensor`);
  const shifted = zeroPoint === null ? values : graph.node('Sub', [values, zeroPoint]);
  return graph.node('Mul', [shifted, graph.floats(`${matrix}ScaleTensor`)]);
}
