/** Compiled operators: dispatch with and without a check of indices, and new tensors for their outputs. */
import { fromCaller } from '../call-site.js';
import { recordChecked } from './checked-dispatch.js';
import type { DispatchBindings, OutputTensors } from './typed-bindings.js';
import { fieldError, type DirectMLError } from '../../values/errors.js';
import { nameKind } from '../../values/given.js';
import { printAsText } from '../../values/printed.js';
import { findBadIndex, indicesSlot } from '../../operators/indices.js';
import { Dispatchable, type Work } from './dispatchable.js';
import { makeConstant } from '../make-constant.js';
import { outputTensors } from './outputs.js';
import type { Tensor } from '../memory/tensor.js';
import type { ResolvedDescriptor } from './resolved-descriptor.js';
import type { OperatorType } from '../../descriptors/generated/descriptors.js';
import type { DataType } from '../../tensors/generated/enums.js';
import type { ResolvedOperator } from '../../descriptors/resolved.js';

/** The public properties of a compiled operator. */
interface Identity<Type extends OperatorType> {
  readonly type: Type;
  readonly descriptor: ResolvedDescriptor<Type>;
}

/**
 * An operator compiled by {@link Device.compile}. You can dispatch it any number of times. `Input` and `Given` are the data types
 * of its first input and of its output, as in {@link OutputTensors}.
 */
export class CompiledOperator<
  Type extends OperatorType = OperatorType,
  Owned extends string = never,
  Input extends DataType = DataType,
  Given extends DataType = DataType,
> extends Dispatchable {
  /** The operator's type, such as `'gemm'`. */
  readonly type: Type;
  /** The descriptor from which it was compiled, with every field filled in; frozen. */
  readonly descriptor: ResolvedDescriptor<Type>;
  /** Name of the operator in error messages and in {@link Device.profile}; `''` if it has none. */
  readonly label: string;
  readonly #operator: ResolvedOperator;
  readonly #work: Work;

  static {
    const is = (value: object) => #operator in value;
    nameKind('a compiled operator', 'compiled operators', is);
    printAsText(this.prototype, is);
  }

  /** @internal */
  constructor(work: Work, operator: ResolvedOperator, { type, descriptor }: Identity<Type>) {
    super(work);
    this.type = type;
    this.descriptor = descriptor;
    this.label = work.plan.label;
    this.#operator = operator;
    this.#work = work;
    makeConstant(this, 'type', 'descriptor', 'label');
  }

  // The base class does not have the types of the bindings: TypeScript 7 would not take a CompiledOperator<'gemm'> for a
  // CompiledOperator.
  override dispatch(bindings: DispatchBindings<Type, Owned>): void {
    super.dispatch(bindings);
  }

  /**
   * Like {@link dispatch}, but first reads the index tensor of an operator that gathers, scatters, unpools or aligns regions,
   * and rejects if an index is out of range. It waits for the device to read the indices, so use it to find bugs. Without this
   * check, DirectML reacts to an index out of range as follows: scatterNd drops the update or, if the index has several
   * coordinates, may write it to another element; gather operators return another element of the tensor; roiAlign uses the last
   * image.
   *
   * The bindings and the indices are those at the time of the call. The operator runs with a copy of the checked indices, so
   * later writes to the index tensor have no effect. The dispatch is recorded once the indices have been read: after all
   * commands recorded until then, and before the promise resolves. So it sees the results of those commands in all other
   * tensors.
   *
   * @throws {DirectMLError} (as a rejection) ERR_INDEX_OUT_OF_RANGE with the first index out of range;
   * ERR_FIELD_COMBINATION if DirectML owns the index tensor, because it cannot be read; and the errors of `dispatch`.
   */
  dispatchChecked(bindings: DispatchBindings<Type, Owned>): Promise<void> {
    this.#work.context.refuseWhileRecording('dispatchChecked');
    return fromCaller(() => this.#dispatchChecked(bindings));
  }

  /** A line with the label, the type, and the tensors. `console.log` shows it too. */
  override toString(): string {
    return this.#work.lineOf('CompiledOperator', this.type);
  }

  async #dispatchChecked(bindings: DispatchBindings<Type, Owned>): Promise<void> {
    const method = 'dispatchChecked';
    this.#work.check(method);
    const dispatch = this.#work.resolve(bindings);
    const slot = indicesSlot(this.#operator);
    if (slot !== null && (dispatch.inputs[slot.position] ?? null) === null) throw this.#unreadableIndices(slot.path);
    const find = (bytes: ArrayBuffer) => findBadIndex(this.#operator, bytes);
    await recordChecked(this.#work, method, dispatch, slot === null ? [] : [{ position: slot.position, find }]);
  }

  /**
   * Creates a zero-filled tensor for each output of the descriptor, with its data type, sizes and strides. Returns them by
   * field name.
   *
   * @throws {DirectMLError} ERR_OUT_OF_MEMORY, ERR_DISPOSED, ERR_DEVICE_LOST.
   */
  createOutputs(): OutputTensors<Type, Input, Given>;
  createOutputs(): Readonly<Record<string, Tensor | readonly Tensor[]>> {
    this.#work.check('createOutputs');
    return outputTensors(this.#work.context, this.#operator);
  }

  #unreadableIndices(name: string): DirectMLError {
    const expected = `'none' for indices that are to be checked`;
    return fieldError('ERR_FIELD_COMBINATION', { operator: this.type, field: `${name}.flags` }, expected, `'ownedByDml'`);
  }
}
