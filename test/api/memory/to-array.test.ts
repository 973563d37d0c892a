/** `tensor.toArray`: the elements as nested arrays; on each backend. */
import { describe, expect, test } from 'vitest';
import type { DataType } from 'node-directml';
import { backends, deviceOn } from '../../support/devices.js';
import { caught, rejected } from '../../support/errors.js';

describe.each(backends)('on %s', (backend) => {
  const device = deviceOn(backend);

  test('has a level of arrays for each dimension', async () => {
    const of = (...sizes: number[]) => device().createTensor({ dataType: 'float32', sizes }, [1, 2, 3, 4, 5, 6]).toArray();
    expect(await of(6)).toEqual([1, 2, 3, 4, 5, 6]);
    expect(await of(2, 3)).toEqual([
      [1, 2, 3],
      [4, 5, 6],
    ]);
    expect(await of(1, 2, 1, 3, 1)).toEqual([[[[[1], [2], [3]]], [[[4], [5], [6]]]]]);
  });

  test('has numbers for each data type, and bigints for those of 64 bits', async () => {
    const values: Partial<Record<DataType, readonly (number | bigint)[]>> = {
      float32: [1.5, -0, NaN, Infinity, 2 ** -149],
      float64: [0.1, -0, NaN, -Infinity, 5e-324],
      float16: [1.5, -0, NaN, 65504, 2 ** -24],
      int64: [-(2n ** 63n), 2n ** 63n - 1n, 0n],
      uint64: [2n ** 64n - 1n, 0n, 1n],
      int32: [-(2 ** 31), 2 ** 31 - 1, 0],
      uint32: [2 ** 32 - 1, 0, 1],
      int16: [-32768, 32767, 0],
      uint16: [65535, 0, 1],
      int8: [-128, 127, 0],
      uint8: [255, 0, 1],
      int4: [-8, 7, 0],
      uint4: [15, 0, 1],
    };
    for (const dataType of device().info.tensorDataTypes) {
      const data = values[dataType] ?? [];
      const tensor = device().createTensor({ dataType, sizes: [data.length] }, data);
      expect([dataType, await tensor.toArray()]).toEqual([dataType, data]);
    }
  });

  test('of a view with large gaps reads what lies between them', async () => {
    const far = 2 ** 20;
    const tensor = device().createTensor({ dataType: 'uint8', sizes: [2 * far + 32] });
    const at = (byte: number, ...values: number[]) => {
      tensor.buffer.write(Uint8Array.of(...values), tensor.offset + byte);
    };
    at(0, 1, 2, 3, 4);
    at(far, 5, 6, 7, 8);
    at(2 * far, 9, 10, 11, 12);
    const view = tensor.view({ sizes: [2, 3, 2], strides: [1, far, 2] });
    const read = view.toArray();
    // The promise has what was written before.
    at(far, 0, 0, 0, 0);
    expect(await read).toEqual([
      [
        [1, 3],
        [5, 7],
        [9, 11],
      ],
      [
        [2, 4],
        [6, 8],
        [10, 12],
      ],
    ]);
    expect(await tensor.view({ sizes: [3], strides: [far], offset: 16 }).toArray()).toEqual([0, 0, 0]);
    expect(await tensor.view({ sizes: [2, 2], strides: [0, 2 * far] }).toArray()).toEqual([
      [1, 9],
      [1, 9],
    ]);
  });

  test('leaves out gaps, and follows the strides of views', async () => {
    const rows = device().createTensor({ dataType: 'float32', sizes: [2, 3] }, [1, 2, 3, 4, 5, 6]);
    expect(await rows.transpose().toArray()).toEqual([
      [1, 4],
      [2, 5],
      [3, 6],
    ]);
    expect(await rows.view({ sizes: [2], strides: [3] }).toArray()).toEqual([1, 4]);
    expect(await rows.view({ sizes: [1], offset: 16 }).toArray()).toEqual([5]);
    expect(
      await rows
        .view({ sizes: [3] })
        .broadcastTo([2, 3])
        .toArray(),
    ).toEqual([
      [1, 2, 3],
      [1, 2, 3],
    ]);
  });

  test('fails as read does', async () => {
    const tensor = device().createTensor({ dataType: 'float32', sizes: [1] }, undefined, { label: 'x' });
    expect(caught(() => device().record(() => void tensor.toArray())).message).toBe(
      'tensor.toArray: only dispatch may be called inside device.record',
    );
    tensor.dispose();
    expect((await rejected(tensor.toArray())).message).toBe(`tensor.toArray: tensor 'x' is disposed`);
  });
});
