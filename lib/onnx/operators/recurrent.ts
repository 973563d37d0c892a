/** Recurrent networks. */
import { productOf } from '../../tensors/tensor-size.js';
import { boolean, type Fields, type Node } from '../node.js';
import { numbersOf, Output, permuted, withRank, type Operand } from '../operand.js';
import { constantOf } from './in-memory.js';
import type { Lowering, Lowerings } from './lowering.js';
import { dequantizeWhole } from './quantize.js';
import { choose, constant, zeros } from './tensor-helpers.js';
import { activationPart } from './activation.js';

type Network = 'rnn' | 'gru' | 'lstm';

export const recurrentOperators: Lowerings = {
  RNN: recurrent('rnn', ['Tanh']),
  GRU: recurrent('gru', ['Sigmoid', 'Tanh']),
  LSTM: recurrent('lstm', ['Sigmoid', 'Tanh', 'Tanh']),
  'com.microsoft:DynamicQuantizeLSTM': recurrent('lstm', ['Sigmoid', 'Tanh', 'Tanh'], quantizedWeights),
};

/** @param weightsOf Returns the weights of the input and those of the state, of which each direction has a matrix. */
function recurrent(type: Network, byDefault: readonly string[], weightsOf = plainWeights): Lowering {
  return (node) => {
    // The batch comes first with `layout` 1.
    const isBatchFirst = node.int('layout', 0) === 1;
    const stepsFirst = (given: Operand) => (isBatchFirst ? permuted(given, [1, 0, 2]) : given);
    const inModelOrder = (made: Operand) =>
      isBatchFirst ? node.packed(permuted(made, made.dims.length === 4 ? [2, 0, 1, 3] : [1, 0, 2])) : made;
    const input = stepsFirst(node.input(0));
    const { dataType } = input;
    const direction = node.text('direction', 'forward');
    const directions = direction === 'bidirectional' ? 2 : 1;
    const [steps = 1, batch = 1] = input.dims;
    const [weights, recurrence] = weightsOf(node);
    const state = [directions, batch, recurrence.dims[2] ?? 1];
    if (steps === 0) {
      const end = inModelOrder(zeros(node, dataType, state));
      return [inModelOrder(zeros(node, dataType, [0, ...state])), end, ...(type === 'lstm' ? [end] : [])];
    }
    const stateOf = (i: number) => {
      const given = node.optional(i);
      return given && withRank(stepsFirst(given), 4);
    };
    const perDirection = (i: number) => {
      const given = node.optional(i);
      return given && node.reshape(given, [1, 1, directions, productOf(given.dims) / directions]);
    };
    const lengths = node.optional(4);
    const single = new Output(dataType, [1, ...state]);
    const made = node.addAll(type, {
      inputTensor: withRank(input, 4),
      weightTensor: withRank(weights, 4),
      recurrenceTensor: withRank(recurrence, 4),
      biasTensor: perDirection(3),
      hiddenInitTensor: stateOf(5),
      sequenceLengthsTensor: lengths && node.reshape(node.cast(lengths, 'uint32'), [1, 1, 1, batch]),
      outputSequenceTensor: node.has(0) ? new Output(dataType, [steps, ...state]) : undefined,
      outputSingleTensor: single,
      activationDescs: activationsOf(node, byDefault, directions),
      direction: direction === 'reverse' ? 'backward' : direction,
      cellMemInitTensor: stateOf(6),
      peepholeTensor: perDirection(7),
      outputCellSingleTensor: node.has(2) ? single : undefined,
      ...fieldsOf(node, type),
    });
    const endOf = (end: Operand | undefined) => end && inModelOrder(unlessEmpty(node, node.reshape(end, state)));
    const all = made.outputSequenceTensor;
    return [all && inModelOrder(all), endOf(made.outputSingleTensor), endOf(made.outputCellSingleTensor)];
  };
}

function plainWeights(node: Node): readonly [Operand, Operand] {
  return [node.input(1), node.input(2)];
}

/** Integers become floats. onnxruntime would also round the input and each state to 8 bits, for integer products. */
function quantizedWeights(node: Node): readonly [Operand, Operand] {
  return [dequantized(node, 1, 8), dequantized(node, 2, 10)];
}

/** With rows and columns exchanged. Each direction, or each of its rows, has a scale and perhaps a zero point. */
function dequantized(node: Node, weights: number, scale: number): Operand {
  const integers = permuted(node.input(weights), [0, 2, 1]);
  const [directions = 1] = integers.dims;
  const perRow = (given: Operand) => node.reshape(given, [directions, productOf(given.dims) / directions, 1]);
  const zeroPoint = node.optional(scale + 1);
  return dequantizeWhole(node, integers, { scale: perRow(node.input(scale)), zeroPoint: zeroPoint && perRow(zeroPoint) });
}

function fieldsOf(node: Node, type: Network): Fields {
  const clip = node.float('clip', Infinity);
  const isClipped = clip < 3e38;
  if (type === 'lstm') {
    const clipThreshold = isClipped ? clip : 0;
    return { clipThreshold, useClipThreshold: isClipped, coupleInputForget: node.flag('input_forget') };
  }
  if (isClipped) throw node.unsupported('the attribute clip', `${clip}`, 'only lstm of DirectML has it');
  return type === 'gru' ? { linearBeforeReset: node.flag('linear_before_reset') } : {};
}

/** The lists of parameters have one for each activation that takes it. */
function activationsOf(node: Node, byDefault: readonly string[], directions: number): readonly object[] {
  const given = node.texts('activations') ?? [];
  const names = given.length > 0 ? given : Array.from({ length: directions }, () => byDefault).flat();
  const lists = { alpha: [...(node.floats('activation_alpha') ?? [])], beta: [...(node.floats('activation_beta') ?? [])] };
  return names.map((name) =>
    activationPart(node, name, (list) => (list === 'alpha' || list === 'beta' ? lists[list].shift() : undefined)),
  );
}

/** The end of a sequence of no steps is 0, as in onnxruntime. DirectML reads any state for it. */
function unlessEmpty(node: Node, end: Operand): Operand {
  const given = node.optional(4);
  if (given === undefined) return end;
  const lengths = constantOf(given);
  if (lengths !== undefined && !numbersOf(lengths).includes(0)) return end;
  const length = node.reshape(given, [1, productOf(given.dims), 1]);
  const isEmpty = node.combine('elementWiseLogicalEquals', length, constant(given.dataType, [], 0), boolean);
  return choose(node, isEmpty, constant(end.dataType, [], 0), end);
}
