/** A layout of quantization operators with 4-bit tensors that DirectML accepts inside a graph. */
import { bitsOf } from '../../tensors/data-types.js';
import { isTensor, resolvedFrom, valuesOf, type Resolved, type ResolvedTensor } from '../../descriptors/resolved.js';
import { maximumDimensionCount } from '../../descriptors/tensor.js';

/**
 * In a graph DirectML changes the order of dimensions if the strides of a tensor with three to five dimensions look like
 * interleaved channels, also those of a tensor that an identity before the operator reads. It then refuses the 4-bit tensors of
 * the same operator, because they are no longer packed. It does not do so with eight dimensions, of which the last ones are 1.
 * Without 4-bit tensors nothing is changed.
 */
export function withFourBitLayout(descriptor: Resolved): Resolved {
  if (descriptor.type !== 'quantize' && descriptor.type !== 'dequantize') return descriptor;
  const { inputTensor, outputTensor, quantizationTensors } = descriptor;
  const tensors = [inputTensor, outputTensor, ...quantizationTensors];
  if (!tensors.some(({ dataType }) => bitsOf(dataType) === 4)) return descriptor;
  const axes = inputTensor.sizes.flatMap((size, axis) => (size > 1 ? [axis] : []));
  const change = (tensor: ResolvedTensor): ResolvedTensor => ({
    ...tensor,
    sizes: padded(axes.map((axis) => tensor.sizes[axis] ?? 1)),
    strides: tensor.strides === null ? null : padded(axes.map((axis) => tensor.strides?.[axis] ?? 1)),
  });
  const fields: Record<string, unknown> = { __proto__: null };
  for (const [name, value] of Object.entries(valuesOf(descriptor))) {
    fields[name] = Array.isArray(value) ? value.map(change) : isTensor(value) ? change(value) : value;
  }
  return resolvedFrom(fields);
}

function padded(numbers: readonly number[]): number[] {
  return [...numbers, ...new Array<number>(maximumDimensionCount - numbers.length).fill(1)];
}
