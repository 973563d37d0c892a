/**
 * Gradients of pooling, and unpooling. Sums are float32, which may overflow, and add gradient after gradient in row-major order.
 */
import type { Resolved } from '../../descriptors/resolved.js';
import {
  clearElements,
  moveElements,
  readBigInts,
  readNumbers,
  writeTruncated,
  type TensorView,
} from '../../compute/tensor-view.js';
import type { Kernel } from '../../compute/kernel.js';
import {
  divideByCounts,
  lowestFinite,
  NO_ELEMENT,
  raiseToLowest,
  windowArgmax,
  windowAxes,
  windowCounts,
} from '../../compute/pooling-windows.js';
import { overlapAddWithOverflow } from '../../compute/pooling-sums.js';

/** Divides each gradient evenly among the elements that were averaged. */
export const averagePoolingGrad: Kernel<'averagePoolingGrad'> = (
  operator,
  { inputGradientTensor: input, outputGradientTensor: output },
) => {
  const axes = windowAxes(operator, output.sizes, input.sizes);
  const shares = readNumbers(input);
  divideByCounts(shares, windowCounts(operator, axes));
  writeTruncated(output, overlapAddWithOverflow(shares, axes));
};

/**
 * Adds each gradient to the element that was the largest of its window. A dilated window may have no element in the image because
 * the image lies between two of its elements. Element 0 then gets the gradient if the window spans it.
 */
export const maxPoolingGrad: Kernel<'maxPoolingGrad'> = (operator, tensors) => {
  const { inputTensor: input, inputGradientTensor: gradient, outputGradientTensor } = tensors;
  const axes = windowAxes(operator, input.sizes, gradient.sizes);
  const argmax = windowArgmax(raiseToLowest(lowestFinite(input.dataType), readNumbers(input)), axes);
  const values = readNumbers(gradient);
  const sums = new Float32Array(input.elementCount);
  for (let i = 0; i < values.length; i++) {
    const element = argmax[i] ?? NO_ELEMENT;
    const target = element === NO_ELEMENT && spansFirstElement(operator, gradient.sizes, i) ? 0 : element;
    if (target !== NO_ELEMENT) sums[target] = (sums[target] ?? 0) + (values[i] ?? 0);
  }
  writeTruncated(outputGradientTensor, sums);
};

/** True if element 0 lies between the first and the last element of a window. */
function spansFirstElement(operator: Resolved<'maxPoolingGrad'>, outputSizes: readonly number[], window: number): boolean {
  const { windowSize: sizes, strides, dilations, startPadding: padding } = operator;
  let rest = window;
  for (let i = sizes.length - 1; i >= 0; i--) {
    const count = outputSizes[i + 2] ?? 1;
    const first = (rest % count) * (strides[i] ?? 1) - (padding[i] ?? 0);
    if (first > 0 || first + ((sizes[i] ?? 1) - 1) * (dilations[i] ?? 1) < 0) return false;
    rest = Math.floor(rest / count);
  }
  return rest === 0;
}

/** An index past the output is dropped. If indices are equal, the last one wins. */
export const maxUnpooling: Kernel<'maxUnpooling'> = (_operator, { inputTensor: input, indicesTensor, outputTensor: output }) => {
  const indices = lowWords(indicesTensor);
  clearElements(output);
  for (let i = 0; i < indices.length; i++) {
    const index = indices[i] ?? 0;
    if (index < output.elementCount) moveElements(input, i, output, index, 1);
  }
};

/** The indices; 64-bit ones count modulo 2³². */
function lowWords(indices: TensorView): Uint32Array {
  if (indices.wordsPerElement === 1) return Uint32Array.from(readNumbers(indices));
  return Uint32Array.from(Array.from(readBigInts(indices), (index) => Number(BigInt.asUintN(32, index))));
}
