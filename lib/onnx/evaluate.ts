/** Computes an operator in the memory of JavaScript, with the kernels of the reference backend. */
import { spanInBytes } from '../tensors/tensor-size.js';
import { resolveDescriptor } from '../operators/resolve.js';
import { ReferenceBuffer } from '../backends/reference/buffer.js';
import { execute } from '../backends/reference/execute.js';
import { highestFeatureLevel } from '../descriptors/feature-level.js';
import type { BufferRange } from '../backends/backend.js';

/** By path, such as `inputTensors[1]`. */
type Contents = ReadonlyMap<string, Uint8Array>;

/**
 * A function from the bytes of the inputs to those of the outputs.
 *
 * @param descriptor The operator, with a description in the field of each tensor.
 * @throws {DirectMLError} for a wrong descriptor.
 */
export function evaluator(descriptor: object): (inputs: Contents) => Contents {
  const operator = resolveDescriptor(descriptor, highestFeatureLevel);
  return (inputs) => {
    const ranges = { inputs: [] as (BufferRange | null)[], outputs: [] as (BufferRange | null)[] };
    const outputs = new Map<string, Uint8Array>();
    for (const { path, role, position, tensor } of operator.slots) {
      if (tensor === null) {
        ranges[role === 'input' ? 'inputs' : 'outputs'][position] = null;
        continue;
      }
      const { totalTensorSizeInBytes: size, dataType, sizes, strides } = tensor;
      const buffer = new ReferenceBuffer(size);
      if (role === 'input') buffer.bytes.set((inputs.get(path) ?? new Uint8Array()).subarray(0, size));
      else outputs.set(path, buffer.bytes.subarray(0, Math.ceil(spanInBytes(dataType, sizes, strides))));
      ranges[role === 'input' ? 'inputs' : 'outputs'][position] = { buffer, offset: 0, sizeInBytes: size };
    }
    execute(operator, ranges);
    return outputs;
  };
}
