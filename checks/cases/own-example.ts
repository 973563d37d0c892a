/** Helpers for our own examples, for operators whose Microsoft page has no example or too long a one. */
import { descriptorOf, rounded, tensor, type ExampleTensor, type OwnExample, type PageEntry } from './example.js';

type Fields = PageEntry['fields'];

export function own(
  type: OwnExample['descriptor']['type'],
  inputs: PageEntry['inputs'],
  outputs: PageEntry['outputs'],
  fields: Fields = {},
): OwnExample {
  return { inputs, outputs, descriptor: descriptorOf(type, inputs, outputs, fields) };
}

/** A list of float32 elements. */
export function floats(...values: readonly number[]): ExampleTensor {
  return tensor('float32', [values.length], values);
}

/** Float32 elements of any sizes, in row-major order. */
export function floatTensor(sizes: readonly number[], ...values: readonly number[]): ExampleTensor {
  return tensor('float32', sizes, values);
}

/** A list of float32 elements that are rounded to four decimals. */
export function roughly(...values: readonly number[]): ExampleTensor {
  return rounded(4, floats(...values));
}

export function bytes(...values: readonly number[]): ExampleTensor {
  return tensor('uint8', [values.length], values);
}

export function integers(...values: readonly number[]): ExampleTensor {
  return tensor('int32', [values.length], values);
}

/** An example of an operator on one tensor. */
export function unary(
  type: OwnExample['descriptor']['type'],
  inputTensor: ExampleTensor,
  outputTensor: ExampleTensor,
  fields?: Fields,
): OwnExample {
  return own(type, { inputTensor }, { outputTensor }, fields);
}

/** An example of an operator on two tensors. */
export function binary(
  type: OwnExample['descriptor']['type'],
  aTensor: ExampleTensor,
  bTensor: ExampleTensor,
  outputTensor: ExampleTensor,
  fields?: Fields,
): OwnExample {
  return own(type, { aTensor, bTensor }, { outputTensor }, fields);
}
