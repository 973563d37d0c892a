/** Slices, which are strided windows into a tensor, their gradients, and splitting. */
import type { Resolved } from '../../descriptors/resolved.js';
import { ABSENT, moveByTerms, termsByAxis } from '../../compute/element-map.js';
import type { Kernel } from '../../compute/kernel.js';

export const slice: Kernel<'slice'> = ({ offsets, strides }, { inputTensor: input, outputTensor: output }) => {
  const from = (coordinate: number, axis: number) => (offsets[axis] ?? 0) + coordinate * (strides[axis] ?? 1);
  moveByTerms(input, output, termsByAxis(output.sizes, input.sizes, from, input.strides));
};

export const slice1: Kernel<'slice1'> = (operator, { inputTensor: input, outputTensor: output }) => {
  const first = firstOfWindow(operator);
  const strides = operator.inputWindowStrides;
  const from = (coordinate: number, axis: number) => (first[axis] ?? 0) + coordinate * (strides[axis] ?? 1);
  moveByTerms(input, output, termsByAxis(output.sizes, input.sizes, from, input.strides));
};

/** Each gradient goes to the element that the slice read; all other elements get 0. */
export const sliceGrad: Kernel<'sliceGrad'> = (operator, { inputGradientTensor: input, outputGradientTensor: output }) => {
  const first = firstOfWindow(operator);
  const strides = operator.inputWindowStrides;
  const from = (coordinate: number, axis: number) => {
    const steps = (coordinate - (first[axis] ?? 0)) / (strides[axis] ?? 1);
    return Number.isInteger(steps) && steps >= 0 && steps < (input.sizes[axis] ?? 1) ? Math.abs(steps) : ABSENT;
  };
  moveByTerms(input, output, termsByAxis(output.sizes, input.sizes, from, input.strides));
};

export const split: Kernel<'split'> = ({ axis: splitAxis }, { inputTensor: input, outputTensors }) => {
  let begin = 0;
  for (const output of outputTensors) {
    const offset = begin;
    const from = (coordinate: number, axis: number) => coordinate + (axis === splitAxis ? offset : 0);
    moveByTerms(input, output, termsByAxis(output.sizes, input.sizes, from, input.strides));
    begin += output.sizes[splitAxis] ?? 0;
  }
};

/** The first coordinates of the window; with a negative stride it begins with its last element. */
function firstOfWindow(operator: Resolved<'slice1' | 'sliceGrad'>): number[] {
  const { inputWindowOffsets: offsets, inputWindowSizes: sizes } = operator;
  return operator.inputWindowStrides.map((stride, axis) => (offsets[axis] ?? 0) + (stride < 0 ? (sizes[axis] ?? 1) - 1 : 0));
}
