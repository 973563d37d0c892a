/** Activations of float64, and of integers that DirectML lacks: in memory. */
import { erf } from '../../backends/reference/compute/erf.js';
import { productOf } from '../../validation/tensor-size.js';
import { hostOperand } from '../make-data.js';
import type { Node } from '../node.js';
import { numbersOf, permuted, type Operand } from '../operand.js';

type MapNumber = (element: number) => number;

const sigmoid: MapNumber = (x) => 1 / (1 + Math.exp(-x));
const softplus: MapNumber = (x) => Math.max(x, 0) + Math.log1p(Math.exp(-Math.abs(x)));

/** The function of an element, whose parameters are the attributes of the node: numbers of float32, and so are their defaults. */
export const doubleActivations = {
  Celu: (node) => celu(node.float('alpha', 1)),
  Elu: (node) => elu(node.float('alpha', 1), 1),
  Gelu: (node) => (node.text('approximate', 'none') === 'tanh' ? tanhGelu : (x) => 0.5 * x * (1 + erf(x / Math.SQRT2))),
  HardSigmoid: (node) => hardSigmoid(node.float('alpha', Math.fround(0.2)), node.float('beta', 0.5)),
  HardSwish: () => (x) => x * hardSigmoid(Math.fround(1 / 6), 0.5)(x),
  LeakyRelu: (node) => leaky(node.float('alpha', Math.fround(0.01))),
  Mish: () => (x) => x * Math.tanh(softplus(x)),
  Relu: () => (x) => Math.max(x, 0),
  Selu: (node) => elu(node.float('alpha', Math.fround(1.6732632423543772)), node.float('gamma', Math.fround(1.0507009873554805))),
  Shrink: (node) => shrink(node.float('bias', 0), node.float('lambd', 0.5)),
  Sigmoid: () => sigmoid,
  Softplus: () => softplus,
  Softsign: () => (x) => x / (1 + Math.abs(x)),
  Swish: (node) => swish(node.float('alpha', 1)),
  Tanh: () => Math.tanh,
  ThresholdedRelu: (node) => thresholded(node.float('alpha', 1)),
} as const satisfies Readonly<Record<string, (node: Node) => MapNumber>>;

function celu(alpha: number): MapNumber {
  return (x) => Math.max(x, 0) + Math.min(0, alpha * Math.expm1(x / alpha));
}

function elu(alpha: number, gamma: number): MapNumber {
  return (x) => gamma * (x < 0 ? alpha * Math.expm1(x) : x);
}

function tanhGelu(x: number): number {
  return 0.5 * x * (1 + Math.tanh(Math.sqrt(2 / Math.PI) * (x + 0.044715 * x ** 3)));
}

function hardSigmoid(alpha: number, beta: number): MapNumber {
  return (x) => Math.max(0, Math.min(1, alpha * x + beta));
}

function leaky(alpha: number): MapNumber {
  return (x) => (x < 0 ? alpha * x : x);
}

function shrink(bias: number, limit: number): MapNumber {
  return (x) => (x < -limit ? x + bias : x > limit ? x - bias : 0);
}

function swish(alpha: number): MapNumber {
  return (x) => x * sigmoid(alpha * x);
}

function thresholded(alpha: number): MapNumber {
  return (x) => (x > alpha ? x : 0);
}

type MapNumbers = (elements: readonly number[]) => readonly number[];

const alongAxes = {
  activationHardmax1: (elements) => {
    const place = elements.indexOf(Math.max(...elements));
    return elements.map((_, i) => (i === place ? 1 : 0));
  },
  activationLogSoftmax1: (elements) => {
    const greatest = Math.max(...elements);
    const rest = Math.log(sum(elements.map((x) => Math.exp(x - greatest))));
    return elements.map((x) => x - greatest - rest);
  },
  activationSoftmax1: (elements) => {
    const greatest = Math.max(...elements);
    const powers = elements.map((x) => Math.exp(x - greatest));
    const total = sum(powers);
    return powers.map((power) => power / total);
  },
} as const satisfies Readonly<Record<string, MapNumbers>>;

/** The operators of DirectML for activations along axes. */
export type AlongAxes = keyof typeof alongAxes;

function sum(elements: readonly number[]): number {
  return elements.reduce((total, element) => total + element, 0);
}

/** An activation of float64 along axes. */
export function doublesAlongAxes(node: Node, type: AlongAxes, input: Operand, axes: readonly number[]): Operand {
  const others = [...input.dims.keys()].filter((axis) => !axes.includes(axis));
  const order = [...others, ...axes];
  const length = productOf(axes.map((axis) => input.dims[axis] ?? 1));
  return node.computeOne([input], (given) => {
    const elements = numbersOf(permuted(given, order));
    const results: number[] = [];
    for (let i = 0; i < elements.length; i += length) results.push(...alongAxes[type](elements.slice(i, i + length)));
    const moved = hostOperand(
      'float64',
      order.map((axis) => input.dims[axis] ?? 1),
      results,
    );
    const back = numbersOf(
      permuted(
        moved,
        input.dims.map((_, axis) => order.indexOf(axis)),
      ),
    );
    return hostOperand('float64', input.dims, back);
  });
}
