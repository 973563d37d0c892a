/** Operators that run at once: a descriptor with tensors in its fields. */
import { fieldError, type Place } from '../errors.js';
import type { ResolvedOperator } from '../validation/resolved.js';
import type { BindingPlan } from './binding-plan.js';
import { resolveMemories } from './bindings.js';
import type { DeviceContext } from './device-context.js';
import type { OperatorHandle } from './operator-cache.js';
import { newTensor, OutputRecord } from './outputs.js';
import { memoryOf } from './read-bindings.js';
import { Tensor } from './tensor.js';

/** What stands in the tensor fields of a descriptor: tensors, each of which is its own description. */
export class TensorFields {
  readonly tensors = new Map<string, Tensor>();

  /** The description of a tensor, which is remembered by its path; any other value as it is. */
  readonly describe = (value: unknown, place: Place): unknown => {
    if (!Tensor.is(value)) return value;
    this.tensors.set(place.field, value);
    return describeTensor(value);
  };
}

/** The description of a tensor; any other value as it is. */
export function describeTensor(value: unknown): unknown {
  if (!Tensor.is(value)) return value;
  const { dataType, sizes, strides, totalTensorSizeInBytes } = value;
  return { dataType, sizes, strides, totalTensorSizeInBytes };
}

/** @throws {DirectMLError} ERR_MISSING_BINDING naming an input that is described, and not a tensor. */
export function needTensors({ descriptor: { type }, slots }: ResolvedOperator, { tensors }: TensorFields): void {
  for (const { path, role, tensor } of slots) {
    if (role === 'output' || tensor === null || tensors.has(path)) continue;
    const why = 'run computes with tensors; compile takes descriptions';
    throw fieldError('ERR_MISSING_BINDING', { operator: type, field: path }, 'a tensor', 'a description', { why });
  }
}

/** A compiled operator that runs, and where its tensors are bound. */
export interface Runnable {
  readonly operator: ResolvedOperator;
  readonly handle: OperatorHandle;
  readonly plan: BindingPlan;
}

/** Records a dispatch of the operator with the tensors of its fields. Returns its outputs by field name. */
export function recordRun(
  context: DeviceContext,
  { operator, handle, plan }: Runnable,
  tensors: ReadonlyMap<string, Tensor>,
): Record<string, Tensor | readonly Tensor[]> {
  const made: Tensor[] = [];
  const outputs = new OutputRecord();
  try {
    const memories = operator.slots.map((slot) => {
      if (slot.tensor === null) return null;
      let tensor = tensors.get(slot.path);
      if (tensor === undefined) made.push((tensor = newTensor(context, slot.tensor, slot.tensor.dataType)));
      if (slot.role === 'output') outputs.add(slot, tensor);
      return memoryOf(tensor);
    });
    const { inputs, outputs: ranges } = resolveMemories(plan, memories, context);
    context.backend.dispatch(handle.operator, inputs, ranges);
    return outputs.tensors;
  } catch (error) {
    for (const tensor of made) tensor.dispose();
    throw error;
  }
}
