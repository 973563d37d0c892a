/** Recurrent networks in ONNX. Gates, weights, biases and states have the same order there, without the leading sizes of 1. */
import type { WholeDescriptor } from '../../cases/case.js';
import type { FusedActivation, OperatorType } from 'node-directml';
import { NoCounterpart, type Graph } from '../../networks/case-graph.js';
import type { Attribute, Value } from '../../networks/onnx-nodes.js';

type Descriptor = WholeDescriptor<'rnn' | 'gru' | 'lstm'>;

/** An activation in ONNX, with its parameters there. */
interface Counterpart {
  readonly name: string;
  readonly alpha?: number;
  readonly beta?: number;
}

/** ONNX's names of the activations that have the same parameters. */
const ACTIVATIONS: Readonly<Partial<Record<OperatorType, string>>> = {
  activationElu: 'Elu',
  activationHardSigmoid: 'HardSigmoid',
  activationLeakyRelu: 'LeakyRelu',
  activationLinear: 'Affine',
  activationRelu: 'Relu',
  activationScaledTanh: 'ScaledTanh',
  activationSigmoid: 'Sigmoid',
  activationSoftsign: 'Softsign',
  activationTanh: 'Tanh',
  activationThresholdedRelu: 'ThresholdedRelu',
};

export function rnn(graph: Graph, descriptor: WholeDescriptor<'rnn'>): void {
  recurrent(graph, descriptor, 'RNN');
}

export function gru(graph: Graph, descriptor: WholeDescriptor<'gru'>): void {
  recurrent(graph, descriptor, 'GRU', { linear_before_reset: Number(descriptor.linearBeforeReset) });
}

export function lstm(graph: Graph, descriptor: WholeDescriptor<'lstm'>): void {
  const { clipThreshold, useClipThreshold, coupleInputForget, cellMemInitTensor, peepholeTensor } = descriptor;
  if (useClipThreshold && clipThreshold <= 0) throw new NoCounterpart('with a threshold that is not positive');
  const clip: Record<string, Attribute> = useClipThreshold ? { clip: { float: clipThreshold } } : {};
  const states = [
    graph.floats('cellMemInitTensor', cellMemInitTensor?.sizes.slice(1)),
    graph.floats('peepholeTensor', peepholeTensor?.sizes.slice(2)),
  ];
  const [, , cells] = recurrent(graph, descriptor, 'LSTM', { ...clip, input_forget: Number(coupleInputForget) }, states);
  graph.output('outputCellSingleTensor', cells);
}

/** The operator's outputs: all hidden states, the last hidden states, and the last cells of an LSTM. */
function recurrent(
  graph: Graph,
  descriptor: Descriptor,
  opType: string,
  attributes: Readonly<Record<string, Attribute>> = {},
  states: readonly (Value | null)[] = [],
): Value[] {
  // DirectML limits sums to the finite range of the data type, even NaN.
  if (!graph.isWithin(1e9)) throw new NoCounterpart('with infinities, NaN or sums that overflow');
  const { inputTensor, weightTensor, recurrenceTensor, biasTensor, hiddenInitTensor, direction } = descriptor;
  const tensors = [
    graph.floats('inputTensor', inputTensor.sizes.slice(1)),
    graph.floats('weightTensor', weightTensor.sizes.slice(1)),
    graph.floats('recurrenceTensor', recurrenceTensor.sizes.slice(1)),
    graph.floats('biasTensor', biasTensor?.sizes.slice(2)),
    lengths(graph, descriptor),
    graph.floats('hiddenInitTensor', hiddenInitTensor?.sizes.slice(1)),
    ...states,
  ];
  const values = graph.nodes(opType, tensors, opType === 'LSTM' ? 3 : 2, {
    ...attributes,
    ...activations(descriptor.activationDescs),
    direction: { text: direction === 'backward' ? 'reverse' : direction },
    hidden_size: recurrenceTensor.sizes.at(-1) ?? 1,
  });
  const [sequence, single] = values;
  graph.output('outputSequenceTensor', sequence);
  graph.output('outputSingleTensor', single);
  return values;
}

function lengths(graph: Graph, { inputTensor }: Descriptor): Value | null {
  const [, steps = 1, batch = 1] = inputTensor.sizes;
  const lengths = graph.numbers('sequenceLengthsTensor');
  // ONNX has no result for an empty sequence; DirectML gives the initial state.
  if (lengths?.some((length) => length === 0)) throw new NoCounterpart('with empty sequences');
  if (lengths?.some((length) => length > steps)) throw new NoCounterpart('with sequences longer than the tensor');
  const value = graph.input('sequenceLengthsTensor', [batch]);
  return value === null ? null : graph.cast(value, 'int32');
}

/** ONNX has one list per parameter. It contains an entry only for activations that have the parameter. */
function activations(descs: readonly FusedActivation[]): Readonly<Record<string, Attribute>> {
  const counterparts = descs.map(counterpartOf);
  return {
    activations: { texts: counterparts.map(({ name }) => name) },
    activation_alpha: { floats: counterparts.flatMap(({ alpha }) => alpha ?? []) },
    activation_beta: { floats: counterparts.flatMap(({ beta }) => beta ?? []) },
  };
}

function counterpartOf(desc: FusedActivation): Counterpart {
  if (desc.type === 'activationIdentity') return { name: 'Affine', alpha: 1, beta: 0 };
  if (desc.type === 'activationSoftplus' && desc.steepness === 1) return { name: 'Softplus' };
  const name = ACTIVATIONS[desc.type];
  if (name === undefined) throw new NoCounterpart(`with ${desc.type}`);
  const given = Object.entries(desc).filter(([field]) => field === 'alpha' || field === 'beta');
  return { name, ...Object.fromEntries(given) };
}
