/** Determines which inputs an output may overwrite: those that the operator table pairs with it and that have its layout. */
import { list } from '../../values/errors.js';
import { bitsOf } from '../../tensors/data-types.js';
import type { OperatorType } from '../../descriptors/generated/descriptors.js';
import { operatorTable } from '../../descriptors/generated/table.js';
import type { ResolvedTensor, TensorSlot } from '../../descriptors/resolved.js';
import { isOperatorType } from '../../operators/resolve.js';
import { equal } from '../../descriptors/checks.js';
import { sameStrides, stridesOf } from '../../tensors/tensor-size.js';

/** By output, the inputs that it may overwrite. Empty if the operator cannot compute in place. */
export type InPlace = ReadonlyMap<TensorSlot, readonly TensorSlot[]>;

export function pairsInPlace(type: OperatorType | 'graph', slots: readonly TensorSlot[]): InPlace {
  const pairs = new Map<TensorSlot, readonly TensorSlot[]>();
  for (const output of slots) {
    const names = output.role === 'output' ? inputsInPlace(type, output.path) : [];
    if (names.length === 0) continue;
    const isAlike = ({ path, tensor }: TensorSlot) =>
      names.includes(path) && output.tensor !== null && hasLayout(tensor, output.tensor);
    pairs.set(output, slots.filter(isAlike));
  }
  return pairs;
}

/** The inputs that the operator table pairs with an output: it may overwrite those with the same layout. */
export function inputsInPlace(type: string, output: string): readonly string[] {
  if (!isOperatorType(type)) return [];
  return operatorTable[type].fields.find(({ name }) => name === output)?.inPlace ?? [];
}

/** The first difference in layout, such as `the same sizes: outputTensor has [2], aTensor [3]`; null if there is none. */
export function layoutDifference(output: TensorSlot, input: TensorSlot): string | null {
  const [a, b] = [output.tensor, input.tensor];
  if (a === null || b === null) return null;
  const differ = (what: string, one: string, other: string) =>
    `the same ${what}: ${output.path} has ${one}, ${input.path} ${other}`;
  if (bitsOf(a.dataType) !== bitsOf(b.dataType)) return differ('element width', `'${a.dataType}'`, `'${b.dataType}'`);
  if (!equal(a.sizes, b.sizes)) return differ('sizes', list(a.sizes), list(b.sizes));
  return hasLayout(a, b) ? null : differ('strides', list(stridesOf(a)), list(stridesOf(b)));
}

/**
 * True if the elements of both tensors have the same width and the same offsets. This is false for a broadcast input and an
 * output, because an output has no stride of 0 in a dimension of more than one element.
 */
function hasLayout(tensor: ResolvedTensor | null, other: ResolvedTensor): boolean {
  if (tensor === null || bitsOf(tensor.dataType) !== bitsOf(other.dataType)) return false;
  if (!equal(tensor.sizes, other.sizes)) return false;
  return sameStrides(tensor.sizes, tensor.strides, other.strides);
}
