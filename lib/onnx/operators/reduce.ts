/** Reductions, and what is computed along an axis. */
import { isFloat, wideRangeOf } from '../../tensors/data-types.js';
import { productOf } from '../../tensors/tensor-size.js';
import { hostOperand, scalar } from '../make-data.js';
import { boolean, like, type Node } from '../node.js';
import { broadcast, numbersOf, Output, permuted, type Operand } from '../operand.js';
import { convert } from './convert.js';
import { lossOperators } from './loss.js';
import type { Lowering, Lowerings } from './lowering.js';
import { fromOrderKeys, orderKeys } from './order.js';
import { choose, constant, reduced, upTo } from './tensor-helpers.js';

type Numbers = readonly number[];

/** Computes a line of the output from each line of elements along the axes. */
export function lineInMemory(
  node: Node,
  input: Operand,
  axes: Numbers,
  { dataType, dims }: Output,
  work: (line: Numbers) => Numbers,
): Operand {
  const order = [...[...input.dims.keys()].filter((axis) => !axes.includes(axis)), ...axes];
  const length = productOf(axes.map((axis) => input.dims[axis] ?? 1));
  return node.computeOne([input], (given) => {
    const elements = numbersOf(permuted(given, order));
    const lines = upTo(elements.length / length).map((i) => work(elements.slice(i * length, (i + 1) * length)));
    const sizes = order.map((axis) => dims[axis] ?? 1);
    const back = dims.map((_, axis) => order.indexOf(axis));
    return hostOperand(dataType, dims, numbersOf(permuted(hostOperand(dataType, sizes, lines.flat()), back)));
  });
}

export const sum = (elements: Numbers) => elements.reduce((total, element) => total + element, 0);
export const max = (elements: Numbers) => elements.reduce((greatest, element) => Math.max(greatest, element), -Infinity);
const sumOf = (elements: Numbers, map: (element: number) => number) => sum(elements.map(map));

/** The reductions of doubles, by their names in DirectML. */
const reductions = {
  average: (elements) => sum(elements) / elements.length,
  l1: (elements) => sumOf(elements, Math.abs),
  l2: (elements) => Math.sqrt(sumOf(elements, (element) => element * element)),
  logSum: (elements) => Math.log(sum(elements)),
  logSumExp: (elements) => {
    const greatest = max(elements);
    const shift = Number.isFinite(greatest) ? greatest : 0;
    return Math.log(sumOf(elements, (element) => Math.exp(element - shift))) + shift;
  },
  max,
  min: (elements) => elements.reduce((least, element) => Math.min(least, element), Infinity),
  multiply: (elements) => elements.reduce((total, element) => total * element, 1),
  sum,
  sumSquare: (elements) => sumOf(elements, (element) => element * element),
} as const satisfies Readonly<Record<string, (elements: Numbers) => number>>;

type ReduceFunction = keyof typeof reductions;

/** Those that keep a single element as it is. */
const keepsOne: ReadonlySet<ReduceFunction> = new Set(['average', 'max', 'min', 'multiply', 'sum', 'logSumExp']);

/** Those whose results for integers have fractions, which are dropped. */
const roots: ReadonlySet<ReduceFunction> = new Set(['l2', 'logSum', 'logSumExp']);

function reduction(name: ReduceFunction): Lowering {
  return (node) => {
    const input = node.input(0);
    const given = node.list(1, 'axes') ?? [];
    const all = node.flag('noop_with_empty_axes') ? [] : upTo(input.dims.length);
    const axes = given.length === 0 ? all : [...new Set(given.map((axis) => node.axis(axis, input.dims.length)))];
    const kept = reduceBy(node, name, input, axes);
    const others = input.dims.filter((_, i) => !axes.includes(i));
    return node.flag('keepdims', true) ? kept : node.reshape(kept, others);
  };
}

/** The reduction along the axes, whose sizes become 1; without axes, the function of each element alone. */
export function reduceBy(node: Node, name: ReduceFunction, input: Operand, axes: Numbers): Operand {
  const { dataType } = input;
  const count = productOf(input.dims);
  if (axes.length === 0) {
    if (keepsOne.has(name) || count === 0) return input;
    return node.reshape(reduceBy(node, name, node.reshape(input, [count, 1]), [1]), input.dims);
  }
  const dims = input.dims.map((size, i) => (axes.includes(i) ? 1 : size));
  if (count === 0) return broadcast(neutralOf(name, input), dims);
  if (dataType === 'float64') return lineInMemory(node, input, axes, like(input, dims), (line) => [reductions[name](line)]);
  if (roots.has(name) && !isFloat(dataType)) {
    const doubles = convert(node, input, { dataType: 'float64', isBool: false });
    return convert(node, reduceBy(node, name, doubles, axes), { dataType, isBool: false });
  }
  if (name === 'average' && !isFloat(dataType)) {
    const number = scalar(dataType, count / productOf(dims));
    return node.arithmetic('elementWiseDivide', reduced(node, 'sum', input, axes), number);
  }
  if (name === 'logSumExp') return logSumExp(node, input, axes);
  if (name !== 'max' && name !== 'min') return reduced(node, name, input, axes);
  return fromOrderKeys(node, reduced(node, name, orderKeys(node, input), axes), input);
}

/** What the reduction of no elements is. */
function neutralOf(name: ReduceFunction, { dataType, isBool }: Operand): Operand {
  const neutral = reductions[name]([]);
  const range = isFloat(dataType) || isBool ? { low: 0, high: 1 } : wideRangeOf(dataType);
  const whole = { max: range.low, min: range.high, average: 0 }[name as string] ?? neutral;
  return { ...scalar(dataType, isFloat(dataType) ? neutral : whole), isBool };
}

/** The greatest element is subtracted before, so that no exponential overflows. */
function logSumExp(node: Node, input: Operand, axes: Numbers): Operand {
  const greatest = reduced(node, 'max', input, axes);
  const isInfinite = node.add('elementWiseIsInfinity', {
    ...{ inputTensor: greatest, outputTensor: boolean(greatest.dims), infinityMode: 'either' },
  });
  const shift = choose(node, isInfinite, constant(input.dataType, greatest.dims, 0), greatest);
  const rest = reduced(node, 'logSumExp', node.arithmetic('elementWiseSubtract', input, shift), axes);
  return node.arithmetic('elementWiseAdd', rest, shift);
}

/** The places of extremes as int64. */
function extremePlace(type: 'argmax' | 'argmin'): Lowering {
  return (node) => {
    const input = node.input(0);
    const axis = node.axis(node.int('axis', 0), Math.max(1, input.dims.length));
    if (input.dims[axis] === 0) throw new RangeError('there are no elements along the axis');
    const isLast = node.flag('select_last_index');
    const dims = input.dims.map((size, i) => (i === axis ? 1 : size));
    const outputTensor = new Output('int64', dims);
    const placeOf = (line: Numbers) => {
      const extreme = reductions[type === 'argmax' ? 'max' : 'min'](line);
      return [isLast ? line.lastIndexOf(extreme) : line.indexOf(extreme)];
    };
    const kept =
      input.dataType === 'float64'
        ? lineInMemory(node, input, [axis], outputTensor, placeOf)
        : node.add(type, {
            ...{ inputTensor: orderKeys(node, input), outputTensor, axes: [axis] },
            axisDirection: isLast ? 'decreasing' : 'increasing',
          });
    return node.flag('keepdims', true) ? kept : node.reshape(kept, input.dims.toSpliced(axis, 1));
  };
}

function cumulative(type: 'cumulativeProduct' | 'cumulativeSummation'): Lowering {
  return (node) => {
    const input = node.input(0);
    const axis = node.axis(node.number(node.input(1)), Math.max(1, input.dims.length));
    const [isReversed, isExclusive] = [node.flag('reverse'), node.flag('exclusive')];
    const isProduct = type === 'cumulativeProduct';
    if (input.dataType === 'float64') {
      return lineInMemory(node, input, [axis], like(input), (line) => {
        let total = isProduct ? 1 : 0;
        const results = (isReversed ? line.toReversed() : line).map((element) => {
          const before = total;
          total = isProduct ? total * element : total + element;
          return isExclusive ? before : total;
        });
        return isReversed ? results.reverse() : results;
      });
    }
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
  const k = count === undefined ? node.int('k', 0) : node.number(count);
  if (!(k >= 0 && k <= (input.dims[axis] ?? 0))) throw new RangeError(`there are fewer than ${k} elements along the axis`);
  const isDescending = node.flag('largest', true);
  const dims = input.dims.with(axis, k);
  if (input.dataType === 'float64') {
    const placesOf = (line: Numbers) => {
      const inOrder = (a: number, b: number) => (isDescending ? -1 : 1) * ((line[a] ?? 0) - (line[b] ?? 0));
      return [...line.keys()].sort(inOrder).slice(0, k);
    };
    const valuesOf = (line: Numbers) => placesOf(line).map((place) => line[place] ?? NaN);
    return [
      lineInMemory(node, input, [axis], like(input, dims), valuesOf),
      lineInMemory(node, input, [axis], new Output('int64', dims), placesOf),
    ];
  }
  const keys = orderKeys(node, input);
  const made = node.addAll('topK1', {
    ...{ inputTensor: keys, outputValueTensor: like(keys, dims), outputIndexTensor: new Output('uint32', dims), axis, k },
    axisDirection: isDescending ? 'decreasing' : 'increasing',
  });
  return [fromOrderKeys(node, made.outputValueTensor, input), node.cast(made.outputIndexTensor, 'int64')];
}

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
