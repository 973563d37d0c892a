/**
 * Tells which steps of a matrix product DirectML's shader does itself, and which run in passes of their own. It shows in float16,
 * which every pass writes, and in the results of relu for NaN.
 */
import type { Resolved } from '../descriptors/resolved.js';
import { isPacked } from '../tensors/tensor-size.js';
import type { TensorView } from './tensor-view.js';
import { isAppliedInShader } from './fused-activation.js';

interface Passes {
  /** True if the activation, if any, runs in the same pass as the step before it. */
  readonly isActivationFused: boolean;
  /** True if C is added in a pass of its own, after the product. */
  readonly addsCInOwnPass: boolean;
}

interface GemmTensors {
  readonly aTensor: TensorView;
  readonly bTensor: TensorView;
  readonly cTensor: TensorView | null;
  readonly outputTensor: TensorView;
}

/** The passes of a gemm. */
export function passesOf(operator: Resolved<'gemm'>, tensors: GemmTensors): Passes {
  const { cTensor: c } = tensors;
  const isPlain = operator.alpha === 1 && (c === null || operator.beta === 1);
  const isSingle = isSingleProduct(operator, tensors);
  return {
    isActivationFused: isPlain && isSingle && isAppliedInShader(operator.fusedActivation),
    addsCInOwnPass: isPlain && isSingle && c !== null && !isPerRow(c),
  };
}

/**
 * True if DirectML computes a single product of two matrices. It also does so for a batch if all its matrices share one B and the
 * rows of A, C and the output each lie one after the other.
 */
function isSingleProduct({ transA, transB }: Resolved<'gemm'>, tensors: GemmTensors): boolean {
  const { aTensor: a, bTensor: b, cTensor: c, outputTensor: output } = tensors;
  const batch = output.sizes.slice(0, -2);
  if (batch.every((size) => size === 1)) return true;
  if (transA === 'transpose' || transB === 'transpose') return false;
  const isShared = batch.every((size, axis) => size === 1 || b.strides[axis] === 0);
  return isShared && [a, c, output].every((view) => view === null || isPacked(view));
}

/** True if a bias is added in a pass of its own: the bias of a single product, unless it has one element per row. */
export function isBiasInOwnPass(bias: TensorView): boolean {
  const [rows = 1, columns = 1] = bias.sizes.slice(-2);
  return !isPerRow(bias) && bias.elementCount === rows * columns;
}

function isPerRow({ sizes, strides }: TensorView): boolean {
  const [rows = 1, columns = 1] = sizes.slice(-2);
  const [rowStride = 0, columnStride = 0] = strides.slice(-2);
  return columns === 1 || (columnStride === 0 && rows > 1 && rowStride !== 0);
}
