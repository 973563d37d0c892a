/** `node-directml/nn` as programs use it: training in `jit`, weights in files, initial weights, rates, and errors. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { Tensor, Value } from 'node-directml';
import { random, zeros } from 'node-directml/array';
import { loadSafetensors, saveSafetensors } from 'node-directml/files';
import { valueAndGrad } from 'node-directml/gradients';
import * as nn from 'node-directml/nn';
import { backends, deviceOn } from '../support/devices.js';

type Floats = Value<'float32'>;
interface Affine<T> {
  readonly weight: T;
  readonly bias: T;
}
type Network<T> = readonly [Affine<T>, Affine<T>];

describe.each(backends)('on %s', (backend) => {
  const device = deviceOn(backend);
  const key = () => random.key(device(), 5);

  test.each([
    [[1, 3], 2],
    [[0, 2, 4, 6], 20 / 3],
    [[5], 0],
  ])('batchNorm of %j has the variance %d of a sample for its running one', async (elements, expected) => {
    const x = device().tensor(elements, { sizes: [elements.length, 1] });
    const weights = { running_mean: device().tensor([0]), running_var: device().tensor([1]) };
    const [, running] = await nn.batchNorm(x, weights, { training: true, momentum: 1 });
    const mean = elements.reduce((sum, element) => sum + element, 0) / elements.length;
    expect((await running.running_mean.read())[0]).toBeCloseTo(mean, 5);
    expect((await running.running_var.read())[0]).toBeCloseTo(expected, 5);
  });

  test('cross entropy spreads all of the probability over the classes, or none of it', async () => {
    const x = device().tensor([Math.log(1), Math.log(3)], { sizes: [1, 2] });
    const target = device().tensor([1], { dataType: 'int32' });
    const loss = async (labelSmoothing: number) => (await (await nn.crossEntropy(x, target, { labelSmoothing })).read())[0];
    expect(await loss(0)).toBeCloseTo(-Math.log(3 / 4), 5);
    expect(await loss(1)).toBeCloseTo(-(Math.log(1 / 4) + Math.log(3 / 4)) / 2, 5);
  });

  test('normalizes float16 with sums in float32', async () => {
    const elements = [1000, -1000, 2000, -1500, 300, 400, 1200, 800];
    const halves = device().tensor(elements, { dataType: 'float16', sizes: [2, 4] });
    const singles = device().tensor(elements, { sizes: [2, 4] });
    const expectSame = async (made: Tensor, expected: Tensor) => {
      expect(made.dataType).toBe('float16');
      const wanted = (await expected.toArray()).flat(9);
      for (const [i, element] of (await made.toArray()).flat(9).entries()) expect(element).toBeCloseTo(Number(wanted[i]), 2);
    };
    await expectSame(await nn.layerNorm(halves), await nn.layerNorm(singles));
    await expectSame(await nn.rmsNorm(halves), await nn.rmsNorm(singles));
    await expectSame(await nn.groupNorm(halves, {}, { groups: 2 }), await nn.groupNorm(singles, {}, { groups: 2 }));
    const weights = {
      running_mean: device().tensor(new Float32Array(4)),
      running_var: device().tensor(new Float32Array(4).fill(1)),
    };
    const [half, running] = await nn.batchNorm(halves, weights, { training: true });
    const [single, expected] = await nn.batchNorm(singles, weights, { training: true });
    await expectSame(half, single);
    expect(await running.running_var.toArray()).toEqual(await expected.running_var.toArray());
    const many = device().tensor(new Float32Array(131_072), { dataType: 'float16', sizes: [1, 131_072] });
    const [[least = NaN] = []] = (await (await nn.logSoftmax(many)).toArray()) as number[][];
    expect(least).toBeCloseTo(-Math.log(131_072), 1);
    const [x, target] = [
      [300, -300],
      [0, 0],
    ].map((each) => device().tensor(each, { dataType: 'float16' })) as [Tensor, Tensor];
    const losses = [await nn.mse(x, target), await nn.huber(x, target, { delta: 400 })];
    expect(losses.map(({ dataType }) => dataType)).toEqual(['float32', 'float32']);
    expect(await Promise.all(losses.map((loss) => loss.item()))).toEqual([90_000, 45_000]);
    const clipped = await nn.clipByNorm({ a: device().tensor([300, 400], { dataType: 'float16' }) }, 50);
    expect([clipped.a.dataType, (await clipped.a.toArray()).map((each) => Math.round(Number(each)))]).toEqual([
      'float16',
      [30, 40],
    ]);
  });

  test('a network learns, is saved, and computes the same after it was loaded', async () => {
    const x = device().tensor([0, 0, 0, 1, 1, 0, 1, 1], { sizes: [4, 2] });
    const target = device().tensor([0, 1, 1, 0], { sizes: [4, 1] });
    const model = ([first, second]: Network<Floats>, input: Floats) => nn.linear(nn.tanh(nn.linear(input, first)), second);
    const optimizer = nn.adamW({ learningRate: nn.cosineDecay({ from: 0.1, steps: 300, warmup: 5 }) });
    type State = nn.OptimizerState<Network<Floats>>;
    const step = device().jit((weights: Network<Floats>, state: State, input: Floats, wanted: Floats) => {
      const loss = (own: Network<Floats>) => nn.mse(model(own, input), wanted);
      const [value, gradients] = valueAndGrad(loss)(weights);
      return [value, ...optimizer.update(weights, nn.clipByNorm(gradients, 1), state)] as const;
    });
    const [one = key(), two = key()] = await random.split(key());
    let weights: Network<Tensor<'float32'>> = [
      { weight: await nn.xavierUniform(one, [8, 2]), bias: device().tensor(new Float32Array(8)) },
      { weight: await nn.xavierNormal(two, [1, 8]), bias: device().tensor(new Float32Array(1)) },
    ];
    let state = await optimizer.init(weights);
    let last = NaN;
    for (let i = 0; i < 100; i++) {
      const [value, next, following] = await step(weights, state, x, target);
      [weights, state, last] = [next, following, await value.item()];
    }
    expect(last).toBeLessThan(0.01);

    const folder = mkdtempSync(join(tmpdir(), 'nn-'));
    try {
      const path = join(folder, 'model.safetensors');
      const flat = nn.named({ layers: weights });
      expect(Object.keys(flat)).toEqual(['layers.0.weight', 'layers.0.bias', 'layers.1.weight', 'layers.1.bias']);
      await saveSafetensors(path, flat);
      const { layers } = nn.nested<{ layers: Network<Tensor<'float32'>> }>(await loadSafetensors(device(), path));
      const run = async (own: Network<Tensor<'float32'>>) => {
        const hidden = nn.tanh(nn.linear(x, own[0]));
        return (await nn.linear(hidden, own[1])).toArray();
      };
      expect(await run(layers)).toEqual(await run(weights));
    } finally {
      rmSync(folder, { recursive: true });
    }
  });

  test('in jit, layers have the bits that they have with tensors', async () => {
    const x = device().tensor(
      Array.from({ length: 60 }, (_, i) => Math.sin(i)),
      { sizes: [2, 3, 10] },
    );
    const weight = device().tensor(
      Array.from({ length: 18 }, (_, i) => Math.cos(i)),
      { sizes: [2, 3, 3] },
    );
    const traced = await device().jit((own: Floats, filter: Floats) => {
      return nn.softmax(nn.conv(nn.gelu(own), { weight: filter }, { padding: 'same' }));
    })(x, weight);
    const eager = await nn.softmax(nn.conv(nn.gelu(x), { weight }, { padding: 'same' }));
    expect(await traced.toArray()).toEqual(await eager.toArray());
  });

  test('a weight that is null keeps its name', () => {
    const weight = device().tensor([1]);
    const flat = nn.named({ layer: { weight, bias: null } });
    expect(flat).toEqual({ 'layer.weight': weight, 'layer.bias': null });
    expect(nn.nested(flat)).toEqual({ layer: { weight, bias: null } });
  });

  test('a convolution without padding, and a maximum of elements that are not neighbours', async () => {
    const x = device().tensor([3, 1, 4, 1, 5, 9], { sizes: [1, 1, 6] });
    const weight = device().tensor([1, 10], { sizes: [1, 1, 2] });
    expect(await (await nn.conv(x, { weight }, { padding: 'valid' })).toArray()).toEqual([[[13, 41, 14, 51, 95]]]);
    expect(await (await nn.maxPool(x, 2, { stride: 1, dilation: 2 })).toArray()).toEqual([[[4, 1, 5, 9]]]);
    const image = device().tensor([3, 1, 4, 1, 5, 9], { sizes: [1, 1, 2, 3] });
    expect(await (await nn.maxPool(image, 2, { stride: 1, dilation: [1, 2] })).toArray()).toEqual([[[[9]]]]);
    expect(await (await nn.maxPool(image, [1, 2], { stride: 1, dilation: [2, 1] })).toArray()).toEqual([
      [
        [
          [3, 4],
          [5, 9],
        ],
      ],
    ]);
  });

  test('a long short-term memory begins with both of its states', async () => {
    const zero = (...sizes: readonly number[]) => zeros(device(), sizes);
    const weights = { weight_ih_l0: await zero(4, 1), weight_hh_l0: await zero(4, 1) };
    const state = await zero(1, 1, 1);
    const { h, c } = await nn.lstm(state, weights, { h0: state, c0: device().tensor([[[2]]]) });
    // Without weights, all gates are half open.
    expect(await c.toArray()).toEqual([[[1]]]);
    expect(await h.item()).toBeCloseTo(Math.tanh(1) / 2, 5);
  });

  test('dropout keeps what it should, and scales it', async () => {
    const ones = device().tensor(new Float32Array(4096).fill(1));
    const numbers = await (await nn.dropout(ones, key(), { p: 0.25 })).read();
    expect(new Set(numbers)).toEqual(new Set([0, Math.fround(1 / 0.75)]));
    const kept = numbers.reduce((count, each) => count + Number(each > 0), 0);
    // 3.3 standard deviations.
    expect(Math.abs(kept - 3072)).toBeLessThan(3.3 * Math.sqrt(4096 * 0.75 * 0.25));
  });

  test('initial weights have the right limits and variances', async () => {
    const bound = async (tensor: Promise<Tensor<'float32'>>) => Math.max(...(await (await tensor).read()).map(Math.abs));
    expect(await bound(nn.xavierUniform(key(), [30, 70]))).toBeCloseTo(Math.sqrt(6 / 100), 3);
    expect(await bound(nn.kaimingUniform(key(), [30, 10, 7], { mode: 'fanOut' }))).toBeCloseTo(Math.sqrt(6 / 210), 3);
    const numbers = await (await nn.kaimingNormal(key(), [100, 50])).read();
    const variance = numbers.reduce((sum, each) => sum + each * each, 0) / numbers.length;
    // Its relative standard deviation is √(2 / 5000).
    expect(Math.abs(variance / (2 / 50) - 1)).toBeLessThan(3.3 * Math.sqrt(2 / 5000));
  });

  test('rates', async () => {
    const at = async (schedule: nn.Schedule, step: number) => {
      const rate = device().jit((own: Floats) => schedule(own) as Floats);
      return (await rate(device().tensor([step]))).item();
    };
    const cosine = nn.cosineDecay({ from: 1, to: 0.2, steps: 110, warmup: 10 });
    expect(await at(cosine, 0)).toBeCloseTo(0.1, 5);
    expect(await at(cosine, 10)).toBeCloseTo(1, 5);
    expect(await at(cosine, 60)).toBeCloseTo(0.6, 5);
    expect(await at(cosine, 200)).toBeCloseTo(0.2, 5);
    expect(await at(nn.exponentialDecay({ from: 0.5, factor: 0.9 }), 3)).toBeCloseTo(0.5 * 0.729, 5);
  });
});
