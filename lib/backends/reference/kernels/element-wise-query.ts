/** Operators that ask about an element's bits or turn them round. */
import { readNumbers, writeNumbers, type TensorView } from '../tensor-view.js';
import { required, type Kernel } from './kernel.js';

export const elementWiseIsNan: Kernel = (_operator, inputs, outputs) => {
  const values = readNumbers(required(inputs, 0));
  writeNumbers(
    required(outputs, 0),
    values.map((value) => Number(Number.isNaN(value))),
  );
};

export const elementWiseIsInfinity: Kernel = (operator, inputs, outputs) => {
  const mode = operator.fields['infinityMode'];
  const values = readNumbers(required(inputs, 0));
  const asked = (value: number): boolean =>
    (value === Infinity && mode !== 'negative') || (value === -Infinity && mode !== 'positive');
  writeNumbers(
    required(outputs, 0),
    values.map((value) => Number(asked(value))),
  );
};

export const elementWiseLogicalNot: Kernel = (_operator, inputs, outputs) => {
  const values = readNumbers(required(inputs, 0));
  writeNumbers(
    required(outputs, 0),
    values.map((value) => Number(value === 0)),
  );
};

export const elementWiseBitNot: Kernel = (_operator, inputs, outputs) => {
  const input = required(inputs, 0);
  const output = required(outputs, 0);
  const { wordsPerElement } = input;
  for (let i = 0; i < input.elementCount; i++) {
    for (let word = 0; word < wordsPerElement; word++) {
      output.words[wordOf(output, i) + word] = ~(input.words[wordOf(input, i) + word] ?? 0);
    }
  }
};

export const elementWiseBitCount: Kernel = (_operator, inputs, outputs) => {
  const input = required(inputs, 0);
  const counts = new Float64Array(input.elementCount);
  for (let i = 0; i < counts.length; i++) {
    let count = 0;
    for (let word = 0; word < input.wordsPerElement; word++) count += ones(input.words[wordOf(input, i) + word] ?? 0);
    counts[i] = count;
  }
  writeNumbers(required(outputs, 0), counts);
};

/** Where an element's first word is. */
function wordOf({ offsets, wordsPerElement }: TensorView, element: number): number {
  return (offsets === null ? element : (offsets[element] ?? 0)) * wordsPerElement;
}

function ones(word: number): number {
  let count = 0;
  for (let rest = word; rest !== 0; rest &= rest - 1) count++;
  return count;
}
