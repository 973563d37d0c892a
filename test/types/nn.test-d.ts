/** The types of `node-directml/nn`, and of `random` and `fft` of `node-directml/array`. */
import { expectTypeOf, test } from 'vitest';
import type { Device, Tensor, Value } from 'node-directml';
import { fft, random } from 'node-directml/array';
import * as nn from 'node-directml/nn';

declare const device: Device;
declare const key: Tensor<'uint32'>;
declare const keyInGraph: Value<'uint32'>;
declare const x: Tensor<'float32'>;
declare const halves: Tensor<'float16'>;
declare const value: Value<'float32'>;
declare const classes: Tensor<'int32'>;

test('random numbers have the data type of their option', () => {
  expectTypeOf(random.key(device, 1)).toEqualTypeOf<Tensor<'uint32'>>();
  expectTypeOf(random.split(key)).toEqualTypeOf<Promise<readonly Tensor<'uint32'>[]>>();
  expectTypeOf(random.split(keyInGraph)).toEqualTypeOf<readonly Value<'uint32'>[]>();
  expectTypeOf(random.normal(key, [2])).toEqualTypeOf<Promise<Tensor<'float32'>>>();
  expectTypeOf(random.uniform(keyInGraph, [2], { dataType: 'float16' })).toEqualTypeOf<Value<'float16'>>();
  expectTypeOf(random.integers(key, [2], { high: 5 })).toEqualTypeOf<Promise<Tensor<'int32'>>>();
  expectTypeOf(random.permutation(key, 5)).toEqualTypeOf<Promise<Tensor<'int32'>>>();
  expectTypeOf(random.permutation(key, halves)).toEqualTypeOf<Promise<Tensor<'float16'>>>();
  // @ts-expect-error `high` is needed.
  void random.integers(key, [2], {});
  // @ts-expect-error A key has data type uint32.
  void random.bits(x, [2]);
});

test('transforms give float32', () => {
  expectTypeOf(fft.rfft(halves)).toEqualTypeOf<Promise<Tensor<'float32'>>>();
  expectTypeOf(fft.stft(value, { nFft: 8 })).toEqualTypeOf<Value<'float32'>>();
  // @ts-expect-error The length of pieces is needed.
  void fft.stft(value, {});
});

test('layers give values if their input or their weights are values', () => {
  expectTypeOf(nn.relu(halves)).toEqualTypeOf<Promise<Tensor<'float16'>>>();
  expectTypeOf(nn.linear(x, { weight: x, bias: x })).toEqualTypeOf<Promise<Tensor<'float32'>>>();
  expectTypeOf(nn.linear(value, { weight: value })).toEqualTypeOf<Value<'float32'>>();
  expectTypeOf(nn.embedding(classes, { weight: x })).toEqualTypeOf<Promise<Tensor<'float32'>>>();
  expectTypeOf(nn.crossEntropy(value, classes)).toEqualTypeOf<Value<'float32'>>();
  expectTypeOf(nn.lstm(value, { weight_ih_l0: value }).c).toEqualTypeOf<Value<'float32'>>();
  // @ts-expect-error A layer has weights.
  void nn.linear(x);
  // @ts-expect-error The number of groups is needed.
  void nn.groupNorm(x, { weight: x }, {});
});

test('optimizers keep the structure of weights', () => {
  const { init, update } = nn.adamW({ learningRate: 0.1 });
  const weights = { first: { weight: value }, scale: [value] };
  expectTypeOf(update(weights, weights, init(weights))[0]).toEqualTypeOf<typeof weights>();
  expectTypeOf(init({ weight: x })).toExtend<Promise<{ readonly step: Tensor<'float32'> }>>();
  // @ts-expect-error A learning rate is needed.
  nn.sgd({});
});
