/** Lists the tensors of an operator or a graph that need a binding: those at its initialization, and those at a dispatch. */
import { shorten, type Place } from '../../errors.js';
import type { NamedTensor } from '../../graph/resolved-graph.js';
import { pairsInPlace } from './in-place.js';
import type { OperatorType } from '../../schema/generated/descriptors.js';
import type { ResolvedOperator, ResolvedTensor, TensorSlot } from '../../validation/resolved.js';

/** A tensor of the descriptor, and whether it needs a binding. */
export interface Slot extends Pick<TensorSlot, 'path' | 'role'> {
  /** Null if nothing may be bound. */
  readonly tensor: ResolvedTensor | null;
  /** Why nothing may be bound; '' if a binding is required. */
  readonly unbound: string;
}

/** Tensors that DirectML owns are bound once, when the operator is initialized. All others are bound at every dispatch. */
export type BindingStage = 'initialization' | 'dispatch';

export interface BoundField {
  readonly name: string;
  readonly isArray: boolean;
  readonly slots: readonly Slot[];
}

export interface BindingPlan {
  /** The operator's type, or 'graph': what errors begin with. */
  readonly type: OperatorType | 'graph';
  /** The label of the compiled operator or graph; '' if it has none. */
  readonly label: string;
  /** What errors call it. */
  readonly noun: 'operator' | 'graph';
  /** What errors call the text that describes its tensors. */
  readonly described: 'descriptor' | 'graph';
  readonly fields: readonly BoundField[];
  /** The slots of all fields, in the descriptor's order. */
  readonly slots: readonly Slot[];
  /** By the index of an output in `slots`, the indices of the inputs that it may overwrite. */
  readonly inPlace: ReadonlyMap<number, readonly number[]>;
  /** The names of all fields. */
  readonly names: ReadonlySet<string>;
  /** Text that errors about a missing binding add: ` in options.initializationInputs, …`, or ''. */
  readonly missingFrom: string;
  /** The place of the bindings as a whole. */
  readonly place: Place;
  /** The place that contains each binding; its path is ''. */
  readonly bindingPlace: Place;
}

/** The option of `compile` that binds the tensors that DirectML owns. */
const initializationInputs = 'options.initializationInputs';

/** Plans the bindings of one stage. Fields and slots are in the descriptor's order. */
export function planBindings(
  { descriptor: { type }, slots: all }: ResolvedOperator,
  stage: BindingStage,
  label = '',
): BindingPlan {
  const fields = [...new Set(all.map(({ field }) => field))].map((name): BoundField => {
    const own = all.filter(({ field }) => field === name);
    const slots = own.map(({ path, role, tensor }) => ({ path, role, ...boundAt(stage, tensor) }));
    return { name, isArray: own.some(({ isArray }) => isArray), slots };
  });
  const slots = fields.flatMap((field) => field.slots);
  const isOwned = stage === 'initialization';
  return {
    type,
    label,
    noun: 'operator',
    described: 'descriptor',
    fields,
    slots,
    inPlace: pairsInPlace(type, slots),
    names: new Set(fields.map(({ name }) => name)),
    missingFrom: isOwned ? ` in ${initializationInputs}, for its flags are 'ownedByDml'` : '',
    place: { operator: type, field: isOwned ? initializationInputs : 'bindings', label },
    bindingPlace: { operator: type, field: '', label },
  };
}

interface NamedTensors {
  readonly inputs: readonly NamedTensor[];
  readonly outputs: readonly NamedTensor[];
}

/** Plans the bindings of a dispatch of a graph. Constants need none. */
export function planGraphBindings({ inputs, outputs }: NamedTensors, label = ''): BindingPlan {
  const slotOf = (role: Slot['role'], { name, tensor }: NamedTensor): Slot => ({
    path: shorten(name),
    role,
    tensor,
    unbound: '',
  });
  const slots = [...inputs.map((input) => slotOf('input', input)), ...outputs.map((output) => slotOf('output', output))];
  const fields = [...inputs, ...outputs].map(({ name }, i) => ({ name, isArray: false, slots: slots.slice(i, i + 1) }));
  return {
    type: 'graph',
    label,
    noun: 'graph',
    described: 'graph',
    fields,
    slots,
    inPlace: new Map(),
    names: new Set(fields.map(({ name }) => name)),
    missingFrom: '',
    place: { operator: 'graph', field: 'bindings', label },
    bindingPlace: { operator: 'graph', field: '', label },
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
export function placeIn({ type, label }: BindingPlan, field: string): Place {
  return { operator: type, field, label };
}
