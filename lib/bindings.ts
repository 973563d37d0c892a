/**
 * Checks the bindings of a dispatch completely: a wrong one would remove the DirectML device, or be accepted in
 * silence and touch another tensor's bytes.
 */
import type { BufferRange } from './backends/backend.js';
import { DirectMLBuffer } from './buffer.js';
import type { DeviceContext } from './device-context.js';
import { DirectMLError, fieldError, type ErrorCode } from './errors.js';
import { operatorTable } from './schema/generated/table.js';
import { Tensor } from './tensor.js';
import { describe } from './validation/input.js';
import { isTensor, type ResolvedOperator, type ResolvedTensor } from './validation/resolved.js';

/** Bytes of a buffer from `offset` (default 0, a multiple of 16) on; `size` is by default all that follow. */
export interface BufferBinding {
  readonly buffer: DirectMLBuffer;
  readonly offset?: number | undefined;
  readonly size?: number | undefined;
}

export type Binding = Tensor | DirectMLBuffer | BufferBinding;

/**
 * By field name; an array for a field with several tensors; null or absent for a tensor that is not bound there: one
 * that the descriptor lacks or, at a dispatch, one that DirectML owns.
 */
export type Bindings = Readonly<Record<string, Binding | readonly (Binding | null)[] | null | undefined>>;

export interface Slot {
  /** `inputTensor`, `inputTensors[1]` */
  readonly path: string;
  readonly isOutput: boolean;
  /** Null where nothing may be bound. */
  readonly tensor: ResolvedTensor | null;
  /** Why nothing may be bound. */
  readonly unbound: string;
}

/** Tensors that DirectML owns are bound when the operator is initialized, and all others at every dispatch. */
export type BindingStage = 'initialization' | 'dispatch';

interface BoundField {
  readonly name: string;
  readonly isArray: boolean;
  readonly slots: readonly Slot[];
}

export interface BindingPlan {
  readonly type: string;
  readonly fields: readonly BoundField[];
  readonly names: ReadonlySet<string>;
}

export interface BoundRanges {
  readonly inputs: readonly (BufferRange | null)[];
  readonly outputs: readonly (BufferRange | null)[];
}

/** DML_MINIMUM_BUFFER_TENSOR_ALIGNMENT */
const minimumAlignment = 16;

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
  return { type: operator.type, fields, names: new Set(fields.map(({ name }) => name)) };
}

function boundAt(stage: BindingStage, tensor: ResolvedTensor | null): Pick<Slot, 'tensor' | 'unbound'> {
  if (tensor === null) return { tensor, unbound: 'for the descriptor has no such tensor' };
  const isOwned = tensor.flags === 'ownedByDml';
  if (isOwned === (stage === 'initialization')) return { tensor, unbound: '' };
  const unbound = isOwned ? 'for DirectML owns the tensor since compile()' : `for its flags are not 'ownedByDml'`;
  return { tensor: null, unbound };
}

/** @throws {DirectMLError} naming the field whose binding is missing, unknown or wrong. */
export function resolveBindings(plan: BindingPlan, bindings: unknown, context: DeviceContext): BoundRanges {
  if (typeof bindings !== 'object' || bindings === null) {
    throw fail(plan, 'ERR_INVALID_ARGUMENT', 'bindings', 'an object with a binding per tensor', describe(bindings));
  }
  for (const name of Object.keys(bindings)) {
    if (!plan.names.has(name)) {
      throw fail(plan, 'ERR_UNKNOWN_BINDING', name, `one of ${[...plan.names].join(', ')}`, describe(name));
    }
  }
  const inputs: (BufferRange | null)[] = [];
  const outputs: (BufferRange | null)[] = [];
  const bound: { slot: Slot; range: BufferRange }[] = [];
  for (const field of plan.fields) {
    const values = valuesOf(plan, field, Reflect.get(bindings, field.name));
    for (const [i, slot] of field.slots.entries()) {
      const range = resolveBinding(plan, slot, values[i], context);
      (slot.isOutput ? outputs : inputs).push(range);
      if (range !== null) bound.push({ slot, range });
    }
  }
  for (const { slot, range } of bound) {
    if (slot.isOutput) refuseAliases(plan, slot, range, bound);
  }
  return { inputs, outputs };
}

function valuesOf(plan: BindingPlan, field: BoundField, value: unknown): readonly unknown[] {
  if (!field.isArray) return [value];
  if ((value === undefined || value === null) && field.slots.every(({ tensor }) => tensor === null)) return [];
  if (value === undefined || value === null) {
    throw fail(plan, 'ERR_MISSING_BINDING', field.name, `an array of ${field.slots.length} bindings`, describe(value));
  }
  if (!Array.isArray(value)) {
    throw fail(plan, 'ERR_INVALID_ARGUMENT', field.name, `an array of ${field.slots.length} bindings`, describe(value));
  }
  if (value.length !== field.slots.length) {
    const code = value.length < field.slots.length ? 'ERR_MISSING_BINDING' : 'ERR_UNKNOWN_BINDING';
    throw fail(plan, code, field.name, `${field.slots.length} bindings`, `${value.length}`);
  }
  return value;
}

function resolveBinding(plan: BindingPlan, slot: Slot, value: unknown, context: DeviceContext): BufferRange | null {
  const { path, tensor, unbound } = slot;
  const isAbsent = value === undefined || value === null;
  if (tensor === null) {
    if (isAbsent) return null;
    throw fail(plan, 'ERR_UNKNOWN_BINDING', path, `no binding, ${unbound}`, describe(value));
  }
  if (isAbsent) throw fail(plan, 'ERR_MISSING_BINDING', path, 'a tensor or buffer', describe(value));
  const { buffer, offset, size } = rangeOf(plan, slot, tensor, value);
  if (!buffer.belongsTo(context)) {
    throw fail(plan, 'ERR_WRONG_DEVICE', path, 'a buffer of the device that compiled the operator', `another device's`);
  }
  if (buffer.isDisposed) throw fail(plan, 'ERR_DISPOSED', path, 'a live buffer', 'one that is disposed');
  const alignment = Math.max(minimumAlignment, tensor.guaranteedBaseOffsetAlignment);
  if (offset % alignment !== 0) {
    throw fail(plan, 'ERR_BINDING_RANGE', `${path}.offset`, `a multiple of ${alignment}`, `${offset}`);
  }
  if (offset + size > buffer.sizeInBytes) {
    const given = `bytes ${offset} to ${offset + size}`;
    throw fail(plan, 'ERR_BINDING_RANGE', path, `a range within the buffer's ${buffer.sizeInBytes} bytes`, given);
  }
  if (size < tensor.totalTensorSizeInBytes) {
    throw fail(plan, 'ERR_BINDING_RANGE', path, `at least ${tensor.totalTensorSizeInBytes} bytes`, `${size}`);
  }
  // No more than needed, so that ranges side by side in one buffer stay apart.
  const sizeInBytes = Math.min(size, Math.ceil(tensor.totalTensorSizeInBytes / 4) * 4);
  return { buffer: buffer.native, offset, sizeInBytes };
}

function rangeOf(plan: BindingPlan, slot: Slot, tensor: ResolvedTensor, value: unknown) {
  if (value instanceof Tensor) {
    if (value.dataType !== tensor.dataType) {
      const expected = `'${tensor.dataType}', as the descriptor says`;
      throw fail(plan, 'ERR_DATA_TYPE', `${slot.path}.dataType`, expected, `'${value.dataType}'`);
    }
    return { buffer: value.buffer, offset: value.offset, size: value.buffer.sizeInBytes - value.offset };
  }
  if (value instanceof DirectMLBuffer) return { buffer: value, offset: 0, size: value.sizeInBytes };
  const expected = 'a tensor, a buffer or { buffer, offset, size }';
  if (typeof value !== 'object' || value === null) {
    throw fail(plan, 'ERR_INVALID_ARGUMENT', slot.path, expected, describe(value));
  }
  const buffer: unknown = Reflect.get(value, 'buffer');
  if (!(buffer instanceof DirectMLBuffer)) {
    throw fail(plan, 'ERR_INVALID_ARGUMENT', slot.path, expected, describe(value));
  }
  const offset = bytes(plan, `${slot.path}.offset`, Reflect.get(value, 'offset'), 0);
  return { buffer, offset, size: bytes(plan, `${slot.path}.size`, Reflect.get(value, 'size'), Math.max(0, buffer.sizeInBytes - offset)) };
}

function bytes(plan: BindingPlan, path: string, value: unknown, whenAbsent: number): number {
  if (value === undefined) return whenAbsent;
  if (typeof value === 'number' && Number.isSafeInteger(value) && value >= 0) return value;
  throw fail(plan, 'ERR_BINDING_RANGE', path, 'a whole number of bytes', describe(value));
}

function refuseAliases(
  plan: BindingPlan,
  slot: Slot,
  range: BufferRange,
  bound: readonly { slot: Slot; range: BufferRange }[],
): void {
  for (const other of bound) {
    if (other.slot === slot || other.range.buffer !== range.buffer) continue;
    const isApart =
      other.range.offset >= range.offset + range.sizeInBytes || range.offset >= other.range.offset + other.range.sizeInBytes;
    if (isApart) continue;
    const given = `bytes that are bound to ${other.slot.path} too`;
    throw fail(plan, 'ERR_ALIASED_BINDING', slot.path, 'an output with bytes of its own', given);
  }
}

function fail(plan: BindingPlan, code: ErrorCode, field: string, expected: string, given: string): DirectMLError {
  return fieldError(code, plan.type, field, expected, given);
}
