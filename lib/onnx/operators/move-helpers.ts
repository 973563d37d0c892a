/** Parts, joins and paddings of tensors, which several operators need. */
import { productOf } from '../../tensors/tensor-size.js';
import { empty, scalar, vector } from '../make-data.js';
import { like, type Node } from '../node.js';
import { broadcast, reshaped, type Operand } from '../operand.js';
import type { Numbers } from './in-memory.js';
import { upTo } from './tensor-helpers.js';

/** Along a dimension, the elements from the first to before the end, each step-th of them; backwards for a negative step. */
export interface Window {
  readonly start?: number;
  readonly end?: number;
  readonly step?: number;
}

/** The elements of a window in each dimension, whose limits lie in the tensor. */
export function sliced(node: Node, input: Operand, windowOf: (size: number, axis: number) => Window): Operand {
  const windows = input.dims.map((size, axis) => ({ start: 0, end: size, step: 1, ...windowOf(size, axis) }));
  const spans = windows.map(({ start, end }) => Math.max(0, end - start));
  const dims = windows.map(({ step }, i) => Math.ceil((spans[i] ?? 0) / Math.abs(step)));
  if (windows.every(({ step }, i) => step > 0 && dims[i] === input.dims[i])) return input;
  return node.add('slice1', {
    inputTensor: input,
    outputTensor: like(input, dims),
    inputWindowOffsets: windows.map(({ start }) => start),
    inputWindowSizes: spans,
    inputWindowStrides: windows.map(({ step }) => Math.max(1 - 2 ** 31, Math.min(2 ** 31 - 1, step))),
  });
}

/** The elements from `start` to before `end` along an axis, or each `step`-th of them; backwards with a negative step. */
export function partOf(node: Node, input: Operand, axis: number, start: number, end: number, step = 1): Operand {
  return sliced(node, input, (_, i) => (i === axis ? { start, end, step } : {}));
}

/** The first elements along each dimension. */
export function cornerOf(node: Node, input: Operand, dims: Numbers): Operand {
  return sliced(node, input, (size, axis) => ({ end: dims[axis] ?? size }));
}

/** Sizes of the parts of a dimension, of which the last may be smaller. */
export function partSizes(size: number, each: number, count = Math.ceil(size / each)): Numbers {
  return upTo(count).map((i) => Math.max(0, Math.min(each, size - i * each)));
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
  const inputTensors = parts.filter(({ dims }) => productOf(dims) > 0);
  const [only] = inputTensors;
  if (only !== undefined && inputTensors.length === 1) return only;
  return node.add('join', { inputTensors, axis, outputTensor: like(first, first.dims.with(axis, size)) });
}

const paddingModes: Readonly<Record<string, string | undefined>> = {
  __proto__: null as never,
  ...{ constant: 'constant', edge: 'edge', reflect: 'reflection', wrap: 'wrap' },
};

/** With elements around: of one value, or such that continue the tensor. Negative widths cut elements off. */
export function padded(
  node: Node,
  input: Operand,
  starts: Numbers,
  ends: Numbers,
  value: number | bigint = 0,
  mode = 'constant',
): Operand {
  const paddingMode = paddingModes[mode];
  if (paddingMode === undefined) throw node.unsupported('the mode', mode);
  const inner = sliced(node, input, (size, i) => ({
    start: Math.max(0, -(starts[i] ?? 0)),
    end: size + Math.min(0, ends[i] ?? 0),
  }));
  const [startPadding = [], endPadding = []] = [starts, ends].map((widths) => widths.map((width) => Math.max(0, width)));
  const dims = inner.dims.map((size, i) => size + (startPadding[i] ?? 0) + (endPadding[i] ?? 0));
  if (dims.every((size, i) => size === inner.dims[i])) return inner;
  if (productOf(inner.dims) === 0) {
    if (mode !== 'constant' && productOf(dims) > 0) throw new RangeError('a tensor without elements cannot be continued');
    return node.copy(broadcast({ ...scalar(input.dataType, value), isBool: input.isBool }, dims));
  }
  const isOnce = inner.dims.every((size, i) => {
    const most = mode === 'reflect' ? size - 1 : mode === 'wrap' ? size : Infinity;
    return Math.max(startPadding[i] ?? 0, endPadding[i] ?? 0) <= most;
  });
  if (!isOnce) return continued(node, inner, dims, startPadding, mode);
  return node.add('padding1', {
    ...{ inputTensor: inner, outputTensor: like(input, dims), paddingMode, startPadding, endPadding },
    ...{ paddingValueDataType: input.dataType, paddingValue: value },
  });
}

/** Reflects or repeats a tensor more often than DirectML does. */
function continued(node: Node, input: Operand, dims: Numbers, starts: Numbers, mode: string): Operand {
  return dims.reduce((result, count, axis) => {
    const size = result.dims[axis] ?? 1;
    const period = mode === 'wrap' ? size : Math.max(1, 2 * (size - 1));
    const places = upTo(count).map((i) => {
      const rest = (((i - (starts[axis] ?? 0)) % period) + period) % period;
      return rest < size ? rest : period - rest;
    });
    return size === count ? result : taken(node, result, axis, vector('int32', places));
  }, input);
}

/** The elements at positions along an axis. */
export function taken(node: Node, input: Operand, axis: number, indices: Operand): Operand {
  const [before, after] = [input.dims.slice(0, axis), input.dims.slice(axis + 1)];
  const sizes = [productOf(before), input.dims[axis] ?? 1, productOf(after)];
  const dims = [...before, ...indices.dims, ...after];
  if (sizes[1] === 0 && productOf(dims) > 0) throw new RangeError(`axis ${axis} has no elements to take`);
  const count = productOf(indices.dims);
  const made = node.add('gather', {
    inputTensor: node.reshape(input, sizes),
    indicesTensor: node.reshape(indices, [1, 1, count]),
    outputTensor: like(input, sizes.with(1, count)),
    ...{ axis: 1, indexDimensions: 1 },
  });
  return reshaped(made, dims);
}
