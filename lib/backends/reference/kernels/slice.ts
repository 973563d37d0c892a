/** Slices: windows into a tensor, with steps, and the way back. */
import { ABSENT, moveMapped, sumTerms, termsByAxis } from './element-map.js';
import { numberField, numbersField, required, type Kernel } from './kernel.js';

export const slice: Kernel = (operator, inputs, outputs) => {
  const input = required(inputs, 0);
  const output = required(outputs, 0);
  const offsets = numbersField(operator, 'offsets');
  const strides = numbersField(operator, 'strides');
  const from = (coordinate: number, axis: number) => (offsets[axis] ?? 0) + coordinate * (strides[axis] ?? 1);
  moveMapped(input, output, sumTerms(termsByAxis(output.sizes, input.sizes, from)));
};

export const slice1: Kernel = (operator, inputs, outputs) => {
  const input = required(inputs, 0);
  const output = required(outputs, 0);
  const first = firstOfWindow(operator);
  const strides = numbersField(operator, 'inputWindowStrides');
  const from = (coordinate: number, axis: number) => (first[axis] ?? 0) + coordinate * (strides[axis] ?? 1);
  moveMapped(input, output, sumTerms(termsByAxis(output.sizes, input.sizes, from)));
};

/** Each gradient goes to the element that the slice took; those it did not take get 0. */
export const sliceGrad: Kernel = (operator, inputs, outputs) => {
  const input = required(inputs, 0);
  const output = required(outputs, 0);
  const first = firstOfWindow(operator);
  const strides = numbersField(operator, 'inputWindowStrides');
  const from = (coordinate: number, axis: number) => {
    const steps = (coordinate - (first[axis] ?? 0)) / (strides[axis] ?? 1);
    return Number.isInteger(steps) && steps >= 0 && steps < (input.sizes[axis] ?? 1) ? Math.abs(steps) : ABSENT;
  };
  moveMapped(input, output, sumTerms(termsByAxis(output.sizes, input.sizes, from)));
};

export const split: Kernel = (operator, inputs, outputs) => {
  const input = required(inputs, 0);
  const splitAxis = numberField(operator, 'axis');
  let begin = 0;
  for (let position = 0; position < outputs.length; position++) {
    const output = required(outputs, position);
    const offset = begin;
    const from = (coordinate: number, axis: number) => coordinate + (axis === splitAxis ? offset : 0);
    moveMapped(input, output, sumTerms(termsByAxis(output.sizes, input.sizes, from)));
    begin += output.sizes[splitAxis] ?? 0;
  }
};

/** A negative stride begins with the window's last element. */
function firstOfWindow(operator: Parameters<Kernel>[0]): number[] {
  const offsets = numbersField(operator, 'inputWindowOffsets');
  const sizes = numbersField(operator, 'inputWindowSizes');
  return numbersField(operator, 'inputWindowStrides').map(
    (stride, axis) => (offsets[axis] ?? 0) + (stride < 0 ? (sizes[axis] ?? 1) - 1 : 0),
  );
}
