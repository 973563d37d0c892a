/** Reductions, and what is computed along an axis. */
import { isFloat, wideRangeOf } from '../../data-types/table.js';
import { productOf } from '../../validation/tensor-size.js';
import { scalar } from '../make-data.js';
import { boolean, like, type Node } from '../node.js';
import { broadcast, Output, type Operand } from '../operand.js';
import { convert } from './convert.js';
import { lossOperators } from './loss.js';
import type { Lowering, Lowerings } from './lowering.js';
import { fromOrderKeys, orderKeys } from './order.js';
import { extremePlaceOfDoubles, largestDoubles, reduceDoubles, scanDoubles, type ReduceFunction } from './reduce-doubles.js';

/** Those that keep a single element as it is. */
const keepsOne: ReadonlySet<ReduceFunction> = new Set(['average', 'max', 'min', 'multiply', 'sum', 'logSumExp']);

/** Those whose results for integers have fractions, which are dropped. */
const roots: ReadonlySet<ReduceFunction> = new Set(['l2', 'logSum', 'logSumExp']);

function reduction(name: ReduceFunction): Lowering {
  return (node) => {
    const input = node.input(0);
    const rank = input.dims.length;
    const given = node.list(1, 'axes') ?? [];
    if (given.length === 0 && node.flag('noop_with_empty_axes')) return reduceSingly(node, name, input);
    const axes = given.length === 0 ? input.dims.map((_, i) => i) : [...new Set(given.map((axis) => node.axis(axis, rank)))];
    const kept = reduceBy(node, name, input, axes);
    if (node.flag('keepdims', true)) return kept;
    return node.reshape(
      kept,
      input.dims.filter((_, i) => !axes.includes(i)),
    );
  };
}

/** The reduction along the axes, whose sizes become 1. */
export function reduceBy(node: Node, name: ReduceFunction, input: Operand, axes: readonly number[]): Operand {
  if (axes.length === 0) return reduceSingly(node, name, input);
  const dims = input.dims.map((size, i) => (axes.includes(i) ? 1 : size));
  if (productOf(input.dims) === 0) return broadcast(neutralOf(name, input), dims);
  if (input.dataType === 'float64') return reduceDoubles(node, name, input, axes);
  if (roots.has(name) && !isFloat(input.dataType)) return integerRoot(node, name, input, axes);
  if (name === 'average' && !isFloat(input.dataType)) return integerAverage(node, input, axes, dims);
  if (name === 'logSumExp') return logSumExp(node, input, axes);
  if (name !== 'max' && name !== 'min') return reduce(node, name, input, axes);
  return fromOrderKeys(node, reduce(node, name, orderKeys(node, input), axes), input);
}

/** The function of each element alone. */
function reduceSingly(node: Node, name: ReduceFunction, input: Operand): Operand {
  if (keepsOne.has(name) || productOf(input.dims) === 0) return input;
  const made = reduceBy(node, name, node.reshape(input, [productOf(input.dims), 1]), [1]);
  return node.reshape(made, input.dims);
}

function reduce(node: Node, name: ReduceFunction, input: Operand, axes: readonly number[]): Operand {
  const dims = input.dims.map((size, i) => (axes.includes(i) ? 1 : size));
  return node.add('reduce', { function: name, inputTensor: input, outputTensor: like(input, dims), axes });
}

/** What the reduction of no elements is. */
function neutralOf(name: ReduceFunction, { dataType, isBool }: Operand): Operand {
  const range = isFloat(dataType) ? { low: -Infinity, high: Infinity } : isBool ? { low: 0, high: 1 } : wideRangeOf(dataType);
  const neutral = {
    ...{ average: isFloat(dataType) ? NaN : 0, l1: 0, l2: 0, logSum: -Infinity, logSumExp: -Infinity },
    ...{ max: range.low, min: range.high, multiply: 1, sum: 0, sumSquare: 0 },
  }[name];
  return { ...scalar(dataType, neutral), isBool };
}

/** The sum divided by the number of elements, towards zero. */
function integerAverage(node: Node, input: Operand, axes: readonly number[], dims: readonly number[]): Operand {
  const count = scalar(input.dataType, productOf(input.dims) / productOf(dims));
  return node.arithmetic('elementWiseDivide', reduce(node, 'sum', input, axes), count);
}

/** DirectML has none of integers. */
function integerRoot(node: Node, name: ReduceFunction, input: Operand, axes: readonly number[]): Operand {
  const doubles = convert(node, input, { dataType: 'float64', isBool: false });
  return convert(node, reduceDoubles(node, name, doubles, axes), { dataType: input.dataType, isBool: false });
}

/** The greatest element is subtracted before, so that no exponential overflows. */
function logSumExp(node: Node, input: Operand, axes: readonly number[]): Operand {
  const greatest = reduce(node, 'max', input, axes);
  const isInfinite = node.add('elementWiseIsInfinity', {
    ...{ inputTensor: greatest, outputTensor: boolean(greatest.dims), infinityMode: 'either' },
  });
  const shift = node.add('elementWiseIf', {
    conditionTensor: isInfinite,
    aTensor: broadcast(scalar(input.dataType, 0), greatest.dims),
    ...{ bTensor: greatest, outputTensor: like(greatest) },
  });
  const reduced = reduce(node, 'logSumExp', node.arithmetic('elementWiseSubtract', input, shift), axes);
  return node.arithmetic('elementWiseAdd', reduced, shift);
}

/** The places of extremes as int64. */
function extremePlace(type: 'argmax' | 'argmin'): Lowering {
  return (node) => {
    const input = node.input(0);
    const rank = input.dims.length;
    const axis = node.axis(node.int('axis', 0), Math.max(1, rank));
    if (input.dims[axis] === 0) throw new RangeError('there are no elements along the axis');
    const kept = extremePlaceAlong(node, type, input, axis);
    return node.flag('keepdims', true) ? kept : node.reshape(kept, input.dims.toSpliced(axis, 1));
  };
}

function extremePlaceAlong(node: Node, type: 'argmax' | 'argmin', input: Operand, axis: number): Operand {
  const isLast = node.flag('select_last_index');
  if (input.dataType === 'float64') return extremePlaceOfDoubles(node, type, input, axis, isLast);
  const dims = input.dims.map((size, i) => (i === axis ? 1 : size));
  return node.add(type, {
    ...{ inputTensor: orderKeys(node, input), outputTensor: new Output('int64', dims), axes: [axis] },
    axisDirection: isLast ? 'decreasing' : 'increasing',
  });
}

function cumulative(type: 'cumulativeProduct' | 'cumulativeSummation'): Lowering {
  return (node) => {
    const input = node.input(0);
    const axis = node.axis(node.number(node.input(1)), Math.max(1, input.dims.length));
    const [isReversed, isExclusive] = [node.flag('reverse'), node.flag('exclusive')];
    const isProduct = type === 'cumulativeProduct';
    if (input.dataType === 'float64') return scanDoubles(node, input, isProduct, { axis, isReversed, isExclusive });
    return node.map(type, input, {
      ...{ axis, axisDirection: isReversed ? 'decreasing' : 'increasing' },
      [isProduct ? 'hasExclusiveProduct' : 'hasExclusiveSum']: isExclusive,
    });
  };
}

function topK(node: Node): readonly Operand[] {
  const input = node.input(0);
  const axis = node.axis(node.int('axis', -1), input.dims.length);
  const count = node.optional(1);
  return largest(node, input, axis, count === undefined ? node.int('k', 0) : node.number(count));
}

function largest(node: Node, input: Operand, axis: number, k: number): readonly Operand[] {
  if (!(k >= 0 && k <= (input.dims[axis] ?? 0))) throw new RangeError(`there are fewer than ${k} elements along the axis`);
  const isDescending = node.flag('largest', true);
  if (input.dataType === 'float64') return largestDoubles(node, input, axis, k, isDescending);
  const keys = orderKeys(node, input);
  const dims = input.dims.with(axis, k);
  const made = node.addAll('topK1', {
    ...{ inputTensor: keys, outputValueTensor: like(keys, dims), outputIndexTensor: new Output('uint32', dims), axis, k },
    axisDirection: isDescending ? 'decreasing' : 'increasing',
  });
  const [values, places] = [...(made['outputValueTensor'] ?? []), ...(made['outputIndexTensor'] ?? [])];
  if (values === undefined || places === undefined) throw new TypeError('topK1 has no outputs');
  return [fromOrderKeys(node, values, input), node.cast(places, 'int64')];
}

/** Reductions, and what is computed along an axis. */
export const reduceOperators: Lowerings = {
  ...lossOperators,
  ArgMax: extremePlace('argmax'),
  ArgMin: extremePlace('argmin'),
  CumProd: cumulative('cumulativeProduct'),
  CumSum: cumulative('cumulativeSummation'),
  ReduceL1: reduction('l1'),
  ReduceL2: reduction('l2'),
  ReduceLogSum: reduction('logSum'),
  ReduceLogSumExp: reduction('logSumExp'),
  ReduceMax: reduction('max'),
  ReduceMean: reduction('average'),
  ReduceMin: reduction('min'),
  ReduceProd: reduction('multiply'),
  ReduceSum: reduction('sum'),
  ReduceSumSquare: reduction('sumSquare'),
  TopK: topK,
};
