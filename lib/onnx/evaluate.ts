/** Computes an operator in the memory of JavaScript, with the kernels of the reference backend. */
import { spanInBytes } from '../validation/tensor-size.js';
import { resolveDescriptor } from '../validation/index.js';
import { ReferenceBuffer } from '../backends/reference/buffer.js';
import { execute } from '../backends/reference/execute.js';
import { highestFeatureLevel } from '../schema/feature-level.js';
import type { BufferRange } from '../backends/backend.js';

/**
 * @param descriptor The operator, with a description in the field of each tensor.
 * @param inputs The bytes of the inputs by the path of their field, such as `inputTensors[1]`.
 * @returns The bytes of the outputs, by path.
 * @throws {DirectMLError} for a wrong descriptor.
 */
export function evaluate(descriptor: object, inputs: ReadonlyMap<string, Uint8Array>): ReadonlyMap<string, Uint8Array> {
  const operator = resolveDescriptor(descriptor, highestFeatureLevel);
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
}
