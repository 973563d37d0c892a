/** What makes integers of numbers: quantization, step by step in float32 as DirectML computes it. */
import { rangeOf, roundToEven } from '../../../data-types/table.js';
import { writeNumbers, type TensorView } from './tensor-view.js';

/** To the nearest level, halves to the even one, in the range of the output's type. */
export function quantize(
  output: TensorView,
  values: Float64Array,
  scale: (i: number) => number,
  zeroPoint: (i: number) => number,
  nan = 0,
): void {
  const { low, high } = rangeOf(output.dataType);
  writeNumbers(
    output,
    values.map((value, i) => {
      const level = roundToEven(Math.fround(value / scale(i))) + zeroPoint(i);
      return Number.isNaN(level) ? nan : Math.min(Math.max(level, low), high);
    }),
  );
}

/**
 * Sums of integers, which wrap around in INT32, times a factor in float32. The product becomes INT32, to which the zero
 * point is added: NaN is 0, what is too large the largest, and a zero point on top of that makes it the least.
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
    sums.map((sum, i) => {
      const product = roundToEven(Math.fround(Math.fround(sum | 0) * factor(i)));
      const integer = Number.isNaN(product) ? 0 : Math.min(Math.max(product, whole.low), whole.high);
      const level = (integer + zeroPoint(i)) | 0;
      return Math.min(Math.max(level, low), high);
    }),
  );
}
