/** Checks that a bound tensor has the data type, sizes and strides of the descriptor. A bound buffer has none of them. */
import { fieldError, labelled, list } from '../../values/errors.js';
import type { ResolvedTensor } from '../../descriptors/resolved.js';
import { nounOf, placeIn, type Subject } from './binding-plan.js';
import type { Tensor } from '../memory/tensor.js';
import { canBroadcast, productOf, sameStrides, stridesOf } from '../../tensors/tensor-size.js';

/** @throws {DirectMLError} ERR_DATA_TYPE, ERR_SIZES or ERR_STRIDES; the message suggests a view that fits, if there is one. */
export function checkLayout(subject: Subject, path: string, described: ResolvedTensor, bound: Tensor): void {
  if (bound.dataType !== described.dataType) {
    const expected = `'${described.dataType}', as the ${descriptionOf(subject)} says`;
    throw fieldError('ERR_DATA_TYPE', placeIn(subject, `${path}.dataType`), expected, givenBy(bound, `'${bound.dataType}'`));
  }
  if (bound.sizes === described.sizes && bound.strides === described.strides) return;
  if (!sameBehindOnes(described.sizes, bound.sizes)) {
    const expected = `${list(described.sizes)}, as the ${descriptionOf(subject)} says`;
    const why = remedy(subject, described, bound);
    throw fieldError('ERR_SIZES', placeIn(subject, `${path}.sizes`), expected, givenBy(bound, list(bound.sizes)), { why });
  }
  if (described.strides === null && bound.strides === null) return;
  // Leading dimensions of size 1 do not count, so only the dimensions that both have are compared.
  const count = Math.min(described.sizes.length, bound.sizes.length);
  const sizes = described.sizes.slice(-count);
  if (!sameStrides(sizes, stridesOf(described).slice(-count), stridesOf(bound).slice(-count))) {
    const expected = `${list(stridesOf(described))}, as the ${descriptionOf(subject)} says`;
    const why = 'bind a tensor or a view that lies in memory so, or describe the strides that this one has';
    throw fieldError('ERR_STRIDES', placeIn(subject, `${path}.strides`), expected, givenBy(bound, list(stridesOf(bound))), {
      why,
    });
  }
}

/** `[2, 3] of tensor 'weights'` */
function givenBy({ label }: Tensor, given: string): string {
  return label === '' ? given : `${given} of ${labelled('tensor', label)}`;
}

/** True if the sizes are equal apart from leading dimensions of size 1. */
function sameBehindOnes(a: readonly number[], b: readonly number[]): boolean {
  const ones = a.length - b.length;
  if (ones < 0) return sameBehindOnes(b, a);
  for (let axis = 0; axis < a.length; axis++) if (a[axis] !== (axis < ones ? 1 : b[axis - ones])) return false;
  return true;
}

/** How to get a tensor with the described sizes from the bound one. */
function remedy(subject: Subject, described: ResolvedTensor, bound: Tensor): string {
  const sizes = list(described.sizes);
  if (canBroadcast(bound.sizes, described.sizes))
    return `bind tensor.broadcastTo(${sizes}), with these strides in the ${descriptionOf(subject)}`;
  if (productOf(described.sizes) === productOf(bound.sizes)) return `bind tensor.reshape(${sizes})`;
  return `bind a tensor or a view of these sizes, or compile the ${nounOf(subject)} for those of the tensor`;
}

/** What has the description of the tensors. */
function descriptionOf({ type }: Subject): 'descriptor' | 'graph' {
  return type === 'graph' ? 'graph' : 'descriptor';
}
