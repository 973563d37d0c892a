/**
 * Which steps of a product of matrices DirectML's shader does itself, and which have passes of their own. It shows in
 * float16, which each pass writes, and in what a relu makes of NaN.
 */
import type { Resolved } from '../../../validation/resolved.js';
import { packedStrides } from '../../../validation/tensor-size.js';
import type { TensorView } from './tensor-view.js';
import { isFusedActivation } from './fused-activation.js';
import type { Tensors } from '../kernels/kernel.js';

export interface Passes {
  /** Whether the activation, if there is one, comes in the same pass as what precedes it. */
  readonly isFused: boolean;
  /** Whether C is added in a pass after that of the product. */
  readonly addsApart: boolean;
}

/** Of a gemm. */
export function passesOf(operator: Resolved<'gemm'>, tensors: Tensors<'gemm'>): Passes {
  const { cTensor: c } = tensors;
  const isPlain = operator.alpha === 1 && (c === null || operator.beta === 1);
  const isSingle = isSingleProduct(operator, tensors);
  return {
    isFused: isPlain && isSingle && isFusedActivation(operator.fusedActivation),
    addsApart: isPlain && isSingle && c !== null && !isPerRow(c),
  };
}

/** A batch too, whose rows are taken for those of one matrix where they lie one after the other and share one B. */
function isSingleProduct({ transA, transB }: Resolved<'gemm'>, tensors: Tensors<'gemm'>): boolean {
  const { aTensor: a, bTensor: b, cTensor: c, outputTensor: output } = tensors;
  const batch = output.sizes.slice(0, -2);
  if (batch.every((size) => size === 1)) return true;
  if (transA === 'transpose' || transB === 'transpose') return false;
  const isShared = batch.every((size, axis) => size === 1 || b.strides[axis] === 0);
  return isShared && [a, c, output].every((view) => view === null || isPacked(view));
}

function isPacked({ sizes, strides }: TensorView): boolean {
  const packed = packedStrides(sizes);
  return sizes.every((size, axis) => size === 1 || strides[axis] === packed[axis]);
}

/** Whether a bias has a pass of its own: that of a single product, unless it has one element for each row. */
export function isAddedApart(bias: TensorView): boolean {
  const [rows = 1, columns = 1] = bias.sizes.slice(-2);
  return !isPerRow(bias) && bias.elementCount === rows * columns;
}

function isPerRow({ sizes, strides }: TensorView): boolean {
  const [rows = 1, columns = 1] = sizes.slice(-2);
  const [rowStride = 0, columnStride = 0] = strides.slice(-2);
  return columns === 1 || (columnStride === 0 && rows > 1 && rowStride !== 0);
}
