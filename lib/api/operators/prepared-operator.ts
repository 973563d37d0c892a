/** Prepared operators: compiled, with bound tensors, so that a dispatch needs no arguments. */
import { nameKind } from '../../values/given.js';
import { printAsText } from '../../values/printed.js';
import type { OperatorType } from '../../descriptors/generated/descriptors.js';
import type { DataType } from '../../tensors/generated/enums.js';
import { makeConstant } from '../make-constant.js';
import { Tensor } from '../memory/tensor.js';
import { markUncloneable } from '../../values/uncloneable.js';
import { addToScope } from '../scope.js';
import type { Work } from './dispatchable.js';
import { refuseDisposed, type Dispatch } from './dispatch.js';
import type { OutputTensors } from './typed-bindings.js';

/** What {@link PreparedOperator} is made of. */
interface Prepared<Outputs> {
  readonly outputs: Outputs;
  /** Those of the outputs that were created for it. */
  readonly created: readonly Tensor[];
  readonly dispatch: Dispatch;
}

/**
 * An operator with its tensors, made by {@link Device.prepare}. You can dispatch it any number of times. It reads and writes the
 * same tensors each time. `Input` and `Given` are the data types of its first input and of its output, as in
 * {@link OutputTensors}.
 */
export class PreparedOperator<
  Type extends OperatorType = OperatorType,
  Input extends DataType = DataType,
  Given extends DataType = DataType,
> implements Disposable {
  /** The operator's type, such as `'gemm'`. */
  readonly type: Type;
  /** The outputs by field name: those that you gave, and new ones. */
  readonly outputs: OutputTensors<Type, Input, Given>;
  /** Name of the operator in error messages and in {@link Device.profile}; `''` if it has none. */
  readonly label: string;
  readonly #work: Work;
  readonly #dispatch: Dispatch;
  readonly #created: readonly Tensor[];

  static {
    const is = (value: object) => #work in value;
    nameKind('a prepared operator', 'prepared operators', is);
    printAsText(this.prototype, is);
  }

  /** @internal */
  constructor(work: Work, type: Type, { outputs, created, dispatch }: Prepared<OutputTensors<Type, Input, Given>>) {
    this.type = type;
    this.outputs = outputs;
    this.label = work.plan.label;
    this.#work = work;
    this.#dispatch = dispatch;
    this.#created = created;
    makeConstant(this, 'type', 'outputs', 'label');
    markUncloneable(this);
    const bound = [...dispatch.inputs, ...dispatch.outputs].flatMap((tensor) => (tensor === null ? [] : [tensor.owner]));
    addToScope(work.context, work, this, bound);
  }

  /**
   * Records the operator, which runs after all commands recorded before it. Does not wait, as {@link Dispatchable.dispatch}. In
   * {@link Device.record}, the recording gets the dispatch.
   *
   * @throws {DirectMLError} ERR_DISPOSED if the operator, one of its tensors or the device is disposed; ERR_DEVICE_LOST;
   * ERR_OUT_OF_MEMORY.
   */
  dispatch(): void {
    this.#work.check('dispatch');
    refuseDisposed(this.#dispatch);
    this.#work.record('dispatch', this.#dispatch);
  }

  /** Releases the operator and the outputs that were created for it. May be called again. */
  dispose(): void {
    this.#work.dispose();
    for (const tensor of this.#created) tensor.dispose();
  }

  [Symbol.dispose](): void {
    this.dispose();
  }

  /** A line with the label, the type, and the tensors. `console.log` shows it too. */
  toString(): string {
    return this.#work.lineOf('PreparedOperator', this.type);
  }
}
