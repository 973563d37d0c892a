/** New tensors for the outputs of an operator. */
import type { DataType } from '../schema/generated/enums.js';
import type { ResolvedOperator, ResolvedTensor } from '../validation/resolved.js';
import { DirectMLBuffer } from './buffer.js';
import type { DeviceContext } from './device-context.js';
import { Tensor } from './tensor.js';

/** A zero-filled tensor with a buffer of its own. */
export function newTensor<T extends DataType>(context: DeviceContext, desc: ResolvedTensor, dataType: T): Tensor<T> {
  const size = Math.ceil(desc.totalTensorSizeInBytes / 4) * 4;
  return new Tensor(desc, dataType, new DirectMLBuffer(context, size, ''), 0, true);
}

/**
 * Tensors for the outputs that the descriptor has, by field name.
 *
 * @param given Those that are there already, by path, such as `outputTensors[1]`.
 */
export function outputTensors(
  context: DeviceContext,
  { slots }: ResolvedOperator,
  given: ReadonlyMap<string, Tensor> = new Map(),
): Record<string, Tensor | readonly Tensor[]> {
  const made: Tensor[] = [];
  const make = (tensor: ResolvedTensor): Tensor => {
    const fresh = newTensor(context, tensor, tensor.dataType);
    made.push(fresh);
    return fresh;
  };
  const outputs: Record<string, Tensor | readonly Tensor[]> = {};
  try {
    for (const { field, isArray, path, role, tensor } of slots) {
      if (role === 'input' || tensor === null) continue;
      const output = given.get(path) ?? make(tensor);
      const before = outputs[field];
      outputs[field] = !isArray ? output : Array.isArray(before) ? [...before, output] : [output];
    }
    return outputs;
  } catch (error) {
    for (const tensor of made) tensor.dispose();
    throw error;
  }
}
