/** The arrays of a function, as values of its graph. */
import { cast, elementWiseIdentity } from '../functions/index.js';
import { Value } from '../graph/value.js';
import { isFloat } from '../tensors/data-types.js';
import type { DataType } from '../tensors/generated/enums.js';
import { isPacked } from '../tensors/tensor-size.js';
import { argumentError } from '../values/arguments.js';

/** The value in another data type. */
export function as(x: Value, dataType: DataType): Value {
  return x.dataType === dataType ? x : cast(x as Value<'float32'>, { outputTensor: { dataType } });
}

/** The array of a function. */
export function arrayOf(method: string, x: unknown, name = 'x'): Value {
  if (Value.is(x)) return x;
  throw argumentError(method, name, 'a tensor', x);
}

/** Integers as float32. */
export function floatOf(method: string, x: unknown): Value {
  const value = arrayOf(method, x);
  return isFloat(value.dataType) ? value : as(value, 'float32');
}

/** The value itself if its elements lie in order and without gaps, else a copy of it. */
export function packed(x: Value): Value {
  return isPacked(x) ? x : elementWiseIdentity(x as Value<'float32'>);
}
