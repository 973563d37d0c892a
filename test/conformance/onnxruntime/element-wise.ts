/** Arithmetic of two tensors, and casts. */
import type { OperatorDescriptors, TensorDesc } from 'node-directml';
import { BYTES, type DataType } from '../case.js';
import { isTensor } from '../layout.js';
import { NoCounterpart, type Graph, type Value } from './graph.js';

interface Arithmetic {
  readonly aTensor: TensorDesc;
}

export const elementWiseAdd = of('Add');
export const elementWiseSubtract = of('Sub');
export const elementWiseMultiply = of('Mul');
export const elementWiseMax = extreme('Max');
export const elementWiseMin = extreme('Min');

export function elementWiseAdd1(graph: Graph, { fusedActivation }: OperatorDescriptors['elementWiseAdd1']): void {
  if (fusedActivation) throw new NoCounterpart('with an activation');
  elementWiseAdd(graph);
}

export function elementWiseDivide(graph: Graph, { aTensor }: Arithmetic): void {
  if (!isFloat(aTensor)) throw new NoCounterpart('of integers, by 0 too');
  of('Div')(graph);
}

export function elementWiseMean(graph: Graph, { aTensor }: Arithmetic): void {
  if (!isFloat(aTensor)) throw new NoCounterpart('of integers');
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

/** In DirectML a NaN beside a number loses, in ONNX it wins. */
function extreme(opType: 'Max' | 'Min'): (graph: Graph, descriptor: Arithmetic) => void {
  return (graph, { aTensor }) => {
    if (aTensor.dataType.endsWith('16') && !isFloat(aTensor)) throw new NoCounterpart(`of ${aTensor.dataType}`);
    const [a, b] = [graph.input('aTensor'), graph.input('bTensor')];
    const one = graph.node(opType, [a, b]);
    const other = isFloat(aTensor) ? numberOf(graph, a, numberOf(graph, b, one, a), b) : one;
    graph.output('outputTensor', other);
  };
}

/** `value` where `tested` is a number, else `instead`. */
function numberOf(graph: Graph, tested: Value | null, value: Value | null, instead: Value | null): Value {
  return graph.node('Where', [graph.node('IsNaN', [tested]), instead, value]);
}

export function cast(graph: Graph, { inputTensor, outputTensor }: OperatorDescriptors['cast']): void {
  if (!isTensor(outputTensor)) throw new TypeError('a case has whole outputs');
  const [from, to] = [inputTensor.dataType, outputTensor.dataType];
  if (from !== 'float64' && to !== 'float64') throw new NoCounterpart('that the sandbox can run');
  if (to === 'float16' || from === 'int64' || from === 'uint64') throw new NoCounterpart('that cuts off what ONNX rounds');
  const value = graph.input('inputTensor');
  graph.output('outputTensor', value !== null && !isFloat(outputTensor) ? saturated(graph, value, to) : value);
}

/** What is out of range is undefined in ONNX. In DirectML all 64-bit integers are signed, and -2⁶³ is not among them. */
function saturated(graph: Graph, value: Value, dataType: DataType): Value {
  const isWide = BYTES[dataType] === 8;
  const bits = 8n * BigInt(BYTES[dataType]);
  const isSigned = isWide || dataType.startsWith('int');
  const most = 2n ** (isSigned ? bits - 1n : bits) - 1n;
  const least = !isSigned ? 0n : isWide ? -most : -most - 1n;
  const isHigh = graph.node('GreaterOrEqual', [value, graph.float64(Number(most))]);
  const isLow = graph.node('LessOrEqual', [value, graph.float64(Number(least))]);
  const isNan = graph.node('IsNaN', [value]);
  const isOutside = graph.node('Or', [graph.node('Or', [isHigh, isLow]), isNan]);
  const inside = graph.cast(graph.node('Where', [isOutside, graph.float64(0), value]), 'int64');
  return [
    [isHigh, most] as const,
    [isLow, least] as const,
    [isNan, isWide ? most : 0n] as const,
  ].reduce((result, [where, limit]) => graph.node('Where', [where, graph.integer(limit), result]), inside);
}

function isFloat({ dataType }: TensorDesc): boolean {
  return dataType.startsWith('float');
}
