/** Creates the tensors for the outputs of an operator. */
import type { DataType } from '../schema/generated/enums.js';
import { OutputRecord } from '../validation/output-record.js';
import type { ResolvedOperator, ResolvedTensor } from '../validation/resolved.js';
import { DirectMLBuffer } from './buffer.js';
import type { DeviceContext } from './device-context.js';
import { Tensor } from './tensor.js';

/** Creates a zero-filled tensor with a new buffer. */
export function newTensor<T extends DataType>(context: DeviceContext, desc: ResolvedTensor, dataType: T, label = ''): Tensor<T> {
  const size = Math.ceil(desc.totalTensorSizeInBytes / 4) * 4;
  return new Tensor(desc, dataType, { buffer: new DirectMLBuffer(context, size, label), offset: 0, ownsBuffer: true, label });
}

/** Creates a tensor for each output of the descriptor. Returns them by field name. */
export function outputTensors(
  context: DeviceContext,
  { slots }: ResolvedOperator,
): Readonly<Record<string, Tensor | readonly Tensor[]>> {
  const made: Tensor[] = [];
  const outputs = new OutputRecord<Tensor>();
  try {
    for (const slot of slots) {
      if (slot.role === 'input' || slot.tensor === null) continue;
      const tensor = newTensor(context, slot.tensor, slot.tensor.dataType);
      made.push(tensor);
      outputs.add(slot, tensor);
    }
    return outputs.outputs;
  } catch (error) {
    for (const tensor of made) tensor.dispose();
    throw error;
  }
}
