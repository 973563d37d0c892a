/** What `device.record` collects for a recording. */
import type { DispatchCommand } from '../../backends/backend.js';
import { DirectMLError } from '../../errors.js';
import type { BindingPlan } from '../operators/binding-plan.js';
import { refuseIfDisposed, type BoundBuffer, type BoundRanges } from '../operators/bound-ranges.js';
import type { OperatorHandle } from '../operators/operator-cache.js';

/** The largest number of dispatches of a recording. */
const maxDispatches = 65_536;

/** Compiled work that is dispatched. */
interface Dispatched {
  readonly plan: BindingPlan;
  readonly handle: OperatorHandle;
  /** @throws {DirectMLError} ERR_DISPOSED or ERR_DEVICE_LOST if the work or its device can no longer be used. */
  check(method: string): void;
}

/** What a recording runs, and everything that has to be alive for it. */
export class RecordedWork {
  readonly dispatches: DispatchCommand[] = [];
  /** Of each dispatch. */
  readonly plans: BindingPlan[] = [];
  readonly #works = new Set<Dispatched>();
  /** By buffer, the first tensor for which it is bound. */
  readonly #buffers = new Map<BoundBuffer, { readonly plan: BindingPlan; readonly path: string }>();
  #refused: DirectMLError | null = null;

  add(work: Dispatched, { inputs, outputs, bound }: BoundRanges): void {
    if (this.dispatches.length === maxDispatches) {
      const why = `record: a recording has at most ${maxDispatches.toLocaleString('en')} dispatches`;
      throw (this.#refused = new DirectMLError('ERR_OUT_OF_RANGE', why, { operator: 'record' }));
    }
    this.dispatches.push({ dispatchable: work.handle.operator, inputs, outputs });
    this.plans.push(work.plan);
    this.#works.add(work);
    for (const { buffer, slot } of bound) {
      if (!this.#buffers.has(buffer)) this.#buffers.set(buffer, { plan: work.plan, path: slot.path });
    }
  }

  /** The error for a method that cannot be part of a recording. */
  refuse(method: string): DirectMLError {
    const why = `${method}: only dispatch may be called inside device.record`;
    return (this.#refused ??= new DirectMLError('ERR_NOT_RECORDABLE', why, { operator: method }));
  }

  /** @throws {DirectMLError} what `refuse` returned. */
  finish(): void {
    if (this.#refused !== null) throw this.#refused;
  }

  /** @throws {DirectMLError} ERR_DISPOSED if something that the recording needs is disposed. */
  check(method: string): void {
    for (const work of this.#works) work.check(method);
    for (const [buffer, { plan, path }] of this.#buffers) refuseIfDisposed(plan, path, buffer);
  }
}
