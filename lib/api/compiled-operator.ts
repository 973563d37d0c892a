/** An operator that is ready to run. */
import type { BufferRange } from '../backends/backend.js';
import { planBindings, type BindingPlan } from './binding-plan.js';
import { refuseDisposed, resolveBindings, type Bindings } from './bindings.js';
import type { DeviceContext } from './device-context.js';
import { DirectMLError, fieldError } from '../errors.js';
import { findBadIndex, indicesSlot } from '../validation/indices.js';
import { keep } from './keep.js';
import type { OperatorHandle } from './operator-cache.js';
import { descriptorOf, type ResolvedDescriptor } from './resolved-descriptor.js';
import type { OperatorType } from '../schema/generated/descriptors.js';
import type { ResolvedOperator } from '../validation/resolved.js';

/** Lets go of the handle of an operator that was dropped without `dispose()`. */
const dropped = new FinalizationRegistry((handle: OperatorHandle) => handle.release());

/** An operator compiled for a device; made by {@link Device.compile}. May be dispatched any number of times. */
export class CompiledOperator implements Disposable {
  readonly type: OperatorType;
  /** The descriptor it was compiled from, with every field filled in; frozen. */
  readonly descriptor: ResolvedDescriptor;
  readonly #context: DeviceContext;
  readonly #operator: ResolvedOperator;
  readonly #plan: BindingPlan;
  #handle: OperatorHandle | null;

  /** @internal */
  constructor(context: DeviceContext, operator: ResolvedOperator, handle: OperatorHandle) {
    this.type = operator.descriptor.type;
    this.descriptor = descriptorOf(operator.descriptor);
    this.#context = context;
    this.#operator = operator;
    this.#plan = planBindings(operator, 'dispatch');
    this.#handle = handle;
    keep(this, 'type', 'descriptor');
    dropped.register(this, handle, this);
  }

  /**
   * Records the operator's work, after all that was recorded before. Nothing waits: the work starts with
   * `device.submit()`, `device.idle()`, or a read.
   *
   * @param bindings A {@link Tensor}, a {@link DirectMLBuffer} or `{ buffer, offset, size }` for each tensor of the
   * descriptor that DirectML does not own, by field name. Offsets are multiples of 16 bytes, ranges at least as long as the tensor, and no output
   * shares bytes with another tensor.
   * @throws {DirectMLError} ERR_MISSING_BINDING, ERR_UNKNOWN_BINDING, ERR_BINDING_RANGE, ERR_ALIASED_BINDING,
   * ERR_DATA_TYPE, ERR_WRONG_DEVICE, ERR_DISPOSED, ERR_DEVICE_LOST, ERR_INVALID_ARGUMENT.
   */
  dispatch(bindings: Bindings): void {
    this.#check('dispatch');
    const { inputs, outputs } = resolveBindings(this.#plan, bindings, this.#context);
    this.#dispatch('dispatch', inputs, outputs);
  }

  /**
   * Like {@link dispatch}, but first reads the index tensor of an operator that gathers, scatters or aligns regions,
   * and refuses indices that point outside. It waits for the indices, which costs time: a mode for finding mistakes.
   * What DirectML does with such an index without it: scatterNd drops the update or, with several coordinates, may put
   * it elsewhere in the tensor; the gathers give some other element of the tensor; roiAlign takes the last image.
   *
   * Bindings and indices are those of the moment of the call. The indices that were checked are the ones that run,
   * from a copy: whatever is written to their tensor meanwhile is not seen. The work itself is recorded when the
   * indices have been read, after everything that was recorded until then, and before the promise resolves; all other
   * tensors hold what they hold at that place in the order.
   *
   * @throws {DirectMLError} (as a rejection) ERR_INDEX_OUT_OF_RANGE with the first bad index,
   * ERR_FIELD_COMBINATION for indices that DirectML owns and nobody can read, and all of `dispatch`.
   */
  async dispatchChecked(bindings: Bindings): Promise<void> {
    const method = 'dispatchChecked';
    this.#check(method);
    const { inputs, outputs, bound } = resolveBindings(this.#plan, bindings, this.#context);
    const slot = indicesSlot(this.#operator);
    if (slot === null) {
      this.#dispatch(method, inputs, outputs);
      return;
    }
    const indices = inputs[slot.position];
    if (indices === undefined || indices === null) throw this.#unreadableIndices(slot.path);
    const { backend } = this.#context;
    const bytes = await backend.read(indices.buffer, indices.offset, indices.sizeInBytes);
    const error = findBadIndex(this.#operator, bytes);
    if (error !== null) throw error;
    this.#check(method);
    refuseDisposed(this.#plan, bound);
    const copy = backend.createBuffer(Math.ceil(bytes.byteLength / 4) * 4);
    try {
      backend.write(copy, 0, new Uint8Array(bytes));
      const checked = { buffer: copy, offset: 0, sizeInBytes: indices.sizeInBytes };
      this.#dispatch(method, inputs.with(slot.position, checked), outputs);
    } finally {
      copy.dispose();
    }
  }

  /** Lets go of the operator once recorded work no longer needs it. May be called again. */
  dispose(): void {
    if (this.#handle === null) return;
    dropped.unregister(this);
    if (!this.#context.isDisposed) this.#handle.release();
    this.#handle = null;
  }

  [Symbol.dispose](): void {
    this.dispose();
  }

  /** Looks once more whether it may: reading bindings can run a user's code. */
  #dispatch(method: string, inputs: readonly (BufferRange | null)[], outputs: readonly (BufferRange | null)[]): void {
    const { operator } = this.#check(method);
    this.#context.backend.dispatch(operator, inputs, outputs);
  }

  #unreadableIndices(name: string): DirectMLError {
    const expected = `'none' for indices that are to be checked`;
    return fieldError('ERR_FIELD_COMBINATION', this.type, `${name}.flags`, expected, `'ownedByDml'`);
  }

  #check(method: string): OperatorHandle {
    if (this.#handle === null) {
      const message = `${this.type}: ${method}: the operator is disposed`;
      throw new DirectMLError('ERR_DISPOSED', message, { operator: this.type });
    }
    if (!this.#context.isUsable) this.#context.check(`${this.type}: ${method}`);
    return this.#handle;
  }
}
