/** Examples of ours, for the reference pages of operators of which Microsoft's page has none, or a long-winded one. */
import { examplesOf, rounded, tensor, type ExampleTensor, type PageEntry, type WorkedExample } from '../example.js';

export type OwnExample = Omit<WorkedExample, 'page' | 'title'>;

type Fields = PageEntry['fields'];

export function own(
  type: WorkedExample['descriptor']['type'],
  inputs: PageEntry['inputs'],
  outputs: PageEntry['outputs'],
  fields: Fields = {},
): OwnExample {
  const [example] = examplesOf(type, '', [{ title: '', inputs, outputs, fields }]);
  if (example === undefined) throw new TypeError('one example makes one');
  return example;
}

/** A list of float32 elements. */
export function floats(...values: readonly number[]): ExampleTensor {
  return tensor('float32', [values.length], values);
}

/** The same of numbers that are rounded to four decimals. */
export function roughly(...values: readonly number[]): ExampleTensor {
  return rounded(4, floats(...values));
}

export function bytes(...values: readonly number[]): ExampleTensor {
  return tensor('uint8', [values.length], values);
}

export function integers(...values: readonly number[]): ExampleTensor {
  return tensor('int32', [values.length], values);
}

/** An operator on one tensor. */
export function unary(
  type: WorkedExample['descriptor']['type'],
  inputTensor: ExampleTensor,
  outputTensor: ExampleTensor,
  fields?: Fields,
): OwnExample {
  return own(type, { inputTensor }, { outputTensor }, fields);
}

/** An operator on two tensors. */
export function binary(
  type: WorkedExample['descriptor']['type'],
  aTensor: ExampleTensor,
  bTensor: ExampleTensor,
  outputTensor: ExampleTensor,
  fields?: Fields,
): OwnExample {
  return own(type, { aTensor, bTensor }, { outputTensor }, fields);
}
