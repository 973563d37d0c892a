/** Parts, joins and copies of tensors that several families of operators need. */
import type { DataType } from '../../schema/generated/enums.js';
import { productOf } from '../../validation/tensor-size.js';
import { scalar } from '../make-data.js';
import { like, type Node } from '../node.js';
import { broadcast, broadcastDims, type HostOperand, type Operand } from '../operand.js';

/** The same number everywhere, as strides of 0. */
export function constant(dataType: DataType, dims: readonly number[], value: number | bigint): HostOperand {
  return broadcast(scalar(dataType, value), dims);
}

/** Zeros in a packed layout. */
export function zeros(node: Node, dataType: DataType, dims: readonly number[]): Operand {
  return node.packed(constant(dataType, dims, 0));
}

export function ones(count: number): number[] {
  return new Array<number>(count).fill(1);
}

/** The numbers from 0 to `count - 1`. */
export function upTo(count: number): number[] {
  return Array.from({ length: count }, (_, i) => i);
}

/** Every `step`-th element along an axis. */
export function part(node: Node, input: Operand, axis: number, offset: number, size: number, step = 1): Operand {
  const dims = input.dims.map((each, i) => (i === axis ? Math.ceil(size / Math.abs(step)) : each));
  return node.add('slice1', {
    inputTensor: input,
    outputTensor: like(input, dims),
    inputWindowOffsets: dims.map((_, i) => (i === axis ? offset : 0)),
    inputWindowSizes: input.dims.map((each, i) => (i === axis ? size : each)),
    inputWindowStrides: dims.map((_, i) => (i === axis ? step : 1)),
  });
}

/** Parts of these sizes along the last axis. */
export function splitLast(node: Node, input: Operand, sizes: readonly number[]): readonly Operand[] {
  const outer = input.dims.slice(0, -1);
  const outputTensors = sizes.map((size) => like(input, [...outer, size]));
  return node.addAll('split', { inputTensor: input, outputTensors, axis: outer.length })['outputTensors'] ?? [];
}

/** The tensors one after the other along an axis. */
export function joined(node: Node, operands: readonly Operand[], axis: number): Operand {
  const [first, ...others] = operands.filter(({ dims }) => dims[axis] !== 0);
  if (first === undefined) return firstOf(operands);
  if (others.length === 0) return first;
  const size = [first, ...others].reduce((sum, { dims }) => sum + (dims[axis] ?? 0), 0);
  const dims = first.dims.map((each, i) => (i === axis ? size : each));
  return node.add('join', { inputTensors: [first, ...others], outputTensor: like(first, dims), axis });
}

function firstOf(operands: readonly Operand[]): Operand {
  const [first] = operands;
  if (first === undefined) throw new RangeError('there is nothing to join');
  return first;
}

/** With `start[i]` and `end[i]` more elements along each dimension; fewer, if these are negative. */
export function padded(
  node: Node,
  input: Operand,
  start: readonly number[],
  end: readonly number[],
  value: number | bigint = 0,
): Operand {
  const cut = (sizes: readonly number[]) => sizes.map((size) => Math.max(0, -size));
  const more = (sizes: readonly number[]) => sizes.map((size) => Math.max(0, size));
  const [from, to] = [cut(start), cut(end)];
  const kept = input.dims.map((size, i) => size - (from[i] ?? 0) - (to[i] ?? 0));
  const inner =
    productOf(kept) === productOf(input.dims)
      ? input
      : node.add('slice1', {
          inputTensor: input,
          outputTensor: like(input, kept),
          inputWindowOffsets: from,
          inputWindowSizes: kept,
          inputWindowStrides: ones(kept.length),
        });
  const [startPadding, endPadding] = [more(start), more(end)];
  if ([...startPadding, ...endPadding].every((size) => size === 0)) return inner;
  const dims = kept.map((size, i) => size + (startPadding[i] ?? 0) + (endPadding[i] ?? 0));
  if (productOf(kept) === 0) return node.packed(constant(input.dataType, dims, value));
  const paddingValue = input.dataType === 'int64' || input.dataType === 'uint64' ? BigInt(value) : value;
  return node.add('padding1', {
    inputTensor: inner,
    outputTensor: like(input, dims),
    paddingMode: 'constant',
    paddingValueDataType: input.dataType,
    paddingValue,
    startPadding,
    endPadding,
  });
}

/** `a` where the condition holds, else `b`; all three broadcast. */
export function choose(node: Node, condition: Operand, a: Operand, b: Operand): Operand {
  const dims = broadcastDims(condition.dims, a.dims, b.dims);
  return node.add('elementWiseIf', {
    conditionTensor: broadcast(condition, dims),
    aTensor: broadcast(a, dims),
    bTensor: broadcast(b, dims),
    outputTensor: like(a, dims),
  });
}

/** One number per channel, for tensors of `rank` dimensions. */
export function perChannel(node: Node, channels: Operand, rank: number, axis = 1): Operand {
  return node.reshape(
    channels,
    ones(rank).map((one, i) => (i === axis ? productOf(channels.dims) : one)),
  );
}

/** What is made of the elements along axes, whose sizes become 1. */
export function reduced(
  node: Node,
  kind: 'sum' | 'average' | 'max' | 'min' | 'l1' | 'l2',
  input: Operand,
  axes: readonly number[],
): Operand {
  if (axes.length === 0 && kind !== 'l1' && kind !== 'l2') return input;
  const dims = input.dims.map((size, i) => (axes.includes(i) ? 1 : size));
  if (productOf(input.dims) === 0 && (kind === 'sum' || kind === 'l1' || kind === 'l2')) return zeros(node, input.dataType, dims);
  return node.add('reduce', { function: kind, inputTensor: input, outputTensor: like(input, dims), axes });
}

/** Rows of a table by their numbers, in place of each number. */
export function rowsOf(node: Node, table: Operand, numbers: Operand): Operand {
  const [, ...row] = table.dims;
  const dims = [...numbers.dims, ...row];
  const rank = Math.max(table.dims.length, dims.length, 1);
  const lead = (sizes: readonly number[]) => [...ones(rank - sizes.length), ...sizes];
  const made = node.add('gather', {
    inputTensor: node.reshape(table, lead(table.dims)),
    indicesTensor: node.reshape(numbers, lead(numbers.dims)),
    outputTensor: like(table, lead(dims)),
    axis: rank - table.dims.length,
    indexDimensions: numbers.dims.length,
  });
  return node.reshape(made, dims);
}

/** The result of work on 32-bit floats, for 16-bit floats too: DirectML keeps sums of these in 16 bits. */
export function inFloat32(node: Node, input: Operand, work: (input: Operand) => Operand): Operand {
  if (input.dataType !== 'float16') return work(input);
  return node.cast(work(node.cast(input, 'float32')), 'float16');
}

export function castOptional(node: Node, input: Operand | undefined, dataType: DataType): Operand | undefined {
  return input && node.cast(input, dataType);
}

/** Converts integers minus a zero point, which is exact. */
export function minusZeroPoint(node: Node, input: Operand, zeroPoint: Operand | undefined): Operand {
  const wide = node.cast(input, 'int32');
  return zeroPoint === undefined ? wide : node.arithmetic('elementWiseSubtract', wide, node.cast(zeroPoint, 'int32'));
}
