/** Reads the bindings of a dispatch, which may be any value. Each property is read once. */
import { at, describe, fieldError, oneOf, shorten, type DirectMLError } from '../../values/errors.js';
import { isRecord } from '../../values/given.js';
import { isBound, placeIn, reasonUnbound, type BindingPlan, type BindingStage, type BoundField } from './binding-plan.js';
import type { Binding, BufferBinding } from './bindings.js';
import { DirectMLBuffer } from '../memory/buffer.js';
import { didYouMean } from '../../values/near-names.js';
import { Tensor } from '../memory/tensor.js';
import { tensorAdvice } from '../memory/tensor-words.js';
import { isArray, namesOf, readOwn } from '../../values/input.js';
import type { TensorSlot } from '../../descriptors/resolved.js';

const CODE = 'ERR_INVALID_ARGUMENT';
/** The most names in the example of an error. */
const maxShownNames = 4;
const memoryNames: readonly string[] = ['buffer', 'offset', 'size'];

/**
 * The binding for each slot of the plan; null for a slot to which nothing may be bound. They are not yet compared with the tensors
 * of the descriptor. Ranges of buffers are copies that no script can change.
 *
 * @throws {DirectMLError} that names the field whose binding is missing, unknown or of a wrong type.
 */
export function readBindings(plan: BindingPlan, stage: BindingStage, bindings: unknown): (Binding | null)[] {
  if (typeof bindings !== 'object' || bindings === null) throw noBindings(plan, stage, bindings);
  try {
    return bindingsOf(plan, stage, bindings);
  } catch (error) {
    // A tensor, a promise or an array has none of the names. Asking first would take time at every dispatch.
    throw isRecord(bindings) ? error : noBindings(plan, stage, bindings);
  }
}

function noBindings(plan: BindingPlan, stage: BindingStage, given: unknown): DirectMLError {
  const bound = plan.fields.filter(({ slots }) => slots.some((slot) => isBound(slot, stage)));
  const names = bound.slice(0, maxShownNames).map(({ name }) => shorten(name));
  const shown = `{ ${names.join(', ')}${bound.length > maxShownNames ? ', …' : ''} }`;
  const expected = `an object with a binding per tensor${names.length === 0 ? '' : `: ${shown}`}`;
  return fieldError(CODE, placeIn(plan, stage.argument), expected, describe(given));
}

function bindingsOf(plan: BindingPlan, stage: BindingStage, bindings: object): (Binding | null)[] {
  for (const name of namesOf(bindings, placeIn(plan, stage.argument), CODE)) {
    if (!plan.names.has(name)) throw unknownBinding(plan, name);
  }
  // Runs at every dispatch, so it uses plain loops and few allocations.
  const read = new Array<Binding | null>(plan.slots.length);
  let next = 0;
  for (const field of plan.fields) {
    const value = readOwn(bindings, field.name, plan.bindingPlace, CODE);
    const values = field.isArray ? valuesOf(plan, stage, field, value) : null;
    const first = next;
    for (const slot of field.slots) {
      read[next] = readBinding(plan, stage, slot, values === null ? value : values[next - first]);
      next += 1;
    }
  }
  return read;
}

function unknownBinding(plan: BindingPlan, name: string): DirectMLError {
  const names = [...plan.names];
  const why = didYouMean(name, names);
  return fieldError('ERR_UNKNOWN_BINDING', placeIn(plan, shorten(name)), oneOf(names), describe(name), { why });
}

function valuesOf(plan: BindingPlan, stage: BindingStage, field: BoundField, value: unknown): readonly unknown[] {
  const { name, slots } = field;
  const expected = `an array of ${slots.length} bindings`;
  if (value === undefined || value === null) {
    if (!slots.some((slot) => isBound(slot, stage))) return [];
    throw fieldError('ERR_MISSING_BINDING', placeIn(plan, name), `${expected}${stage.missingFrom}`, describe(value));
  }
  const place = placeIn(plan, name);
  if (typeof value !== 'object' || !isArray(value, place, CODE)) {
    throw fieldError(CODE, placeIn(plan, name), expected, describe(value));
  }
  const length = Number(readOwn(value, 'length', place, CODE));
  if (length !== slots.length) {
    const code = length < slots.length ? 'ERR_MISSING_BINDING' : 'ERR_UNKNOWN_BINDING';
    throw fieldError(code, placeIn(plan, name), `${slots.length} bindings`, `${length}`);
  }
  return slots.map((_, i) => readOwn(value, i, place, CODE));
}

function readBinding(plan: BindingPlan, stage: BindingStage, slot: TensorSlot, value: unknown): Binding | null {
  const isAbsent = value === undefined || value === null;
  if (!isBound(slot, stage)) {
    if (isAbsent) return null;
    throw fieldError('ERR_UNKNOWN_BINDING', placeIn(plan, slot.path), `no binding, ${reasonUnbound(slot)}`, describe(value));
  }
  if (isAbsent) {
    const expected = `a tensor or buffer${stage.missingFrom}`;
    throw fieldError('ERR_MISSING_BINDING', placeIn(plan, slot.path), expected, describe(value));
  }
  return Tensor.is(value) || DirectMLBuffer.is(value) ? value : readRange(plan, slot, value);
}

function readRange(plan: BindingPlan, { path }: TensorSlot, value: unknown): BufferBinding {
  const refused = () =>
    fieldError(CODE, placeIn(plan, path), 'a tensor, a buffer or { buffer, offset, size }', describe(value), {
      why: tensorAdvice(value),
    });
  if (typeof value !== 'object' || value === null || ArrayBuffer.isView(value)) throw refused();
  const place = placeIn(plan, path);
  const buffer = readOwn(value, 'buffer', place, CODE);
  if (!DirectMLBuffer.is(buffer)) throw refused();
  for (const name of namesOf(value, place, CODE)) {
    if (memoryNames.includes(name)) continue;
    const { field } = at(place, shorten(name));
    const why = didYouMean(name, memoryNames);
    throw fieldError(CODE, placeIn(plan, field), `one of ${memoryNames.join(', ')}`, describe(name), { why });
  }
  const bytes = (name: string): number | undefined => {
    const given = readOwn(value, name, place, CODE);
    if (given === undefined) return undefined;
    if (typeof given === 'number' && Number.isSafeInteger(given) && given >= 0) return given;
    throw fieldError('ERR_BINDING_RANGE', at(place, name), 'a whole number of bytes', describe(given));
  };
  // Has every property, because a missing one would be inherited from Object.prototype.
  return { buffer, offset: bytes('offset'), size: bytes('size') };
}
