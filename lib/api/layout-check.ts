/** A bound tensor has the data type, sizes and strides that the descriptor says. Bytes of a buffer have none. */
import { fieldError, list } from '../errors.js';
import type { ResolvedTensor } from '../validation/resolved.js';
import { placeIn, type BindingPlan } from './binding-plan.js';
import type { Tensor } from './tensor.js';
import { canBroadcast } from './views.js';
import { productOf, sameStrides, stridesOf } from '../validation/tensor-size.js';

/** @throws {DirectMLError} ERR_DATA_TYPE, ERR_SIZES or ERR_STRIDES, with the view that would be right. */
export function checkLayout(plan: BindingPlan, path: string, described: ResolvedTensor, bound: Tensor): void {
  if (bound.dataType !== described.dataType) {
    const expected = `'${described.dataType}', as the descriptor says`;
    throw fieldError('ERR_DATA_TYPE', placeIn(plan, `${path}.dataType`), expected, `'${bound.dataType}'`);
  }
  if (bound.sizes === described.sizes && bound.strides === described.strides) return;
  if (!sameBehindOnes(described.sizes, bound.sizes)) {
    const expected = `${list(described.sizes)}, as the descriptor says`;
    const why = remedy(described, bound);
    throw fieldError('ERR_SIZES', placeIn(plan, `${path}.sizes`), expected, list(bound.sizes), { why });
  }
  // Leading dimensions of one element do not count, and so the shorter of the two decides.
  const count = Math.min(described.sizes.length, bound.sizes.length);
  const sizes = described.sizes.slice(-count);
  if (!sameStrides(sizes, stridesOf(described).slice(-count), stridesOf(bound).slice(-count))) {
    const expected = `${list(stridesOf(described))}, as the descriptor says`;
    const why = 'bind a tensor or a view that lies in memory so, or describe the strides that this one has';
    throw fieldError('ERR_STRIDES', placeIn(plan, `${path}.strides`), expected, list(stridesOf(bound)), { why });
  }
}

/** True if the sizes are the same but for dimensions of one element in front. */
function sameBehindOnes(a: readonly number[], b: readonly number[]): boolean {
  const count = Math.max(a.length, b.length);
  for (let axis = 1; axis <= count; axis++) {
    if ((a[a.length - axis] ?? 1) !== (b[b.length - axis] ?? 1)) return false;
  }
  return true;
}

/** The call that makes of the bound tensor what the descriptor says. */
function remedy(described: ResolvedTensor, bound: Tensor): string {
  const sizes = list(described.sizes);
  if (canBroadcast(bound.sizes, described.sizes))
    return `bind tensor.broadcastTo(${sizes}), with these strides in the descriptor`;
  if (productOf(described.sizes) === productOf(bound.sizes)) return `bind tensor.reshape(${sizes})`;
  return 'bind a tensor or a view of these sizes, or compile the operator for those of the tensor';
}
