/**
 * maxPool2d of 64-bit integers. Where an adapter has no such integers, DirectML's pooling compares their lower halves as if these
 * had a sign. So the greatest of each window is found by comparisons that are right everywhere, first along its width.
 */
import type { Value } from '../../graph/value.js';
import { wideRangeOf } from '../../data-types/table.js';
import type { Step } from './step.js';
import { greaterOf } from './wide.js';

/** The two dimensions of each are height and width. */
export interface Pooling {
  readonly inputTensor: Value;
  readonly windowSize: readonly number[];
  readonly strides: readonly number[];
  readonly dilations: readonly number[];
  readonly startPadding: readonly number[];
  readonly endPadding: readonly number[];
}

export function wideMaxPool(step: Step, { inputTensor, startPadding, endPadding, ...window }: Pooling): Value {
  const padded = step.add({
    ...{ type: 'padding1', inputTensor, paddingValue: wideRangeOf(inputTensor.dataType).low },
    ...{ startPadding: [0, 0, ...startPadding], endPadding: [0, 0, ...endPadding] },
  }).outputTensor;
  return [1, 0].reduce((value, dimension) => {
    const [size = 1, stride = 1, dilation = 1] = [window.windowSize, window.strides, window.dilations].map((v) => v[dimension]);
    return alongAxis(step, value, dimension + 2, { size, stride, dilation });
  }, padded);
}

interface Line {
  readonly size: number;
  readonly stride: number;
  readonly dilation: number;
}

/** The greatest of the elements in each place of a window that has one dimension. */
function alongAxis(step: Step, value: Value, axis: number, { size, stride, dilation }: Line): Value {
  const places = Math.floor(((value.sizes[axis] ?? 1) - (size - 1) * dilation - 1) / stride) + 1;
  const starts = value.sizes.map(() => 0);
  const sizes = value.sizes.with(axis, (places - 1) * stride + 1);
  const strides = starts.with(axis, stride).map((own) => Math.max(own, 1));
  const elements = Array.from({ length: size }, (_, i) => step.slice(value, starts.with(axis, i * dilation), sizes, strides));
  return elements.reduce((greatest, element) => greaterOf(step, greatest, element));
}
