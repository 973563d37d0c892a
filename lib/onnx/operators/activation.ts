/** Operators of one tensor, and activation functions of several tensors or along axes. DirectML has none of float64. */
import { erf } from '../../compute/erf.js';
import { isFloat, roundToEven } from '../../tensors/data-types.js';
import type { OperatorType } from '../../descriptors/generated/descriptors.js';
import { scalar } from '../make-data.js';
import { like, type Fields, type Node } from '../node.js';
import { broadcast, type Operand } from '../operand.js';
import { combineInMemory, mapInMemory } from './in-memory.js';
import type { Lowering, Lowerings } from './lowering.js';
import { extremeOf } from './order.js';
import { lineInMemory, max, sum } from './reduce.js';
import { upTo, withWideSums } from './tensor-helpers.js';

/** With the parameters in their order. */
type InDoubles = (x: number, ...parameters: number[]) => number;
type Parameters = Readonly<Record<string, number>>;

/** Of DirectML's operator, the fields that models choose, with their defaults, and the others. */
type Unary = readonly [type: OperatorType, inDoubles: InDoubles | null, parameters?: Parameters, others?: Fields];

const sigmoid = (x: number) => 1 / (1 + Math.exp(-x));
const softplus = (x: number) => Math.max(x, 0) + Math.log1p(Math.exp(-Math.abs(x)));
const hardSigmoid = (x: number, alpha: number, beta: number) => Math.max(0, Math.min(1, alpha * x + beta));
const elu = (x: number, alpha: number, gamma = 1) => gamma * (x < 0 ? alpha * Math.expm1(x) : x);

const relu: Unary = ['activationRelu', (x) => Math.max(x, 0)];

/** By the operator of ONNX. */
const single: Readonly<Record<string, Unary>> = {
  Acos: ['elementWiseAcos', Math.acos],
  Acosh: ['elementWiseAcosh', Math.acosh],
  Asinh: ['elementWiseAsinh', Math.asinh],
  Atan: ['elementWiseAtan', Math.atan],
  Atanh: ['elementWiseAtanh', Math.atanh],
  BitwiseNot: ['elementWiseBitNot', null],
  Ceil: ['elementWiseCeil', Math.ceil],
  Celu: ['activationCelu', (x, alpha) => Math.max(x, 0) + Math.min(0, alpha * Math.expm1(x / alpha)), { alpha: 1 }],
  Cos: ['elementWiseCos', Math.cos],
  Cosh: ['elementWiseCosh', Math.cosh],
  Elu: ['activationElu', elu, { alpha: 1 }],
  Erf: ['elementWiseErf', erf],
  Exp: ['elementWiseExp', Math.exp],
  Floor: ['elementWiseFloor', Math.floor],
  HardSigmoid: ['activationHardSigmoid', hardSigmoid, { alpha: 0.2, beta: 0.5 }],
  HardSwish: ['activationHardSwish', (x) => x * hardSigmoid(x, Math.fround(1 / 6), 0.5), {}, { alpha: 1 / 6, beta: 0.5 }],
  LeakyRelu: ['activationLeakyRelu', (x, alpha) => (x < 0 ? alpha * x : x), { alpha: 0.01 }],
  Log: ['elementWiseLog', Math.log],
  Neg: ['elementWiseNegate', (x) => -x],
  Not: ['elementWiseLogicalNot', null],
  Reciprocal: ['elementWiseRecip', (x) => 1 / x],
  Relu: relu,
  Round: ['elementWiseRound', roundToEven, {}, { roundingMode: 'halvesToNearestEven' }],
  Selu: ['activationScaledElu', elu, { alpha: 1.6732632423543772, gamma: 1.0507009873554805 }],
  Sigmoid: ['activationSigmoid', sigmoid],
  Sign: ['elementWiseSign', Math.sign],
  Sin: ['elementWiseSin', Math.sin],
  Sinh: ['elementWiseSinh', Math.sinh],
  Softplus: ['activationSoftplus', softplus, {}, { steepness: 1 }],
  Softsign: ['activationSoftsign', (x) => x / (1 + Math.abs(x))],
  Sqrt: ['elementWiseSqrt', Math.sqrt],
  Swish: ['activationSwish', (x, alpha) => x * sigmoid(alpha * x), { sigmoidInputScale: 1 }],
  Tan: ['elementWiseTan', Math.tan],
  Tanh: ['activationTanh', Math.tanh],
  ThresholdedRelu: ['activationThresholdedRelu', (x, alpha) => (x > alpha ? x : 0), { alpha: 1 }],
};

/** Those that are only a part of other operators. */
const parts: typeof single = {
  Affine: ['activationLinear', null, { alpha: 1, beta: 0 }],
  Clip: ['elementWiseClip', null, { min: -Infinity, max: Infinity }],
  ScaledTanh: ['activationScaledTanh', null, { alpha: 1, beta: 1 }],
};

export const activationOperators: Lowerings = {
  ...Object.fromEntries(Object.entries(single).map(([name, row]) => [name, unary(row)])),
  Gelu: orInDoubles(doubleGelu, gelu),
  Hardmax: alongAxis('activationHardmax1', hardmax),
  LogSoftmax: alongAxis('activationLogSoftmax1', logSoftmax),
  Mish: orInDoubles(() => (x) => x * Math.tanh(softplus(x)), mish),
  PRelu: parameterizedRelu,
  Relu: (node) => (node.input(0).dataType === 'int64' ? positive(node) : unary(relu)(node)),
  Shrink: shrink,
  Softmax: alongAxis('activationSoftmax1', softmax),
};

/** An activation that is a part of another operator, as its descriptor. */
export function activationPart(node: Node, name: string, valueOf: (parameter: string, i: number) => number | undefined) {
  const all = Object.entries({ ...single, ...parts });
  const [, found] = all.find(([own]) => own.toLowerCase() === name.toLowerCase()) ?? [];
  if (found === undefined) throw node.unsupported('the activation', name);
  const [type, , parameters, others] = found;
  return { type, ...valuesOf(parameters, valueOf), ...others };
}

/** Numbers of float32, and so are the defaults. */
function valuesOf(parameters: Parameters = {}, valueOf: (parameter: string, i: number) => number | undefined): Parameters {
  const numbers = Object.entries(parameters).map(
    ([name, byDefault], i) => [name, valueOf(name, i) ?? Math.fround(byDefault)] as const,
  );
  return Object.fromEntries(numbers);
}

/** Another way to compute float64. */
export function orInDoubles(inDoubles: (node: Node) => (x: number) => number, lowering: (node: Node) => Operand): Lowering {
  return (node) => {
    const input = node.input(0);
    return input.dataType === 'float64' ? mapInMemory(node, input, inDoubles(node)) : lowering(node);
  };
}

function unary([type, inDoubles, parameters, others]: Unary): Lowering {
  const valuesIn = (node: Node) => valuesOf(parameters, (name) => node.float(name === 'sigmoidInputScale' ? 'alpha' : name));
  const lowering = (node: Node) => node.map(type, node.input(0), { ...valuesIn(node), ...others });
  if (inDoubles === null) return lowering;
  return orInDoubles((node) => {
    const values = Object.values(valuesIn(node));
    return (x) => inDoubles(x, ...values);
  }, lowering);
}

/** DirectML has no relu of integers of 64 bits. */
function positive(node: Node): Operand {
  return extremeOf(node, 'elementWiseMax', node.input(0), scalar('int64', 0));
}

/** Negative elements are multiplied by the slope, which broadcasts in one direction. */
function parameterizedRelu(node: Node): Operand {
  const input = node.input(0);
  const slope = broadcast(node.input(1), input.dims);
  if (input.dataType === 'uint32' || input.dataType === 'uint64') return input;
  if (input.dataType === 'float64') return combineInMemory(node, input, slope, (x, factor) => (x < 0 ? x * factor : x));
  if (input.dataType !== 'int64') return node.map('activationParameterizedRelu', input, { slopeTensor: slope });
  const negative = extremeOf(node, 'elementWiseMin', input, scalar('int64', 0));
  return node.arithmetic('elementWiseAdd', positive(node), node.arithmetic('elementWiseMultiply', negative, slope));
}

function gelu(node: Node): Operand {
  const approximate = node.text('approximate', 'none');
  if (approximate === 'none') return node.map('activationGelu', node.input(0));
  if (approximate === 'tanh') return tanhGelu(node, node.input(0));
  throw node.unsupported('approximate', approximate);
}

function doubleGelu(node: Node): (x: number) => number {
  if (node.text('approximate', 'none') !== 'tanh') return (x) => 0.5 * x * (1 + erf(x / Math.SQRT2));
  return (x) => 0.5 * x * (1 + Math.tanh(Math.sqrt(2 / Math.PI) * (x + 0.044715 * x ** 3)));
}

/** `0.5 x (1 + tanh(√(2/π) (x + 0.044715 x³)))`, which is `x · sigmoid(√(8/π) (x + 0.044715 x³))`. */
export function tanhGelu(node: Node, input: Operand): Operand {
  const factor = Math.sqrt(8 / Math.PI);
  const square = node.arithmetic('elementWiseMultiply', input, input);
  const inner = node.arithmetic('elementWiseMultiply', input, node.scaled(square, factor * 0.044715, factor));
  return node.arithmetic('elementWiseMultiply', input, node.map('activationSigmoid', inner));
}

function mish(node: Node): Operand {
  const input = node.input(0);
  const gate = node.map('activationTanh', node.map('activationSoftplus', input, { steepness: 1 }));
  return node.arithmetic('elementWiseMultiply', input, gate);
}

/** DirectML adds the fraction of a bias to integers otherwise, and has none of 64 bits. */
function shrink(node: Node): Operand {
  const input = node.input(0);
  const [bias, threshold] = [node.float('bias', 0), node.float('lambd', 0.5)];
  if (input.dataType === 'float32' || input.dataType === 'float16')
    return node.map('activationShrink', input, { bias, threshold });
  const map = (x: number) => (x < -threshold ? x + bias : x > threshold ? x - bias : 0);
  return mapInMemory(node, input, isFloat(input.dataType) ? map : (x) => Math.trunc(map(x)));
}

/** One axis; before opset 13, all dimensions from the axis on together. */
export function softmaxAxes(node: Node, { dims }: Operand, opset: number): readonly number[] {
  const rank = Math.max(1, dims.length);
  const axis = node.axis(node.int('axis', opset >= 13 ? -1 : 1), rank);
  return opset >= 13 ? [axis] : upTo(rank).slice(axis);
}

function alongAxis(type: OperatorType, inDoubles: (elements: readonly number[]) => readonly number[]): Lowering {
  return (node) => {
    const input = node.input(0);
    const axes = softmaxAxes(node, input, node.opset);
    if (input.dataType === 'float64') return lineInMemory(node, input, axes, like(input), inDoubles);
    return withWideSums(node, input, (floats) => node.map(type, floats, { axes }));
  };
}

function hardmax(elements: readonly number[]): readonly number[] {
  const place = elements.indexOf(max(elements));
  return elements.map((_, i) => (i === place ? 1 : 0));
}

function logSoftmax(elements: readonly number[]): readonly number[] {
  const greatest = max(elements);
  const rest = Math.log(sum(elements.map((x) => Math.exp(x - greatest))));
  return elements.map((x) => x - greatest - rest);
}

function softmax(elements: readonly number[]): readonly number[] {
  const greatest = max(elements);
  const powers = elements.map((x) => Math.exp(x - greatest));
  const total = sum(powers);
  return powers.map((power) => power / total);
}
