/** Operators that test an element, invert its bits or count them. */
import { byBlocks } from '../../compute/blocks.js';
import { mapped, numbersFor } from '../../compute/scratch.js';
import { readNumbers, writeNumbers, type TensorView } from '../../compute/tensor-view.js';
import type { Kernel } from '../../compute/kernel.js';

export const elementWiseIsNan: Kernel<'elementWiseIsNan'> = byBlocks((_operator, { inputTensor, outputTensor }) => {
  const values = readNumbers(inputTensor);
  writeNumbers(
    outputTensor,
    mapped(values, (value) => Number(Number.isNaN(value))),
  );
});

export const elementWiseIsInfinity: Kernel<'elementWiseIsInfinity'> = byBlocks(
  ({ infinityMode: mode }, { inputTensor, outputTensor }) => {
    const values = readNumbers(inputTensor);
    const matches = (value: number): boolean =>
      (value === Infinity && mode !== 'negative') || (value === -Infinity && mode !== 'positive');
    writeNumbers(
      outputTensor,
      mapped(values, (value) => Number(matches(value))),
    );
  },
);

export const elementWiseLogicalNot: Kernel<'elementWiseLogicalNot'> = byBlocks((_operator, { inputTensor, outputTensor }) => {
  const values = readNumbers(inputTensor);
  writeNumbers(
    outputTensor,
    mapped(values, (value) => Number(value === 0)),
  );
});

export const elementWiseBitNot: Kernel<'elementWiseBitNot'> = byBlocks(
  (_operator, { inputTensor: input, outputTensor: output }) => {
    const { wordsPerElement } = input;
    for (let i = 0; i < input.elementCount; i++) {
      for (let word = 0; word < wordsPerElement; word++) {
        output.words[wordOf(output, i) + word] = ~(input.words[wordOf(input, i) + word] ?? 0);
      }
    }
  },
);

export const elementWiseBitCount: Kernel<'elementWiseBitCount'> = byBlocks((_operator, { inputTensor: input, outputTensor }) => {
  const counts = numbersFor(input.elementCount);
  for (let i = 0; i < counts.length; i++) {
    let count = 0;
    for (let word = 0; word < input.wordsPerElement; word++) count += ones(input.words[wordOf(input, i) + word] ?? 0);
    counts[i] = count;
  }
  writeNumbers(outputTensor, counts);
});

/** The index of an element's first word. */
function wordOf({ offsets, wordsPerElement }: TensorView, element: number): number {
  return (offsets === null ? element : (offsets[element] ?? 0)) * wordsPerElement;
}

function ones(word: number): number {
  let count = 0;
  for (let rest = word; rest !== 0; rest &= rest - 1) count++;
  return count;
}
