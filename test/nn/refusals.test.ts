/** What layers, losses and the like refuse: the error names the function, the argument, what is expected and what is given. */
import { describe, expect, test } from 'vitest';
import type { Tensor } from 'node-directml';
import { random } from 'node-directml/array';
import * as layers from 'node-directml/nn';
import { deviceOn, ownBackend } from '../support/devices.js';
import { givenOn, refusalOf, type Given, type Loose } from '../support/refusals.js';

const nn = layers as unknown as Loose<typeof layers>;

interface LayerGiven extends Given {
  /** [1, 2, 3] */
  readonly signal: Tensor<'float32'>;
  readonly key: Tensor<'uint32'>;
}

describe.each(ownBackend)('on %s', (backend) => {
  const device = deviceOn(backend);

  test.each<[string, (given: LayerGiven) => unknown]>([
    ['ERR_INVALID_ARGUMENT linear: weights.weight: expected a tensor, given nothing', ({ x }) => nn.linear(x, {})],
    [
      "ERR_INVALID_ARGUMENT linear: weights.weights: expected one of weight, bias, given 'weights' (did you mean 'weight'?)",
      ({ x }) => nn.linear(x, { weights: x }),
    ],
    ['ERR_SIZES mse: target.sizes: expected [2, 3], as x has, given [3]', ({ x, v }) => nn.mse(x, v)],
    ['ERR_DIMENSION_COUNT embedding: weights.weight: expected 2, given 1', ({ n, v }) => nn.embedding(n, { weight: v })],
    [
      'ERR_DIMENSION_COUNT conv: weights.weight.sizes: expected 3, as x has, given [2, 3]',
      ({ x, signal }) => nn.conv(signal, { weight: x }),
    ],
    ['ERR_DIMENSION_COUNT gru: x.sizes: expected [steps, batch, inputs], given [2, 3]', ({ x }) => nn.gru(x, {})],
    [
      'ERR_DIMENSION_COUNT gru: x.sizes: expected [batch, steps, inputs], given [2, 3]',
      ({ x }) => nn.gru(x, {}, { batchFirst: true }),
    ],
    [
      "ERR_INVALID_ARGUMENT mse: reduction: expected 'mean', 'sum' or 'none', given 'max'",
      ({ x }) => nn.mse(x, x, { reduction: 'max' }),
    ],
    [
      "ERR_INVALID_ARGUMENT leakyRelu: negativeSlope: expected a finite number, given 'a'",
      ({ x }) => nn.leakyRelu(x, { negativeSlope: 'a' }),
    ],
    ["ERR_INVALID_ARGUMENT elu: alpha: expected a finite number, given 'a'", ({ x }) => nn.elu(x, { alpha: 'a' })],
    [
      "ERR_INVALID_ARGUMENT gelu: approximate: expected 'none' or 'tanh', given 'erf'",
      ({ x }) => nn.gelu(x, { approximate: 'erf' }),
    ],
    ["ERR_INVALID_ARGUMENT attention: scale: expected a number, given '1'", ({ x }) => nn.attention(x, x, x, { scale: '1' })],
    [
      'ERR_SIZES attention: value.sizes: expected [..., 2, results], as key has, given [1, 3, 2]',
      ({ x, signal }) => nn.attention(signal, signal, x.reshape([1, 3, 2])),
    ],
    [
      'ERR_DIMENSION_COUNT xavierUniform: sizes: expected outputs, inputs and more, given [2]',
      ({ key }) => nn.xavierUniform(key, [2]),
    ],
    [
      'ERR_INVALID_ARGUMENT xavierUniform: gain: expected a number above 0, given 0',
      ({ key }) => nn.xavierUniform(key, [2, 3], { gain: 0 }),
    ],
    [
      "ERR_INVALID_ARGUMENT xavierNormal: gain: expected a number above 0, given '1'",
      ({ key }) => nn.xavierNormal(key, [2, 3], { gain: '1' }),
    ],
    [
      "ERR_INVALID_ARGUMENT xavierNormal: options.mode: expected one of gain, given 'mode'",
      ({ key }) => nn.xavierNormal(key, [2, 3], { mode: 'fanIn' }),
    ],
    [
      "ERR_INVALID_ARGUMENT kaimingNormal: mode: expected 'fanIn' or 'fanOut', given 'fan'",
      ({ key }) => nn.kaimingNormal(key, [2, 3], { mode: 'fan' }),
    ],
    [
      'ERR_DIMENSION_COUNT kaimingUniform: sizes: expected outputs, inputs and more, given [3]',
      ({ key }) => nn.kaimingUniform(key, 3),
    ],
    [
      'ERR_INVALID_ARGUMENT dropout: p: expected a number from 0 to below 1, given 1',
      ({ x, key }) => nn.dropout(key, x, { p: 1 }),
    ],
    [
      'ERR_INVALID_ARGUMENT dropout: p: expected a number from 0 to below 1, given -0.5',
      ({ x, key }) => nn.dropout(key, x, { p: -0.5 }),
    ],
    [
      "ERR_INVALID_ARGUMENT dropout: p: expected a number from 0 to below 1, given '0'",
      ({ x, key }) => nn.dropout(key, x, { p: '0' }),
    ],
    [
      "ERR_INVALID_ARGUMENT conv: stride: expected 1 with the padding 'same', given 2",
      ({ signal }) => nn.conv(signal, { weight: signal }, { padding: 'same', stride: 2 }),
    ],
    [
      "ERR_INVALID_ARGUMENT conv: padding: expected a whole number from 0 on, or 1 of them, given 'full'",
      ({ signal }) => nn.conv(signal, { weight: signal }, { padding: 'full' }),
    ],
    [
      'ERR_INVALID_ARGUMENT conv: stride: expected a whole number from 1 on, or 1 of them, given an array of 2 numbers',
      ({ signal }) => nn.conv(signal, { weight: signal }, { stride: [1, 1] }),
    ],
    [
      'ERR_INVALID_ARGUMENT conv: stride: expected a whole number from 1 on, or 1 of them, given 0',
      ({ signal }) => nn.conv(signal, { weight: signal }, { stride: 0 }),
    ],
    [
      'ERR_INVALID_ARGUMENT conv: dilation: expected a whole number from 1 on, or 1 of them, given 1.5',
      ({ signal }) => nn.conv(signal, { weight: signal }, { dilation: 1.5 }),
    ],
    [
      'ERR_INVALID_ARGUMENT conv: groups: expected a whole number from 1 on, given 0',
      ({ signal }) => nn.conv(signal, { weight: signal }, { groups: 0 }),
    ],
    [
      'ERR_DIMENSION_COUNT maxPool: x.sizes: expected batch, channels and 1 to 3 dimensions, given [2, 3]',
      ({ x }) => nn.maxPool(x, 2),
    ],
    [
      'ERR_INVALID_ARGUMENT maxPool: size: expected a whole number from 1 on, or 1 of them, given 0',
      ({ signal }) => nn.maxPool(signal, 0),
    ],
    [
      "ERR_INVALID_ARGUMENT maxPool: size: expected a whole number from 1 on, or 1 of them, given '2'",
      ({ signal }) => nn.maxPool(signal, '2'),
    ],
    [
      'ERR_INVALID_ARGUMENT avgPool: size: expected a whole number from 1 on, or 1 of them, given an array of 2 numbers',
      ({ signal }) => nn.avgPool(signal, [1, 2]),
    ],
    [
      'ERR_INVALID_ARGUMENT convTranspose: stride: expected a whole number from 1 on, or 1 of them, given 0',
      ({ x, signal }) => nn.convTranspose(signal, { weight: x.reshape([2, 1, 3]) }, { stride: 0 }),
    ],
    [
      'ERR_DIMENSION_COUNT conv: x.sizes: expected batch, channels and 1 to 3 dimensions, given [1, 2, 3, 1, 1, 1]',
      ({ x }) => nn.conv(x.reshape([1, 2, 3, 1, 1, 1]), { weight: x.reshape([1, 2, 3, 1, 1, 1]) }),
    ],
    ['ERR_INVALID_ARGUMENT huber: delta: expected a number above 0, given 0', ({ x }) => nn.huber(x, x, { delta: 0 })],
    ["ERR_INVALID_ARGUMENT huber: delta: expected a number above 0, given '1'", ({ x }) => nn.huber(x, x, { delta: '1' })],
    [
      'ERR_SIZES binaryCrossEntropy: target.sizes: expected [2, 3], as x has, given [3]',
      ({ x, v }) => nn.binaryCrossEntropy(x, v),
    ],
    [
      "ERR_INVALID_ARGUMENT binaryCrossEntropy: options.from: expected one of reduction, fromLogits, given 'from' (did you mean 'fromLogits'?)",
      ({ x }) => nn.binaryCrossEntropy(x, x, { from: 'x' }),
    ],
    [
      'ERR_INVALID_ARGUMENT crossEntropy: labelSmoothing: expected a number from 0 to 1, given 2',
      ({ x, n }) => nn.crossEntropy(x, n, { labelSmoothing: 2 }),
    ],
    [
      'ERR_INVALID_ARGUMENT crossEntropy: labelSmoothing: expected a number from 0 to 1, given -0.5',
      ({ x, n }) => nn.crossEntropy(x, n, { labelSmoothing: -0.5 }),
    ],
    [
      "ERR_INVALID_ARGUMENT crossEntropy: labelSmoothing: expected a number from 0 to 1, given '1'",
      ({ x, n }) => nn.crossEntropy(x, n, { labelSmoothing: '1' }),
    ],
    ['ERR_SIZES crossEntropy: target.sizes: expected [2, 3], as x has, given [3]', ({ x, v }) => nn.crossEntropy(x, v)],
    ['ERR_SIZES crossEntropy: target.sizes: expected [3], given [2]', ({ v, n }) => nn.crossEntropy(v, n)],
    [
      'ERR_SIZES crossEntropy: target.sizes: expected [2], given [3]',
      ({ d, x }) => nn.crossEntropy(x, d.tensor([0, 1, 2], { dataType: 'int32' })),
    ],
    ["ERR_INVALID_ARGUMENT mse: target: expected a tensor, given 'a'", ({ x }) => nn.mse(x, 'a')],
    [
      'ERR_SIZES groupNorm: x.sizes: expected a multiple of 2 channels, given [2, 3]',
      ({ x, v }) => nn.groupNorm(x, { weight: v, bias: v }, { groups: 2 }),
    ],
    [
      'ERR_INVALID_ARGUMENT groupNorm: groups: expected a whole number from 1 on, given nothing',
      ({ x, v }) => nn.groupNorm(x, { weight: v, bias: v }, {}),
    ],
    [
      'ERR_SIZES groupNorm: x.sizes: expected [batch, channels, ...], given [3]',
      ({ v }) => nn.groupNorm(v, { weight: v, bias: v }, { groups: 1 }),
    ],
    [
      'ERR_INVALID_ARGUMENT rmsNorm: eps: expected a number from 0 on, given -1',
      ({ x, v }) => nn.rmsNorm(x, { weight: v }, { eps: -1 }),
    ],
    [
      "ERR_INVALID_ARGUMENT layerNorm: eps: expected a number from 0 on, given 'a'",
      ({ x, v }) => nn.layerNorm(x, { weight: v }, { eps: 'a' }),
    ],
    [
      'ERR_INVALID_ARGUMENT batchNorm: momentum: expected a number from 0 on, given NaN',
      ({ x, v }) => nn.batchNorm(x, { weight: v, bias: v, running_mean: v, running_var: v }, { momentum: NaN }),
    ],
    [
      'ERR_INVALID_ARGUMENT batchNorm: options.training: expected true or false, given 1',
      ({ x, v }) => nn.batchNorm(x, { weight: v, bias: v, running_mean: v, running_var: v }, { training: 1 }),
    ],
    ['ERR_INVALID_ARGUMENT batchNorm: weights: expected an object, given null', ({ x }) => nn.batchNorm(x, null)],
    [
      'ERR_INVALID_ARGUMENT batchNorm: weights.running_mean: expected a tensor, given nothing',
      ({ x, v }) => nn.batchNorm(x, { weight: v }),
    ],
    [
      "ERR_INVALID_ARGUMENT gru: options.c0: expected one of batchFirst, h0, given 'c0'",
      ({ x, signal }) => nn.gru(signal, {}, { c0: x }),
    ],
    [
      'ERR_INVALID_ARGUMENT lstm: weights.weight_hh_l0: expected a tensor, given nothing',
      ({ x, signal }) => nn.lstm(signal, { weight_ih_l0: x }),
    ],
    [
      'ERR_INVALID_ARGUMENT cosineDecay: options: expected an object, given 1',
      () => nn.cosineDecay(1, { from: 'a', to: 0, steps: 3 }),
    ],
    ['ERR_INVALID_ARGUMENT exponentialDecay: options: expected an object, given 1', () => nn.exponentialDecay(1, { from: 1 })],
    ["ERR_INVALID_ARGUMENT clipByNorm: maxNorm: expected a number above 0, given 'a'", ({ x }) => nn.clipByNorm({ w: x }, 'a')],
    [
      "ERR_INVALID_ARGUMENT sgd: options.rate: expected one of learningRate, weightDecay, given 'rate' (did you mean 'learningRate'?)",
      () => nn.sgd({ rate: 'a' }),
    ],
    ['ERR_INVALID_ARGUMENT adam: learningRate: expected a number from 0 on, given nothing', () => nn.adam({ beta1: 2 })],
    [
      "ERR_DATA_TYPE embedding: indices.dataType: expected one of int64, int32, uint64, uint32, given 'float32'",
      ({ x }) => nn.embedding(x, { weight: x }),
    ],
    ['ERR_OUT_OF_RANGE softmax: axis: expected -2 to 1, given 2', ({ x }) => nn.softmax(x, { axis: 2 })],
    [
      'ERR_SIZES linear: weights.weight.sizes: expected [outputs, 3], as x has 3 inputs, given [3]',
      ({ x, v }) => nn.linear(x, { weight: v }),
    ],
    [
      'ERR_SIZES linear: weights.weight.sizes: expected [outputs, 3], as x has 3 inputs, given [1, 2]',
      ({ d, x }) => nn.linear(x, { weight: d.tensor([[1, 2]]) }),
    ],
    [
      'ERR_SIZES attention: value.sizes: expected [..., undefined, results], as key has, given [2, 3]',
      ({ x, v }) => nn.attention(x, v, x),
    ],
    ['ERR_INVALID_ARGUMENT attention: query: expected a tensor, given 1', ({ x }) => nn.attention(1, x, x)],
    ["ERR_INVALID_ARGUMENT attention: key: expected a tensor, given 'a'", ({ x }) => nn.attention(x, 'a', x)],
    ["ERR_INVALID_ARGUMENT attention: value: expected a tensor, given 'a'", ({ x }) => nn.attention(x, x, 'a')],
    ["ERR_INVALID_ARGUMENT mse: x: expected a tensor, given 'a'", ({ x }) => nn.mse('a', x)],
    ...(['sgd', 'momentum', 'adam', 'adamW', 'rmsProp'] as const).flatMap((name): [string, (given: LayerGiven) => unknown][] => {
      const own = nn[name]({ learningRate: 0.1 }) as unknown as Record<
        'init' | 'update',
        (...args: readonly unknown[]) => unknown
      >;
      const firstTree = { sgd: 'step', momentum: 'velocity', adam: 'mean', adamW: 'mean', rmsProp: 'square' }[name];
      const after = (w: unknown, update: (state: unknown) => unknown) => (async () => update(await own.init({ w })))();
      const tree = 'a tensor of floats, or a tree of them';
      return [
        [`ERR_INVALID_ARGUMENT ${name}.init: weights: expected ${tree}, given nothing`, () => own.init()],
        [`ERR_INVALID_ARGUMENT ${name}.init: weights: expected ${tree}, given an object`, () => own.init({ w: 1 })],
        [`ERR_DATA_TYPE ${name}.init: weights.w: expected floats, given int32`, ({ n }) => own.init({ w: n })],
        [`ERR_DATA_TYPE ${name}.update: weights.w: expected floats, given int32`, ({ n }) => own.update({ w: n }, { w: n }, {})],
        [`ERR_INVALID_ARGUMENT ${name}.update: gradients: expected ${tree}, given nothing`, ({ v }) => own.update({ w: v })],
        [
          `ERR_INVALID_ARGUMENT ${name}.update: gradients.w: expected a tensor of the sizes [3], given none`,
          ({ v }) => own.update({ w: v }, { b: v }),
        ],
        [
          `ERR_INVALID_ARGUMENT ${name}.update: gradients.b: expected no tensor, because the weights have none there, given one`,
          ({ v }) => own.update({ w: v }, { w: v, b: v }),
        ],
        [`ERR_SIZES ${name}.update: gradients.w.sizes: expected [3], given [2, 3]`, ({ v, x }) => own.update({ w: v }, { w: x })],
        [`ERR_DATA_TYPE ${name}.update: gradients.w: expected floats, given int32`, ({ v, n }) => own.update({ w: v }, { w: n })],
        [
          `ERR_INVALID_ARGUMENT ${name}.update: state: expected the result of ${name}.init, given nothing`,
          ({ v }) => own.update(v, v),
        ],
        [
          `ERR_INVALID_ARGUMENT ${name}.update: state: expected the result of ${name}.init, given 3`,
          ({ v }) => own.update(v, v, 3),
        ],
        [`ERR_INVALID_ARGUMENT ${name}.update: state.step: expected ${tree}, given nothing`, ({ v }) => own.update(v, v, {})],
        [
          `ERR_SIZES ${name}.update: state.step.sizes: expected [1], given [3]`,
          ({ v }) => after(v, (state) => own.update({ w: v }, { w: v }, { ...(state as object), step: v })),
        ],
        firstTree === 'step'
          ? [
              `ERR_DATA_TYPE ${name}.update: state.step: expected floats, given int32`,
              ({ v, n }) => after(v, (state) => own.update({ w: v }, { w: v }, { ...(state as object), step: n })),
            ]
          : [
              `ERR_SIZES ${name}.update: state.${firstTree}.w.sizes: expected [3], given [2, 3]`,
              ({ v, x }) => after(x, (state) => own.update({ w: v }, { w: v }, state)),
            ],
      ];
    }),
    [
      'ERR_INVALID_ARGUMENT clipByNorm: gradients: expected a tensor of floats, or a tree of them, given an object',
      () => nn.clipByNorm({ w: 1 }, 1),
    ],
    ['ERR_DATA_TYPE clipByNorm: gradients[1]: expected floats, given int32', ({ v, n }) => nn.clipByNorm([v, n], 1)],
    [
      'ERR_INVALID_ARGUMENT lstm: weights: expected weight_ih_l0, weight_hh_l0, bias_ih_l0, bias_hh_l0 and those of other layers, given nothing',
      ({ signal }) => nn.lstm(signal, {}),
    ],
    [
      "ERR_INVALID_ARGUMENT gru: weights: expected weight_ih_l0, weight_hh_l0, bias_ih_l0, bias_hh_l0 and those of other layers, given 'weight_ih_l1'",
      ({ x, signal }) => nn.gru(signal, { weight_ih_l1: x }),
    ],
    [
      "ERR_INVALID_ARGUMENT lstm: weights: expected weight_ih_l0, weight_hh_l0, bias_ih_l0, bias_hh_l0 and those of other layers, given 'kernel'",
      ({ x, signal }) => nn.lstm(signal, { weight_ih_l0: x, kernel: x }),
    ],
    ['ERR_INVALID_ARGUMENT gru: weights: expected an object, given 3', ({ signal }) => nn.gru(signal, 3)],
    [
      'ERR_INVALID_ARGUMENT dropout: key: expected a key, which key, split and foldIn make, given nothing',
      ({ x }) => nn.dropout(x),
    ],
    [
      'ERR_INVALID_ARGUMENT dropout: key: expected a key, which key, split and foldIn make, given float32 [3]',
      ({ x, v }) => nn.dropout(x, v),
    ],
    ['ERR_INVALID_ARGUMENT sgd: learningRate: expected a number from 0 on, given -0.1', () => nn.sgd({ learningRate: -0.1 })],
    [
      'ERR_INVALID_ARGUMENT sgd: learningRate: expected a number from 0 on, given Infinity',
      () => nn.sgd({ learningRate: Infinity }),
    ],
    [
      'ERR_INVALID_ARGUMENT sgd: weightDecay: expected a number from 0 on, given -1',
      () => nn.sgd({ learningRate: 1, weightDecay: -1 }),
    ],
    [
      'ERR_INVALID_ARGUMENT momentum: momentum: expected a number from 0 on, given NaN',
      () => nn.momentum({ learningRate: 1, momentum: NaN }),
    ],
    [
      'ERR_INVALID_ARGUMENT momentum: options.nesterov: expected true or false, given 1',
      () => nn.momentum({ learningRate: 1, nesterov: 1 }),
    ],
    [
      'ERR_INVALID_ARGUMENT adam: beta1: expected a number from 0 to below 1, given 1',
      () => nn.adam({ learningRate: 1, beta1: 1 }),
    ],
    [
      'ERR_INVALID_ARGUMENT adamW: beta2: expected a number from 0 to below 1, given -0.5',
      () => nn.adamW({ learningRate: 1, beta2: -0.5 }),
    ],
    ['ERR_INVALID_ARGUMENT adam: eps: expected a number from 0 on, given -1', () => nn.adam({ learningRate: 1, eps: -1 })],
    [
      'ERR_INVALID_ARGUMENT rmsProp: alpha: expected a number from 0 on, given -1',
      () => nn.rmsProp({ learningRate: 1, alpha: -1 }),
    ],
    ['ERR_INVALID_ARGUMENT cosineDecay: from: expected a number from 0 on, given nothing', () => nn.cosineDecay({ steps: 3 })],
    ['ERR_INVALID_ARGUMENT cosineDecay: steps: expected a number from 0 on, given nothing', () => nn.cosineDecay({ from: 3 })],
    [
      'ERR_INVALID_ARGUMENT cosineDecay: warmup: expected a number from 0 on, given -2',
      () => nn.cosineDecay({ from: 1, steps: 2, warmup: -2 }),
    ],
    [
      'ERR_INVALID_ARGUMENT exponentialDecay: factor: expected a number above 0, given 0',
      () => nn.exponentialDecay({ from: 1, factor: 0 }),
    ],
    [
      'ERR_INVALID_ARGUMENT exponentialDecay: factor: expected a number above 0, given nothing',
      () => nn.exponentialDecay({ from: 1 }),
    ],
    [
      'ERR_INVALID_ARGUMENT named: tree: expected a.b once, given an object whose a.b is a tensor',
      ({ x }) => nn.named({ a: { b: x }, 'a.b': x }),
    ],
    [
      'ERR_INVALID_ARGUMENT named: tree: expected no more than 64 levels of groups, given an object',
      () => {
        const tree: Record<string, unknown> = {};
        tree['own'] = tree;
        return nn.named(tree);
      },
    ],
  ])('%s', async (expected, run) => {
    const own = givenOn(device());
    const given = { ...own, signal: own.x.reshape([1, 2, 3]), key: random.key(device(), 1) };
    expect(await refusalOf(() => run(given))).toBe(expected);
  });
});
