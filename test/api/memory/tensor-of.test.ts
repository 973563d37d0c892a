/** `device.tensor`, which takes sizes and data type from the elements, and `tensor.item`; on each backend. */
import { describe, expect, test } from 'vitest';
import type { DataType, Tensor } from 'node-directml';
import { backends, deviceOn } from '../../support/devices.js';
import { caught, gist, rejected } from '../../support/errors.js';
import { revoked, untyped } from '../../../checks/malformed/objects.js';

describe.each(backends)('on %s', (backend) => {
  const device = deviceOn(backend);
  const seen = async (tensor: Tensor) => [tensor.dataType, tensor.sizes, await tensor.toArray()];

  test('has a dimension for each level of arrays', async () => {
    expect(await seen(device().tensor([1, 2, 3]))).toEqual(['float32', [3], [1, 2, 3]]);
    // prettier-ignore
    const nested = [[[1, 2, 3], [4, 5, 6]]];
    expect(await seen(device().tensor(nested))).toEqual(['float32', [1, 2, 3], nested]);
    expect(await seen(device().tensor(7))).toEqual(['float32', [1], [7]]);
    const deep = [[[[[[[[1, 2]]]]]]]];
    expect(await seen(device().tensor(deep))).toEqual(['float32', [1, 1, 1, 1, 1, 1, 1, 2], deep]);
  });

  test('has the data type of the elements', async () => {
    expect(await seen(device().tensor([5n, -1n]))).toEqual(['int64', [2], [5n, -1n]]);
    expect(await seen(device().tensor([[true], [false]]))).toEqual(['uint8', [2, 1], [[1], [0]]]);
    const arrays: readonly (readonly [ArrayBufferView & { readonly length: number }, DataType])[] = [
      [Float32Array.of(0.5, -0), 'float32'],
      [Int32Array.of(-5, 6), 'int32'],
      [Int16Array.of(-5, 6), 'int16'],
      [Int8Array.of(-5, 6), 'int8'],
      [Uint32Array.of(5, 6), 'uint32'],
      [Uint16Array.of(5, 6), 'uint16'],
      [Uint8Array.of(5, 6), 'uint8'],
      [Uint8ClampedArray.of(5, 6), 'uint8'],
      [Buffer.from([5, 6]), 'uint8'],
      [BigInt64Array.of(-5n, 6n), 'int64'],
      [BigUint64Array.of(5n, 6n), 'uint64'],
    ];
    for (const [array, dataType] of arrays) {
      const elements = Array.from(untyped<ArrayLike<unknown>>(array));
      expect(await seen(device().tensor(untyped(array)))).toEqual([dataType, [2], elements]);
      expect(await seen(device().tensor(untyped([array, array])))).toEqual([dataType, [2, 2], [elements, elements]]);
    }
  });

  test('converts numbers to the data type that is asked for', async () => {
    expect(await seen(device().tensor([1.1, 2], { dataType: 'float16' }))).toEqual(['float16', [2], [1.099609375, 2]]);
    expect(await seen(device().tensor(Float32Array.of(1, 2), { dataType: 'int8' }))).toEqual(['int8', [2], [1, 2]]);
    expect(await seen(device().tensor([1n, 2n], { dataType: 'float32' }))).toEqual(['float32', [2], [1, 2]]);
    expect(await seen(device().tensor(true, { dataType: 'int32' }))).toEqual(['int32', [1], [1]]);
    expect(await seen(device().tensor([[1, 2, 3]], { dataType: 'int4' }))).toEqual(['int4', [1, 3], [[1, 2, 3]]]);
    const bits = Uint16Array.of(0x3c00, 0xc000);
    expect(await seen(device().tensor(bits, { dataType: 'float16' }))).toEqual(['float16', [2], [1, -2]]);
  });

  test('takes other sizes of as many elements, and a label', async () => {
    // prettier-ignore
    const rows = [[1, 2], [3, 4]];
    expect(await seen(device().tensor([1, 2, 3, 4], { sizes: [2, 2] }))).toEqual(['float32', [2, 2], rows]);
    expect(await seen(device().tensor(Float32Array.of(1, 2, 3, 4), { sizes: [2, 2] }))).toEqual(['float32', [2, 2], rows]);
    expect(device().tensor([1], { label: 'one' }).toString()).toContain('one');
    expect(device().tensor([1], { label: 'one' }).buffer.label).toBe('one');
  });

  test.each<[unknown, unknown, string, string]>([
    [
      [[1, 2], [3]],
      undefined,
      'ERR_SIZES',
      'data[1]: expected 2 elements, as the first array of its level has, given an array of 1',
    ],
    [[[1, 2], 3], undefined, 'ERR_SIZES', 'data[1]: expected 2 elements'],
    [[1, [2]], undefined, 'ERR_INVALID_ARGUMENT', 'data[1]: expected a number'],
    [[[1], ['2']], undefined, 'ERR_INVALID_ARGUMENT', 'data[1][0]: expected a number'],
    [[[1], []], undefined, 'ERR_SIZES', 'data[1]'],
    [[], undefined, 'ERR_SIZES', 'DirectML has no empty tensors'],
    [[[]], undefined, 'ERR_SIZES', 'data[0]: expected at least one element'],
    [new Float32Array(), undefined, 'ERR_SIZES', 'DirectML has no empty tensors'],
    [[[[[[[[[[1]]]]]]]]], undefined, 'ERR_DIMENSION_COUNT', 'at most 8 levels'],
    [undefined, undefined, 'ERR_INVALID_ARGUMENT', 'data: expected a number, a typed array, or arrays of them'],
    [{ sizes: [1] }, undefined, 'ERR_INVALID_ARGUMENT', 'data: expected a number'],
    ['12', undefined, 'ERR_INVALID_ARGUMENT', 'data: expected a number'],
    [[0.5], { dataType: 'int32' }, 'ERR_OUT_OF_RANGE', 'data[0]'],
    [[[1], [256]], { dataType: 'uint8' }, 'ERR_OUT_OF_RANGE', 'data[1][0]'],
    [[1, 2, 3], { sizes: [2, 2] }, 'ERR_SIZES', 'sizes of 3 elements, as data has, given [2, 2]'],
    [Float32Array.of(1, 2, 3), { sizes: [2, 2] }, 'ERR_SIZES', '4 elements'],
    [[1], { dataType: 'float' }, 'ERR_INVALID_ARGUMENT', 'options.dataType: expected one of float32'],
    [[1], { type: 'float32' }, 'ERR_INVALID_ARGUMENT', 'options.type'],
    [[1], 'float32', 'ERR_INVALID_ARGUMENT', 'options'],
  ])('%o with %o is an error with the code %s', (data, options, code, text) => {
    const error = caught(() => device().tensor(untyped(data), untyped(options)));
    expect(error.code).toBe(code);
    expect(error.message).toContain('device.tensor: ');
    expect(error.message).toContain(text);
  });

  test('a revoked proxy, an array of no length, and one that contains itself are errors', () => {
    expect(gist(caught(() => device().tensor(revoked([1]))))).toEqual(['ERR_INVALID_ARGUMENT', 'data']);
    expect(gist(caught(() => device().tensor(new Proxy([1], { get: () => 'many' }))))).toEqual(['ERR_SIZES', 'data']);
    const array: unknown[] = [];
    array.push(array);
    expect(gist(caught(() => device().tensor(untyped(array))))).toEqual(['ERR_DIMENSION_COUNT', 'data']);
  });

  test('item is the only element', async () => {
    expect(await device().tensor(2.5).item()).toBe(2.5);
    expect(
      await device()
        .tensor([[7n]])
        .item(),
    ).toBe(7n);
    const error = await rejected(device().tensor([1, 2]).item());
    expect(error.message).toBe('tensor.item: sizes: expected one element, given [2] (tensor.toArray() reads all)');
  });
});
