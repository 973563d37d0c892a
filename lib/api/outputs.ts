/** Creates the tensors for the outputs of an operator. */
import type { DataType } from '../schema/generated/enums.js';
import type { ResolvedOperator, ResolvedTensor, TensorSlot } from '../validation/resolved.js';
import { DirectMLBuffer } from './buffer.js';
import type { DeviceContext } from './device-context.js';
import { Tensor } from './tensor.js';

/** Creates a zero-filled tensor with a new buffer. */
export function newTensor<T extends DataType>(context: DeviceContext, desc: ResolvedTensor, dataType: T): Tensor<T> {
  const size = Math.ceil(desc.totalTensorSizeInBytes / 4) * 4;
  return new Tensor(desc, dataType, new DirectMLBuffer(context, size, ''), 0, true);
}

/** Collects the outputs of an operator by field name. A field with several tensors has an array. */
export class OutputRecord {
  readonly tensors: Record<string, Tensor | readonly Tensor[]> = {};

  add({ field, isArray }: TensorSlot, tensor: Tensor): void {
    const before = (Object.hasOwn(this.tensors, field) ? this.tensors[field] : undefined) ?? [];
    this.tensors[field] = !isArray ? tensor : Tensor.is(before) ? [before, tensor] : [...before, tensor];
  }
}

/** Creates a tensor for each output of the descriptor. Returns them by field name. */
export function outputTensors(
  context: DeviceContext,
  { slots }: ResolvedOperator,
): Readonly<Record<string, Tensor | readonly Tensor[]>> {
  const made: Tensor[] = [];
  const outputs = new OutputRecord();
  try {
    for (const slot of slots) {
      if (slot.role === 'input' || slot.tensor === null) continue;
      const tensor = newTensor(context, slot.tensor, slot.tensor.dataType);
      made.push(tensor);
      outputs.add(slot, tensor);
    }
    return outputs.tensors;
  } catch (error) {
    for (const tensor of made) tensor.dispose();
    throw error;
  }
}
