/** The base of everything that can be dispatched: compiled operators, as DirectML's IDMLDispatchable is of its own. */
import { DirectMLError } from '../errors.js';
import type { BufferRange } from '../backends/backend.js';
import type { BindingPlan } from './binding-plan.js';
import { resolveBindings, type BoundRanges, type Bindings } from './bindings.js';
import type { DeviceContext } from './device-context.js';
import type { OperatorHandle } from './operator-cache.js';

/** Releases the handle of a dispatchable that was garbage-collected without `dispose()`. */
const dropped = new FinalizationRegistry((handle: OperatorHandle) => handle.release());

/** Work that is compiled for a device and may be dispatched any number of times. */
export abstract class Dispatchable<Bound extends object = Bindings> implements Disposable {
  readonly #work: Work;

  /** @internal */
  constructor(work: Work) {
    this.#work = work;
    dropped.register(this, work.handle, this);
  }

  /**
   * Records the work, after everything that was recorded before. Nothing waits: the work starts with `device.submit()`,
   * `device.idle()`, or a read.
   *
   * @param bindings A {@link Tensor}, a {@link DirectMLBuffer} or `{ buffer, offset, size }` for each tensor that DirectML
   * does not own, by field name. Offsets are multiples of 16 bytes, and ranges at least as long as the tensor. No output
   * shares bytes with another tensor, but for the inputs in whose place the operator can write it: its page names them.
   * @throws {DirectMLError} ERR_MISSING_BINDING, ERR_UNKNOWN_BINDING, ERR_BINDING_RANGE, ERR_ALIASED_BINDING,
   * ERR_DATA_TYPE, ERR_WRONG_DEVICE, ERR_DISPOSED, ERR_DEVICE_LOST, ERR_INVALID_ARGUMENT.
   */
  dispatch(bindings: Bound): void {
    this.#work.check('dispatch');
    const { inputs, outputs } = this.#work.resolve(bindings);
    this.#work.record('dispatch', inputs, outputs);
  }

  /** Releases the work once recorded dispatches no longer need it. May be called again. */
  dispose(): void {
    if (this.#work.release()) dropped.unregister(this);
  }

  [Symbol.dispose](): void {
    this.dispose();
  }
}

/** What a dispatchable does with the backend. It is not reachable from JavaScript, so that nobody can pass by the checks. */
export class Work {
  readonly context: DeviceContext;
  readonly plan: BindingPlan;
  readonly handle: OperatorHandle;
  #isReleased = false;

  constructor(context: DeviceContext, plan: BindingPlan, handle: OperatorHandle) {
    this.context = context;
    this.plan = plan;
    this.handle = handle;
  }

  /** @throws {DirectMLError} ERR_DISPOSED or ERR_DEVICE_LOST if the work or its device can no longer be used. */
  check(method: string): void {
    const { type } = this.plan;
    if (this.#isReleased) {
      throw new DirectMLError('ERR_DISPOSED', `${type}: ${method}: the operator is disposed`, { operator: type });
    }
    if (!this.context.isUsable) this.context.check(`${type}: ${method}`);
  }

  resolve(bindings: unknown): BoundRanges {
    return resolveBindings(this.plan, bindings, this.context);
  }

  /** Records a dispatch. Checks once more, because reading the bindings can run a user's code. */
  record(method: string, inputs: readonly (BufferRange | null)[], outputs: readonly (BufferRange | null)[]): void {
    this.check(method);
    this.context.backend.dispatch(this.handle.operator, inputs, outputs);
  }

  /** Returns false if the work was released before. */
  release(): boolean {
    if (this.#isReleased) return false;
    this.#isReleased = true;
    if (!this.context.isDisposed) this.handle.release();
    return true;
  }
}
