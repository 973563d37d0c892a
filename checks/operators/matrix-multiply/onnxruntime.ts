/** Matrix products in ONNX. */
import type { WholeDescriptor } from '../../cases/case.js';
import { isTensor } from '../../cases/layout.js';
import { NoCounterpart, type Graph } from '../../networks/case-graph.js';
import type { Value } from '../../networks/onnx-nodes.js';

type Descriptor = WholeDescriptor<'matrixMultiplyIntegerToFloat'>;

/** Limits of each step. DirectML keeps float16 steps within float16, and sums in an order of its own; ONNX sums float32 in any. */
const LARGEST: Readonly<Record<string, number>> = { float16: 65504, float32: 2 ** 127 };

export function matrixMultiplyIntegerToFloat(graph: Graph, { aTensor, outputTensor }: Descriptor): void {
  if (!isTensor(outputTensor)) throw new TypeError('a case has whole outputs');
  const [left, right, bias] = [largestFactor(graph, 'a'), largestFactor(graph, 'b'), largestOf(graph, 'biasTensor')];
  const sum = left * right * (aTensor.sizes.at(-1) ?? 1) + bias;
  if (Math.max(left, right, sum) > (LARGEST[outputTensor.dataType] ?? 0))
    throw new NoCounterpart(`with steps that overflow ${outputTensor.dataType}`);
  const product = graph.node('MatMul', [dequantized(graph, 'a'), dequantized(graph, 'b')]);
  const biases = graph.floats('biasTensor');
  graph.output('outputTensor', biases === null ? product : graph.node('Add', [product, biases]));
}

function dequantized(graph: Graph, matrix: 'a' | 'b'): Value {
  const values = graph.floats(`${matrix}Tensor`);
  const zeroPoint = graph.floats(`${matrix}ZeroPointTensor`);
  const shifted = zeroPoint === null ? values : graph.node('Sub', [values, zeroPoint]);
  return graph.node('Mul', [shifted, graph.floats(`${matrix}ScaleTensor`)]);
}

/** An upper bound of every intermediate value of a matrix element: shifted by its zero point, then scaled. */
function largestFactor(graph: Graph, matrix: 'a' | 'b'): number {
  const shifted = largestOf(graph, `${matrix}Tensor`) + largestOf(graph, `${matrix}ZeroPointTensor`);
  return shifted * Math.max(1, largestOf(graph, `${matrix}ScaleTensor`));
}

/**
 * The largest magnitude of the finite elements, or 0 if the input is absent. Infinities and NaN need no limit, because they give
 * the same result in any order.
 */
function largestOf(graph: Graph, field: string): number {
  const magnitudes = graph.numbers(field)?.map(Math.abs).filter(Number.isFinite);
  return magnitudes?.reduce((largest, value) => Math.max(largest, value), 0) ?? 0;
}
