/** Constants, choices, reductions and casts that several families of operators need. */
import type { DataType, ReduceFunction } from '../../tensors/generated/enums.js';
import { productOf } from '../../tensors/tensor-size.js';
import { scalar } from '../make-data.js';
import { like, type Node } from '../node.js';
import { broadcast, broadcastDims, checkedLength, type HostOperand, type Operand } from '../operand.js';

/** The same number everywhere, as strides of 0. */
export function constant(dataType: DataType, dims: readonly number[], value: number | bigint): HostOperand {
  return broadcast(scalar(dataType, value), dims);
}

/** Zeros in a packed layout. */
export function zeros(node: Node, dataType: DataType, dims: readonly number[]): Operand {
  return node.packed(constant(dataType, dims, 0));
}

export function ones(count: number): number[] {
  return new Array<number>(checkedLength(count)).fill(1);
}

/** The numbers from 0 to `count - 1`. */
export function upTo(count: number): number[] {
  return Array.from({ length: checkedLength(count) }, (_, i) => i);
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

/** The sum, or the first alone. */
export function plus(node: Node, a: Operand, b: Operand | undefined): Operand {
  return b === undefined ? a : node.arithmetic('elementWiseAdd', a, b);
}

/** One number per channel, for tensors of `rank` dimensions. */
export function perChannel(node: Node, channels: Operand, rank: number, axis = 1): Operand {
  return node.reshape(
    channels,
    ones(rank).map((one, i) => (i === axis ? productOf(channels.dims) : one)),
  );
}

/** What is made of the elements along axes, whose sizes become 1. */
export function reduced(node: Node, kind: ReduceFunction, input: Operand, axes: readonly number[]): Operand {
  if (axes.length === 0 && kind !== 'l1' && kind !== 'l2') return input;
  const dims = input.dims.map((size, i) => (axes.includes(i) ? 1 : size));
  if (productOf(input.dims) === 0 && (kind === 'sum' || kind === 'l1' || kind === 'l2')) return zeros(node, input.dataType, dims);
  return node.add('reduce', { function: kind, inputTensor: input, outputTensor: like(input, dims), axes });
}

/** The result of work with sums, which DirectML would keep in 16 bits for 16-bit floats. */
export function withWideSums(node: Node, input: Operand, work: (input: Operand) => Operand): Operand {
  if (!node.widensSumsOf(input)) return work(input);
  return node.cast(work(node.cast(input, 'float32')), 'float16');
}

/** Converts integers minus a zero point, which is exact. */
export function minusZeroPoint(node: Node, input: Operand, zeroPoint: Operand | undefined): Operand {
  const wide = node.cast(input, 'int32');
  return zeroPoint === undefined ? wide : node.arithmetic('elementWiseSubtract', wide, node.cast(zeroPoint, 'int32'));
}
