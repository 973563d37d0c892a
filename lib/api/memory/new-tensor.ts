/** Tensors in memory of their own. */
import type { DataType } from '../../tensors/generated/enums.js';
import type { ResolvedTensor } from '../../descriptors/resolved.js';
import { bufferSize } from '../../tensors/tensor-size.js';
import type { DeviceContext } from '../device-context.js';
import { addToScope } from '../scope.js';
import { DirectMLBuffer } from './buffer.js';
import { Tensor } from './tensor.js';

/** Creates a zero-filled tensor with a new buffer. */
export function newTensor<T extends DataType>(context: DeviceContext, desc: ResolvedTensor, dataType: T, label = ''): Tensor<T> {
  const buffer = new DirectMLBuffer(context, bufferSize(desc.totalTensorSizeInBytes), label, 'tensor');
  addToScope(context, buffer);
  return new Tensor(desc, dataType, { buffer, offset: 0, ownsBuffer: true, label });
}

/** Returns what `work` returns. If it throws, all tensors that it has made are disposed of. */
export function withNewTensors<T>(context: DeviceContext, work: (make: (desc: ResolvedTensor) => Tensor) => T): T {
  const made: Tensor[] = [];
  try {
    return work((desc) => {
      const tensor = newTensor(context, desc, desc.dataType);
      made.push(tensor);
      return tensor;
    });
  } catch (error) {
    for (const tensor of made) tensor.dispose();
    throw error;
  }
}
