/**
 * Checks the bindings of a dispatch completely: a wrong one would remove the DirectML device, or be accepted in
 * silence and touch another tensor's bytes.
 */
import { fieldError } from '../errors.js';
import { minimumAlignment } from '../data-types/table.js';
import { refuseAliases, type Bound } from './aliases.js';
import type { BufferRange } from '../backends/backend.js';
import { placeIn, type BindingPlan } from './binding-plan.js';
import type { DirectMLBuffer } from './buffer.js';
import type { DeviceContext } from './device-context.js';
import { checkLayout } from './layout-check.js';
import { readBindings, type BoundMemory } from './read-bindings.js';
import type { Tensor } from './tensor.js';
import type { ResolvedTensor } from '../validation/resolved.js';

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

/** Where the tensors of a dispatch lie. */
export interface BoundRanges {
  readonly inputs: readonly (BufferRange | null)[];
  readonly outputs: readonly (BufferRange | null)[];
  /** Those that are bound. */
  readonly bound: readonly BoundTensor[];
}

export interface BoundTensor extends Bound {
  readonly buffer: DirectMLBuffer;
}

/** @throws {DirectMLError} naming the field whose binding is missing, unknown or wrong. */
export function resolveBindings(plan: BindingPlan, bindings: unknown, context: DeviceContext): BoundRanges {
  return resolveMemories(plan, readBindings(plan, bindings), context);
}

/** The same of memories by slot of the plan; null where nothing is bound. */
export function resolveMemories(
  plan: BindingPlan,
  memories: readonly (BoundMemory | null)[],
  context: DeviceContext,
): BoundRanges {
  const inputs: (BufferRange | null)[] = [];
  const outputs: (BufferRange | null)[] = [];
  const bound: BoundTensor[] = [];
  let position = 0;
  for (const slot of plan.slots) {
    const memory = memories[position] ?? null;
    const isBound = memory !== null && slot.tensor !== null;
    const range = isBound ? rangeOf(plan, slot.path, slot.tensor, memory, context) : null;
    (slot.role === 'output' ? outputs : inputs).push(range);
    if (range !== null && memory !== null) bound.push({ slot, position, range, buffer: memory.buffer });
    position += 1;
  }
  refuseAliases(plan, bound);
  return { inputs, outputs, bound };
}

/**
 * For bindings that were resolved some time ago.
 *
 * @throws {DirectMLError} ERR_DISPOSED where a buffer is gone since then.
 */
export function refuseDisposed(plan: BindingPlan, bound: BoundRanges['bound']): void {
  for (const { slot, buffer } of bound) refuseIfDisposed(plan, slot.path, buffer);
}

function refuseIfDisposed(plan: BindingPlan, path: string, buffer: DirectMLBuffer): void {
  if (buffer.isDisposed) throw fieldError('ERR_DISPOSED', placeIn(plan, path), 'a live buffer', 'one that is disposed');
}

function rangeOf(
  plan: BindingPlan,
  path: string,
  tensor: ResolvedTensor,
  { buffer, offset, size, tensor: bound }: BoundMemory,
  context: DeviceContext,
): BufferRange {
  if (bound !== null) checkLayout(plan, path, tensor, bound);
  if (!buffer.belongsTo(context)) {
    const expected = 'a buffer of the device that compiled the operator';
    throw fieldError('ERR_WRONG_DEVICE', placeIn(plan, path), expected, `another device's`);
  }
  refuseIfDisposed(plan, path, buffer);
  const alignment = Math.max(minimumAlignment, tensor.guaranteedBaseOffsetAlignment);
  if (offset % alignment !== 0) {
    throw fieldError('ERR_BINDING_RANGE', placeIn(plan, `${path}.offset`), `a multiple of ${alignment}`, `${offset}`);
  }
  if (offset + size > buffer.sizeInBytes) {
    const expected = `a range within the buffer's ${buffer.sizeInBytes} bytes`;
    throw fieldError('ERR_BINDING_RANGE', placeIn(plan, path), expected, `bytes ${offset} to ${offset + size}`);
  }
  if (size < tensor.totalTensorSizeInBytes) {
    throw fieldError('ERR_BINDING_RANGE', placeIn(plan, path), `at least ${tensor.totalTensorSizeInBytes} bytes`, `${size}`);
  }
  // No more than needed, so that ranges side by side in one buffer stay apart.
  const sizeInBytes = Math.min(size, Math.ceil(tensor.totalTensorSizeInBytes / 4) * 4);
  return { buffer: buffer.native, offset, sizeInBytes };
}
