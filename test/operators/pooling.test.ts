/** Limits of pooling windows and neighborhoods, which would otherwise keep a GPU busy endlessly. */
import { expect, test } from 'vitest';
import { resolveDescriptor } from '#lib/operators/resolve.js';
import { strictRuleOf } from '#lib/descriptors/strict.js';
import { caught, gist } from '../support/errors.js';

const tensor = (...sizes: number[]) => ({ dataType: 'float32', sizes });
const example = {
  type: 'averagePooling1',
  ...{ inputTensor: tensor(1, 1, 3, 4), outputTensor: tensor(1, 1, 2, 4) },
  ...{ windowSize: [2, 1], strides: [1, 1], dilations: [1, 1], startPadding: [0, 0], endPadding: [0, 0] },
  includePadding: false,
};
const resolve = (change: object) => resolveDescriptor({ ...example, ...change }, '6.4');
const refusal = (change: object) => {
  const error = caught(() => resolve(change));
  return [...gist(error), strictRuleOf(error)];
};
/** A window with a single row, as long as its start padding allows. */
const long = (length: number) => ({ windowSize: [2, length], startPadding: [0, length - 1] });

test('a window has at most a million elements, or twice as many as the image', () => {
  expect(resolve(long(2 ** 19)).descriptor.type).toBe('averagePooling1');
  expect(refusal(long(2 ** 19 + 1))).toEqual(['ERR_OUT_OF_RANGE', 'windowSize', 'window-elements']);
  const image = { inputTensor: tensor(1, 1, 2 ** 11, 2 ** 10), outputTensor: tensor(1, 1, 1, 1) };
  expect(resolve({ ...image, windowSize: [2 ** 11, 2 ** 10] }).descriptor.type).toBe('averagePooling1');
});

test('positions stay below 2^31, with one dilation beyond the last', () => {
  expect(resolve({ dilations: [1, 2 ** 31 - 5] }).descriptor.type).toBe('averagePooling1');
  expect(refusal({ dilations: [1, 2 ** 31 - 4] })).toEqual(['ERR_OUT_OF_RANGE', 'dilations[1]', 'window-positions']);
  const apart = { strides: [1, 2 ** 31 - 8], startPadding: [0, 2 ** 31 - 8], outputTensor: tensor(1, 1, 2, 2) };
  expect(resolve(apart).descriptor.type).toBe('averagePooling1');
  expect(refusal({ ...apart, endPadding: [0, 3] })).toEqual(['ERR_OUT_OF_RANGE', 'startPadding[1]', 'window-positions']);
});

test('the gradient of localResponseNormalization has neighborhoods of at most 255', () => {
  const image = tensor(1, 2, 3, 4);
  const gradient = {
    type: 'localResponseNormalizationGrad',
    inputTensor: image,
    inputGradientTensor: image,
    outputGradientTensor: image,
  };
  const normalize = (localSize: number) =>
    resolveDescriptor({ ...gradient, crossChannel: false, localSize, alpha: 1, beta: 1, bias: 1 }, '6.4');
  expect(normalize(255).descriptor.type).toBe(gradient.type);
  const error = caught(() => normalize(256));
  expect([...gist(error), strictRuleOf(error)]).toEqual(['ERR_OUT_OF_RANGE', 'localSize', 'gradient-neighbours']);
});
