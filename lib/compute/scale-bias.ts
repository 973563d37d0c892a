/** The field `scaleBias`: a scale and a bias that are applied to an input's elements before the operator computes. */
import { isFloat, isUnsigned, rangeOf } from '../tensors/data-types.js';
import type { DataType } from '../tensors/generated/enums.js';
import { truncateOrOverflow } from './numbers.js';
import { mapped } from './scratch.js';
import { readNumbers, writeNumbers, type TensorView } from './tensor-view.js';

/** An operator that may have a `scaleBias`. */
export interface Scaling {
  readonly scaleBias?: { readonly scale: number; readonly bias: number } | null;
}

/**
 * Reads the elements, scaled if the operator has a `scaleBias`. Scaled integers become 32-bit integers, whatever the width of
 * their type.
 */
export function readScaled(operator: Scaling, input: TensorView): Float64Array {
  const values = readNumbers(input);
  const factors = factorsOf(operator);
  if (factors === null) return values;
  const { scale, bias } = factors;
  // The shader rounds the product and the sum. The last bit decides between neighbours when numbers become integers again, and
  // what is left where the sum cancels.
  const scaled = mapped(values, (value) => Math.fround(Math.fround(Math.fround(value) * scale) + bias));
  return isFloat(input.dataType) ? scaled : toIntegers(scaled, isUnsigned(input.dataType) ? 'uint32' : 'int32');
}

/** Truncates towards zero and saturates to the range of the integer type; NaN becomes 0. */
export function toIntegers(values: Float64Array, dataType: DataType): Float64Array {
  const { low, high } = rangeOf(dataType);
  return mapped(values, (value) => (Number.isNaN(value) ? 0 : Math.min(Math.max(Math.trunc(value), low), high)));
}

/** Writes scaled values: truncated to integers, which saturate, or to float16, which overflows. */
export function writeScaled(output: TensorView, values: Float64Array): void {
  const { dataType } = output;
  writeNumbers(output, dataType === 'float16' ? truncateOrOverflow(values) : toOutputRange(values, output));
}

/** Truncates and saturates values if the output has integers. */
export function toOutputRange(values: Float64Array, output: TensorView): Float64Array {
  return isFloat(output.dataType) ? values : toIntegers(values, output.dataType);
}

/** Null if nothing is scaled. A scale of 1 with a bias of 0 does not even round integers to float32. */
function factorsOf({ scaleBias = null }: Scaling): { scale: number; bias: number } | null {
  if (scaleBias === null) return null;
  const [scale, bias] = [Math.fround(scaleBias.scale), Math.fround(scaleBias.bias)];
  return scale === 1 && bias === 0 ? null : { scale, bias };
}
