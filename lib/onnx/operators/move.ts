/** Operators that move elements. */
import { productOf } from '../../tensors/tensor-size.js';
import { like, type Node } from '../node.js';
import { broadcast, permuted, reshaped } from '../operand.js';
import { partsOf, type Numbers } from './in-memory.js';
import type { Lowering, Lowerings } from './lowering.js';
import { divided, joined, padded, partSizes, sliced, type Window } from './move-helpers.js';
import { ones, perChannel, upTo } from './tensor-helpers.js';

export const moveOperators: Lowerings = {
  Slice(node) {
    const input = node.input(0);
    const [starts, ends] = [node.list(1, 'starts') ?? [], node.list(2, 'ends') ?? []];
    const axes = axesOf(node, node.list(3, 'axes') ?? upTo(starts.length));
    const steps = node.list(4, 'steps') ?? [];
    return sliced(node, input, (size, axis) => {
      const i = axes.lastIndexOf(axis);
      return i < 0 ? {} : window(size, starts[i] ?? 0, ends[i] ?? 0, steps[i] ?? 1);
    });
  },
  Pad(node) {
    const widths = node.list(1, 'pads') ?? [];
    const axes = axesOf(node, node.list(3, 'axes'));
    if (widths.length !== 2 * axes.length) throw new RangeError(`${axes.length} axes have ${widths.length} pads`);
    const [starts = [], ends = []] = partsOf(widths, 2).map((each) => atAxes(node, axes, each));
    const value = node.optional(2);
    const fill = value === undefined || productOf(value.dims) === 0 ? node.float('value') : node.element(value);
    return padded(node, node.input(0), starts, ends, fill, node.text('mode', 'constant'));
  },
  Concat(node) {
    const parts = node.inputs;
    return joined(node, parts, node.axis(node.int('axis', 1), parts[0]?.dims.length ?? 1));
  },
  Split(node) {
    const input = node.input(0);
    const axis = node.axis(node.int('axis', 0), input.dims.length);
    const size = input.dims[axis] ?? 1;
    const count = node.int('num_outputs', node.outputCount);
    return divided(node, input, axis, node.list(1, 'split') ?? partSizes(size, Math.ceil(size / count), count));
  },
  Transpose(node) {
    const input = node.input(0);
    const order = node.ints('perm') ?? input.dims.map((_, i) => input.dims.length - 1 - i);
    const isOrder = order.length === input.dims.length && input.dims.every((_, i) => order.includes(i));
    if (!isOrder) throw new RangeError(`${order.join(', ')} is no order of ${input.dims.length} dimensions`);
    return permuted(input, order);
  },
  Tile(node) {
    const input = node.input(0);
    const repeats = node.numbers(node.input(1));
    if (repeats.every((each) => each === 1)) return input;
    const dims = input.dims.map((size, i) => size * (repeats[i] ?? 1));
    return node.add('tile', { inputTensor: input, repeats, outputTensor: like(input, dims) });
  },
  DepthToSpace: blocks('depthToSpace1'),
  SpaceToDepth: blocks('spaceToDepth1'),
  ReverseSequence(node) {
    const input = node.input(0);
    const rank = input.dims.length;
    const axis = node.axis(node.int('time_axis', 0), rank);
    const batch = node.axis(node.int('batch_axis', 1), rank);
    const lengths = perChannel(node, node.cast(node.input(1), 'uint64'), rank, batch);
    const sequenceLengthsTensor = broadcast(lengths, input.dims.with(axis, 1));
    return node.map('reverseSubsequences', input, { sequenceLengthsTensor, axis });
  },
  Trilu(node) {
    const input = node.input(0);
    const [rows = 1, columns = 1] = input.dims.slice(-2);
    const k = node.optional(1);
    const diagonal = k === undefined ? 0 : node.number(k);
    const limited = (place: number) => Math.max(-rows - 1, Math.min(columns + 1, place));
    const [diagonalFillBegin, diagonalFillEnd] = node.flag('upper', true)
      ? [-rows - 1, limited(diagonal)]
      : [limited(diagonal + 1), columns + 1];
    const matrices = input.dims.length > 4 ? node.reshape(input, [productOf(input.dims.slice(0, -2)), rows, columns]) : input;
    const made = node.map('diagonalMatrix1', matrices, {
      ...{ valueDataType: input.dataType, value: 0, diagonalFillBegin, diagonalFillEnd },
    });
    return reshaped(made, input.dims);
  },
  CenterCropPad(node) {
    const input = node.input(0);
    const sizes = node.numbers(node.input(1));
    const axes = axesOf(node, node.ints('axes'));
    const more = axes.map((axis, i) => (sizes[i] ?? 0) - (input.dims[axis] ?? 1));
    const starts = more.map((width) => Math.trunc(width / 2));
    const ends = more.map((width, i) => width - (starts[i] ?? 0));
    return padded(node, input, atAxes(node, axes, starts), atAxes(node, axes, ends));
  },
  Col2Im(node) {
    const input = node.input(0);
    const [image, windowSizes] = [node.numbers(node.input(1)), node.numbers(node.input(2))];
    const rank = image.length;
    const pads = node.ints('pads', ones(2 * rank).fill(0));
    const [batch = 1, rows = 1] = input.dims;
    return node.add('fold', {
      inputTensor: input,
      outputTensor: like(input, [batch, rows / productOf(windowSizes), ...image]),
      windowSizes,
      strides: node.ints('strides', ones(rank)),
      dilations: node.ints('dilations', ones(rank)),
      startPadding: pads.slice(0, rank),
      endPadding: pads.slice(rank),
    });
  },
};

/** Axes of the first input, counted from 0; all by default. */
function axesOf(node: Node, given?: Numbers): Numbers {
  const rank = node.input(0).dims.length;
  return given?.map((axis) => node.axis(axis, rank)) ?? upTo(rank);
}

/** A number for each dimension of the first input: those of the axes, and 0 for the others. */
function atAxes(node: Node, axes: Numbers, numbers: Numbers): Numbers {
  return node.input(0).dims.map((_, i) => numbers[axes.lastIndexOf(i)] ?? 0);
}

/** The limits of a part along a dimension, as ONNX and NumPy clamp them. */
function window(size: number, start: number, end: number, step: number): Window {
  if (step === 0) throw new RangeError('a step is 0');
  const [least, most] = step > 0 ? [0, size] : [-1, size - 1];
  const limited = (place: number, from: number) => Math.max(from, Math.min(most, place < 0 ? place + size : place));
  // A start before the first element is that element in both directions.
  const [first, last] = [Math.min(most, limited(start, 0)), limited(end, least)];
  return step > 0 ? { start: first, end: last, step } : { start: last + 1, end: first + 1, step };
}

function blocks(type: 'depthToSpace1' | 'spaceToDepth1'): Lowering {
  return (node) => {
    const input = node.input(0);
    const blockSize = node.int('blocksize', 1);
    const [batch = 1, channels = 1, height = 1, width = 1] = input.dims;
    if (input.dims.length !== 4) throw new RangeError(`the images have ${input.dims.length} instead of 4 dimensions`);
    const mode = node.text('mode', 'DCR');
    if (mode !== 'DCR' && mode !== 'CRD') throw node.unsupported('the mode', mode);
    const dims =
      type === 'depthToSpace1'
        ? [batch, channels / blockSize ** 2, height * blockSize, width * blockSize]
        : [batch, channels * blockSize ** 2, height / blockSize, width / blockSize];
    if (!dims.every(Number.isInteger)) throw new RangeError(`the images do not consist of blocks of ${blockSize}`);
    const order = mode === 'DCR' ? 'depthColumnRow' : 'columnRowDepth';
    return node.add(type, { inputTensor: input, outputTensor: like(input, dims), blockSize, order });
  };
}
