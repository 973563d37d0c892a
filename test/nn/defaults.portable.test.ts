/** What layers, losses and optimizers do without options, and with options that differ by dimension: small known results. */
import { describe, expect, test } from 'vitest';
import { zeros } from 'node-directml/array';
import * as nn from 'node-directml/nn';
import type { Tensor, Value } from 'node-directml';
import { deviceOn } from '../support/devices.js';
import { refusalOf } from '../support/refusals.js';

const device = deviceOn('reference');
const of = (data: readonly unknown[]) => device().tensor(data as readonly number[]);
const vector = (...data: readonly number[]) => device().tensor(data);

async function near(given: PromiseLike<Tensor<'float32'>>, expected: readonly number[]): Promise<void> {
  const found = [...(await (await given).read())];
  expect(found).toHaveLength(expected.length);
  for (const [i, each] of expected.entries()) expect(found[i], `element ${i} of ${found.join()}`).toBeCloseTo(each, 5);
}

test('slopes for negative numbers', async () => {
  await near(nn.leakyRelu(vector(-2, 3)), [-0.02, 3]);
  await near(nn.elu(vector(-1, 3)), [Math.exp(-1) - 1, 3]);
});

test('the least variance of normalizations', async () => {
  const small = of([[[1e-3, -1e-3]]]);
  const own = 1e-3 / Math.sqrt(1e-6 + 1e-5);
  await near(nn.groupNorm(small, {}, { groups: 1 }), [own, -own]);
  await near(nn.layerNorm(small, {}), [own, -own]);
  await near(nn.rmsNorm(small, {}), [Math.SQRT1_2, -Math.SQRT1_2]);
  const statistics = { running_mean: vector(0), running_var: vector(0) };
  await near(nn.batchNorm(small, statistics), [1e-3 / Math.sqrt(1e-5), -1e-3 / Math.sqrt(1e-5)]);
});

test('a probability of 0 for something certain', async () => {
  await near(nn.binaryCrossEntropy(vector(0, 1), vector(1, 1)), [50]);
  await near(nn.binaryCrossEntropy(vector(1, 0), vector(0, 0), { reduction: 'none' }), [100, 0]);
});

test('initial weights count the elements of the window', async () => {
  const key = device().tensor([1, 2], { dataType: 'uint32' });
  const largest = async (weights: PromiseLike<Tensor<'float32'>>) => Math.max(...(await (await weights).read()).map(Math.abs));
  // √6 divided by the root of 4 · 9 inputs, or of 32 · 9 outputs.
  for (const [options, bound] of [
    [{}, Math.sqrt(6 / 36)],
    [{ mode: 'fanOut' }, Math.sqrt(6 / 288)],
  ] as const) {
    const most = await largest(nn.kaimingUniform(key, [32, 4, 9], options));
    expect(most).toBeLessThanOrEqual(bound);
    expect(most).toBeGreaterThan(0.98 * bound);
  }
});

test('a number as target', async () => {
  await near(nn.mse(vector(1, 3), 0), [5]);
});

test('dropout of nothing keeps everything', async () => {
  const key = device().tensor([1, 2], { dataType: 'uint32' });
  await near(nn.dropout(vector(1, 2, 3), key, { p: 0 }), [1, 2, 3]);
});

describe('two steps of optimizers', () => {
  test.each([
    ['sgd', 1.9, 1.8],
    ['momentum', 1.9, 1.71],
    ['adam', 1.9, 1.8],
    ['adamW', 1.898, 1.796102],
    ['rmsProp', 1, 1 - 0.1 / Math.sqrt(0.0199)],
  ] as const)('%s', async (name, first, second) => {
    const optimizer = nn[name]({ learningRate: 0.1 });
    const gradient = vector(1);
    const [weights, state] = await optimizer.update(vector(2), gradient, await optimizer.init(vector(2)));
    await near(Promise.resolve(weights), [first]);
    const [after, { step }] = await optimizer.update(weights, gradient, state);
    await near(Promise.resolve(after), [second]);
    expect(await step.item()).toBe(2);
  });

  test('a decay changes the gradient, in adamW the weight', async () => {
    const stepOf = async (name: 'sgd' | 'adamW') => {
      const optimizer = nn[name]({ learningRate: 0.1, weightDecay: 0.5 });
      const [weights] = await optimizer.update(vector(2), vector(1), await optimizer.init(vector(2)));
      return weights.item();
    };
    expect(await stepOf('sgd')).toBeCloseTo(2 - 0.1 * (1 + 1), 5);
    expect(await stepOf('adamW')).toBeCloseTo(2 * (1 - 0.05) - 0.1, 5);
  });
});

test('schedules end at 0, and begin with their rate', async () => {
  const at = async (schedule: nn.Schedule, step: number) =>
    device().jit((x) => schedule(x as Value<'float32'>))(vector(step)) as Promise<Tensor<'float32'>>;
  await near(at(nn.cosineDecay({ from: 2, steps: 10 }), 0), [2]);
  await near(at(nn.cosineDecay({ from: 2, steps: 10 }), 10), [0]);
  await near(at(nn.cosineDecay({ from: 2, steps: 10, to: 1 }), 15), [1]);
  await near(at(nn.cosineDecay({ from: 2, steps: 10, warmup: 4 }), 1), [1]);
  await near(at(nn.exponentialDecay({ from: 2, factor: 0.5 }), 3), [0.25]);
});

describe('options by dimension', () => {
  const image = () =>
    of([
      [
        [
          [1, 2, 3],
          [4, 5, 6],
        ],
      ],
    ]);
  const kernel = (sizes: readonly number[]) =>
    device().tensor(new Float32Array(sizes.reduce((a, b) => a * b)).fill(1), { sizes });

  test("the padding 'same' of a window that is no square", async () => {
    const made = await nn.conv(image(), { weight: kernel([1, 1, 1, 3]) }, { padding: 'same' });
    expect(await made.toArray()).toEqual([
      [
        [
          [3, 6, 5],
          [9, 15, 11],
        ],
      ],
    ]);
    const turned = await nn.conv(image(), { weight: kernel([1, 1, 3, 1]) }, { padding: 'same' });
    expect(await turned.toArray()).toEqual([
      [
        [
          [5, 7, 9],
          [5, 7, 9],
        ],
      ],
    ]);
  });

  test('a transposed convolution without options', async () => {
    const made = await nn.convTranspose(of([[[1, 2]]]), { weight: of([[[1, 10]]]) });
    expect(await made.toArray()).toEqual([[[1, 12, 20]]]);
    const same = await nn.convTranspose(of([[[1, 2]]]), { weight: of([[[1, 10]]]) }, { stride: 1, padding: 0, outputPadding: 0 });
    expect(await same.toArray()).toEqual([[[1, 12, 20]]]);
  });

  test('a pool whose windows overlap, and one whose windows do not', async () => {
    expect(await (await nn.avgPool(of([[[1, 2, 3, 4]]]), 2, { stride: 1 })).toArray()).toEqual([[[1.5, 2.5, 3.5]]]);
    expect(await (await nn.avgPool(of([[[1, 2, 3, 4]]]), 2)).toArray()).toEqual([[[1.5, 3.5]]]);
    expect(await (await nn.maxPool(image(), [1, 2], { stride: [1, 1] })).toArray()).toEqual([
      [
        [
          [2, 3],
          [5, 6],
        ],
      ],
    ]);
  });

  test.each([
    ["stride: expected 1 with the padding 'same', given an array of 2 numbers", { padding: 'same', stride: [1, 2] }],
    ['stride: expected a whole number from 1 on, or 2 of them, given an array of 2 elements', { stride: [1, 'a'] }],
    ["stride: expected a whole number from 1 on, or 2 of them, given 'a'", { stride: 'a' }],
    ['stride: expected a whole number from 1 on, or 2 of them, given 1.5', { stride: 1.5 }],
    ['padding: expected a whole number from 0 on, or 2 of them, given -1', { padding: -1 }],
    ['dilation: expected a whole number from 1 on, or 2 of them, given an array of 1 number', { dilation: [1] }],
  ])('%s', async (expected, options) => {
    const call = nn.conv as unknown as (...args: readonly unknown[]) => Promise<unknown>;
    expect(await refusalOf(() => call(image(), { weight: kernel([1, 1, 1, 2]) }, options))).toBe(
      `ERR_INVALID_ARGUMENT conv: ${expected}`,
    );
  });
});

describe('states of recurrent layers', () => {
  test('each layer and direction begins with its own', async () => {
    const weights = Object.fromEntries(
      await Promise.all(
        ['l0', 'l0_reverse', 'l1', 'l1_reverse'].flatMap((end) => [
          (async () => [`weight_ih_${end}`, await zeros(device(), [4, end.startsWith('l0') ? 1 : 2])] as const)(),
          (async () => [`weight_hh_${end}`, await zeros(device(), [4, 1])] as const)(),
        ]),
      ),
    );
    const [x, c0] = [
      of([[[1], [2]]]),
      of([
        [[1], [2]],
        [[3], [4]],
        [[5], [6]],
        [[7], [8]],
      ]),
    ];
    const { c } = await nn.lstm(x, weights, {
      h0: await zeros(device(), [4, 2, 1]),
      c0,
    });
    // Without weights, all gates are half open.
    expect(await (c as Tensor).toArray()).toEqual([
      [[0.5], [1]],
      [[1.5], [2]],
      [[2.5], [3]],
      [[3.5], [4]],
    ]);
  });
});
