/**
 * The tensors of an operator as one list, in the order of the operator table. Binding, aliasing checks and kernels
 * use it.
 */
import { operatorTable } from './generated/table.js';
import { isTensor, valuesOf, type Resolved, type TensorSlot } from './resolved.js';

export function slotsOf(operator: Resolved): readonly TensorSlot[] {
  const values = valuesOf(operator);
  const counts = { input: 0, output: 0 };
  const slots: TensorSlot[] = [];
  for (const { name: field, kind, role } of operatorTable[operator.type].fields) {
    if (role === undefined) continue;
    const value = values[field];
    const isArray = kind === 'tensorArray';
    const tensors: readonly unknown[] = Array.isArray(value) ? value : [value];
    for (const [i, tensor] of tensors.entries()) {
      const path = isArray ? `${field}[${i}]` : field;
      slots.push(
        Object.freeze({ field, isArray, path, role, position: counts[role]++, tensor: isTensor(tensor) ? tensor : null }),
      );
    }
  }
  return Object.freeze(slots);
}
