/** Runs operators for `device.run`; their descriptors have tensors in their fields. */
import { describe, fieldError, type Place } from '../../values/errors.js';
import { Value } from '../../graph/value.js';
import type { TensorReader } from '../../descriptors/tensor-reader.js';
import type { ResolvedOperator, ResolvedTensor } from '../../descriptors/resolved.js';
import type { BindingPlan } from './binding-plan.js';
import { bindDispatch } from './bindings.js';
import type { Dispatch } from './dispatch.js';
import type { DeviceContext } from '../device-context.js';
import type { OperatorHandle } from './operator-cache.js';
import { OutputRecord } from '../../descriptors/output-record.js';
import { withNewTensors } from '../memory/new-tensor.js';
import { describeTensor, Tensor } from '../memory/tensor.js';
import { tensorAdvice, tensorOrDescription, tensorsOnly } from '../memory/tensor-words.js';

/** Collects the tensors in the fields of a descriptor while it is validated. */
export class TensorFields implements TensorReader {
  /** By path, such as `inputTensors[1]`. */
  readonly tensors = new Map<string, Tensor>();

  readonly input = tensorsOnly;
  readonly inputs = 'an array of tensors';
  readonly output = tensorOrDescription;
  /** By path, the values of a graph. They look like descriptions. */
  readonly values = new Map<string, Value>();

  /** Like {@link describeTensor}; also remembers the tensor by its path. */
  readonly describe = (value: unknown, place: Place): unknown => {
    if (Tensor.is(value)) this.tensors.set(place.field, value);
    else if (Value.is(value)) this.values.set(place.field, value);
    return describeTensor(value);
  };
}

/** @throws {DirectMLError} ERR_MISSING_BINDING that names an input whose field has a description instead of a tensor. */
export function needTensors({ descriptor: { type }, slots }: ResolvedOperator, { tensors, values }: TensorFields): void {
  for (const { path, role, tensor } of slots) {
    if (role === 'output' || tensor === null || tensors.has(path)) continue;
    const value = values.get(path);
    const given = value === undefined ? 'a description' : describe(value);
    const why = tensorAdvice(value) ?? 'run computes with tensors; compile takes descriptions';
    throw fieldError('ERR_MISSING_BINDING', { operator: type, field: path }, 'a tensor', given, { why });
  }
}

/** A compiled operator and its binding plan. */
export interface Runnable {
  readonly handle: OperatorHandle;
  readonly plan: BindingPlan;
}

type Outputs = Record<string, Tensor | readonly Tensor[]>;

/** Records a dispatch with the given tensors, by path. Creates outputs that are not given. Returns the outputs by field name. */
export function recordRun(context: DeviceContext, runnable: Runnable, tensors: ReadonlyMap<string, Tensor>): Outputs {
  return withNewTensors(context, (make) => {
    const { dispatch, outputs } = bindTensors(context, runnable, tensors, make);
    context.dispatch(dispatch);
    return outputs;
  });
}

/** A dispatch with the given tensors, by path, and its outputs by field name. `make` creates those that are not given. */
export function bindTensors(
  context: DeviceContext,
  { handle, plan }: Runnable,
  tensors: ReadonlyMap<string, Tensor>,
  make: (desc: ResolvedTensor) => Tensor,
): { readonly dispatch: Dispatch; readonly outputs: Outputs } {
  const outputs = new OutputRecord<Tensor>();
  const bindings = plan.slots.map((slot) => {
    if (slot.tensor === null) return null;
    const tensor = tensors.get(slot.path) ?? make(slot.tensor);
    if (slot.role === 'output') outputs.add(slot, tensor);
    return tensor;
  });
  return { dispatch: bindDispatch(plan, handle.operator, bindings, context), outputs: outputs.outputs };
}
