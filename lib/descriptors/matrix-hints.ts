/** How a vector, one matrix for a batch, and a matrix that lies the other way become the matrices that a product needs. */
import { list } from '../values/errors.js';
import type { OperatorType } from './generated/descriptors.js';
import { canBroadcast } from '../tensors/tensor-size.js';

/** The only other matrix product is gemm. */
function isProduct(type: OperatorType): boolean {
  return type === 'gemm' || /matrixMultiply/i.test(type);
}

/** `bTensor.reshape([3, 1]) is one column`; undefined for anything but a vector in a matrix product. */
export function vectorHint(type: OperatorType, name: string, sizes: readonly number[]): string | undefined {
  const [length = 0, ...others] = sizes;
  if (others.length > 0 || !isProduct(type)) return undefined;
  if (name === 'aTensor') return `${name}.reshape(${list([1, length])}) is one row`;
  if (name === 'bTensor') return `${name}.reshape(${list([length, 1])}) is one column`;
  if (name !== 'cTensor') return undefined;
  return `${name}.broadcastTo(sizes), with the sizes of outputTensor, repeats it, as the function gemm does`;
}

/** `broadcastTo([5, 3, 4])` for one matrix [3, 4] and a batch of 5 matrices; undefined if it does not help. */
export function batchOfMatrices(type: OperatorType, sizes: readonly number[], other: readonly number[]): string | undefined {
  const target = [...other.slice(0, -2), ...sizes.slice(-2)];
  const isShorter = sizes.length >= 2 && sizes.length <= other.length;
  if (!isProduct(type) || !isShorter || !canBroadcast(sizes, target)) return undefined;
  return target.length === sizes.length && sizes.every((size, axis) => size === target[axis])
    ? undefined
    : `broadcastTo(${list(target)})`;
}

/** The matrices of a product as the descriptor gives them, and whether it transposes them. */
export interface Factors {
  readonly type: OperatorType;
  readonly aTensor: { readonly sizes: readonly number[] };
  readonly bTensor: { readonly sizes: readonly number[] };
  readonly transA?: string;
  readonly transB?: string;
}

/** How the two can be multiplied, if a transpose or a repeated batch is all that it takes. */
export function productHint({ type, aTensor, bTensor, transA, transB }: Factors): string | undefined {
  const [a, b] = [aTensor.sizes, bTensor.sizes];
  if (a.slice(0, -2).join() !== b.slice(0, -2).join()) {
    const call = batchOfMatrices(type, b, a);
    if (call !== undefined) return `bTensor.${call} would fit`;
    const other = batchOfMatrices(type, a, b);
    return other === undefined ? undefined : `aTensor.${other} would fit`;
  }
  const ways = [
    a.at(transA === 'transpose' ? -2 : -1) === b.at(transB === 'transpose' ? -2 : -1) ? turned('B', transB) : undefined,
    a.at(transA === 'transpose' ? -1 : -2) === b.at(transB === 'transpose' ? -1 : -2) ? turned('A', transA) : undefined,
  ].filter((way) => way !== undefined);
  return ways.length === 0 ? undefined : `${ways.join(' or ')} would fit`;
}

/** `transB: 'transpose'`, or a view where the operator has no such field. */
function turned(letter: 'A' | 'B', transform: string | undefined): string {
  if (transform === undefined) return `${letter.toLowerCase()}Tensor with its last two dimensions transposed`;
  return `trans${letter}: '${transform === 'transpose' ? 'none' : 'transpose'}'`;
}
