/** Runs the kernel of an operator on ranges of buffers. */
import { DirectMLError } from '../../values/errors.js';
import type { OperatorType } from '../../descriptors/generated/descriptors.js';
import type { Resolved, ResolvedOperator, ResolvedTensor, TensorSlot } from '../../descriptors/resolved.js';
import type { BoundRanges, BufferRange } from '../backend.js';
import { bytesIn } from './buffer.js';
import { isLackOfMemory } from './out-of-memory.js';
import { kernels } from '../../operators/generated/kernels.js';
import type { Tensors } from '../../compute/kernel.js';
import { viewTensor, type TensorView } from '../../compute/tensor-view.js';

/** @throws {DirectMLError} ERR_OUT_OF_MEMORY if the kernel finds no memory for what it computes with. */
export function execute({ descriptor, slots }: ResolvedOperator, ranges: BoundRanges): void {
  const { type } = descriptor;
  try {
    run(type, descriptor, tensorsOf(slots, ranges));
  } catch (cause) {
    if (!isLackOfMemory(cause)) throw cause;
    throw new DirectMLError('ERR_OUT_OF_MEMORY', `${type}: there is no memory to compute it`, { operator: type, cause });
  }
}

/** The type parameter tells the compiler that operator, kernel and tensors belong together. */
function run<Type extends OperatorType>(type: Type, operator: Resolved<Type>, tensors: Tensors<Type>): void {
  kernels[type](operator, tensors);
}

/**
 * Views of an operator's tensors by field name. The cast is safe: the slots come from the operator's table, from which the type
 * is generated as well, so there is one slot for each tensor field; and validation has made sure that every required tensor is
 * bound.
 */
function tensorsOf(slots: readonly TensorSlot[], { inputs, outputs }: BoundRanges): Tensors<OperatorType> {
  const tensors: Record<string, TensorView | null | TensorView[]> = { __proto__: null };
  for (const { field, isArray, role, position, tensor } of slots) {
    const range = (role === 'input' ? inputs : outputs)[position] ?? null;
    const view = tensor === null || range === null ? null : viewOf(tensor, range);
    const others = tensors[field];
    if (!isArray) tensors[field] = view;
    else if (view !== null && Array.isArray(others)) others.push(view);
    else tensors[field] = view === null ? [] : [view];
  }
  const views: object = tensors;
  return views as Tensors<OperatorType>;
}

function viewOf(tensor: ResolvedTensor, range: BufferRange): TensorView {
  const { buffer, byteOffset, byteLength } = bytesIn(range);
  return viewTensor(tensor, new Uint8Array(buffer, byteOffset, byteLength));
}
