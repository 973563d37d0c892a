/** Softmax of any number of elements. */
import { as, wideFloat } from '../array/values.js';
import type { activationSoftmax1 } from '../functions/index.js';
import type { Value } from '../graph/value.js';

/** A softmax, or its logarithm. Of more elements of float16 than the largest number of float16, their sum would be too small. */
export function softmaxAlong(operator: typeof activationSoftmax1, x: Value, axis: number): Value {
  const value = (x.sizes[axis] ?? 1) > 65504 ? wideFloat(x) : (x as Value<'float32'>);
  return as(operator(value, { axes: [axis] }), x.dataType);
}
