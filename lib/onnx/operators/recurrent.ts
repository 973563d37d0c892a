/** Recurrent networks. */
import { productOf } from '../../validation/tensor-size.js';
import { boolean, type Fields, type Node } from '../node.js';
import { isHost, numbersOf, Output, permuted, withRank, type Item, type Operand } from '../operand.js';
import type { Lowering, Lowerings } from './lowering.js';
import { choose, constant, zeros } from './tensor-helpers.js';

type Network = 'rnn' | 'gru' | 'lstm';

export const recurrentOperators: Lowerings = {
  RNN: recurrent('rnn', ['Tanh']),
  GRU: recurrent('gru', ['Sigmoid', 'Tanh']),
  LSTM: recurrent('lstm', ['Sigmoid', 'Tanh', 'Tanh']),
};

/** An activation of ONNX: that of DirectML, and the fields that it takes from the lists of attributes, with their defaults. */
interface Activation {
  readonly type: string;
  readonly alpha?: number;
  readonly beta?: number;
  readonly fields?: object;
}

const activations: Readonly<Record<string, Activation | undefined>> = {
  relu: { type: 'activationRelu' },
  tanh: { type: 'activationTanh' },
  sigmoid: { type: 'activationSigmoid' },
  affine: { type: 'activationLinear', alpha: 1, beta: 0 },
  leakyrelu: { type: 'activationLeakyRelu', alpha: 0.01 },
  thresholdedrelu: { type: 'activationThresholdedRelu', alpha: 1 },
  scaledtanh: { type: 'activationScaledTanh', alpha: 1, beta: 1 },
  hardsigmoid: { type: 'activationHardSigmoid', alpha: 0.2, beta: 0.5 },
  elu: { type: 'activationElu', alpha: 1 },
  softsign: { type: 'activationSoftsign' },
  softplus: { type: 'activationSoftplus', fields: { steepness: 1 } },
};

function recurrent(type: Network, byDefault: readonly string[]): Lowering {
  return (node) => {
    const isBatchFirst = node.int('layout', 0) === 1;
    const input = inStepOrder(node.input(0), isBatchFirst);
    const direction = node.text('direction', 'forward');
    const directions = direction === 'bidirectional' ? 2 : 1;
    const [steps = 1, batch = 1] = input.dims;
    const hidden = node.input(2).dims[2] ?? 1;
    const state = [directions, batch, hidden];
    const initial = stateOf(node.optional(5), isBatchFirst);
    const cell = type === 'lstm' ? stateOf(node.optional(6), isBatchFirst) : undefined;
    if (steps === 0) return withoutSteps(node, input, state, type);
    const single = new Output(input.dataType, [1, ...state]);
    const made = node.addAll(type, {
      inputTensor: withRank(input, 4),
      ...weights(node, directions),
      hiddenInitTensor: initial && withRank(initial, 4),
      sequenceLengthsTensor: lengths(node, batch),
      outputSequenceTensor: node.has(0) ? new Output(input.dataType, [steps, ...state]) : undefined,
      outputSingleTensor: single,
      activationDescs: activationsOf(node, byDefault, directions),
      direction: direction === 'reverse' ? 'backward' : direction,
      ...fieldsOf(node, type, cell, single),
    });
    const endOf = (name: string) => {
      const end = made[name]?.[0];
      return end === undefined ? null : inModelOrder(node, unlessEmpty(node, node.reshape(end, state)), isBatchFirst);
    };
    const sequence = made['outputSequenceTensor']?.[0];
    const all = sequence === undefined ? null : inModelOrder(node, sequence, isBatchFirst);
    const outputs = [all, endOf('outputSingleTensor')];
    return type === 'lstm' ? [...outputs, endOf('outputCellSingleTensor')] : outputs;
  };
}

function inStepOrder(input: Operand, isBatchFirst: boolean): Operand {
  return isBatchFirst ? permuted(input, [1, 0, 2]) : input;
}

function stateOf(state: Operand | undefined, isBatchFirst: boolean): Operand | undefined {
  return state && inStepOrder(state, isBatchFirst);
}

/** The batch comes first with `layout` 1. */
function inModelOrder(node: Node, output: Operand, isBatchFirst: boolean): Operand {
  if (!isBatchFirst) return output;
  return node.packed(permuted(output, output.dims.length === 4 ? [2, 0, 1, 3] : [1, 0, 2]));
}

function weights(node: Node, directions: number): Fields {
  const bias = node.optional(3);
  return {
    weightTensor: withRank(node.input(1), 4),
    recurrenceTensor: withRank(node.input(2), 4),
    biasTensor: bias && node.reshape(bias, [1, 1, directions, productOf(bias.dims) / directions]),
  };
}

function lengths(node: Node, batch: number): Operand | undefined {
  const given = node.optional(4);
  return given && node.reshape(node.cast(given, 'uint32'), [1, 1, 1, batch]);
}

function fieldsOf(node: Node, type: Network, cell: Operand | undefined, single: Output): Fields {
  const clip = node.float('clip');
  const isClipped = clip !== undefined && clip < 3e38;
  if (type !== 'lstm') {
    if (isClipped) throw node.unsupported('the attribute clip', `${clip}`, 'only lstm of DirectML has it');
    return type === 'gru' ? { linearBeforeReset: node.flag('linear_before_reset') } : {};
  }
  const peepholes = node.optional(7);
  const directions = single.dims[1] ?? 1;
  return {
    cellMemInitTensor: cell && withRank(cell, 4),
    peepholeTensor: peepholes && node.reshape(peepholes, [1, 1, directions, productOf(peepholes.dims) / directions]),
    outputCellSingleTensor: node.has(2) ? new Output(single.dataType, single.dims) : undefined,
    clipThreshold: isClipped ? clip : 0,
    useClipThreshold: isClipped,
    coupleInputForget: node.flag('input_forget'),
  };
}

/** The lists of parameters have one for each activation that takes it. */
function activationsOf(node: Node, byDefault: readonly string[], directions: number): readonly object[] {
  const given = node.texts('activations') ?? [];
  const names = given.length > 0 ? given : Array.from({ length: directions }, () => byDefault).flat();
  const [alphas, betas] = [[...(node.floats('activation_alpha') ?? [])], [...(node.floats('activation_beta') ?? [])]];
  return names.map((name) => {
    const found = Object.hasOwn(activations, name.toLowerCase()) ? activations[name.toLowerCase()] : undefined;
    if (found === undefined) throw node.unsupported('the activation', name);
    const { type, alpha, beta, fields } = found;
    return {
      type,
      ...(alpha === undefined ? {} : { alpha: alphas.shift() ?? alpha }),
      ...(beta === undefined ? {} : { beta: betas.shift() ?? beta }),
      ...fields,
    };
  });
}

/** The end of a sequence of no steps is 0, as in onnxruntime. DirectML reads any state for it. */
function unlessEmpty(node: Node, end: Operand): Operand {
  const given = node.optional(4);
  if (given === undefined) return end;
  if (isHost(given) && given.data.supply === null && !numbersOf(given).includes(0)) return end;
  const length = node.reshape(given, [1, productOf(given.dims), 1]);
  const isEmpty = node.combine('elementWiseLogicalEquals', length, constant(given.dataType, [], 0), boolean);
  return choose(node, isEmpty, constant(end.dataType, [], 0), end);
}

function withoutSteps(node: Node, { dataType }: Operand, state: readonly number[], type: Network): readonly Item[] {
  const isBatchFirst = node.int('layout', 0) === 1;
  const end = inModelOrder(node, zeros(node, dataType, state), isBatchFirst);
  return [inModelOrder(node, zeros(node, dataType, [0, ...state]), isBatchFirst), end, ...(type === 'lstm' ? [end] : [])];
}
