/** An operator that is ready to run. */
import { planBindings } from './binding-plan.js';
import { refuseDisposed } from './bindings.js';
import { fromCaller } from './call-site.js';
import type { DispatchBindings, OutputTensors } from './typed-bindings.js';
import type { DeviceContext } from './device-context.js';
import { fieldError, type DirectMLError } from '../errors.js';
import { findBadIndex, indicesSlot } from '../validation/indices.js';
import { Dispatchable, Work } from './dispatchable.js';
import { keep } from './keep.js';
import { outputTensors } from './outputs.js';
import type { Tensor } from './tensor.js';
import type { OperatorHandle } from './operator-cache.js';
import type { ResolvedDescriptor } from './resolved-descriptor.js';
import type { OperatorType } from '../schema/generated/descriptors.js';
import type { ResolvedOperator } from '../validation/resolved.js';

/** What a compiled operator tells of itself. */
interface Identity<Type extends OperatorType> {
  readonly type: Type;
  readonly descriptor: ResolvedDescriptor<Type>;
}

/** An operator compiled for a device; made by {@link Device.compile}. May be dispatched any number of times. */
export class CompiledOperator<Type extends OperatorType = OperatorType, Owned extends string = never> extends Dispatchable<
  DispatchBindings<Type, Owned>
> {
  readonly type: Type;
  /** The descriptor it was compiled from, with every field filled in; frozen. */
  readonly descriptor: ResolvedDescriptor<Type>;
  readonly #operator: ResolvedOperator;
  readonly #work: Work;

  /** @internal */
  constructor(context: DeviceContext, operator: ResolvedOperator, handle: OperatorHandle, { type, descriptor }: Identity<Type>) {
    const work = new Work(context, planBindings(operator, 'dispatch'), handle);
    super(work);
    this.type = type;
    this.descriptor = descriptor;
    this.#operator = operator;
    this.#work = work;
    keep(this, 'type', 'descriptor');
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
  async dispatchChecked(bindings: DispatchBindings<Type, Owned>): Promise<void> {
    await fromCaller(() => this.#dispatchChecked(bindings));
  }

  async #dispatchChecked(bindings: DispatchBindings<Type, Owned>): Promise<void> {
    const method = 'dispatchChecked';
    this.#work.check(method);
    const { inputs, outputs, bound } = this.#work.resolve(bindings);
    const slot = indicesSlot(this.#operator);
    if (slot === null) {
      this.#work.record(method, inputs, outputs);
      return;
    }
    const indices = inputs[slot.position];
    if (indices === undefined || indices === null) throw this.#unreadableIndices(slot.path);
    const { backend } = this.#work.context;
    const bytes = await backend.read(indices.buffer, indices.offset, indices.sizeInBytes);
    const error = findBadIndex(this.#operator, bytes);
    if (error !== null) throw error;
    this.#work.check(method);
    refuseDisposed(this.#work.plan, bound);
    const copy = backend.createBuffer(Math.ceil(bytes.byteLength / 4) * 4);
    try {
      backend.write(copy, 0, new Uint8Array(bytes));
      const checked = { buffer: copy, offset: 0, sizeInBytes: indices.sizeInBytes };
      this.#work.record(method, inputs.with(slot.position, checked), outputs);
    } finally {
      copy.dispose();
    }
  }

  /**
   * New, zero-filled tensors for the outputs that the descriptor has, by field name, laid out as it says.
   *
   * @throws {DirectMLError} ERR_OUT_OF_MEMORY, ERR_DISPOSED, ERR_DEVICE_LOST.
   */
  createOutputs(): OutputTensors<Type>;
  createOutputs(): Readonly<Record<string, Tensor | readonly Tensor[]>> {
    this.#work.check('createOutputs');
    return outputTensors(this.#work.context, this.#operator);
  }

  #unreadableIndices(name: string): DirectMLError {
    const expected = `'none' for indices that are to be checked`;
    return fieldError('ERR_FIELD_COMBINATION', { operator: this.type, field: `${name}.flags` }, expected, `'ownedByDml'`);
  }
}
