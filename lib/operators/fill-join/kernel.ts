/** Operators that fill a tensor or join tensors. */
import { forEachBlock } from '../../compute/blocks.js';
import { moveElements, partOf, type TensorView } from '../../compute/tensor-view.js';
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
  let [column, begin] = [0, 0];
  for (const input of inputTensors) {
    const row = productOf(input.sizes, axis);
    const isPacked = input.offsets === null && output.offsets === null;
    if (isPacked && row >= LONG_ROW) {
      for (let i = 0; i < outer; i++) moveElements(input, i * row, output, i * outputRow + column, row);
    } else {
      moveTo(output, axis, begin, input);
    }
    column += row;
    begin += input.sizes[axis] ?? 1;
  }
};

/** Rows of as many elements are moved one by one: each move is fast enough for its call to cost little. */
const LONG_ROW = 64;

/** Moves the input to where the output's coordinate on the axis is `begin`. */
function moveTo(output: TensorView, axis: number, begin: number, input: TensorView): void {
  forEachBlock(input.sizes, [], (starts, lengths) => {
    const to = starts.map((start, i) => (i === axis ? begin + start : start));
    const part = partOf(input, starts, lengths);
    moveElements(part, 0, partOf(output, to, lengths), 0, part.elementCount);
  });
}
