/** The types of `device.tensor` and `tensor.item`. */
import { expectTypeOf, test } from 'vitest';
import type { Device, Tensor } from 'node-directml';

declare const device: Device;
declare const numbers: number[][];
declare const bigints: readonly bigint[];

test('elements give the data type', () => {
  expectTypeOf(device.tensor(1)).toEqualTypeOf<Tensor<'float32'>>();
  // prettier-ignore
  expectTypeOf(device.tensor([[1, 2], [3, 4]])).toEqualTypeOf<Tensor<'float32'>>();
  expectTypeOf(device.tensor(numbers)).toEqualTypeOf<Tensor<'float32'>>();
  expectTypeOf(device.tensor(bigints)).toEqualTypeOf<Tensor<'int64'>>();
  expectTypeOf(device.tensor([[true], [false]])).toEqualTypeOf<Tensor<'uint8'>>();
  expectTypeOf(device.tensor(Int32Array.of(1, 2), { sizes: [2, 1] })).toEqualTypeOf<Tensor<'int32'>>();
  expectTypeOf(device.tensor([new Float64Array(3)])).toEqualTypeOf<Tensor<'float64'>>();
  expectTypeOf(device.tensor(Buffer.from('abc'))).toEqualTypeOf<Tensor<'uint8'>>();
});

test('the option dataType comes before them, and annotations do not count', () => {
  expectTypeOf(device.tensor([1, 2], { dataType: 'float16' })).toEqualTypeOf<Tensor<'float16'>>();
  expectTypeOf(device.tensor(Float32Array.of(1), { dataType: 'int8', label: 'a' })).toEqualTypeOf<Tensor<'int8'>>();
  // @ts-expect-error: the elements are of float32.
  const wrong: Tensor<'int32'> = device.tensor([1, 2]);
  // @ts-expect-error: a text is no number.
  device.tensor(['1']);
  // @ts-expect-error: neither is an object.
  device.tensor({ sizes: [1] });
  // @ts-expect-error: it has another name.
  device.tensor([1], { type: 'float32' });
  expectTypeOf(wrong.item()).toEqualTypeOf<Promise<number>>();
  expectTypeOf(device.tensor(bigints).item()).toEqualTypeOf<Promise<bigint>>();
});
