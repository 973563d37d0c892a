/** Lists the tensors of an operator or a graph that need a binding: those at its initialization, and those at a dispatch. */
import { shorten, type Place } from '../../values/errors.js';
import type { NamedTensor } from '../../graph/resolved-graph.js';
import { pairsInPlace, type InPlace } from './in-place.js';
import type { OperatorType } from '../../descriptors/generated/descriptors.js';
import type { ResolvedOperator, TensorSlot } from '../../descriptors/resolved.js';

/** What errors about bindings name. */
export interface Subject {
  /** The operator's type, or 'graph': what errors begin with. */
  readonly type: OperatorType | 'graph';
  /** The label of the compiled operator or graph; '' if it has none. */
  readonly label: string;
}

/** Tensors that DirectML owns are bound once, when the operator is initialized. All others are bound at every dispatch. */
export interface BindingStage {
  readonly bindsOwned: boolean;
  /** The argument that has the bindings. */
  readonly argument: string;
  /** Text that errors about a missing binding add. */
  readonly missingFrom: string;
}

export const atInitialization: BindingStage = {
  bindsOwned: true,
  argument: 'options.initializationInputs',
  missingFrom: ` in options.initializationInputs, for its flags are 'ownedByDml'`,
};
export const atDispatch: BindingStage = { bindsOwned: false, argument: 'bindings', missingFrom: '' };

export interface BoundField {
  readonly name: string;
  readonly isArray: boolean;
  readonly slots: readonly TensorSlot[];
}

export interface BindingPlan extends Subject {
  readonly fields: readonly BoundField[];
  /** The names of all fields. */
  readonly names: ReadonlySet<string>;
  /** The tensors of all fields, in the descriptor's order. Inputs come before outputs. */
  readonly slots: readonly TensorSlot[];
  /** How many of them are inputs. */
  readonly inputCount: number;
  readonly inPlace: InPlace;
  /** True if a dispatch binds so few tensors that all pairs can be compared. */
  readonly comparesPairs: boolean;
  /** The place that contains each binding; its path is ''. */
  readonly bindingPlace: Place;
}

/** Up to this number of tensors, all pairs are compared. */
const maxPairwiseCount = 8;

export function planBindings({ descriptor: { type }, slots }: ResolvedOperator, label = ''): BindingPlan {
  return planOf({ type, label }, slots);
}

interface NamedTensors {
  readonly inputs: readonly NamedTensor[];
  readonly outputs: readonly NamedTensor[];
}

/** Plans the bindings of a dispatch of a graph. Constants need none. */
export function planGraphBindings({ inputs, outputs }: NamedTensors, label: string): BindingPlan {
  return planOf({ type: 'graph', label }, [
    ...inputs.map((input, i) => slotOf('input', input, i)),
    ...outputs.map((output, i) => slotOf('output', output, i)),
  ]);
}

/** The plan of the inputs alone. */
export function inputsOf(plan: BindingPlan): BindingPlan {
  return planOf(
    plan,
    plan.slots.filter(({ role }) => role === 'input'),
  );
}

/** A tensor of a graph. */
export function slotOf(role: TensorSlot['role'], { name, tensor }: NamedTensor, position: number): TensorSlot {
  return { field: name, isArray: false, path: shorten(name), role, position, tensor };
}

function planOf({ type, label }: Subject, slots: readonly TensorSlot[]): BindingPlan {
  const fields = new Map<string, BoundField & { readonly slots: TensorSlot[] }>();
  for (const slot of slots) {
    const field = fields.get(slot.field);
    if (field === undefined) fields.set(slot.field, { name: slot.field, isArray: slot.isArray, slots: [slot] });
    else field.slots.push(slot);
  }
  const inPlace = pairsInPlace(type, slots);
  return {
    type,
    label,
    fields: [...fields.values()],
    names: new Set(fields.keys()),
    slots,
    inputCount: slots.filter(({ role }) => role === 'input').length,
    inPlace,
    // An operator that can work in place has no arrays of tensors, so it always has few tensors.
    comparesPairs: inPlace.size > 0 || slots.filter((slot) => isBound(slot, atDispatch)).length <= maxPairwiseCount,
    bindingPlace: { operator: type, field: '', label },
  };
}

/** True if a binding is required; false if nothing may be bound. */
export function isBound({ tensor }: TensorSlot, { bindsOwned }: BindingStage): boolean {
  return tensor !== null && (tensor.flags === 'ownedByDml') === bindsOwned;
}

/** Why nothing may be bound at one of the stages. */
export function reasonUnbound({ tensor }: TensorSlot): string {
  if (tensor === null) return 'for the descriptor has no such tensor';
  return tensor.flags === 'ownedByDml' ? 'for DirectML owns the tensor since compile()' : `for its flags are not 'ownedByDml'`;
}

/** What errors call the operator or graph. */
export function nounOf({ type }: Subject): 'operator' | 'graph' {
  return type === 'graph' ? 'graph' : 'operator';
}

/** The place of a field of the bindings. */
export function placeIn({ type, label }: Subject, field: string): Place {
  return { operator: type, field, label };
}
