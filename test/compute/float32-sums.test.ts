/** Sums of products: partial sums that overflow float32, absent states, and the order of taps. */
import { describe, expect, test } from 'vitest';
import { resolveDescriptor } from '#lib/operators/resolve.js';
import { strictRuleOf } from '#lib/descriptors/strict.js';
import { rounded, tensor, type ExampleTensor } from '../../checks/cases/example.js';
import { own } from '../../checks/cases/own-example.js';
import { runExample } from '../../checks/conformance/run-example.js';
import { backends, deviceOn } from '../support/devices.js';
import { caught, gist } from '../support/errors.js';

const floats = (sizes: readonly number[], ...values: readonly number[]): ExampleTensor => tensor('float32', sizes, values);
const roughly = (sizes: readonly number[], ...values: readonly number[]) => rounded(4, floats(sizes, ...values));
const HUGE = Math.fround(3e38);

describe.each(backends)('on %s', (backend) => {
  const device = deviceOn(backend);

  const expectResults = async (...example: Parameters<typeof own>) =>
    expect(await runExample(device(), { ...own(...example), page: '', title: '' })).toBeNull();

  describe('gemm', () => {
    const isSum = (a: readonly number[], sum: number, fields = {}, b = a.map(() => 1)) =>
      expectResults(
        'gemm',
        { aTensor: floats([1, a.length], ...a), bTensor: floats([a.length, 1], ...b) },
        { outputTensor: floats([1, 1], sum) },
        { transA: 'none', transB: 'none', alpha: 1, beta: 1, ...fields },
      );

    test('overflows if any partial sum does, added from the first term to the last', async () => {
      await isSum([HUGE, HUGE, -HUGE], Infinity);
      await isSum([HUGE, -HUGE, HUGE], HUGE);
      await isSum([-HUGE, -HUGE, HUGE, HUGE], -Infinity);
      await isSum([HUGE, -HUGE], NaN, {}, [HUGE, HUGE]);
    });

    test('multiplies by alpha after overflow or underflow', async () => {
      await isSum([HUGE, HUGE], Infinity, { alpha: 0.125 });
      await isSum([1e-30], 0, { alpha: 1e30 }, [1e-30]);
    });

    test('adds C, times beta, last', () =>
      expectResults(
        'gemm',
        { aTensor: floats([1, 2], HUGE, HUGE), bTensor: floats([2, 1], 1, 1), cTensor: floats([1, 1], -HUGE) },
        { outputTensor: floats([1, 1], Infinity) },
        { transA: 'none', transB: 'none', alpha: 1, beta: 1 },
      ));
  });

  describe('convolution', () => {
    const space = { strides: [1], dilations: [1], startPadding: [0], endPadding: [0], outputPadding: [0], groupCount: 1 };
    const plain = { mode: 'crossCorrelation', direction: 'forward', ...space };

    // DirectML uses another shader for four or more filters.
    test.each([1, 4])('of %i filters overflows if any partial sum does', (filters) =>
      expectResults(
        'convolution',
        {
          inputTensor: floats([1, 1, 4], HUGE, HUGE, -HUGE, HUGE),
          filterTensor: floats([filters, 1, 3], ...new Array<number>(3 * filters).fill(1)),
        },
        {
          outputTensor: floats([1, filters, 2], ...new Array<readonly number[]>(filters).fill([Infinity, HUGE]).flat()),
        },
        plain,
      ),
    );

    const image = floats([1, 1, 3, 4], 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12);
    const window = floats([1, 1, 2, 3], 1, 2, 3, 4, 5, 6);
    const plane = { strides: [1, 1], dilations: [1, 1], startPadding: [0, 0], endPadding: [0, 0], outputPadding: [0, 0] };
    test.each([
      ['crossCorrelation', [106, 127, 190, 211]],
      ['convolution', [62, 83, 146, 167]],
    ])('in mode %s adds the taps in their order', (mode, sums) =>
      expectResults(
        'convolution',
        { inputTensor: image, filterTensor: window },
        { outputTensor: floats([1, 1, 2, 2], ...sums) },
        { mode, direction: 'forward', ...plane, groupCount: 1 },
      ),
    );

    test('with a flipped filter reverses the order of dilated and padded taps', () =>
      expectResults(
        'convolution',
        { inputTensor: floats([1, 1, 5], 1, 2, 3, 4, 5), filterTensor: floats([1, 1, 3], 1, 2, 4) },
        { outputTensor: floats([1, 1, 2], 8, 16) },
        { ...plain, mode: 'convolution', strides: [2], dilations: [2], startPadding: [1], endPadding: [1] },
      ));

    test.each([
      ['crossCorrelation', [1, 12, 24, 40]],
      ['convolution', [4, 42, 21, 10]],
    ])('backward in mode %s spreads the filter', (mode, sums) =>
      expectResults(
        'convolution',
        { inputTensor: floats([1, 1, 2], 1, 10), filterTensor: floats([1, 1, 3], 1, 2, 4) },
        { outputTensor: floats([1, 1, 4], ...sums) },
        { ...plain, mode, direction: 'backward' },
      ),
    );
  });

  test('scores of attention overflow before they are scaled', () =>
    expectResults(
      'multiheadAttention',
      {
        queryTensor: floats([1, 1, 2], HUGE, HUGE),
        keyTensor: floats([1, 2, 2], 1, 1, 0, 0),
        valueTensor: floats([1, 2, 1], 1, 2),
      },
      { outputTensor: floats([1, 1, 1], NaN) },
      { scale: 1e-38, maskFilterValue: -10000, headCount: 1, maskType: 'none' },
    ));

  describe('attention with a bias', () => {
    const FILTER = -(2 ** 24);
    const closed = { boolean: tensor('int32', [1, 1, 1, 2], [0, 0]), range: tensor('int32', [5], [0, 0, 1, 0, 2]) };
    const expectWeights = (fields: object, mask: ExampleTensor, key: number, bias: number, ...weights: readonly number[]) =>
      expectResults(
        'multiheadAttention',
        {
          queryTensor: floats([1, 1, 1], 1),
          keyTensor: floats([1, 2, 1], key, 0),
          valueTensor: floats([1, 2, 2], 1, 0, 0, 1),
          relativePositionBiasTensor: floats([1, 1, 1, 2], bias, 0),
          maskTensor: mask,
        },
        { outputTensor: roughly([1, 1, 2], ...weights) },
        { maskType: 'boolean', scale: 0.5, maskFilterValue: FILTER, headCount: 1, ...fields },
      );

    test('adds the filter value to the bias before the score, so that both are rounded to its units', async () => {
      await expectWeights({}, closed.boolean, 0.5, 0.9, 0.5, 0.5);
      await expectWeights({}, closed.boolean, 0.5, 1.1, 0.7311, 0.2689);
      const range = { maskType: 'keyQuerySequenceLengthStartEnd', scale: 1 };
      await expectWeights(range, closed.range, 0.4, 0.4, 0.5, 0.5);
      await expectWeights(range, closed.range, 0.4, 0.6, 0.7311, 0.2689);
    });

    test('and a boolean mask divides the filter value by the scale, which may overflow', async () => {
      const open = tensor('int32', [1, 1, 1, 2], [1, 0]);
      await expectWeights({ maskFilterValue: -HUGE }, open, 0, 0, NaN, NaN);
      await expectWeights({ maskFilterValue: -HUGE, scale: 1 }, open, 0, 0, 1, 0);
      await expectWeights({ scale: 0 }, open, 0, 0, NaN, NaN);
    });
  });

  describe('the first step of a network', () => {
    const one = (...values: readonly number[]) => floats([1, 1, 1, values.length], ...values);
    const gates = (...values: readonly number[]) => floats([1, 1, values.length, 1], ...values);
    const tanh = { type: 'activationTanh' };
    const sigmoid = { type: 'activationSigmoid' };
    const identity = { type: 'activationIdentity' };
    const unclipped = { direction: 'forward', clipThreshold: 0, useClipThreshold: false, coupleInputForget: false };

    test.each([Infinity, NaN])('of rnn has a recurrent term with a zero state, none without a state: %d', async (recurrence) => {
      const tensors = { inputTensor: one(1), weightTensor: gates(0.5), recurrenceTensor: gates(recurrence) };
      const fields = { activationDescs: [tanh], direction: 'forward' };
      await expectResults('rnn', tensors, { outputSequenceTensor: roughly([1, 1, 1, 1], 0.4621) }, fields);
      const biased = { ...tensors, biasTensor: one(1, 0.25) };
      await expectResults('rnn', biased, { outputSequenceTensor: roughly([1, 1, 1, 1], 0.9414) }, fields);
      const stated = { ...tensors, hiddenInitTensor: one(0) };
      await expectResults('rnn', stated, { outputSequenceTensor: roughly([1, 1, 1, 1], -1) }, fields);
    });

    test('of a shorter sequence, backward, begins with zeros', () =>
      expectResults(
        'rnn',
        {
          ...{ inputTensor: floats([1, 2, 2, 1], 1, 2, 3, 4), weightTensor: gates(0.5), recurrenceTensor: gates(-Infinity) },
          sequenceLengthsTensor: tensor('uint32', [1, 1, 1, 2], [1, 2]),
        },
        { outputSequenceTensor: roughly([2, 1, 2, 1], -1, -1, 0, 0.964) },
        { activationDescs: [tanh], direction: 'backward' },
      ));

    test.each([0, 1, 2])('of gru has no recurrent term in gate %i', (gate) =>
      expectResults(
        'gru',
        {
          ...{ inputTensor: one(1), weightTensor: gates(0.5, 0.25, 0.75) },
          recurrenceTensor: gates(...[0.5, 0.5, 0.5].with(gate, Infinity)),
        },
        { outputSequenceTensor: roughly([1, 1, 1, 1], 0.2398) },
        { activationDescs: [sigmoid, tanh], direction: 'forward', linearBeforeReset: false },
      ),
    );

    test.each([0, 1, 2, 3])('of lstm has no recurrent term in gate %i', (gate) =>
      expectResults(
        'lstm',
        {
          ...{ inputTensor: one(1), weightTensor: gates(0.5, 0.25, 0.75, 0.5) },
          recurrenceTensor: gates(...[0.5, 0.5, 0.5, 0.5].with(gate, NaN)),
        },
        { outputSequenceTensor: roughly([1, 1, 1, 1], 0.1574) },
        { activationDescs: [sigmoid, tanh, tanh], ...unclipped },
      ),
    );

    test('of lstm has no peephole of the input gate without a cell', () =>
      expectResults(
        'lstm',
        {
          ...{ inputTensor: one(1), weightTensor: gates(0.5, 0.25, 0.75, 0.5), recurrenceTensor: gates(0.5, 0.5, 0.5, 0.5) },
          peepholeTensor: one(Infinity, 1, NaN),
        },
        { outputSequenceTensor: floats([1, 1, 1, 1], 0.125), outputCellSingleTensor: floats([1, 1, 1, 1], 0.25) },
        { activationDescs: [identity, identity, identity], ...unclipped },
      ));
  });
});

test('a gemm whose B is repeated by strides of 0 can only fuse a softmax along the last axis', () => {
  const shared = (...axes: readonly number[]) => ({
    type: 'gemm',
    aTensor: { dataType: 'float32', sizes: [2, 6, 2] },
    bTensor: { dataType: 'float32', sizes: [2, 2, 4], strides: [0, 4, 1] },
    outputTensor: { dataType: 'float32', sizes: [2, 6, 4] },
    ...{ transA: 'none', transB: 'none', alpha: 1, beta: 0 },
    fusedActivation: { type: 'activationSoftmax1', axes },
  });
  expect(resolveDescriptor(shared(2), '6.4').descriptor.type).toBe('gemm');
  const error = caught(() => resolveDescriptor(shared(0), '6.4'));
  expect([...gist(error), strictRuleOf(error)]).toEqual([expect.any(String), expect.any(String), 'fused-softmax-axes']);
});
