/** Quantization: conversion of numbers to integers, step by step in float32 as DirectML computes it. */
import { rangeOf, roundToEven } from '../tensors/data-types.js';
import { mapped } from './scratch.js';
import { writeNumbers, type TensorView } from './tensor-view.js';

/**
 * Divides by the scale, rounds to the nearest integer (halves to even), adds the zero point, and saturates to the output's type.
 * NaN becomes `nan`.
 */
export function quantize(
  output: TensorView,
  values: Float64Array,
  scale: (i: number) => number,
  zeroPoint: (i: number) => number,
  levelOfNaN = 0,
): void {
  const { low, high } = rangeOf(output.dataType);
  writeNumbers(
    output,
    mapped(values, (value, i) => {
      const level = roundToEven(Math.fround(value / scale(i))) + zeroPoint(i);
      return Number.isNaN(level) ? levelOfNaN : Math.min(Math.max(level, low), high);
    }),
  );
}

/**
 * Multiplies sums of integers, which wrap around in INT32, by a factor in float32. The product is rounded and saturated to INT32,
 * where NaN becomes 0. Adding the zero point may wrap around: the largest INT32 then becomes about the lowest. The result
 * saturates to the output's type.
 */
export function requantize(
  output: TensorView,
  sums: Float64Array,
  factor: (i: number) => number,
  zeroPoint: (i: number) => number,
): void {
  const { low, high } = rangeOf(output.dataType);
  const whole = rangeOf('int32');
  writeNumbers(
    output,
    mapped(sums, (sum, i) => {
      const product = roundToEven(Math.fround(Math.fround(sum | 0) * factor(i)));
      const integer = Number.isNaN(product) ? 0 : Math.min(Math.max(product, whole.low), whole.high);
      const level = (integer + zeroPoint(i)) | 0;
      return Math.min(Math.max(level, low), high);
    }),
  );
}
