/** Operators that move elements: reshape, transpose, concat, slice, gather, scatter and the like. */
import { elementCount, type Operand, type OperandDescriptor, type OperatorName } from '../ml-operand.js';
import { list, type Check, type Validators } from './check.js';

export const shape: Validators<Shaping> = {
  reshape(check, input, newShape) {
    const count = elementCount(newShape);
    const own = elementCount(input.shape);
    check.that(count === own, () => `newShape ${list(newShape)} has ${count} elements, but the input has ${own}`);
    return { dataType: input.dataType, shape: newShape };
  },
  expand(check, input, newShape) {
    check.broadcastTo('input', input.shape, newShape);
    return { dataType: input.dataType, shape: newShape };
  },
  transpose(check, input, { permutation = [...input.shape.keys()].reverse() }) {
    check.length('permutation', permutation, input.rank);
    check.axes('permutation', permutation, input);
    return { dataType: input.dataType, shape: permutation.map((axis) => input.shape[axis] ?? 1) };
  },
  concat(check, inputs, axis) {
    const [first] = inputs;
    if (first === undefined) return check.fail('inputs is empty');
    check.axis('axis', axis, first);
    let size = 0;
    for (const [i, input] of inputs.entries()) {
      check.that(
        input.dataType === first.dataType,
        () => `inputs[${i}] has the data type ${input.dataType}, not ${first.dataType}`,
      );
      const fits = input.rank === first.rank && input.shape.every((own, j) => j === axis || own === first.shape[j]);
      check.that(fits, () => `inputs[${i}] of the shape ${list(input.shape)} does not join ${list(first.shape)} at axis ${axis}`);
      size += input.shape[axis] ?? 0;
    }
    return { dataType: first.dataType, shape: first.shape.with(axis, size) };
  },
  split(check, input, splits, { axis }) {
    check.axis('axis', axis, input);
    const size = input.shape[axis] ?? 0;
    const parts = typeof splits === 'number' ? equalParts(check, size, splits) : splits;
    check.that(parts.length > 0 && parts.length <= 8192, () => `splits makes ${parts.length} outputs`);
    check.positive('splits', parts);
    const sum = parts.reduce((total, part) => total + part, 0);
    check.that(
      sum === size,
      () => `splits ${list(parts)} has the sum ${sum}, but the input has the size ${size} at axis ${axis}`,
    );
    return parts.map((part) => ({ dataType: input.dataType, shape: input.shape.with(axis, part) }));
  },
  slice(check, input, starts, sizes, { strides }) {
    check.length('starts', starts, input.rank);
    check.length('sizes', sizes, input.rank);
    check.length('strides', strides, input.rank);
    check.positive('sizes', sizes);
    check.positive('strides', strides);
    const slice = input.shape.map((size, i) => {
      const [start = 0, count = 0] = [starts[i], sizes[i]];
      check.that(start + count <= size, () => `starts and sizes reach to ${start + count} in dimension ${i}, which has ${size}`);
      return Math.ceil(count / (strides?.[i] ?? 1));
    });
    return { dataType: input.dataType, shape: slice };
  },
  pad(check, input, beginningPadding, endingPadding, { mode }) {
    check.length('beginningPadding', beginningPadding, input.rank);
    check.length('endingPadding', endingPadding, input.rank);
    const padded = input.shape.map((size, i) => {
      const [before = 0, after = 0] = [beginningPadding[i], endingPadding[i]];
      const fits = mode !== 'reflection' || (before < size && after < size);
      check.that(fits, () => `a reflection of ${Math.max(before, after)} needs more than ${size} elements in dimension ${i}`);
      return before + size + after;
    });
    return { dataType: input.dataType, shape: padded };
  },
  tile(check, input, repetitions) {
    check.length('repetitions', repetitions, input.rank);
    check.positive('repetitions', repetitions);
    return { dataType: input.dataType, shape: input.shape.map((size, i) => size * (repetitions[i] ?? 1)) };
  },
  reverse(check, input, { axes }) {
    check.axes('axes', axes, input);
    return { dataType: input.dataType, shape: input.shape };
  },
  triangular: (_check, { dataType, shape }) => ({ dataType, shape }),
  gather(check, input, indices, { axis }) {
    check.axis('axis', axis, input);
    const gathered = [...input.shape.slice(0, axis), ...indices.shape, ...input.shape.slice(axis + 1)];
    return { dataType: input.dataType, shape: gathered };
  },
  gatherElements(check, input, indices, { axis }) {
    checkElements(check, input, indices, axis);
    return { dataType: input.dataType, shape: indices.shape };
  },
  gatherND(check, input, indices) {
    return { dataType: input.dataType, shape: tupleShape(check, input, indices) };
  },
  scatterElements(check, input, indices, updates, { axis }) {
    checkElements(check, input, indices, axis);
    check.shape('updates', updates, indices.shape);
    return { dataType: input.dataType, shape: input.shape };
  },
  scatterND(check, input, indices, updates) {
    check.shape('updates', updates, tupleShape(check, input, indices));
    return { dataType: input.dataType, shape: input.shape };
  },
};

function equalParts(check: Check, size: number, count: number): readonly number[] {
  check.that(count > 0 && size % count === 0, () => `a size of ${size} cannot be split into ${count} equal parts`);
  return new Array<number>(count).fill(size / count);
}

/** The indices have the shape of the input, but for the axis. */
function checkElements(check: Check, input: Operand, indices: Operand, axis: number): void {
  check.axis('axis', axis, input);
  const fits = indices.rank === input.rank && indices.shape.every((size, i) => i === axis || size === input.shape[i]);
  check.that(fits, () => `indices of the shape ${list(indices.shape)} do not fit ${list(input.shape)} at axis ${axis}`);
}

/** The shape of what the tuples along the last axis of the indices select. */
function tupleShape(check: Check, input: Operand, indices: Operand): OperandDescriptor['shape'] {
  const length = indices.shape.at(-1);
  if (length === undefined) check.fail('indices has no dimensions');
  check.that(length <= input.rank, () => `indices has tuples of ${length}, but the input has ${input.rank} dimensions`);
  return [...indices.shape.slice(0, -1), ...input.shape.slice(length)];
}

type Shaping = Extract<
  OperatorName,
  | ('reshape' | 'expand' | 'transpose' | 'concat' | 'split' | 'slice' | 'pad' | 'tile' | 'reverse' | 'triangular')
  | ('gather' | 'gatherElements' | 'gatherND' | 'scatterElements' | 'scatterND')
>;
