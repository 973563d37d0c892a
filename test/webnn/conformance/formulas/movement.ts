/** Operators that only move elements, from the specification's text. */
import {
  at,
  expanded,
  makeTensor,
  movedFrom,
  partOf,
  reshaped,
  transposed,
  type PlainTensor,
  type Shape,
} from '../plain-tensor.js';
import { castNumber } from './casting.js';

export const reshape = reshaped;
export const expand = expanded;

/** Dimension i of the result is dimension `permutation[i]` of the input; by default they are reversed. */
export function transpose(input: PlainTensor, { permutation }: { readonly permutation?: Shape } = {}): PlainTensor {
  return transposed(input, permutation ?? input.shape.map((_, axis) => axis).reverse());
}

export function concat(inputs: readonly PlainTensor[], axis: number): PlainTensor {
  const [first] = inputs;
  if (first === undefined) throw new RangeError('there is no input');
  const size = inputs.reduce((total, { shape }) => total + (shape[axis] ?? 0), 0);
  return makeTensor(first.dataType, first.shape.with(axis, size), (place) => {
    let rest = place[axis] ?? 0;
    for (const input of inputs) {
      const own = input.shape[axis] ?? 0;
      if (rest < own) return at(input, place.with(axis, rest));
      rest -= own;
    }
    throw new RangeError('past the last input');
  });
}

export function split(
  input: PlainTensor,
  splits: number | Shape,
  { axis = 0 }: { readonly axis?: number } = {},
): readonly PlainTensor[] {
  const parts = typeof splits === 'number' ? new Array<number>(splits).fill((input.shape[axis] ?? 1) / splits) : splits;
  let next = 0;
  return parts.map((part) => {
    const start = next;
    next += part;
    const starts = input.shape.map((_, own) => (own === axis ? start : 0));
    return partOf(input, starts, input.shape.with(axis, part));
  });
}

/** The window at `starts` of `sizes`, of which every stride-th element is taken. */
export function slice(
  input: PlainTensor,
  starts: Shape,
  sizes: Shape,
  { strides = sizes.map(() => 1) }: { readonly strides?: Shape } = {},
): PlainTensor {
  const shape = sizes.map((size, axis) => Math.ceil(size / (strides[axis] ?? 1)));
  return movedFrom(input, shape, (i, axis) => (starts[axis] ?? 0) + i * (strides[axis] ?? 1));
}

export interface PadOptions {
  readonly mode?: 'constant' | 'edge' | 'reflection';
  readonly value?: number | bigint;
}

/** The value is cast to the data type. */
export function pad(input: PlainTensor, beginning: Shape, ending: Shape, options: PadOptions = {}): PlainTensor {
  const { mode = 'constant' } = options;
  const value = castNumber(options.value ?? 0, input.dataType);
  const shape = input.shape.map((size, axis) => (beginning[axis] ?? 0) + size + (ending[axis] ?? 0));
  const repeated = movedFrom(input, shape, (i, axis) => inside(i - (beginning[axis] ?? 0), input.shape[axis] ?? 1, mode));
  if (mode !== 'constant') return repeated;
  const isPadding = (i: number, axis: number) =>
    i < (beginning[axis] ?? 0) || i >= (beginning[axis] ?? 0) + (input.shape[axis] ?? 1);
  return makeTensor(input.dataType, shape, (place) => (place.some(isPadding) ? value : at(repeated, place)));
}

/** The coordinate whose element a padded one repeats. */
function inside(i: number, size: number, mode: 'constant' | 'edge' | 'reflection'): number {
  if (mode !== 'reflection') return Math.min(Math.max(i, 0), size - 1);
  if (i < 0) return -i;
  return i < size ? i : 2 * (size - 1) - i;
}

export function reverse(input: PlainTensor, { axes }: { readonly axes?: Shape } = {}): PlainTensor {
  return movedFrom(input, input.shape, (i, axis) => (axes?.includes(axis) === false ? i : (input.shape[axis] ?? 1) - 1 - i));
}

export function tile(input: PlainTensor, repetitions: Shape): PlainTensor {
  const shape = input.shape.map((size, axis) => size * (repetitions[axis] ?? 1));
  return movedFrom(input, shape, (i, axis) => i % (input.shape[axis] ?? 1));
}
