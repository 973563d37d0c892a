/** The activation functions of neural networks. */
import { isFloat } from '../../data-types/table.js';
import type { OperatorType } from '../../schema/generated/descriptors.js';
import { scalar } from '../make-data.js';
import type { Fields, Node } from '../node.js';
import { broadcast, type Operand } from '../operand.js';
import { doubleActivations, doublesAlongAxes, type AlongAxes } from './activation-doubles.js';
import { tanhGelu } from './activations-helpers.js';
import { combineInMemory, mapInMemory } from './in-memory.js';
import type { Lowering, Lowerings } from './lowering.js';
import { extremeOf } from './order.js';
import { withWideSums } from './tensor-helpers.js';

/** An operator of one tensor. DirectML has none of float64, so JavaScript computes them. */
function activation(
  name: keyof typeof doubleActivations,
  type: OperatorType,
  fields: (node: Node) => Fields = () => ({}),
): Lowering {
  return orInDoubles(name, (node) => node.map(type, node.input(0), fields(node)));
}

function orInDoubles(name: keyof typeof doubleActivations, lowering: (node: Node) => Operand): Lowering {
  return (node) => {
    const input = node.input(0);
    return input.dataType === 'float64' ? mapInMemory(node, input, doubleActivations[name](node)) : lowering(node);
  };
}

/** An attribute as the field alpha. */
function withAlpha(byDefault: number): (node: Node) => Fields {
  return (node) => ({ alpha: node.float('alpha', byDefault) });
}

/** DirectML has no relu of integers of 64 bits. */
function relu(node: Node): Operand {
  const input = node.input(0);
  if (input.dataType === 'int64') return extremeOf(node, 'elementWiseMax', input, scalar('int64', 0));
  return node.map('activationRelu', input);
}

/** Negative elements are multiplied by the slope, which broadcasts in one direction. */
function parameterizedRelu(node: Node): Operand {
  const input = node.input(0);
  const slope = broadcast(node.input(1), input.dims);
  if (input.dataType === 'uint32' || input.dataType === 'uint64') return input;
  if (input.dataType === 'float64') return combineInMemory(node, input, slope, (x, factor) => (x < 0 ? x * factor : x));
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

function mish(node: Node): Operand {
  const input = node.input(0);
  const softplus = node.map('activationSoftplus', input, { steepness: 1 });
  return node.arithmetic('elementWiseMultiply', input, node.map('activationTanh', softplus));
}

/** DirectML adds the fraction of a bias to integers otherwise, and has none of 64 bits. */
function shrink(node: Node): Operand {
  const input = node.input(0);
  const fields = { bias: node.float('bias', 0), threshold: node.float('lambd', 0.5) };
  if (input.dataType === 'float32' || input.dataType === 'float16') return node.map('activationShrink', input, fields);
  const map = doubleActivations.Shrink(node);
  return mapInMemory(node, input, isFloat(input.dataType) ? map : (element) => Math.trunc(map(element)));
}

/** Along one axis; before opset 13, along all dimensions from the axis on together. */
function alongAxis(type: AlongAxes): Lowering {
  return (node) => {
    const input = node.input(0);
    const rank = Math.max(1, input.dims.length);
    const axis = node.axis(node.int('axis', node.opset >= 13 ? -1 : 1), rank);
    const axes = node.opset >= 13 ? [axis] : Array.from({ length: rank - axis }, (_, i) => axis + i);
    if (input.dataType === 'float64') return doublesAlongAxes(node, type, input, axes);
    return withWideSums(node, input, (floats) => node.map(type, floats, { axes }));
  };
}

export const activationOperators: Lowerings = {
  Celu: activation('Celu', 'activationCelu', withAlpha(1)),
  Elu: activation('Elu', 'activationElu', withAlpha(1)),
  Gelu: orInDoubles('Gelu', gelu),
  HardSigmoid: activation('HardSigmoid', 'activationHardSigmoid', (node) => ({
    ...withAlpha(0.2)(node),
    beta: node.float('beta', 0.5),
  })),
  HardSwish: activation('HardSwish', 'activationHardSwish', () => ({ alpha: 1 / 6, beta: 0.5 })),
  Hardmax: alongAxis('activationHardmax1'),
  LeakyRelu: activation('LeakyRelu', 'activationLeakyRelu', withAlpha(0.01)),
  LogSoftmax: alongAxis('activationLogSoftmax1'),
  Mish: orInDoubles('Mish', mish),
  PRelu: parameterizedRelu,
  Relu: orInDoubles('Relu', relu),
  Selu: activation('Selu', 'activationScaledElu', (node) => ({
    ...withAlpha(1.6732632423543772)(node),
    gamma: node.float('gamma', 1.0507009873554805),
  })),
  Shrink: shrink,
  Sigmoid: activation('Sigmoid', 'activationSigmoid'),
  Softmax: alongAxis('activationSoftmax1'),
  Softplus: activation('Softplus', 'activationSoftplus', () => ({ steepness: 1 })),
  Softsign: activation('Softsign', 'activationSoftsign'),
  Swish: activation('Swish', 'activationSwish', (node) => ({ sigmoidInputScale: node.float('alpha', 1) })),
  Tanh: activation('Tanh', 'activationTanh'),
  ThresholdedRelu: activation('ThresholdedRelu', 'activationThresholdedRelu', withAlpha(1)),
};
