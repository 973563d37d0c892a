/** Operators that only move elements, from the specification's text. */
import { castNumber } from '../elements.js';
import type { Formula } from '../operator.js';
import { at, makeTensor, sizeOf, type PlainTensor, type Shape } from '../plain-tensor.js';
import type { CaseOperand } from '../webnn-case.js';

/** A tensor of this shape. `from` maps each of its coordinates, axis by axis, to a coordinate of `tensor`. */
function movedFrom(tensor: PlainTensor, shape: Shape, from: (i: number, axis: number) => number): PlainTensor {
  return makeTensor(tensor.dataType, shape, (place) => at(tensor, place.map(from)));
}

export const reshape: Formula<'reshape'> = (input, shape) => {
  if (sizeOf(shape) !== input.data.length) throw new RangeError(`[${input.shape.join()}] has no shape [${shape.join()}]`);
  return { ...input, shape };
};

export const expand: Formula<'expand'> = (input, shape) => makeTensor(input.dataType, shape, (place) => at(input, place));

/** Dimension i of the result is dimension `permutation[i]` of the input; by default they are reversed. */
export const transpose: Formula<'transpose'> = (input, { permutation = [...input.shape.keys()].reverse() } = {}) => {
  const shape = permutation.map((axis) => input.shape[axis] ?? 1);
  return makeTensor(input.dataType, shape, (place) => {
    const own = input.shape.map((_, axis) => place[permutation.indexOf(axis)] ?? 0);
    return at(input, own);
  });
};

export const concat: Formula<'concat'> = (inputs, axis) => {
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
};

export const split: Formula<'split'> = (input, splits, { axis = 0 } = {}) => {
  const parts = typeof splits === 'number' ? new Array<number>(splits).fill((input.shape[axis] ?? 1) / splits) : splits;
  let next = 0;
  return parts.map((part) => {
    const start = next;
    next += part;
    return movedFrom(input, input.shape.with(axis, part), (i, own) => (own === axis ? start + i : i));
  });
};

/** Every stride-th element of the window that begins at `starts` and has these `sizes`. */
export const slice: Formula<'slice'> = (input, starts, sizes, { strides = [] } = {}) => {
  const shape = sizes.map((size, axis) => Math.ceil(size / (strides[axis] ?? 1)));
  return movedFrom(input, shape, (i, axis) => (starts[axis] ?? 0) + i * (strides[axis] ?? 1));
};

/** Casts the padding value to the data type. */
export const pad: Formula<'pad'> = (input, beginning, ending, { mode = 'constant', value = 0 } = {}) => {
  const padding = castNumber(value, input.dataType);
  const shape = input.shape.map((size, axis) => (beginning[axis] ?? 0) + size + (ending[axis] ?? 0));
  const repeated = movedFrom(input, shape, (i, axis) => inside(i - (beginning[axis] ?? 0), input.shape[axis] ?? 1, mode));
  if (mode !== 'constant') return repeated;
  const isPadding = (i: number, axis: number) =>
    i < (beginning[axis] ?? 0) || i >= (beginning[axis] ?? 0) + (input.shape[axis] ?? 1);
  return makeTensor(input.dataType, shape, (place) => (place.some(isPadding) ? padding : at(repeated, place)));
};

/** The coordinate of the input whose element is repeated at the coordinate `i`, which may lie in the padding. */
function inside(i: number, size: number, mode: 'constant' | 'edge' | 'reflection'): number {
  if (mode !== 'reflection') return Math.min(Math.max(i, 0), size - 1);
  if (i < 0) return -i;
  return i < size ? i : 2 * (size - 1) - i;
}

export const reverse: Formula<'reverse'> = (input, { axes } = {}) => {
  return movedFrom(input, input.shape, (i, axis) => (axes?.includes(axis) === false ? i : (input.shape[axis] ?? 1) - 1 - i));
};

export const tile: Formula<'tile'> = (input, repetitions) => {
  const shape = input.shape.map((size, axis) => size * (repetitions[axis] ?? 1));
  return movedFrom(input, shape, (i, axis) => i % (input.shape[axis] ?? 1));
};

/** The operand after its views, as the operator gets it. */
export function viewed({ dataType, shape, data, views = [] }: CaseOperand): PlainTensor {
  let tensor: PlainTensor = { dataType, shape, data };
  for (const view of views) {
    if ('reshape' in view) tensor = reshape(tensor, view.reshape);
    else if ('transpose' in view) tensor = transpose(tensor, { permutation: view.transpose });
    else if ('expand' in view) tensor = expand(tensor, view.expand);
    else tensor = slice(tensor, view.slice.starts, view.slice.sizes);
  }
  return tensor;
}
