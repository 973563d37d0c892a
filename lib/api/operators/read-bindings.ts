/** Reads the bindings of a dispatch, which may be any value. Each property is read once. */
import { at, describe, fieldError, oneOf, shorten, type DirectMLError } from '../../errors.js';
import { isRecord } from '../../given.js';
import { placeIn, type BindingPlan, type BoundField, type Slot } from './binding-plan.js';
import { DirectMLBuffer } from '../memory/buffer.js';
import { didYouMean } from '../../near-names.js';
import { Tensor } from '../memory/tensor.js';
import { tensorAdvice } from '../memory/tensor-words.js';
import { isArray, namesOf, readOwn } from '../../validation/input.js';

/** The memory of one binding, not yet compared with the tensor of the descriptor. */
export interface BoundMemory {
  readonly buffer: DirectMLBuffer;
  /** In bytes. */
  readonly offset: number;
  /** In bytes. */
  readonly size: number;
  /** The tensor that is bound; null if a buffer or a range of it is bound. */
  readonly tensor: Tensor | null;
}

const CODE = 'ERR_INVALID_ARGUMENT';
/** The most names in the example of an error. */
const maxShownNames = 4;
const memoryNames: readonly string[] = ['buffer', 'offset', 'size'];

/** The memory for each slot of the plan; null for a slot to which nothing may be bound. */
export function readBindings(plan: BindingPlan, bindings: unknown): (BoundMemory | null)[] {
  if (typeof bindings !== 'object' || bindings === null) throw noBindings(plan, bindings);
  try {
    return memoriesOf(plan, bindings);
  } catch (error) {
    // A tensor, a promise or an array has none of the names. Asking first would take time at every dispatch.
    throw isRecord(bindings) ? error : noBindings(plan, bindings);
  }
}

function noBindings({ place, fields }: BindingPlan, given: unknown): DirectMLError {
  const bound = fields.filter(({ slots }) => slots.some(({ tensor }) => tensor !== null));
  const names = bound.slice(0, maxShownNames).map(({ name }) => shorten(name));
  const shown = `{ ${names.join(', ')}${bound.length > maxShownNames ? ', …' : ''} }`;
  return fieldError(CODE, place, `an object with a binding per tensor${names.length === 0 ? '' : `: ${shown}`}`, describe(given));
}

function memoriesOf(plan: BindingPlan, bindings: object): (BoundMemory | null)[] {
  for (const name of namesOf(bindings, plan.place, CODE)) {
    if (plan.names.has(name)) continue;
    const names = [...plan.names];
    const why = didYouMean(name, names);
    throw fieldError('ERR_UNKNOWN_BINDING', placeIn(plan, shorten(name)), oneOf(names), describe(name), { why });
  }
  // Runs at every dispatch, so it uses plain loops and few allocations.
  const memories: (BoundMemory | null)[] = [];
  for (const field of plan.fields) {
    const value = readOwn(bindings, field.name, plan.bindingPlace, CODE);
    const values = field.isArray ? valuesOf(plan, field, value) : null;
    const first = memories.length;
    for (const slot of field.slots) {
      memories.push(readMemory(plan, slot, values === null ? value : values[memories.length - first]));
    }
  }
  return memories;
}

function valuesOf(plan: BindingPlan, field: BoundField, value: unknown): readonly unknown[] {
  const { name, slots } = field;
  const expected = `an array of ${slots.length} bindings`;
  if (value === undefined || value === null) {
    if (slots.every(({ tensor }) => tensor === null)) return [];
    throw fieldError('ERR_MISSING_BINDING', placeIn(plan, name), `${expected}${plan.missingFrom}`, describe(value));
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

function readMemory(plan: BindingPlan, slot: Slot, value: unknown): BoundMemory | null {
  const isAbsent = value === undefined || value === null;
  if (slot.tensor === null) {
    if (isAbsent) return null;
    throw fieldError('ERR_UNKNOWN_BINDING', placeIn(plan, slot.path), `no binding, ${slot.unbound}`, describe(value));
  }
  if (isAbsent) {
    const expected = `a tensor or buffer${plan.missingFrom}`;
    throw fieldError('ERR_MISSING_BINDING', placeIn(plan, slot.path), expected, describe(value));
  }
  if (Tensor.is(value)) return memoryOf(value);
  if (DirectMLBuffer.is(value)) return { buffer: value, offset: 0, size: value.sizeInBytes, tensor: null };
  return readRange(plan, slot, value);
}

/** The memory from the start of a tensor to the end of its buffer. */
export function memoryOf(tensor: Tensor): BoundMemory {
  const { buffer, offset } = tensor;
  return { buffer, offset, size: buffer.sizeInBytes - offset, tensor };
}

function readRange(plan: BindingPlan, { path }: Slot, value: unknown): BoundMemory {
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
  const bytes = (name: string, whenAbsent: number): number => {
    const given = readOwn(value, name, place, CODE);
    if (given === undefined) return whenAbsent;
    if (typeof given === 'number' && Number.isSafeInteger(given) && given >= 0) return given;
    throw fieldError('ERR_BINDING_RANGE', at(place, name), 'a whole number of bytes', describe(given));
  };
  const offset = bytes('offset', 0);
  return { buffer, offset, size: bytes('size', Math.max(0, buffer.sizeInBytes - offset)), tensor: null };
}
