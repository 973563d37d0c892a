/** Reductions, running sums and products, and orders of float64, which DirectML lacks: in memory. */
import { productOf } from '../../validation/tensor-size.js';
import { hostOperand } from '../make-data.js';
import type { Node } from '../node.js';
import { numbersOf, permuted, type HostOperand, type Operand } from '../operand.js';

export type ReduceFunction = 'average' | 'l1' | 'l2' | 'logSum' | 'logSumExp' | 'max' | 'min' | 'multiply' | 'sum' | 'sumSquare';

type Numbers = readonly number[];

const sum = (elements: Numbers) => elements.reduce((total, element) => total + element, 0);
const sumOf = (elements: Numbers, map: (element: number) => number) => sum(elements.map(map));
const max = (elements: Numbers) => elements.reduce((greatest, element) => Math.max(greatest, element), -Infinity);

const functions: Readonly<Record<ReduceFunction, (elements: Numbers) => number>> = {
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
};

/** The reduction along the axes, whose sizes become 1. */
export function reduceDoubles(node: Node, name: ReduceFunction, input: Operand, axes: Numbers): Operand {
  const others = [...input.dims.keys()].filter((axis) => !axes.includes(axis));
  const dims = input.dims.map((size, i) => (axes.includes(i) ? 1 : size));
  const length = productOf(input.dims) / productOf(dims);
  return node.computeOne([input], (given) => {
    const elements = numbersOf(permuted(given, [...others, ...axes]));
    const group = (i: number) => elements.slice(i * length, (i + 1) * length);
    return hostOperand(
      'float64',
      dims,
      Array.from({ length: productOf(dims) }, (_, i) => functions[name](group(i))),
    );
  });
}

/** How a running sum or product goes along an axis. */
export interface Scan {
  readonly axis: number;
  readonly isReversed: boolean;
  readonly isExclusive: boolean;
}

/** Running sums or products of float64. */
export function scanDoubles(node: Node, input: Operand, isProduct: boolean, scan: Scan): Operand {
  const { dims } = input;
  const size = dims[scan.axis] ?? 1;
  const stride = productOf(dims.slice(scan.axis + 1));
  return node.computeOne([input], (given) => {
    const elements = numbersOf(given);
    const results = new Array<number>(elements.length);
    for (let first = 0; first < elements.length; first++) {
      if (Math.floor(first / stride) % size !== 0) continue;
      let total = isProduct ? 1 : 0;
      for (let step = 0; step < size; step++) {
        const place = first + stride * (scan.isReversed ? size - 1 - step : step);
        const before = total;
        total = isProduct ? total * (elements[place] ?? NaN) : total + (elements[place] ?? NaN);
        results[place] = scan.isExclusive ? before : total;
      }
    }
    return hostOperand('float64', dims, results);
  });
}

/** The places of extremes as int64. */
export function extremePlaceOfDoubles(
  node: Node,
  type: 'argmax' | 'argmin',
  input: Operand,
  axis: number,
  isLast: boolean,
): Operand {
  const dims = input.dims.map((size, i) => (i === axis ? 1 : size));
  const extremeOf = functions[type === 'argmax' ? 'max' : 'min'];
  return node.computeOne([input], (given) => {
    const places = linesOf(given, axis).map((line) => {
      const extreme = extremeOf(line);
      return isLast ? line.lastIndexOf(extreme) : line.indexOf(extreme);
    });
    return hostOperand('int64', dims, places);
  });
}

/** The greatest or least elements along an axis, and their places. Of equal ones, those at lower places are first. */
export function largestDoubles(node: Node, input: Operand, axis: number, k: number, isDescending: boolean): readonly Operand[] {
  const dims = input.dims.with(axis, k);
  return node.compute([input], (given) => {
    const lines = linesOf(given, axis);
    const places = lines.map((line) => {
      const sorted = [...line.keys()].sort((a, b) => (isDescending ? -1 : 1) * ((line[a] ?? 0) - (line[b] ?? 0)));
      return sorted.slice(0, k);
    });
    const values = places.map((line, i) => line.map((place) => lines[i]?.[place] ?? NaN));
    return [fromLines('float64', dims, axis, values), fromLines('int64', dims, axis, places)];
  });
}

/** The elements along an axis, for each place of the others. */
function linesOf(given: HostOperand, axis: number): readonly Numbers[] {
  const elements = numbersOf(permuted(given, lastOf(given.dims, axis)));
  const length = given.dims[axis] ?? 1;
  return Array.from({ length: elements.length / length }, (_, i) => elements.slice(i * length, (i + 1) * length));
}

function fromLines(dataType: 'float64' | 'int64', dims: Numbers, axis: number, lines: readonly Numbers[]): HostOperand {
  const order = lastOf(dims, axis);
  const permutedDims = order.map((i) => dims[i] ?? 1);
  const back = dims.map((_, i) => order.indexOf(i));
  return hostOperand(dataType, dims, numbersOf(permuted(hostOperand(dataType, permutedDims, lines.flat()), back)));
}

/** The order of dimensions with the axis at the end. */
function lastOf(dims: Numbers, axis: number): Numbers {
  return [...[...dims.keys()].filter((i) => i !== axis), axis];
}
