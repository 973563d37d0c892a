/** Operators that fill a tensor by a formula over its coordinates, and one that applies a scale and a bias per channel. */
import { inFloat32Range } from '../../compute/numbers.js';
import { moveElements, readNumbers, writeBigInts, writeNumbers } from '../../compute/tensor-view.js';
import { oneElement, toDataType } from '../../compute/element-map.js';
import type { Kernel } from '../../compute/kernel.js';

/** The value on the diagonal where column = row + offset, and zero elsewhere. */
export const diagonalMatrix: Kernel<'diagonalMatrix'> = ({ offset, value }, { outputTensor: output }) => {
  const element = oneElement(output, toDataType(output.dataType, value));
  const zero = oneElement(output, 0);
  const diagonalOf = diagonalsOf(output.sizes);
  for (let i = 0; i < output.elementCount; i++) moveElements(diagonalOf(i) === offset ? element : zero, 0, output, i, 1);
};

/**
 * The value on the diagonals from `diagonalFillBegin` up to, not including, `diagonalFillEnd`. If the end is smaller than the
 * begin, the value is on all diagonals except those from the end up to the begin.
 */
export const diagonalMatrix1: Kernel<'diagonalMatrix1'> = (operator, { inputTensor: input, outputTensor: output }) => {
  const { diagonalFillBegin: begin, diagonalFillEnd: end } = operator;
  const value = oneElement(output, operator.value);
  const zero = oneElement(output, 0);
  const diagonalOf = diagonalsOf(output.sizes);
  for (let i = 0; i < output.elementCount; i++) {
    const diagonal = diagonalOf(i);
    const [from, to] = [diagonal >= begin, diagonal < end];
    if (begin <= end ? from && to : from || to) moveElements(value, 0, output, i, 1);
    else if (input === null) moveElements(zero, 0, output, i, 1);
    else moveElements(input, i, output, i, 1);
  }
};

export const fillValueSequence: Kernel<'fillValueSequence'> = ({ valueStart, valueDelta }, { outputTensor: output }) => {
  const { elementCount } = output;
  if (output.wordsPerElement === 2) {
    const start = BigInt(valueStart);
    const delta = BigInt(valueDelta);
    const values = Array.from({ length: elementCount }, (_, i) => BigInt.asIntN(64, start + BigInt(i) * delta));
    writeBigInts(output, BigInt64Array.from(values));
    return;
  }
  const start = Number(valueStart);
  const delta = Number(valueDelta);
  writeNumbers(
    output,
    Float64Array.from({ length: elementCount }, (_, i) => start + i * delta),
  );
};

export const valueScale2d: Kernel<'valueScale2d'> = ({ scale, bias }, { inputTensor, outputTensor: output }) => {
  const values = readNumbers(inputTensor);
  const [, channels = 1, height = 1, width = 1] = output.sizes;
  for (let i = 0; i < values.length; i++) {
    const channel = Math.floor(i / (height * width)) % channels;
    values[i] = inFloat32Range((values[i] ?? 0) * scale) + (bias[channel] ?? 0);
  }
  writeNumbers(output, values);
};

/** Column minus row of an element. */
function diagonalsOf(sizes: readonly number[]): (element: number) => number {
  const columns = sizes.at(-1) ?? 1;
  const rows = sizes.at(-2) ?? 1;
  return (element) => (element % columns) - (Math.floor(element / columns) % rows);
}
