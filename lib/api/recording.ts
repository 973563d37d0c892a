/** What `device.record` collects for a frame. */
import type { BackendDispatch } from '../backends/backend.js';
import { DirectMLError } from '../errors.js';
import type { BindingPlan } from './binding-plan.js';
import { refuseIfDisposed, type BoundBuffer, type BoundRanges } from './bound-ranges.js';
import type { OperatorHandle } from './operator-cache.js';

/** The largest number of dispatches of a frame. */
const maxDispatches = 65_536;

/** Compiled work that is dispatched. */
interface RecordedWork {
  readonly plan: BindingPlan;
  readonly handle: OperatorHandle;
  /** @throws {DirectMLError} ERR_DISPOSED or ERR_DEVICE_LOST if the work or its device can no longer be used. */
  check(method: string): void;
}

/** What a frame runs, and everything that has to be alive for it. */
export class Recording {
  readonly dispatches: BackendDispatch[] = [];
  /** Of each dispatch. */
  readonly plans: BindingPlan[] = [];
  readonly #works = new Set<RecordedWork>();
  /** By buffer, the first tensor for which it is bound. */
  readonly #buffers = new Map<BoundBuffer, { readonly plan: BindingPlan; readonly path: string }>();
  #refused: DirectMLError | null = null;

  add(work: RecordedWork, { inputs, outputs, bound }: BoundRanges): void {
    if (this.dispatches.length === maxDispatches) {
      const why = `record: a frame has at most ${maxDispatches.toLocaleString('en')} dispatches`;
      throw (this.#refused = new DirectMLError('ERR_OUT_OF_RANGE', why, { operator: 'record' }));
    }
    this.dispatches.push({ dispatchable: work.handle.operator, inputs, outputs });
    this.plans.push(work.plan);
    this.#works.add(work);
    for (const { buffer, slot } of bound) {
      if (!this.#buffers.has(buffer)) this.#buffers.set(buffer, { plan: work.plan, path: slot.path });
    }
  }

  /** The error for a method that cannot be part of a frame. */
  refuse(method: string): DirectMLError {
    const why = `${method}: a frame has dispatches only; call this before or after device.record`;
    return (this.#refused ??= new DirectMLError('ERR_NOT_RECORDABLE', why, { operator: method }));
  }

  /** @throws {DirectMLError} what `refuse` returned. */
  finish(): void {
    if (this.#refused !== null) throw this.#refused;
  }

  /** @throws {DirectMLError} ERR_DISPOSED if something that the frame needs is disposed. */
  check(method: string): void {
    for (const work of this.#works) work.check(method);
    for (const [buffer, { plan, path }] of this.#buffers) refuseIfDisposed(plan, path, buffer);
  }
}
