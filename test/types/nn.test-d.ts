/** The types of `node-directml/nn`, and of `random`, `fft` and `linalg` of `node-directml/array`. */
import { expectTypeOf, test } from 'vitest';
import type { Device, Tensor, Value } from 'node-directml';
import { atAdd, fft, linalg, random } from 'node-directml/array';
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

test('linear algebra keeps floats, and makes float32 of integers', () => {
  expectTypeOf(linalg.det(halves)).toEqualTypeOf<Promise<Tensor<'float16'>>>();
  expectTypeOf(linalg.inv(classes)).toEqualTypeOf<Promise<Tensor<'float32'>>>();
  expectTypeOf(linalg.solve(halves, classes)).toEqualTypeOf<Promise<Tensor<'float16'>>>();
  expectTypeOf(linalg.solve(value, halves)).toEqualTypeOf<Value<'float32'>>();
  expectTypeOf(linalg.cholesky(value, { upper: true })).toEqualTypeOf<Value<'float32'>>();
  expectTypeOf(linalg.slogdet(x)).toEqualTypeOf<
    Promise<{ readonly sign: Tensor<'float32'>; readonly logabsdet: Tensor<'float32'> }>
  >();
  expectTypeOf(linalg.slogdet(value).sign).toEqualTypeOf<Value<'float32'>>();
  expectTypeOf(atAdd(classes, classes, x)).toEqualTypeOf<Promise<Tensor<'int32'>>>();
  // @ts-expect-error The power is needed.
  void linalg.matrixPower(x);
  // @ts-expect-error A matrix norm has no axis: matrices are the last two dimensions.
  void linalg.matrixNorm(x, { axis: 0 });
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
