/** Operators that move elements. */
import { productOf } from '../../validation/tensor-size.js';
import { empty, vector } from '../make-data.js';
import { like, type Node } from '../node.js';
import { permuted, reshaped, withLayout, type Operand } from '../operand.js';
import type { Lowering, Lowerings } from './lowering.js';
import { cropped, divided, joined, padded, sliced, taken } from './move-helpers.js';

export const moveOperators: Lowerings = {
  Slice(node) {
    const input = node.input(0);
    const starts = node.list(1, 'starts') ?? [];
    const ends = node.list(2, 'ends') ?? [];
    const axes = node.list(3, 'axes') ?? starts.map((_, i) => i);
    const steps = node.list(4, 'steps') ?? [];
    const windows = input.dims.map((size) => ({ start: 0, end: size, step: 1 }));
    for (const [i, axis] of axes.entries()) {
      const place = node.axis(axis, input.dims.length);
      windows[place] = window(input.dims[place] ?? 1, starts[i] ?? 0, ends[i] ?? 0, steps[i] ?? 1);
    }
    return sliced(node, input, windows);
  },
  Pad(node) {
    const input = node.input(0);
    const rank = input.dims.length;
    const widths = node.list(1, 'pads') ?? [];
    const axes = node.list(3, 'axes')?.map((axis) => node.axis(axis, rank)) ?? input.dims.map((_, i) => i);
    if (widths.length !== 2 * axes.length) throw new RangeError(`${axes.length} axes have ${widths.length} pads`);
    const starts = new Array<number>(rank).fill(0);
    const ends = new Array<number>(rank).fill(0);
    for (const [i, axis] of axes.entries()) {
      starts[axis] = widths[i] ?? 0;
      ends[axis] = widths[i + axes.length] ?? 0;
    }
    const mode = node.text('mode', 'constant');
    if (mode !== 'constant') return continued(node, input, mode, starts, ends);
    const value = node.optional(2);
    const fill = value === undefined || productOf(value.dims) === 0 ? node.float('value') : node.element(value);
    return padded(node, input, starts, ends, fill);
  },
  Concat(node) {
    const parts = node.inputs;
    return joined(node, parts, node.axis(node.int('axis', 1), parts[0]?.dims.length ?? 1));
  },
  Split(node) {
    const input = node.input(0);
    const axis = node.axis(node.int('axis', 0), input.dims.length);
    const sizes = node.list(1, 'split');
    return divided(node, input, axis, sizes ?? evenSizes(input.dims[axis] ?? 1, node.int('num_outputs', node.outputCount)));
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
  DepthToSpace: blocks('depthToSpace1', (size, [batch, channels, height, width]) => [
    ...[batch, channels / size ** 2],
    ...[height * size, width * size],
  ]),
  SpaceToDepth: blocks('spaceToDepth1', (size, [batch, channels, height, width]) => [
    ...[batch, channels * size ** 2],
    ...[height / size, width / size],
  ]),
  ReverseSequence(node) {
    const input = node.input(0);
    const rank = input.dims.length;
    const axis = node.axis(node.int('time_axis', 0), rank);
    const batch = node.axis(node.int('batch_axis', 1), rank);
    const lengths = node.packed(node.cast(node.input(1), 'uint64'));
    const sequenceLengthsTensor = withLayout(
      lengths,
      input.dims.with(axis, 1),
      input.dims.map((_, i) => (i === batch ? 1 : 0)),
    );
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
    const value = input.dataType === 'int64' || input.dataType === 'uint64' ? 0n : 0;
    const matrices = input.dims.length > 4 ? node.reshape(input, [productOf(input.dims.slice(0, -2)), rows, columns]) : input;
    const made = node.map('diagonalMatrix1', matrices, {
      ...{ valueDataType: input.dataType, value, diagonalFillBegin, diagonalFillEnd },
    });
    return reshaped(made, input.dims);
  },
  CenterCropPad(node) {
    const input = node.input(0);
    const rank = input.dims.length;
    const sizes = node.numbers(node.input(1));
    const axes = node.ints('axes')?.map((axis) => node.axis(axis, rank)) ?? input.dims.map((_, i) => i);
    const starts = new Array<number>(rank).fill(0);
    const ends = new Array<number>(rank).fill(0);
    for (const [i, axis] of axes.entries()) {
      const more = (sizes[i] ?? 0) - (input.dims[axis] ?? 1);
      const start = Math.trunc(more / 2);
      starts[axis] = start;
      ends[axis] = more - start;
    }
    return padded(node, input, starts, ends);
  },
  Col2Im(node) {
    const input = node.input(0);
    const image = node.numbers(node.input(1));
    const windowSizes = node.numbers(node.input(2));
    const rank = image.length;
    const ones = image.map(() => 1);
    const pads = node.ints('pads', [...ones, ...ones].fill(0));
    const [batch = 1, rows = 1] = input.dims;
    return node.add('fold', {
      inputTensor: input,
      outputTensor: like(input, [batch, rows / productOf(windowSizes), ...image]),
      windowSizes,
      strides: node.ints('strides', ones),
      dilations: node.ints('dilations', ones),
      startPadding: pads.slice(0, rank),
      endPadding: pads.slice(rank),
    });
  },
};

/** The limits of a part along a dimension, as ONNX and NumPy clamp them. */
function window(size: number, start: number, end: number, step: number) {
  if (step === 0) throw new RangeError('a step is 0');
  const [least, most] = step > 0 ? [0, size] : [-1, size - 1];
  const limited = (place: number, from: number) => Math.max(from, Math.min(most, place < 0 ? place + size : place));
  // A start before the first element is that element in both directions.
  return { start: Math.min(most, limited(start, 0)), end: limited(end, least), step };
}

/** Equal sizes, the last of which may be smaller. */
function evenSizes(size: number, count: number): readonly number[] {
  const each = Math.ceil(size / count);
  return Array.from({ length: count }, (_, i) => Math.max(0, Math.min(each, size - i * each)));
}

type Image = readonly [number, number, number, number];

function blocks(type: 'depthToSpace1' | 'spaceToDepth1', sizes: (size: number, input: Image) => readonly number[]): Lowering {
  return (node) => {
    const input = node.input(0);
    const blockSize = node.int('blocksize', 1);
    const [batch, channels, height, width] = input.dims;
    if (batch === undefined || channels === undefined || height === undefined || width === undefined) {
      throw new RangeError('the images have fewer than 4 dimensions');
    }
    const mode = node.text('mode', 'DCR');
    if (mode !== 'DCR' && mode !== 'CRD') throw node.unsupported('the mode', mode);
    const dims = sizes(blockSize, [batch, channels, height, width]);
    if (!dims.every(Number.isInteger)) throw new RangeError(`the images do not consist of blocks of ${blockSize}`);
    const order = mode === 'DCR' ? 'depthColumnRow' : 'columnRowDepth';
    return node.add(type, { inputTensor: input, outputTensor: like(input, dims), blockSize, order });
  };
}

const modes: Readonly<Record<string, string | undefined>> = { edge: 'edge', reflect: 'reflection', wrap: 'wrap' };

/** With elements around that continue the tensor. */
function continued(node: Node, input: Operand, mode: string, starts: readonly number[], ends: readonly number[]): Operand {
  const paddingMode = modes[mode];
  if (paddingMode === undefined) throw node.unsupported('the mode', mode);
  const inner = cropped(node, input, starts, ends);
  const startPadding = starts.map((width) => Math.max(0, width));
  const endPadding = ends.map((width) => Math.max(0, width));
  const dims = inner.dims.map((size, i) => size + (startPadding[i] ?? 0) + (endPadding[i] ?? 0));
  if (dims.every((size, i) => size === inner.dims[i])) return inner;
  if (productOf(dims) === 0) return empty(input.dataType, dims, input.isBool);
  if (productOf(inner.dims) === 0) throw new RangeError('a tensor without elements cannot be continued');
  const isOnce = inner.dims.every((size, i) => {
    const most = mode === 'edge' ? Infinity : mode === 'wrap' ? size : size - 1;
    return Math.max(startPadding[i] ?? 0, endPadding[i] ?? 0) <= most;
  });
  if (isOnce)
    return node.add('padding1', { inputTensor: inner, outputTensor: like(input, dims), paddingMode, startPadding, endPadding });
  return dims.reduce((result, size, axis) => {
    const own = inner.dims[axis] ?? 1;
    if (own === size) return result;
    const places = Array.from({ length: size }, (_, i) => continuedPlace(mode, own, i - (startPadding[axis] ?? 0)));
    return taken(node, result, axis, vector('int32', places));
  }, inner);
}

/** The element that continues a dimension of some size at a place before or after it, also further away than its size. */
function continuedPlace(mode: string, size: number, place: number): number {
  if (mode === 'edge') return Math.max(0, Math.min(size - 1, place));
  const period = mode === 'wrap' ? size : Math.max(1, 2 * (size - 1));
  const rest = ((place % period) + period) % period;
  return rest < size ? rest : period - rest;
}
