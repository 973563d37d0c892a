/** Arrays that belong together must have the same length. The error names the wrong one and says which length it needs. */
import { expect, test } from 'vitest';
import { resolveDescriptor } from '#lib/operators/resolve.js';
import { caught } from '../support/errors.js';

const tensor = (...sizes: number[]) => ({ dataType: 'float32', sizes });
const windows = { strides: [1, 1], startPadding: [0, 0], endPadding: [0, 0] };
const convolution = {
  type: 'convolution',
  inputTensor: tensor(1, 1, 4, 4),
  filterTensor: tensor(1, 1, 2, 2),
  mode: 'crossCorrelation',
  direction: 'forward',
  ...windows,
  dilations: [1, 1],
  outputPadding: [0, 0],
  groupCount: 1,
};
const pooling = { type: 'maxPooling', inputTensor: tensor(1, 1, 4, 4), windowSize: [2, 2], ...windows };
const fold = { type: 'fold', inputTensor: tensor(1, 4, 9), ...windows, windowSizes: [2, 2], dilations: [1, 1] };
const offsets = { inputPixelOffsets: [0.5, 0.5], outputPixelOffsets: [-0.5, -0.5] };
const resample = {
  type: 'resample1',
  inputTensor: tensor(2, 2),
  outputTensor: tensor(4, 4),
  interpolationMode: 'linear',
  scales: [2, 2],
  ...offsets,
};
const softmax = { type: 'activationSoftmax1', axes: [0], axisCount: 2 };
const add = { type: 'elementWiseAdd1', aTensor: tensor(4), bTensor: tensor(4) };
const join = { type: 'join', inputTensors: [tensor(2), tensor(2)], axis: 0 };

const said = (descriptor: object) => caught(() => resolveDescriptor(descriptor, '6.4')).message;
const space = '2 elements, one per dimension of inputTensor after batch and channels';

test('the error names the only array with a different length, whichever it is', () => {
  for (const name of ['strides', 'dilations', 'startPadding', 'endPadding', 'outputPadding']) {
    for (const wrong of [[], [1], [1, 1, 1]]) {
      expect(said({ ...convolution, [name]: wrong })).toBe(`convolution: ${name}: expected ${space}, given ${wrong.length}`);
    }
  }
  for (const name of ['strides', 'windowSize', 'startPadding', 'endPadding']) {
    expect(said({ ...pooling, [name]: [1] })).toBe(`maxPooling: ${name}: expected ${space}, given 1`);
  }
  for (const name of ['scales', 'inputPixelOffsets', 'outputPixelOffsets']) {
    const expected = '2 elements, one per dimension of inputTensor';
    expect(said({ ...resample, [name]: [1, 1, 1] })).toBe(`resample1: ${name}: expected ${expected}, given 3`);
  }
});

test('the error also names that array if the count is given and correct', () => {
  expect(said({ ...convolution, dimensionCount: 2, strides: [1] })).toBe(`convolution: strides: expected ${space}, given 1`);
});

test('the error names the count if arrays and tensor agree with each other but not with it', () => {
  const message = `convolution: dimensionCount: expected 2, one per dimension of inputTensor after batch and channels, given 3`;
  expect(said({ ...convolution, dimensionCount: 3 })).toBe(message);
});

test('the tensor decides, even if all arrays agree with each other', () => {
  const one = { strides: [1], startPadding: [0], endPadding: [0] };
  expect(said({ ...convolution, ...one, dilations: [1], outputPadding: [0] })).toBe(
    `convolution: strides: expected ${space}, given 1`,
  );
  expect(said({ ...pooling, ...one, windowSize: [2] })).toBe(`maxPooling: windowSize: expected ${space}, given 1`);
  const line = { ...pooling, inputTensor: tensor(1, 1, 1, 4, 4) };
  expect(said(line)).toContain('windowSize: expected 3 elements, one per dimension of inputTensor after batch and channels');
});

test('without the sizes of the tensor, the count decides if it is given, else the most common length', () => {
  expect(said({ ...fold, strides: [1] })).toBe(
    'fold: strides: expected 2 elements, as many as windowSizes, dilations, startPadding, endPadding, given 1',
  );
  expect(said({ ...fold, windowSizes: [2, 2, 2] })).toBe(
    'fold: windowSizes: expected 2 elements, as many as strides, dilations, startPadding, endPadding, given 3',
  );
  expect(said({ ...fold, windowSizes: [2], dimensionCount: 2 })).toBe(
    'fold: windowSizes: expected 2 elements, as dimensionCount says, given 1',
  );
});

test('a count of a single array must be its length', () => {
  expect(said({ ...join, inputCount: 3 })).toBe('join: inputTensors: expected 3 elements, as inputCount says, given 2');
  expect(said({ ...join, inputCount: 1 })).toBe('join: inputTensors: expected 1 element, as inputCount says, given 2');
});

test('the path of a field in a fused activation begins with the field of the operator', () => {
  expect(said({ ...add, fusedActivation: softmax })).toContain('fusedActivation');
  const gemm = { type: 'gemm', aTensor: tensor(2, 2), bTensor: tensor(2, 2), transA: 'none', transB: 'none', alpha: 1, beta: 0 };
  expect(said({ ...gemm, fusedActivation: softmax })).toBe(
    'gemm: fusedActivation.axes: expected 2 elements, as axisCount says, given 1',
  );
});
