/** The result of checked bindings: ranges of buffers that must not be disposed of until they are used. */
import type { BufferRange } from '../../backends/backend.js';
import { fieldError } from '../../errors.js';
import type { Bound } from './aliases.js';
import { placeIn, type BindingPlan } from './binding-plan.js';

/** The buffer ranges that a dispatch binds. Null stands for a tensor without a binding. */
export interface BoundRanges {
  readonly inputs: readonly (BufferRange | null)[];
  readonly outputs: readonly (BufferRange | null)[];
  /** The tensors with a binding. */
  readonly bound: readonly BoundTensor[];
}

export interface BoundTensor extends Bound {
  readonly buffer: BoundBuffer;
}

/** What checks ask a buffer after it was bound. */
export interface BoundBuffer {
  readonly isDisposed: boolean;
  readonly label: string;
  /** `the buffer`, or `tensor 'weights'` */
  readonly name: string;
}

/**
 * Checks bindings again that were resolved before an `await`.
 *
 * @throws {DirectMLError} ERR_DISPOSED if a buffer was disposed of since then.
 */
export function refuseDisposed(plan: BindingPlan, bound: BoundRanges['bound']): void {
  for (const { slot, buffer } of bound) refuseIfDisposed(plan, slot.path, buffer);
}

/** @throws {DirectMLError} ERR_DISPOSED. */
export function refuseIfDisposed(plan: BindingPlan, path: string, buffer: BoundBuffer): void {
  if (!buffer.isDisposed) return;
  const disposed = buffer.label === '' ? 'one that is disposed' : `${buffer.name}, which is disposed`;
  throw fieldError('ERR_DISPOSED', placeIn(plan, path), 'a live tensor or buffer', disposed);
}
