/** The outputs of operators by position. */
import type { ResolvedOperator, TensorSlot } from '../validation/resolved.js';

/** By operator, its outputs. A search among thousands of tensors for each of thousands of outputs would take seconds. */
const outputSlots = new WeakMap<ResolvedOperator, readonly TensorSlot[]>();

export function outputSlot(operator: ResolvedOperator, position: number): TensorSlot | undefined {
  const slots = outputSlots.get(operator) ?? operator.slots.filter(({ role }) => role === 'output');
  outputSlots.set(operator, slots);
  return slots[position];
}
