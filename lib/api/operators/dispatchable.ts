/** The base class of everything that can be dispatched, like IDMLDispatchable in DirectML. */
import { DirectMLError, named } from '../../values/errors.js';
import { layoutLines } from '../../tensors/layout-line.js';
import { titled, withState } from '../../values/printed.js';
import type { TensorSlot } from '../../descriptors/resolved.js';
import { markUncloneable } from '../../values/uncloneable.js';
import { atDispatch, nounOf, type BindingPlan } from './binding-plan.js';
import { bindDispatch, type Binding, type Bindings } from './bindings.js';
import { refuseOverlaps } from './aliases.js';
import { refuseIfDisposed, type BoundTensor, type Dispatch } from './dispatch.js';
import type { DeviceContext } from '../device-context.js';
import { addToScope } from '../scope.js';
import type { OperatorHandle } from './operator-cache.js';
import { readBindings } from './read-bindings.js';

/** Releases the handle of work that was garbage-collected without `dispose()`. A recording keeps its work alive. */
const dropped = new FinalizationRegistry((handle: OperatorHandle) => handle.release());

/** Compiled work of a device, such as a {@link CompiledOperator}. You can dispatch it any number of times. */
export abstract class Dispatchable<Bound extends object = Bindings> implements Disposable {
  readonly #work: Work;

  /** @internal */
  constructor(work: Work) {
    this.#work = work;
    addToScope(
      work.context,
      work,
      this,
      work.constants.map(({ owner }) => owner),
    );
    markUncloneable(this);
  }

  /**
   * Records the work, which runs after all commands recorded before it. Does not wait: the device starts with
   * `device.submit()`, `device.idle()` or a read. The reference backend with `thread: 'caller'` computes before this returns,
   * and throws ERR_OUT_OF_MEMORY if it runs out of memory. In a worker thread, the next `device.idle()` rejects with that error
   * instead, as does each read of a result that was not computed.
   *
   * @param bindings By field name, a {@link Tensor}, a {@link DirectMLBuffer} or `{ buffer, offset, size }` for each tensor
   * that DirectML does not own. A `Tensor` must have the data type, sizes and strides of the descriptor; leading sizes of 1
   * do not count. Offsets are multiples of 16 bytes. A range is at least as long as the tensor. An output must not share bytes
   * with another tensor. The exception is an input that it may overwrite: it can have exactly the same bytes. The operator's
   * page names these inputs.
   * @throws {DirectMLError} ERR_MISSING_BINDING, ERR_UNKNOWN_BINDING, ERR_BINDING_RANGE, ERR_ALIASED_BINDING,
   * ERR_DATA_TYPE, ERR_SIZES, ERR_STRIDES, ERR_WRONG_DEVICE, ERR_DISPOSED, ERR_DEVICE_LOST, ERR_INVALID_ARGUMENT.
   */
  dispatch(bindings: Bound): void {
    this.#work.check('dispatch');
    this.#work.record('dispatch', this.#work.resolve(bindings));
  }

  /** Releases the work as soon as no recorded dispatch needs it. May be called again. */
  dispose(): void {
    this.#work.dispose();
  }

  [Symbol.dispose](): void {
    this.dispose();
  }
}

/** The connection of a dispatchable to the backend. Users cannot reach it, so they cannot bypass the checks. */
export class Work {
  readonly context: DeviceContext;
  readonly plan: BindingPlan;
  readonly handle: OperatorHandle;
  /** The shared constants of a graph. Every dispatch binds them. */
  constants: readonly BoundTensor[] = [];
  #isReleased = false;

  constructor(context: DeviceContext, plan: BindingPlan, handle: OperatorHandle) {
    this.context = context;
    this.plan = plan;
    this.handle = handle;
    dropped.register(this, handle, this);
  }

  /**
   * @param needsConstants False if the constants are about to be replaced.
   * @throws {DirectMLError} ERR_DISPOSED or ERR_DEVICE_LOST if the work, its constants or its device can no longer be used.
   */
  check(method: string, needsConstants = true): void {
    const { type, label } = this.plan;
    if (this.#isReleased) {
      const what = named(nounOf(this.plan), label);
      throw new DirectMLError('ERR_DISPOSED', `${type}: ${method}: ${what} is disposed`, { operator: type });
    }
    if (!this.context.isUsable) this.context.check(`${type}: ${method}`);
    if (needsConstants) for (const { slot, owner } of this.constants) refuseIfDisposed(this.plan, slot.path, owner);
  }

  /** @throws {DirectMLError} that names the field whose binding is missing, unknown or wrong. */
  resolve(bindings: unknown): Dispatch {
    return this.bind(readBindings(this.plan, atDispatch, bindings));
  }

  /** A dispatch with bindings that were read: one for each slot of the plan. */
  bind(bindings: readonly (Binding | null)[]): Dispatch {
    const dispatch = bindDispatch(this.plan, this.handle.operator, bindings, this.context);
    this.refuseWritten(dispatch);
    return dispatch;
  }

  /** @throws {DirectMLError} ERR_ALIASED_BINDING if an output shares bytes with a constant. */
  refuseWritten({ outputs }: Dispatch): void {
    if (this.constants.length > 0) refuseOverlaps(this.plan, outputs, this.constants);
  }

  /** Records a dispatch. Checks once more, because reading the bindings can run a user's code. */
  record(method: string, dispatch: Dispatch): void {
    this.check(method);
    if (this.context.recording !== null) this.context.recording.add(this, dispatch);
    else this.context.dispatch(dispatch);
  }

  /** Releases the handle. May be called again. */
  dispose(): void {
    if (this.#isReleased) return;
    this.#isReleased = true;
    this.context.changes++;
    dropped.unregister(this);
    if (!this.context.isDisposed) this.handle.release();
  }

  /** What its object is for a reader: `CompiledOperator 'first' gemm (aTensor float32 [2, 3], …) → outputTensor float32 [2, 4]`. */
  lineOf(name: string, type: string): string {
    const { label, slots } = this.plan;
    const [inputs, outputs] = [tensorsOf(slots, 'input'), tensorsOf(slots, 'output')];
    const state = this.#isReleased ? 'disposed' : this.context.state;
    const title = `${titled(name, label)}${type === '' ? '' : ` ${type}`}`;
    return withState(`${title} (${layoutLines(inputs)}) → ${layoutLines(outputs)}`, state);
  }
}

function tensorsOf(slots: readonly TensorSlot[], role: TensorSlot['role']) {
  return slots.flatMap((slot) => (slot.role === role && slot.tensor !== null ? [[slot.path, slot.tensor] as const] : []));
}
