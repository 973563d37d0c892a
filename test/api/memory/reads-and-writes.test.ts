/** Reads into existing memory, and reads and writes of parts of tensors; on each backend. */
import { describe, expect, test } from 'vitest';
import type { DataType } from 'node-directml';
import { backends, deviceOn } from '../../support/devices.js';
import { caught, gist, rejected } from '../../support/errors.js';
import { untyped } from '../../../checks/malformed/objects.js';

const large = 5_000_001;

describe.each(backends)('on %s', (backend) => {
  const device = deviceOn(backend);
  const counting = (length: number) =>
    device().createTensor(
      { dataType: 'float32', sizes: [length] },
      Float32Array.from({ length }, (_, i) => i),
    );

  test('a tensor is read into a typed array, a part of one, an ArrayBuffer, a DataView and shared memory', async () => {
    const tensor = counting(5);
    const array = new Float32Array(5);
    expect(await tensor.readInto(array)).toBe(array);
    expect([...array]).toEqual([0, 1, 2, 3, 4]);
    const wide = new Float32Array(9).fill(-1);
    await tensor.readInto(wide.subarray(2, 7));
    expect([...wide]).toEqual([-1, -1, 0, 1, 2, 3, 4, -1, -1]);
    const buffer = new ArrayBuffer(20);
    expect(await tensor.readInto(buffer)).toBe(buffer);
    expect(new Float32Array(buffer)[4]).toBe(4);
    const view = new DataView(new ArrayBuffer(32), 4, 20);
    await tensor.readInto(view);
    expect(view.getFloat32(16, true)).toBe(4);
    const shared = new SharedArrayBuffer(20);
    await tensor.readInto(new Float32Array(shared));
    expect(new Float32Array(shared)[3]).toBe(3);
    await tensor.readInto(shared, { offset: 0 });
  });

  test('each of many concurrent reads gives the values at its call, even for large tensors', async () => {
    const tensor = counting(large);
    const arrays = [0, 1, 2].map(() => new Float32Array(large));
    const part = new Float32Array(3);
    const reads = [tensor.readInto(arrays[0] ?? part), tensor.read({ offset: large - 1 }), tensor.readInto(arrays[1] ?? part)];
    tensor.write([-1, -2, -3], { offset: 1 });
    reads.push(
      tensor.readInto(arrays[2] ?? part),
      tensor.readInto(part, { offset: 1 }),
      tensor.buffer.read(4, 4).then(() => part),
    );
    await Promise.all(reads);
    expect(arrays.map((array) => [array[0], array[1], array[3], array[4], array[large - 1]])).toEqual([
      [0, 1, 3, 4, large - 1],
      [0, 1, 3, 4, large - 1],
      [0, -1, -3, 4, large - 1],
    ]);
    expect([...part]).toEqual([-1, -2, -3]);
    for (const array of arrays) expect(array.every((value, i) => value === i || value === -i)).toBe(true);
  });

  test('parts are read and written in memory order', async () => {
    const tensor = counting(6);
    expect([...(await tensor.read({ offset: 2, length: 3 }))]).toEqual([2, 3, 4]);
    expect([...(await tensor.read({ offset: 4 }))]).toEqual([4, 5]);
    expect([...(await tensor.read({ length: 1 }))]).toEqual([0]);
    expect([...(await tensor.read({ offset: 6 }))]).toEqual([]);
    tensor.write([10, 11], { offset: 4 });
    tensor.write(Float32Array.of(7), { offset: 0 });
    tensor.write(new Float32Array(0), { offset: 6 });
    expect([...(await tensor.read())]).toEqual([7, 1, 2, 3, 10, 11]);
    const view = tensor.view({ sizes: [2], offset: 16 });
    view.write([8], { offset: 1 });
    expect([...(await view.read({ offset: 1 }))]).toEqual([8]);
    const strided = device().createTensor({ dataType: 'uint8', sizes: [2, 2], strides: [3, 1] }, [1, 2, 3, 4, 5]);
    expect([...(await strided.read({ offset: 2, length: 2 }))]).toEqual([3, 4]);
  });

  test('parts of 4-bit tensors are whole bytes', async () => {
    const tensor = device().createTensor({ dataType: 'uint4', sizes: [5] }, [1, 2, 3, 4, 5]);
    expect([...(await tensor.read({ offset: 2 }))]).toEqual([0x43, 0x05]);
    tensor.write([7, 8], { offset: 2 });
    tensor.write([9], { offset: 4 });
    expect([...(await tensor.read())]).toEqual([0x21, 0x87, 0x09]);
    tensor.write(Uint8Array.of(0x65, 0x0a), { offset: 2 });
    expect([...(await tensor.read())]).toEqual([0x21, 0x65, 0x0a]);
    expect(gist(await rejected(tensor.read({ offset: 1 })))).toEqual(['ERR_OUT_OF_RANGE', 'options.offset']);
    expect(gist(caught(() => tensor.write([1], { offset: 2 })))).toEqual(['ERR_SIZES', 'data']);
    expect(gist(caught(() => tensor.write(new Uint8Array(3), { offset: 2 })))).toEqual(['ERR_OUT_OF_RANGE', 'options.offset']);
  });

  test.each(['float64', 'float16', 'int64', 'int16', 'int8'] satisfies DataType[])(
    'parts of %s tensors are read and written',
    async (dataType) => {
      const tensor = device().createTensor({ dataType, sizes: [4] });
      tensor.write(untyped([1, 2]), { offset: 1 });
      const target = await tensor.read({ length: 2 });
      const before = [...new Uint8Array(target.buffer)];
      await tensor.readInto(target, { offset: 1 });
      expect(target).toEqual(await tensor.read({ offset: 1, length: 2 }));
      expect([...new Uint8Array(target.buffer)]).not.toEqual(before);
    },
  );

  test('wrong parts and wrong targets are refused', async () => {
    const tensor = counting(4);
    for (const [part, code] of [
      [{ offset: 5 }, 'ERR_OUT_OF_RANGE'],
      [{ offset: 2, length: 3 }, 'ERR_OUT_OF_RANGE'],
      [{ offset: -1 }, 'ERR_INVALID_ARGUMENT'],
      [{ offset: 0.5 }, 'ERR_INVALID_ARGUMENT'],
      [{ length: NaN }, 'ERR_INVALID_ARGUMENT'],
      [{ start: 1 }, 'ERR_INVALID_ARGUMENT'],
      [1, 'ERR_INVALID_ARGUMENT'],
      [null, 'ERR_INVALID_ARGUMENT'],
    ] as const) {
      expect((await rejected(tensor.read(untyped(part)))).code, JSON.stringify(part)).toBe(code);
    }
    expect(caught(() => tensor.write([1, 2], { offset: 3 })).code).toBe('ERR_OUT_OF_RANGE');
    expect(caught(() => tensor.write([1], untyped({ length: 1 }))).code).toBe('ERR_INVALID_ARGUMENT');
    expect(caught(() => tensor.write([1])).code).toBe('ERR_SIZES');
    expect(caught(() => tensor.write(new ArrayBuffer(6), { offset: 0 })).code).toBe('ERR_SIZES');
    expect(caught(() => tensor.write(untyped(new Int32Array(1)), { offset: 0 })).code).toBe('ERR_DATA_TYPE');
    for (const [target, code] of [
      [new Float32Array(3), 'ERR_SIZES'],
      [new Float32Array(5), 'ERR_SIZES'],
      [new Int32Array(4), 'ERR_DATA_TYPE'],
      [[0, 0, 0, 0], 'ERR_INVALID_ARGUMENT'],
      [null, 'ERR_INVALID_ARGUMENT'],
      [{ byteLength: 16 }, 'ERR_INVALID_ARGUMENT'],
    ] as const) {
      expect((await rejected(tensor.readInto(untyped(target)))).code, code).toBe(code);
    }
    expect((await rejected(tensor.readInto(new Float32Array(2), { offset: 3 }))).code).toBe('ERR_OUT_OF_RANGE');
    expect((await rejected(tensor.buffer.readInto(new Uint8Array(17)))).code).toBe('ERR_OUT_OF_RANGE');
    expect((await rejected(tensor.buffer.readInto(untyped('x')))).code).toBe('ERR_INVALID_ARGUMENT');
    const detached = new Float32Array(4);
    structuredClone(detached.buffer, { transfer: [detached.buffer] });
    expect((await rejected(tensor.readInto(detached))).code).toBe('ERR_INVALID_ARGUMENT');
    tensor.dispose();
    expect((await rejected(tensor.readInto(new Float32Array(4)))).code).toBe('ERR_DISPOSED');
  });

  test('buffers are read into memory from any byte offset', async () => {
    const buffer = device().createBuffer(8);
    buffer.write(Uint8Array.of(1, 2, 3, 4, 5, 6, 7, 8));
    const target = new Uint8Array(3);
    expect(await buffer.readInto(target, 2)).toBe(target);
    expect([...target]).toEqual([3, 4, 5]);
    expect(await buffer.readInto(new ArrayBuffer(0), 8)).toEqual(new ArrayBuffer(0));
  });
});
