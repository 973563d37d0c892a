/** Arithmetic of two tensors in ONNX. */
import type { TensorDesc } from 'node-directml';
import { isFloat } from '#lib/tensors/data-types.js';
import { NoCounterpart, type Graph } from '../../networks/case-graph.js';
import type { Value } from '../../networks/onnx-nodes.js';

interface Arithmetic {
  readonly aTensor: TensorDesc;
}

export const elementWiseAdd = of('Add');
export const elementWiseSubtract = of('Sub');
export const elementWiseMultiply = of('Mul');
export const elementWiseMax = extreme('Max');
export const elementWiseMin = extreme('Min');

export function elementWiseDivide(graph: Graph, { aTensor }: Arithmetic): void {
  if (!isFloat(aTensor.dataType)) throw new NoCounterpart('of integers, by 0 too');
  of('Div')(graph);
}

export function elementWiseMean(graph: Graph, { aTensor }: Arithmetic): void {
  if (!isFloat(aTensor.dataType)) throw new NoCounterpart('of integers');
  of('Mean')(graph);
}

export function elementWiseDifferenceSquare(graph: Graph): void {
  const difference = graph.node('Sub', [graph.input('aTensor'), graph.input('bTensor')]);
  graph.output('outputTensor', graph.node('Mul', [difference, difference]));
}

function of(opType: string): (graph: Graph) => void {
  return (graph) => {
    graph.output('outputTensor', graph.node(opType, [graph.input('aTensor'), graph.input('bTensor')]));
  };
}

/** For a NaN and a number, DirectML gives the number, while ONNX gives the NaN. */
function extreme(opType: 'Max' | 'Min'): (graph: Graph, descriptor: Arithmetic) => void {
  return (graph, { aTensor }) => {
    if (aTensor.dataType.endsWith('16') && !isFloat(aTensor.dataType)) throw new NoCounterpart(`of ${aTensor.dataType}`);
    const [a, b] = [graph.input('aTensor'), graph.input('bTensor')];
    const one = graph.node(opType, [a, b]);
    const other = isFloat(aTensor.dataType) ? numberOf(graph, a, numberOf(graph, b, one, a), b) : one;
    graph.output('outputTensor', other);
  };
}

/** Chooses, per element, `value` if `tested` is a number, and `instead` if `tested` is NaN. */
function numberOf(graph: Graph, tested: Value | null, value: Value | null, instead: Value | null): Value {
  return graph.node('Where', [graph.node('IsNaN', [tested]), instead, value]);
}
