/** Casts and additions in ONNX. */
import type { DataType, WholeDescriptor } from '../../cases/case.js';
import { isFloat, isWide, wideRangeOf } from '#lib/tensors/data-types.js';
import { isTensor } from '../../cases/layout.js';
import { NoCounterpart, type Graph } from '../../networks/case-graph.js';
import type { Value } from '../../networks/onnx-nodes.js';
import { elementWiseAdd } from '../element-wise-binary/onnxruntime.js';

export function elementWiseAdd1(graph: Graph, { fusedActivation }: WholeDescriptor<'elementWiseAdd1'>): void {
  if (fusedActivation) throw new NoCounterpart('with an activation');
  elementWiseAdd(graph);
}

export function cast(graph: Graph, { inputTensor, outputTensor }: WholeDescriptor<'cast'>): void {
  if (!isTensor(outputTensor)) throw new TypeError('a case has whole outputs');
  const [from, to] = [inputTensor.dataType, outputTensor.dataType];
  if (from !== 'float64' && to !== 'float64') throw new NoCounterpart('that the sandbox can run');
  if (to === 'float16' || from === 'int64' || from === 'uint64') throw new NoCounterpart('that cuts off what ONNX rounds');
  const value = graph.input('inputTensor');
  graph.output('outputTensor', value !== null && !isFloat(to) ? saturated(graph, value, to) : value);
}

/**
 * Casts to an integer type and saturates: ONNX leaves values out of range undefined. DirectML treats all 64-bit integers as
 * signed, and saturates to −2⁶³ + 1 at the low end.
 */
function saturated(graph: Graph, value: Value, dataType: DataType): Value {
  const { low, high } = wideRangeOf(isWide(dataType) ? 'int64' : dataType);
  const least = isWide(dataType) ? low + 1n : low;
  const isHigh = graph.node('GreaterOrEqual', [value, graph.float64(Number(high))]);
  const isLow = graph.node('LessOrEqual', [value, graph.float64(Number(least))]);
  const isNan = graph.node('IsNaN', [value]);
  const isOutside = graph.node('Or', [graph.node('Or', [isHigh, isLow]), isNan]);
  const inside = graph.cast(graph.node('Where', [isOutside, graph.float64(0), value]), 'int64');
  return [[isHigh, high] as const, [isLow, least] as const, [isNan, isWide(dataType) ? high : 0n] as const].reduce(
    (result, [where, limit]) => graph.node('Where', [where, graph.integer(limit), result]),
    inside,
  );
}
