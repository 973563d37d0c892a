/** Which tensors an operator needs bound, and when. */
import type { Place } from '../errors.js';
import { pairsInPlace } from './in-place.js';
import type { OperatorType } from '../schema/generated/descriptors.js';
import type { ResolvedOperator, ResolvedTensor, TensorSlot } from '../validation/resolved.js';

export interface Slot extends Pick<TensorSlot, 'path' | 'role'> {
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
  /** The inputs whose bytes an output may be bound to; all by their numbers among the slots. */
  readonly inPlace: ReadonlyMap<number, readonly number[]>;
  readonly names: ReadonlySet<string>;
  /** What errors add where a binding is missing: ` in options.initializationInputs, …`, or ''. */
  readonly missingFrom: string;
  /** Where the bindings stand, and each of them. */
  readonly place: Place;
  readonly bindingPlace: Place;
}

/** The option of `compile` that binds what DirectML owns. */
const initializationInputs = 'options.initializationInputs';

/** The tensors that an operator needs bound, in the descriptor's order. */
export function planBindings({ descriptor: { type }, slots: all }: ResolvedOperator, stage: BindingStage): BindingPlan {
  const fields = [...new Set(all.map(({ field }) => field))].map((name): BoundField => {
    const own = all.filter(({ field }) => field === name);
    const slots = own.map(({ path, role, tensor }) => ({ path, role, ...boundAt(stage, tensor) }));
    return { name, isArray: own.some(({ isArray }) => isArray), slots };
  });
  const slots = fields.flatMap((field) => field.slots);
  const isOwned = stage === 'initialization';
  return {
    type,
    fields,
    slots,
    inPlace: pairsInPlace(type, slots),
    names: new Set(fields.map(({ name }) => name)),
    missingFrom: isOwned ? ` in ${initializationInputs}, for its flags are 'ownedByDml'` : '',
    place: { operator: type, field: isOwned ? initializationInputs : 'bindings' },
    bindingPlace: { operator: type, field: '' },
  };
}

function boundAt(stage: BindingStage, tensor: ResolvedTensor | null): Pick<Slot, 'tensor' | 'unbound'> {
  if (tensor === null) return { tensor, unbound: 'for the descriptor has no such tensor' };
  const isOwned = tensor.flags === 'ownedByDml';
  if (isOwned === (stage === 'initialization')) return { tensor, unbound: '' };
  const unbound = isOwned ? 'for DirectML owns the tensor since compile()' : `for its flags are not 'ownedByDml'`;
  return { tensor: null, unbound };
}

/** The place of a field of the bindings. */
export function placeIn({ type }: BindingPlan, field: string): Place {
  return { operator: type, field };
}
