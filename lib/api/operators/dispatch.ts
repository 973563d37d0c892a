/** A dispatch whose bindings are checked. Its buffers must not be disposed of until it is recorded. */
import type { BufferRange, DispatchCommand } from '../../backends/backend.js';
import { fieldError } from '../../values/errors.js';
import type { TensorSlot } from '../../descriptors/resolved.js';
import { placeIn, type BindingPlan, type Subject } from './binding-plan.js';

/** A dispatch, and the plan by which its bindings were checked. Null stands for a tensor without a binding. */
export interface Dispatch extends DispatchCommand {
  readonly plan: BindingPlan;
  readonly inputs: readonly (BoundTensor | null)[];
  readonly outputs: readonly (BoundTensor | null)[];
}

/** A tensor of an operator or a graph, and the range that is bound to it. */
export interface BoundTensor extends BufferRange {
  readonly slot: TensorSlot;
  /** The user's buffer, which owns the backend's. */
  readonly owner: BoundBuffer;
}

/** What checks ask a buffer after it was bound. */
export interface BoundBuffer {
  readonly isDisposed: boolean;
  readonly label: string;
  /** `the buffer`, or `tensor 'weights'` */
  readonly name: string;
}

/**
 * Checks a dispatch again that was resolved before an `await`.
 *
 * @throws {DirectMLError} ERR_DISPOSED if a buffer was disposed of since then.
 */
export function refuseDisposed({ plan, inputs, outputs }: Dispatch): void {
  for (const bound of [...inputs, ...outputs]) if (bound !== null) refuseIfDisposed(plan, bound.slot.path, bound.owner);
}

/** @throws {DirectMLError} ERR_DISPOSED. */
export function refuseIfDisposed(subject: Subject, path: string, buffer: BoundBuffer): void {
  if (!buffer.isDisposed) return;
  const disposed = buffer.label === '' ? 'one that is disposed' : `${buffer.name}, which is disposed`;
  throw fieldError('ERR_DISPOSED', placeIn(subject, path), 'a live tensor or buffer', disposed);
}
