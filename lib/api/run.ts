/** Operators that run at once: a descriptor with tensors in its fields. */
import { describe, fieldError, type Place } from '../errors.js';
import type { ResolvedOperator } from '../validation/resolved.js';
import { planBindings } from './binding-plan.js';
import { resolveMemories } from './bindings.js';
import type { DeviceContext } from './device-context.js';
import type { OperatorHandle } from './operator-cache.js';
import { outputTensors } from './outputs.js';
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
    throw fieldError('ERR_MISSING_BINDING', { operator: type, field: path }, 'a tensor', describe({}), { why });
  }
}

/** Records a dispatch of the operator with the tensors of its fields, and gives its outputs. */
export function recordRun(
  context: DeviceContext,
  operator: ResolvedOperator,
  { tensors }: TensorFields,
  handle: OperatorHandle,
): Record<string, Tensor | readonly Tensor[]> {
  const outputs = outputTensors(context, operator, tensors);
  const plan = planBindings(operator, 'dispatch');
  const byPath = new Map(tensors);
  for (const [field, value] of Object.entries(outputs)) {
    if (Tensor.is(value)) byPath.set(field, value);
    else if (Array.isArray(value)) value.forEach((tensor: Tensor, i) => byPath.set(`${field}[${i}]`, tensor));
  }
  const memories = plan.slots.map(({ path }) => {
    const tensor = byPath.get(path);
    return tensor === undefined ? null : memoryOf(tensor);
  });
  try {
    const { inputs, outputs: ranges } = resolveMemories(plan, memories, context);
    context.backend.dispatch(handle.operator, inputs, ranges);
    return outputs;
  } catch (error) {
    for (const [path, tensor] of byPath) if (!tensors.has(path)) tensor.dispose();
    throw error;
  }
}
