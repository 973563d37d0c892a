/** The rules for windows of convolutions, and the case that DirectML computes wrongly. */
import { expect, test } from 'vitest';
import { resolveDescriptor } from '#lib/operators/resolve.js';
import { strictRuleOf } from '#lib/descriptors/strict.js';
import { caught, gist } from '../support/errors.js';

const tensor = (...sizes: number[]) => ({ dataType: 'float32', sizes });
/** Seven elements under a window of three. */
const example = {
  type: 'convolution',
  ...{ inputTensor: tensor(1, 1, 7), filterTensor: tensor(1, 1, 3), outputTensor: tensor(1, 1, 5) },
  ...{ mode: 'crossCorrelation', direction: 'forward', groupCount: 1 },
  ...{ strides: [1], dilations: [1], startPadding: [0], endPadding: [0], outputPadding: [0] },
};
const isValid = (change: object) => resolveDescriptor({ ...example, ...change }, '6.4').descriptor.type === 'convolution';
const refusal = (change: object) => caught(() => resolveDescriptor({ ...example, ...change }, '6.4'));

test('the output size is the number of window positions', () => {
  expect(isValid({})).toBe(true);
  // (7 + 1 + 2 − 5) / 2 has a remainder.
  const apart = { strides: [2], dilations: [2], startPadding: [1], endPadding: [2] };
  expect(isValid({ ...apart, outputTensor: tensor(1, 1, 3) })).toBe(true);
  expect(gist(refusal({ ...apart, outputTensor: tensor(1, 1, 4) }))).toEqual(['ERR_SIZES', 'outputTensor.sizes']);
  expect(isValid({ ...apart, outputPadding: [1], outputTensor: tensor(1, 1, 4) })).toBe(true);
  // (7 - 1) * 2 + 5 - 1 - 2
  expect(isValid({ ...apart, direction: 'backward', outputTensor: tensor(1, 1, 14) })).toBe(true);
  expect(gist(refusal({ dilations: [4] }))).toEqual(['ERR_OUT_OF_RANGE', 'filterTensor.sizes[2]']);
});

test('groups divide the channels, and a window has a stride per spatial dimension', () => {
  const channels = { inputTensor: tensor(1, 4, 7), outputTensor: tensor(1, 6, 5) };
  expect(isValid({ ...channels, filterTensor: tensor(6, 2, 3), groupCount: 2 })).toBe(true);
  expect(gist(refusal({ ...channels, filterTensor: tensor(6, 2, 3), groupCount: 4 }))).toEqual([
    'ERR_OUT_OF_RANGE',
    'groupCount',
  ]);
  expect(gist(refusal({ ...channels, filterTensor: tensor(6, 4, 3), groupCount: 2 }))).toEqual([
    'ERR_SIZES',
    'filterTensor.sizes',
  ]);
  const two = { strides: [1, 1], dilations: [1, 1], startPadding: [0, 0], endPadding: [0, 0], outputPadding: [0, 0] };
  expect(gist(refusal(two))).toEqual(['ERR_DIMENSION_COUNT', 'strides']);
});

test('a dilated or padded window as large as the input, with a single position, is refused if DirectML would ignore that', () => {
  const whole = { inputTensor: tensor(1, 1, 3), outputTensor: tensor(1, 1, 1) };
  expect(isValid(whole)).toBe(true);
  const dilated = { ...whole, dilations: [2], startPadding: [1], endPadding: [1] };
  const error = refusal(dilated);
  expect([...gist(error), strictRuleOf(error)]).toEqual(['ERR_FIELD_COMBINATION', 'dilations[0]', 'convolution-of-whole-input']);
  expect(gist(refusal({ ...whole, strides: [3], startPadding: [1], endPadding: [1] }))).toEqual([
    'ERR_FIELD_COMBINATION',
    'startPadding[0]',
  ]);
  expect(isValid({ ...dilated, mode: 'convolution' })).toBe(true);
});
