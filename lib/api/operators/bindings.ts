/**
 * Checks the bindings of a dispatch. DirectML reports few mistakes: a wrong binding removes the device, or silently reads and
 * writes another tensor's bytes.
 */
import { fieldError } from '../../values/errors.js';
import { minimumAlignment } from '../../tensors/data-types.js';
import { refuseAliases } from './aliases.js';
import type { BackendDispatchable } from '../../backends/backend.js';
import { nounOf, placeIn, type BindingPlan, type Subject } from './binding-plan.js';
import { bufferSize } from '../../tensors/tensor-size.js';
import { DirectMLBuffer } from '../memory/buffer.js';
import type { DeviceContext } from '../device-context.js';
import { refuseIfDisposed, type BoundTensor, type Dispatch } from './dispatch.js';
import { checkLayout } from './layout-check.js';
import { Tensor } from '../memory/tensor.js';
import type { TensorSlot } from '../../descriptors/resolved.js';

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

/**
 * A dispatch with bindings that were read: one for each slot of the plan, null if nothing is bound.
 *
 * @throws {DirectMLError} that names the field whose binding is wrong.
 */
export function bindDispatch(
  plan: BindingPlan,
  dispatchable: BackendDispatchable,
  bindings: readonly (Binding | null)[],
  context: DeviceContext,
): Dispatch {
  const inputs = new Array<BoundTensor | null>(plan.inputCount);
  const outputs = new Array<BoundTensor | null>(plan.slots.length - plan.inputCount);
  let index = 0;
  for (const slot of plan.slots) {
    const bound = bindTensor(plan, slot, bindings[index], context);
    if (slot.role === 'output') outputs[index - plan.inputCount] = bound;
    else inputs[index] = bound;
    index += 1;
  }
  const dispatch = { plan, dispatchable, inputs, outputs };
  refuseAliases(dispatch);
  return dispatch;
}

/** The range that is bound to a tensor; null if nothing is. */
export function bindTensor(
  subject: Subject,
  slot: TensorSlot,
  binding: Binding | null | undefined,
  context: DeviceContext,
): BoundTensor | null {
  const { path, tensor } = slot;
  if (tensor === null || binding === null || binding === undefined) return null;
  const isTensor = Tensor.is(binding);
  const isBuffer = !isTensor && DirectMLBuffer.is(binding);
  if (isTensor) checkLayout(subject, path, tensor, binding);
  const owner = isBuffer ? binding : binding.buffer;
  const offset = isBuffer ? 0 : (binding.offset ?? 0);
  const given = isBuffer || isTensor ? undefined : binding.size;
  const size = given ?? Math.max(0, owner.sizeInBytes - offset);
  if (!owner.belongsTo(context)) {
    const expected = `a tensor or buffer of the device that compiled the ${nounOf(subject)}`;
    const given = owner.label === '' ? `another device's` : `${owner.name} of another device`;
    throw fieldError('ERR_WRONG_DEVICE', placeIn(subject, path), expected, given);
  }
  refuseIfDisposed(subject, path, owner);
  const alignment = Math.max(minimumAlignment, tensor.guaranteedBaseOffsetAlignment);
  if (offset % alignment !== 0) {
    throw fieldError('ERR_BINDING_RANGE', placeIn(subject, `${path}.offset`), `a multiple of ${alignment}`, `${offset}`);
  }
  if (offset + size > owner.sizeInBytes) {
    const bytes = `${owner.sizeInBytes} bytes`;
    const expected = `a range within ${owner.label === '' ? `the buffer's ${bytes}` : `the ${bytes} of ${owner.name}`}`;
    throw fieldError('ERR_BINDING_RANGE', placeIn(subject, path), expected, `bytes ${offset} to ${offset + size}`);
  }
  if (size < tensor.totalTensorSizeInBytes) {
    throw fieldError('ERR_BINDING_RANGE', placeIn(subject, path), `at least ${tensor.totalTensorSizeInBytes} bytes`, `${size}`);
  }
  // Binds no more bytes than the tensor needs, so that adjacent tensors of one buffer do not overlap.
  const sizeInBytes = Math.min(size, bufferSize(tensor.totalTensorSizeInBytes));
  return { buffer: owner.memory, offset, sizeInBytes, slot, owner };
}
