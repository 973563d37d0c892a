/** What errors say where a tensor is expected. */
import { partAdvice } from '../../values/given.js';
import { Value } from '../../graph/value.js';
import type { ObjectWords } from '../../values/input.js';
import { tensorWords } from '../../descriptors/tensor.js';
import { DirectMLBuffer } from './buffer.js';
import { Tensor, tensorKind } from './tensor.js';
import { isNumbers } from './tensor-data.js';

/** How to get a tensor from what was given; undefined if nothing is known. */
export function tensorAdvice(value: unknown): string | undefined {
  if (isNumbers(value)) return 'device.createTensor({ dataType, sizes }, data) makes a tensor of numbers';
  if (DirectMLBuffer.is(value)) return 'device.createTensor({ dataType, sizes }, { buffer }) makes a tensor in a buffer';
  if (Value.is(value)) return 'it gets its elements when its graph is compiled and runs';
  return partAdvice(value, tensorKind.is);
}

/** How to get a value of a graph from what was given; undefined if nothing is known. */
export function valueAdvice(value: unknown): string | undefined {
  if (Tensor.is(value)) return 'graph.constant(tensor) makes a value of a tensor';
  if (isNumbers(value)) return 'graph.constant({ dataType, sizes }, data) makes a value of numbers';
  const part = partAdvice(value, tensorKind.is);
  return part === undefined ? partAdvice(value, (part) => Value.is(part)) : `${part} to graph.constant`;
}

export const tensorsOnly: ObjectWords = { ...tensorWords, expected: 'a tensor', advice: tensorAdvice };
export const tensorOrDescription: ObjectWords = {
  ...tensorWords,
  expected: `a tensor or ${tensorWords.expected}`,
  advice: (value) => partAdvice(value, tensorKind.is) ?? tensorWords.advice(value),
};
