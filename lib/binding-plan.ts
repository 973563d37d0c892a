/** Which tensors an operator needs bound, and when. */
import { DirectMLError, fieldError, type ErrorCode } from './errors.js';
import type { OperatorType } from './schema/generated/descriptors.js';
import { operatorTable } from './schema/generated/table.js';
import type { Place } from './validation/input.js';
import { isTensor, type ResolvedOperator, type ResolvedTensor } from './validation/resolved.js';

export interface Slot {
  /** `inputTensor`, `inputTensors[1]` */
  readonly path: string;
  readonly isOutput: boolean;
  /** Null where nothing may be bound. */
  readonly tensor: ResolvedTensor | null;
  /** Why nothing may be bound; '' where something has to be. */
  readonly unbound: string;
}

/** Tensors that DirectML owns are bound when the operator is initialized, and all others at every dispatch. */
export type BindingStage = 'initialization' | 'dispatch';

export interface BoundField {
  readonly name: string;
  readonly isArray: boolean;
  readonly slots: readonly Slot[];
}

export interface BindingPlan {
  readonly type: OperatorType;
  readonly fields: readonly BoundField[];
  /** Of all fields. */
  readonly slots: readonly Slot[];
  readonly names: ReadonlySet<string>;
  /** Where the bindings stand, and each of them. */
  readonly place: Place;
  readonly bindingPlace: Place;
}

/** The tensors that an operator needs bound, in the descriptor's order. */
export function planBindings(operator: ResolvedOperator, stage: BindingStage): BindingPlan {
  const fields = operatorTable[operator.type].fields
    .filter(({ role }) => role !== undefined)
    .map(({ name, kind, role }): BoundField => {
      const value = operator.fields[name];
      const isArray = kind === 'tensorArray';
      const tensors: readonly unknown[] = Array.isArray(value) ? value : [value];
      const slots = tensors.map((tensor, i) => ({
        path: isArray ? `${name}[${i}]` : name,
        isOutput: role === 'output',
        ...boundAt(stage, isTensor(tensor) ? tensor : null),
      }));
      return { name, isArray, slots };
    });
  return {
    type: operator.type,
    fields,
    slots: fields.flatMap((field) => field.slots),
    names: new Set(fields.map(({ name }) => name)),
    place: { operator: operator.type, field: 'bindings' },
    bindingPlace: { operator: operator.type, field: '' },
  };
}

function boundAt(stage: BindingStage, tensor: ResolvedTensor | null): Pick<Slot, 'tensor' | 'unbound'> {
  if (tensor === null) return { tensor, unbound: 'for the descriptor has no such tensor' };
  const isOwned = tensor.flags === 'ownedByDml';
  if (isOwned === (stage === 'initialization')) return { tensor, unbound: '' };
  const unbound = isOwned ? 'for DirectML owns the tensor since compile()' : `for its flags are not 'ownedByDml'`;
  return { tensor: null, unbound };
}

export function bindingError(
  plan: BindingPlan,
  code: ErrorCode,
  field: string,
  expected: string,
  given: string,
): DirectMLError {
  return fieldError(code, plan.type, field, expected, given);
}
