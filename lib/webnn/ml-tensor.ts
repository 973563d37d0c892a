/** MLTensor: a tensor of the device, and what programs may do with it. */
import type { Tensor } from '../api/memory/tensor.js';
import { invalidState } from './dom-errors.js';
import type { MLOperandDataType } from './generated/types.js';
import type { OperandDescriptor } from './ml-operand.js';
import type { Owner } from './owner.js';
import { Pending } from './pending.js';

export interface TensorUse {
  readonly readable: boolean;
  readonly writable: boolean;
  readonly constant: boolean;
}

/** The number of graphs that read a constant tensor. */
const users = new WeakMap<Tensor, number>();
/** Tensors that were destroyed while graphs still read them. */
const destroyed = new WeakSet<Tensor>();

/** A graph shares the memory of a constant tensor. Programs may destroy the tensor before the graph. */
export function keepTensor(tensor: Tensor): void {
  users.set(tensor, (users.get(tensor) ?? 0) + 1);
}

/** The graph is gone. */
export function releaseTensor(tensor: Tensor): void {
  const left = (users.get(tensor) ?? 1) - 1;
  if (left > 0) {
    users.set(tensor, left);
    return;
  }
  users.delete(tensor);
  if (destroyed.has(tensor)) tensor.dispose();
}

export class ContextTensor {
  readonly context: Owner;
  readonly dataType: MLOperandDataType;
  readonly shape: readonly number[];
  readonly readable: boolean;
  readonly writable: boolean;
  readonly constant: boolean;
  /** The memory, in which this package's own operators and graphs see the same elements. */
  readonly tensor: Tensor;
  readonly reads = new Pending();
  #isDestroyed = false;

  constructor(context: Owner, { dataType, shape }: OperandDescriptor, use: TensorUse, tensor: Tensor) {
    this.context = context;
    this.dataType = dataType;
    this.shape = Object.freeze([...shape]);
    this.readable = use.readable;
    this.writable = use.writable;
    this.constant = use.constant;
    this.tensor = tensor;
  }

  get isDestroyed(): boolean {
    return this.#isDestroyed || this.context.isLost;
  }

  destroy(): undefined {
    if (this.#isDestroyed) return;
    this.#isDestroyed = true;
    this.reads.reject(() => invalidState('The tensor was destroyed.'));
    if (!users.has(this.tensor)) this.tensor.dispose();
    else destroyed.add(this.tensor);
  }
}
