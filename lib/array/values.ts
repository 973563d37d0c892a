/** The arrays of a function, as values of its graph. */
import { types } from 'node:util';
import type { TensorData } from '../api/memory/tensor-data.js';
import { graphOfTree } from '../api/graphs/on-tensors.js';
import {
  cast,
  elementWiseBitAnd,
  elementWiseIdentity,
  elementWiseMax,
  elementWiseMultiply,
  elementWiseSubtract,
} from '../functions/index.js';
import { Value } from '../graph/value.js';
import { bitsOf, isDataType, isFloat, isUnsigned } from '../tensors/data-types.js';
import type { DataType } from '../tensors/generated/enums.js';
import { isPacked, productOf } from '../tensors/tensor-size.js';
import { argumentError } from '../values/arguments.js';
import { DirectMLError, fieldError } from '../values/errors.js';

/** The value in another data type. */
export function as(x: Value, dataType: DataType): Value {
  return x.dataType === dataType ? x : cast(x as Value<'float32'>, { outputTensor: { dataType } });
}

/** The array of a function. */
export function arrayOf(method: string, x: unknown, name = 'x'): Value {
  if (Value.is(x)) return x;
  throw noOperand(method, name, 'a tensor', x);
}

/** The error for what belongs to no graph. */
export function noOperand(method: string, name: string, expected: string, given: unknown): DirectMLError {
  const why = 'a function of outer tensors alone runs at once: await it before, or in an async function';
  return argumentError(method, name, expected, given, 'ERR_INVALID_ARGUMENT', types.isPromise(given) ? why : undefined);
}

/** A constant in the graph of the first value in a tree. A number is everywhere. */
export function constantIn<T extends DataType>(
  tree: unknown,
  dataType: T,
  sizes: readonly number[],
  elements: TensorData<T> | number | bigint,
): Value<T> {
  const graph = graphOfTree([tree]);
  if (graph === null) throw new TypeError('a value belongs to a graph');
  if (typeof elements === 'object') return graph.constant({ dataType, sizes }, elements);
  return graph.numberOf({ operator: 'constant', field: 'value' }, dataType, elements, sizes) as Value<T>;
}

/** Integers as float32. */
export function floatOf(method: string, x: unknown, name = 'x'): Value {
  const value = arrayOf(method, x, name);
  return isFloat(value.dataType) ? value : as(value, 'float32');
}

/** The value itself if its elements lie in order and without gaps, else a copy of it. */
export function packed(x: Value): Value {
  return isPacked(x) ? x : elementWiseIdentity(x as Value<'float32'>);
}

export function dataTypeOption(method: string, name: string, given: unknown): DataType {
  if (isDataType(given)) return given;
  throw argumentError(method, name, 'a data type', given);
}

export function numberOption(method: string, name: string, given: unknown): number {
  if (typeof given === 'number') return given;
  throw argumentError(method, name, 'a number', given);
}

export function finiteOption(method: string, name: string, given: unknown): number {
  if (typeof given === 'number' && Number.isFinite(given)) return given;
  throw argumentError(method, name, 'a finite number', given);
}

export function wholeOption(method: string, name: string, given: unknown, least = -Infinity): number {
  if (typeof given === 'number' && Number.isInteger(given) && given >= least) return given;
  throw argumentError(method, name, least === -Infinity ? 'a whole number' : `a whole number from ${least} on`, given);
}

/** All elements in one dimension. */
export function flat(x: Value): Value {
  return packed(x).reshape([productOf(x.sizes)]);
}

/** Integers of 8 and 16 bits as those of 32. */
export function wide(x: Value): Value {
  if (isFloat(x.dataType) || bitsOf(x.dataType) >= 32) return x;
  return as(x, isUnsigned(x.dataType) ? 'uint32' : 'int32');
}

/** Float16 as float32: sums and squares of float16 end at 65504, and each operator rounds its result. */
export function wideFloat(x: Value): Value<'float32'> {
  return (x.dataType === 'float16' ? as(x, 'float32') : x) as Value<'float32'>;
}

/** What `wideFloat` made wider, rounded to the nearest: a cast to float16 cuts bits off, and ends at 65504. */
export function narrowFloat(x: Value, dataType: DataType): Value {
  if (x.dataType === dataType) return x;
  const cut = as(x, 'float16') as Value<'float16'>;
  const rest = as(elementWiseSubtract(as(cut, 'float32') as Value<'float32'>, x as Value<'float32'>), 'float16');
  // The rest of an infinity is NaN, for which the larger one is the other.
  return elementWiseSubtract(cut, elementWiseMax(rest as Value<'float16'>, -65504));
}

/** Sums of `wide` integers in the data type from before, modulo 2 to the power of its bits: casts keep the nearest integer. */
export function narrow(x: Value, dataType: DataType): Value {
  if (x.dataType === dataType) return x;
  const bits = bitsOf(dataType);
  const own = x as Value<'int32'>;
  const low = elementWiseBitAnd(own, 2 ** bits - 1);
  if (isUnsigned(dataType)) return as(low, dataType);
  return as(elementWiseSubtract(low, elementWiseMultiply(elementWiseBitAnd(own, 2 ** (bits - 1)), 2)), dataType);
}

/** Refuses what has less than two dimensions. */
export function requireMatrices(method: string, { sizes }: Pick<Value, 'sizes'>): void {
  if (sizes.length >= 2) return;
  throw fieldError('ERR_DIMENSION_COUNT', { operator: method, field: 'x' }, '2 or more dimensions', `${sizes.length}`);
}

/** Refuses floats. Anything but an array is for others to refuse. */
export function requireIntegers(method: string, name: string, x: unknown): void {
  if (!Value.is(x) || !isFloat(x.dataType)) return;
  throw fieldError('ERR_DATA_TYPE', { operator: method, field: name }, 'integers', x.dataType);
}

/** For functions whose results have sizes that depend on elements. */
export function requireTensor(method: string, x: unknown): void {
  if (!Value.is(x)) return;
  const message = `${method}: the size of the result depends on the elements, which are not known while tracing or building a graph`;
  throw new DirectMLError('ERR_INVALID_GRAPH', message, { operator: method });
}
