/** Operators that fill a tensor or join tensors. */
import { moveElements } from '../../compute/tensor-view.js';
import { oneElement } from '../../compute/element-map.js';
import type { Kernel } from '../../compute/kernel.js';
import { productOf } from '../../tensors/tensor-size.js';

export const fillValueConstant: Kernel<'fillValueConstant'> = ({ value }, { outputTensor: output }) => {
  const element = oneElement(output, value);
  if (output.offsets === null && output.wordsPerElement === 1) {
    output.words.fill(element.words[0] ?? 0, 0, output.elementCount);
    return;
  }
  for (let i = 0; i < output.elementCount; i++) moveElements(element, 0, output, i, 1);
};

export const join: Kernel<'join'> = ({ axis }, { inputTensors, outputTensor: output }) => {
  const outer = productOf(output.sizes, 0, axis);
  const outputRow = productOf(output.sizes, axis);
  let column = 0;
  for (const input of inputTensors) {
    const row = productOf(input.sizes, axis);
    for (let i = 0; i < outer; i++) moveElements(input, i * row, output, i * outputRow + column, row);
    column += row;
  }
};
