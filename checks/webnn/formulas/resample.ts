/**
 * resample2d, from the specification's text. Positions are fractions of integers, so that rounding never decides a tie: for the
 * output coordinate o, (o + 1/2) · input / output - 1/2 is ((2o + 1) · input - output) / (2 · output).
 */
import { halvesToEven, isFloatType } from '../elements.js';
import type { Formula } from '../operator.js';
import { makeTensor, numberAt, type Outcome } from '../plain-tensor.js';

export const resample2d: Formula<'resample2d'> = (input, options = {}) => {
  const { mode = 'nearest-neighbor', scales = [1, 1], sizes, axes = [2, 3] } = options;
  let { shape } = input;
  for (const [i, axis] of axes.entries()) {
    shape = shape.with(axis, sizes?.[i] ?? Math.floor((input.shape[axis] ?? 1) * (scales[i] ?? 1)));
  }
  const [first = 2, second = 3] = axes;
  const places = shape.map((size, axis) => Array.from({ length: size }, (_, i) => placeOf(i, input.shape[axis] ?? 1, size)));
  return makeTensor(input.dataType, shape, (place) => {
    const element = (y: number, x: number) => numberAt(input, place.with(first, y).with(second, x));
    const [y, x] = [first, second].map((axis) => places[axis]?.[place[axis] ?? 0]);
    if (y === undefined || x === undefined) throw new RangeError('there are two axes');
    if (mode === 'nearest-neighbor') return element(y.nearest, x.nearest);
    const [before, after] = [y.first, y.second].map((row) => mixed(element(row, x.first), element(row, x.second), x.rest));
    const value = mixed(before ?? NaN, after ?? NaN, y.rest);
    if (!isFloatType(input.dataType)) return nearestInteger(value);
    const terms = y.nearby.flatMap((row) => x.nearby.map((column) => Math.abs(element(row, column))));
    // A weight, however small, is a difference of positions and has their absolute error.
    return { value, scale: Math.max(...terms) };
  });
};

/** Near a half, either neighbor is right, because weights are rounded. */
function nearestInteger(value: number): Outcome {
  const isHalf = Math.abs(value - Math.floor(value) - 0.5) < 2 ** -12;
  return { value: halvesToEven(value), ...(isHalf ? { also: [Math.floor(value), Math.ceil(value)] } : {}) };
}

/** A position between the elements of the input. */
interface Place {
  readonly nearest: number;
  readonly first: number;
  readonly second: number;
  /** The distance of the position from `first`. */
  readonly rest: number;
  /** The elements that may have a weight if the position is rounded: near an integer position, also both neighbors. */
  readonly nearby: readonly number[];
}

function placeOf(output: number, inputSize: number, outputSize: number): Place {
  const under = 2 * outputSize;
  const unclamped = (2 * output + 1) * inputSize - outputSize;
  const over = Math.min(Math.max(unclamped, 0), (inputSize - 1) * under);
  const first = Math.floor(over / under);
  const rest = (over - first * under) / under;
  const second = rest === 0 ? first : first + 1;
  const around = rest === 0 && inputSize !== outputSize ? [first - 1, first, first + 1] : [first, second];
  return {
    // ceil(position - 1/2)
    ...{ nearest: Math.max(0, Math.ceil((2 * over - under) / (2 * under))), first, second, rest },
    nearby: around.filter((i) => i >= 0 && i < inputSize),
  };
}

/** a · (1 - t) + b · t */
function mixed(a: number, b: number, t: number): number {
  return t === 0 ? a : a * (1 - t) + b * t;
}
