/** Parts, joins and paddings of tensors, which several operators need. */
import { productOf } from '../../validation/tensor-size.js';
import { empty, scalar } from '../make-data.js';
import { like, type Node } from '../node.js';
import { broadcast, reshaped, type Operand } from '../operand.js';

/** For each dimension of a tensor, the first element, the element after the last, and the distance of steps between. */
export interface Window {
  readonly start: number;
  /** Counted from 0; may be -1 for steps backwards. */
  readonly end: number;
  readonly step: number;
}

/** The elements of a window, whose limits lie in the tensor. */
export function sliced(node: Node, input: Operand, windows: readonly Window[]): Operand {
  const spans = windows.map(({ start, end, step }) => Math.max(0, step > 0 ? end - start : start - end));
  const dims = windows.map(({ step }, i) => Math.ceil((spans[i] ?? 0) / Math.abs(step)));
  if (windows.every(({ step }, i) => step > 0 && dims[i] === input.dims[i])) return input;
  return node.add('slice1', {
    inputTensor: input,
    outputTensor: like(input, dims),
    inputWindowOffsets: windows.map(({ start, end, step }) => (step > 0 ? start : end + 1)),
    inputWindowSizes: spans,
    inputWindowStrides: windows.map(({ step }) => Math.max(1 - 2 ** 31, Math.min(2 ** 31 - 1, step))),
  });
}

/** The elements from `start` to before `end` along an axis, or each `step`-th of them; backwards with a negative step. */
export function partOf(node: Node, input: Operand, axis: number, start: number, end: number, step = 1): Operand {
  const window = step > 0 ? { start, end, step } : { start: end - 1, end: start - 1, step };
  return sliced(
    node,
    input,
    input.dims.map((size, i) => (i === axis ? window : { start: 0, end: size, step: 1 })),
  );
}

/** The first elements along each dimension. */
export function cornerOf(node: Node, input: Operand, dims: readonly number[]): Operand {
  return sliced(
    node,
    input,
    dims.map((end) => ({ start: 0, end, step: 1 })),
  );
}

/** The parts of a tensor, of these sizes along an axis. */
export function divided(node: Node, input: Operand, axis: number, sizes: readonly number[]): readonly Operand[] {
  const size = input.dims[axis] ?? 1;
  if (sizes.reduce((sum, each) => sum + each, 0) !== size) {
    throw new RangeError(`the parts of ${sizes.join(', ')} are not the ${size} elements of axis ${axis}`);
  }
  const outputs = sizes.map((each) => like(input, input.dims.with(axis, each)));
  const full = outputs.filter(({ dims }) => productOf(dims) > 0);
  const split = () => node.addAll('split', { inputTensor: input, outputTensors: full, axis }).outputTensors;
  const made = full.length > 1 ? split() : [input];
  return outputs.map((output) => made[full.indexOf(output)] ?? empty(output.dataType, output.dims, output.isBool));
}

/** The tensors one after the other along an axis. Those without elements are left out. */
export function joined(node: Node, parts: readonly Operand[], axis: number): Operand {
  const [first] = parts;
  if (first === undefined) throw new RangeError('there are no tensors to join');
  const size = parts.reduce((sum, { dims }) => sum + (dims[axis] ?? 1), 0);
  const outputTensor = like(first, first.dims.with(axis, size));
  const inputTensors = parts.filter(({ dims }) => productOf(dims) > 0);
  if (inputTensors.length === 1) return inputTensors[0] ?? first;
  if (inputTensors.length === 0) return empty(outputTensor.dataType, outputTensor.dims, outputTensor.isBool);
  return node.add('join', { inputTensors, axis, outputTensor });
}

/** With elements of one value around. Negative widths cut elements off. */
export function padded(
  node: Node,
  input: Operand,
  starts: readonly number[],
  ends: readonly number[],
  value: number | bigint = 0,
): Operand {
  const inner = cropped(node, input, starts, ends);
  const startPadding = starts.map((width) => Math.max(0, width));
  const endPadding = ends.map((width) => Math.max(0, width));
  const dims = inner.dims.map((size, i) => size + (startPadding[i] ?? 0) + (endPadding[i] ?? 0));
  const fill = input.dataType === 'int64' || input.dataType === 'uint64' ? BigInt(value) : value;
  if (productOf(inner.dims) === 0) return filled(node, input, dims, fill);
  if (dims.every((size, i) => size === inner.dims[i])) return inner;
  return node.add('padding1', {
    inputTensor: inner,
    outputTensor: like(input, dims),
    ...{ paddingMode: 'constant', paddingValueDataType: input.dataType, paddingValue: fill, startPadding, endPadding },
  });
}

/** Without the elements that negative widths cut off. */
export function cropped(node: Node, input: Operand, starts: readonly number[], ends: readonly number[]): Operand {
  return sliced(
    node,
    input,
    input.dims.map((size, i) => ({
      start: Math.max(0, -(starts[i] ?? 0)),
      end: size - Math.max(0, -(ends[i] ?? 0)),
      step: 1,
    })),
  );
}

/** One value everywhere. */
export function filled(node: Node, { dataType, isBool }: Operand, dims: readonly number[], value: number | bigint): Operand {
  return node.copy(broadcast({ ...scalar(dataType, value), isBool }, dims));
}

/** The elements at positions along an axis. */
export function taken(node: Node, input: Operand, axis: number, indices: Operand): Operand {
  const before = input.dims.slice(0, axis);
  const after = input.dims.slice(axis + 1);
  const sizes = [productOf(before), input.dims[axis] ?? 1, productOf(after)];
  const dims = [...before, ...indices.dims, ...after];
  if (sizes[1] === 0 && productOf(dims) > 0) throw new RangeError(`axis ${axis} has no elements to take`);
  const count = productOf(indices.dims);
  const outputTensor = like(input, [productOf(before), count, productOf(after)]);
  if (productOf(dims) === 0) return empty(input.dataType, dims, input.isBool);
  const made = node.add('gather', {
    inputTensor: node.reshape(input, sizes),
    indicesTensor: node.reshape(indices, [1, 1, count]),
    outputTensor,
    ...{ axis: 1, indexDimensions: 1 },
  });
  return reshaped(made, dims);
}
