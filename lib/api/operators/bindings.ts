/**
 * Checks the bindings of a dispatch. DirectML reports few mistakes: a wrong binding removes the device, or silently reads and
 * writes another tensor's bytes.
 */
import { fieldError } from '../../errors.js';
import { minimumAlignment } from '../../data-types/table.js';
import { refuseAliases } from './aliases.js';
import type { BufferRange } from '../../backends/backend.js';
import { placeIn, type BindingPlan } from './binding-plan.js';
import { refuseIfDisposed, type BoundRanges, type BoundTensor } from './bound-ranges.js';
import { bufferSize } from '../memory/new-tensor.js';
import type { DirectMLBuffer } from '../memory/buffer.js';
import type { DeviceContext } from '../device-context.js';
import { checkLayout } from './layout-check.js';
import { readBindings, type BoundMemory } from './read-bindings.js';
import type { Tensor } from '../memory/tensor.js';
import type { ResolvedTensor } from '../../validation/resolved.js';

/** A range of a buffer. Its data type, sizes and strides are those of the descriptor. */
export interface BufferBinding {
  readonly buffer: DirectMLBuffer;
  /** The first byte, a multiple of 16. Default: 0. */
  readonly offset?: number | undefined;
  /** The number of bytes. Default: all bytes from `offset` to the end of the buffer. */
  readonly size?: number | undefined;
}

/** A value that you can bind to a tensor of a descriptor. A {@link DirectMLBuffer} is bound from its first byte on. */
export type Binding = Tensor | DirectMLBuffer | BufferBinding;

/**
 * The bindings of an operator by field name. A field with several tensors has an array. Use null, or leave the field out, if
 * the descriptor has no such tensor or if, in a dispatch, DirectML owns it.
 */
export type Bindings = Readonly<Record<string, Binding | readonly (Binding | null)[] | null | undefined>>;

/** @throws {DirectMLError} that names the field whose binding is missing, unknown or wrong. */
export function resolveBindings(plan: BindingPlan, bindings: unknown, context: DeviceContext): BoundRanges {
  return resolveMemories(plan, readBindings(plan, bindings), context);
}

/** Like {@link resolveBindings} for bindings that were read: one for each slot of the plan, null if nothing is bound. */
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

function rangeOf(
  plan: BindingPlan,
  path: string,
  tensor: ResolvedTensor,
  { buffer, offset, size, tensor: bound }: BoundMemory,
  context: DeviceContext,
): BufferRange {
  if (bound !== null) checkLayout(plan, path, tensor, bound);
  if (!buffer.belongsTo(context)) {
    const expected = `a tensor or buffer of the device that compiled the ${plan.noun}`;
    const given = buffer.label === '' ? `another device's` : `${buffer.name} of another device`;
    throw fieldError('ERR_WRONG_DEVICE', placeIn(plan, path), expected, given);
  }
  refuseIfDisposed(plan, path, buffer);
  const alignment = Math.max(minimumAlignment, tensor.guaranteedBaseOffsetAlignment);
  if (offset % alignment !== 0) {
    throw fieldError('ERR_BINDING_RANGE', placeIn(plan, `${path}.offset`), `a multiple of ${alignment}`, `${offset}`);
  }
  if (offset + size > buffer.sizeInBytes) {
    const bytes = `${buffer.sizeInBytes} bytes`;
    const expected = `a range within ${buffer.label === '' ? `the buffer's ${bytes}` : `the ${bytes} of ${buffer.name}`}`;
    throw fieldError('ERR_BINDING_RANGE', placeIn(plan, path), expected, `bytes ${offset} to ${offset + size}`);
  }
  if (size < tensor.totalTensorSizeInBytes) {
    throw fieldError('ERR_BINDING_RANGE', placeIn(plan, path), `at least ${tensor.totalTensorSizeInBytes} bytes`, `${size}`);
  }
  // Binds no more bytes than the tensor needs, so that adjacent tensors of one buffer do not overlap.
  const sizeInBytes = Math.min(size, bufferSize(tensor.totalTensorSizeInBytes));
  return { buffer: buffer.native, offset, sizeInBytes };
}
