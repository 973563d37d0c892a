/** What a kernel is, and how it reads the fields of its operator. */
import { isOperator, isTensor, numbersField, type ResolvedOperator } from '../../../validation/resolved.js';
import type { TensorView } from '../tensor-view.js';

export { isOperator, isTensor, numbersField };

/** Views are in the order of the descriptor's tensor fields, arrays flattened, null where nothing is bound. */
export type Kernel = (
  operator: ResolvedOperator,
  inputs: readonly (TensorView | null)[],
  outputs: readonly (TensorView | null)[],
) => void;

/** The required tensor at `position`; validation has seen to it that it is there. */
export function required(views: readonly (TensorView | null)[], position: number): TensorView {
  const view = views[position];
  if (view === null || view === undefined) throw new TypeError(`no tensor is bound at position ${position}`);
  return view;
}

export function numberField(operator: ResolvedOperator, name: string): number {
  const value = operator.fields[name];
  if (typeof value !== 'number') throw new TypeError(`${operator.type}.${name} is no number`);
  return value;
}

export function productOf(sizes: readonly number[], from = 0, to = sizes.length): number {
  let product = 1;
  for (let axis = from; axis < to; axis++) product *= sizes[axis] ?? 1;
  return product;
}
