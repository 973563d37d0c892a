/** The activation functions of neural networks. */
import type { OperatorType } from '../../schema/generated/descriptors.js';
import { scalar } from '../make-data.js';
import type { Fields, Node } from '../node.js';
import { broadcast, type Operand } from '../operand.js';
import { mapInMemory } from './in-memory.js';
import type { Lowering, Lowerings } from './lowering.js';
import { extremeOf } from './order.js';

function activation(type: OperatorType, fields: (node: Node) => Fields = () => ({})): Lowering {
  return (node) => node.map(type, node.input(0), fields(node));
}

/** An attribute as the field alpha. */
function withAlpha(byDefault: number): (node: Node) => Fields {
  return (node) => ({ alpha: node.float('alpha', byDefault) });
}

/** DirectML has no relu of integers of 64 bits. */
function relu(node: Node): Operand {
  const input = node.input(0);
  if (input.dataType === 'float64') return mapInMemory(node, input, (element) => Math.max(element, 0));
  if (input.dataType === 'int64') return extremeOf(node, 'elementWiseMax', input, scalar('int64', 0));
  return node.map('activationRelu', input);
}

/** Negative elements are multiplied by the slope, which broadcasts in one direction. */
function parameterizedRelu(node: Node): Operand {
  const input = node.input(0);
  const slope = broadcast(node.input(1), input.dims);
  if (input.dataType === 'uint32' || input.dataType === 'uint64') return input;
  if (input.dataType !== 'int64') return node.map('activationParameterizedRelu', input, { slopeTensor: slope });
  const zero = scalar('int64', 0);
  const positive = extremeOf(node, 'elementWiseMax', input, zero);
  const negative = extremeOf(node, 'elementWiseMin', input, zero);
  return node.arithmetic('elementWiseAdd', positive, node.arithmetic('elementWiseMultiply', negative, slope));
}

function gelu(node: Node): Operand {
  const input = node.input(0);
  const approximate = node.text('approximate', 'none');
  if (approximate === 'none') return node.map('activationGelu', input);
  if (approximate === 'tanh') return tanhGelu(node, input);
  throw node.unsupported('approximate', approximate);
}

/** `0.5 x (1 + tanh(√(2 / π) (x + 0.044715 x³)))` */
function tanhGelu(node: Node, input: Operand): Operand {
  const square = node.arithmetic('elementWiseMultiply', input, input);
  const inner = node.arithmetic('elementWiseMultiply', input, node.scaled(square, 0.044715, 1));
  const tanh = node.map('elementWiseTanh', inner, { scaleBias: { scale: Math.sqrt(2 / Math.PI), bias: 0 } });
  return node.arithmetic('elementWiseMultiply', input, node.scaled(tanh, 0.5, 0.5));
}

function mish(node: Node): Operand {
  const input = node.input(0);
  const softplus = node.map('activationSoftplus', input, { steepness: 1 });
  return node.arithmetic('elementWiseMultiply', input, node.map('activationTanh', softplus));
}

/** Along one axis; before opset 13, along all dimensions from the axis on together. */
function alongAxis(type: OperatorType): Lowering {
  return (node) => {
    const input = node.input(0);
    const rank = Math.max(1, input.dims.length);
    if (node.opset >= 13) return node.map(type, input, { axes: [node.axis(node.int('axis', -1), rank)] });
    const axis = node.axis(node.int('axis', 1), rank);
    return node.map(type, input, { axes: Array.from({ length: rank - axis }, (_, i) => axis + i) });
  };
}

export const activationOperators: Lowerings = {
  Celu: activation('activationCelu', withAlpha(1)),
  Elu: activation('activationElu', withAlpha(1)),
  Gelu: gelu,
  HardSigmoid: activation('activationHardSigmoid', (node) => ({ ...withAlpha(0.2)(node), beta: node.float('beta', 0.5) })),
  HardSwish: activation('activationHardSwish', () => ({ alpha: 1 / 6, beta: 0.5 })),
  Hardmax: alongAxis('activationHardmax1'),
  LeakyRelu: activation('activationLeakyRelu', withAlpha(0.01)),
  LogSoftmax: alongAxis('activationLogSoftmax1'),
  Mish: mish,
  PRelu: parameterizedRelu,
  Relu: relu,
  Selu: activation('activationScaledElu', (node) => ({
    ...withAlpha(1.6732632423543772)(node),
    gamma: node.float('gamma', 1.0507009873554805),
  })),
  Shrink: activation('activationShrink', (node) => ({ bias: node.float('bias', 0), threshold: node.float('lambd', 0.5) })),
  Sigmoid: activation('activationSigmoid'),
  Softmax: alongAxis('activationSoftmax1'),
  Softplus: activation('activationSoftplus', () => ({ steepness: 1 })),
  Softsign: activation('activationSoftsign'),
  Swish: activation('activationSwish', (node) => ({ sigmoidInputScale: node.float('alpha', 1) })),
  Tanh: activation('activationTanh'),
  ThresholdedRelu: activation('activationThresholdedRelu', withAlpha(1)),
};
