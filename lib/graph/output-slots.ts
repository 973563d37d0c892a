/** The outputs of operators by position and by path. */
import type { ResolvedOperator, TensorSlot } from '../descriptors/resolved.js';

interface Outputs {
  readonly byPosition: readonly TensorSlot[];
  readonly byPath: ReadonlyMap<string, TensorSlot>;
}

/** By operator, its outputs. A search among thousands of tensors for each of thousands of outputs would take seconds. */
const outputSlots = new WeakMap<ResolvedOperator, Outputs>();

export function outputSlot(operator: ResolvedOperator, position: number): TensorSlot | undefined {
  return outputsOf(operator).byPosition[position];
}

export function outputSlotAt(operator: ResolvedOperator, path: string): TensorSlot | undefined {
  return outputsOf(operator).byPath.get(path);
}

function outputsOf(operator: ResolvedOperator): Outputs {
  const known = outputSlots.get(operator);
  if (known !== undefined) return known;
  const byPosition = operator.slots.filter(({ role }) => role === 'output');
  const outputs = { byPosition, byPath: new Map(byPosition.map((slot) => [slot.path, slot])) };
  outputSlots.set(operator, outputs);
  return outputs;
}
