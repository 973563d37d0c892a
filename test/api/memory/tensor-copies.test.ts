/** `createTensor(desc, tensor)` copies the elements of a tensor on the device, in the order of the commands. */
import { describe, expect, test } from 'vitest';
import { createDevice, type Tensor, type TensorDesc } from 'node-directml';
import { backends, deviceOn } from '../../support/devices.js';
import { caught, gist } from '../../support/errors.js';

const float32 = (...sizes: number[]) => ({ dataType: 'float32', sizes }) as const;
const numbers = async (tensor: Tensor) => Array.from(await tensor.read(), Number);

describe.each(backends)('on %s', (backend) => {
  const device = deviceOn(backend);

  test('a copy has its own memory, and the elements at its position in the order of commands', async () => {
    const source = device().createTensor(float32(3), [1, 2, 3], { label: 'source' });
    const first = device().createTensor(float32(3), source, { label: 'first' });
    source.write([4, 5, 6]);
    const negate = await device().compile({ type: 'elementWiseNegate', inputTensor: float32(3) });
    negate.dispatch({ inputTensor: source, outputTensor: source });
    const second = device().createTensor(source, source);
    source.write([7, 8, 9]);
    first.write([10], { offset: 2 });
    expect(first.buffer).not.toBe(source.buffer);
    expect([first.label, second.label, first.offset]).toEqual(['first', '', 0]);
    source.dispose();
    expect([await numbers(first), await numbers(second)]).toEqual([
      [1, 2, 10],
      [-4, -5, -6],
    ]);
    first.dispose();
    expect(await numbers(second)).toEqual([-4, -5, -6]);
  });

  test('the source may be a part of a buffer, a view, strided, or of four bits', async () => {
    const buffer = device().createBuffer(64);
    buffer.write(Float32Array.from({ length: 16 }, (_, i) => i));
    const part = device().createTensor(float32(2, 2), { buffer, offset: 32 });
    expect(await numbers(device().createTensor(float32(2, 2), part))).toEqual([8, 9, 10, 11]);
    expect(await numbers(device().createTensor(float32(4), part.reshape([4])))).toEqual([8, 9, 10, 11]);
    const turned = part.transpose();
    const copied = device().createTensor(turned, turned);
    expect([copied.sizes, copied.strides, await numbers(copied)]).toEqual([
      [2, 2],
      [1, 2],
      [8, 9, 10, 11],
    ]);
    const packed = { ...float32(2, 2), strides: [2, 1] };
    expect(await numbers(device().createTensor(packed, part))).toEqual([8, 9, 10, 11]);
    const nibbles = device().createTensor({ dataType: 'uint4', sizes: [3] }, [1, 2, 3]);
    expect(await numbers(device().createTensor(nibbles, nibbles))).toEqual([0x21, 0x03]);
    const halves = device().createTensor({ dataType: 'float16', sizes: [1] }, [2]);
    expect(await numbers(device().createTensor(halves, halves))).toEqual(await numbers(halves));
  });

  test('the source may have more bytes than the copy, or fewer', async () => {
    const long = { ...float32(3), totalTensorSizeInBytes: 4096 };
    const short = device().createTensor(float32(3), [1, 2, 3]);
    const [longer, shorter] = [
      device().createTensor(long, short),
      device().createTensor(float32(3), device().createTensor(long, short)),
    ];
    expect([await numbers(longer), await numbers(shorter)]).toEqual([
      [1, 2, 3],
      [1, 2, 3],
    ]);
    expect([longer.buffer.sizeInBytes, shorter.buffer.sizeInBytes]).toEqual([4096, 12]);
    expect([...new Set(new Uint8Array(await longer.buffer.read(12)))]).toEqual([0]);
    await device().idle();
  });

  test('a tensor from { buffer, offset } is no copy: it shares the memory', async () => {
    const source = device().createTensor(float32(4), [1, 2, 3, 4]);
    const same = device().createTensor(float32(4), { buffer: source.buffer, offset: source.offset });
    source.write([5, 6, 7, 8]);
    expect([same.buffer === source.buffer, await numbers(same)]).toEqual([true, [5, 6, 7, 8]]);
  });

  test('a tensor of another data type, layout or device is refused, and a disposed one', async () => {
    const source = device().createTensor(float32(2, 3), [1, 2, 3, 4, 5, 6]);
    const refused = (desc: TensorDesc & { readonly dataType: 'float32' | 'int32' }, data: Tensor = source) => {
      const before = device().memory().buffers;
      const error = caught(() => device().createTensor(desc, data));
      expect(device().memory().buffers).toBe(before);
      return [...gist(error), error.operator, /\((.*)\)$/.exec(error.message)?.[1]];
    };
    expect(refused({ dataType: 'int32', sizes: [2, 3] })).toEqual([
      'ERR_DATA_TYPE',
      'data',
      'createTensor',
      'the operator cast converts tensors',
    ]);
    expect(refused(float32(3, 2))).toEqual(['ERR_SIZES', 'data', 'createTensor', 'tensor.reshape([3, 2]) has them']);
    expect(refused(float32(3, 2), source.transpose().broadcastTo([1, 3, 2])).slice(0, 2)).toEqual(['ERR_SIZES', 'data']);
    expect(refused(float32(2, 4)).slice(0, 2)).toEqual(['ERR_SIZES', 'data']);
    expect(refused(float32(3, 2), source.transpose())).toEqual([
      'ERR_STRIDES',
      'data',
      'createTensor',
      'the operator elementWiseIdentity copies a tensor into another layout',
    ]);
    expect(refused({ ...float32(2, 3), strides: [4, 1] }).slice(0, 2)).toEqual(['ERR_STRIDES', 'data']);
    using other = await createDevice({ backend });
    expect(gist(caught(() => other.createTensor(float32(2, 3), source)))).toEqual(['ERR_WRONG_DEVICE', 'data']);
    source.dispose();
    expect(refused(float32(2, 3))[0]).toBe('ERR_DISPOSED');
    await device().idle();
  });
});

test('a copy is also made in order on the calling thread', async () => {
  using device = await createDevice({ backend: 'reference', thread: 'caller' });
  const source = device.createTensor(float32(2), [1, 2]);
  const copy = device.createTensor(source, source);
  source.write([3, 4]);
  expect(await numbers(copy)).toEqual([1, 2]);
});
