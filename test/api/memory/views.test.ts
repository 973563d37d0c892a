/** Views of tensors and of descriptions, plain arrays as data, and the layout of bound tensors. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { broadcastTo, createDevice, reshape, transpose, type Device } from 'node-directml';
import { backends } from '../../support/devices.js';
import { caught, gist } from '../../support/errors.js';
import { untyped } from '../../../checks/malformed/objects.js';

const float32 = (...sizes: number[]) => ({ dataType: 'float32', sizes }) as const;
const refused = (call: () => unknown) => gist(caught(call));

describe('descriptions', () => {
  test('reshape keeps the row-major order of the elements', () => {
    expect(reshape(float32(2, 6), [3, 1, 4])).toEqual({ dataType: 'float32', sizes: [3, 1, 4], strides: null });
    expect(refused(() => reshape(float32(2, 6), [5, 2]))).toEqual(['ERR_SIZES', 'sizes']);
    expect(refused(() => reshape({ ...float32(2, 6), strides: [1, 2] }, [12]))).toEqual(['ERR_STRIDES', 'strides']);
    expect(reshape({ ...float32(1, 6), strides: [99, 1] }, [6]).sizes).toEqual([6]);
  });

  test('transpose reorders dimensions, and reverses them by default', () => {
    expect(transpose(float32(2, 3, 4))).toEqual({ dataType: 'float32', sizes: [4, 3, 2], strides: [1, 4, 12] });
    expect(transpose(float32(2, 3, 4), [0, 2, 1])).toMatchObject({ sizes: [2, 4, 3], strides: [12, 1, 4] });
    for (const axes of [
      [0, 1],
      [0, 1, 1],
      [0, 1, 3],
    ]) {
      expect(refused(() => transpose(float32(2, 3, 4), axes))).toEqual(['ERR_SIZES', 'axes']);
    }
  });

  test('broadcastTo repeats dimensions by strides of 0', () => {
    expect(broadcastTo(float32(8), [4, 8])).toEqual({ dataType: 'float32', sizes: [4, 8], strides: [0, 1] });
    expect(broadcastTo(float32(4, 1), [2, 4, 8])).toMatchObject({ strides: [0, 1, 0] });
    expect(refused(() => broadcastTo(float32(3), [4, 8]))).toEqual(['ERR_SIZES', 'sizes']);
    expect(refused(() => broadcastTo(float32(4, 8), [8]))).toEqual(['ERR_SIZES', 'sizes']);
  });

  test('are validated like any other argument', () => {
    expect(refused(() => reshape(untyped(null), [1]))).toEqual(['ERR_INVALID_DESCRIPTOR', 'tensor']);
    expect(refused(() => reshape(float32(1), untyped(7)))).toEqual(['ERR_INVALID_DESCRIPTOR', 'sizes']);
    expect(refused(() => transpose(float32(1), untyped({})))).toEqual(['ERR_INVALID_DESCRIPTOR', 'axes']);
  });
});

describe.each(backends)('on %s', (backend) => {
  let device: Device;

  beforeAll(async () => {
    device = await createDevice({ backend });
  });

  afterAll(() => device.dispose());

  test('a view shares the memory of its tensor', async () => {
    const tensor = device.createTensor(float32(8), [1, 2, 3, 4, 5, 6, 7, 8]);
    const half = tensor.view({ sizes: [2, 2], offset: 16 });
    expect([...(await half.read())]).toEqual([5, 6, 7, 8]);
    half.write([50, 60, 70, 80]);
    expect([...(await tensor.read())]).toEqual([1, 2, 3, 4, 50, 60, 70, 80]);
    half.dispose();
    expect([...(await tensor.view({}).read())]).toHaveLength(8);
    tensor.dispose();
    expect(refused(() => half.write([1, 2, 3, 4]))[0]).toBe('ERR_DISPOSED');
  });

  test('a view must lie within its tensor', () => {
    const buffer = device.createBuffer(256);
    const tensor = device.createTensor(float32(8), { buffer, offset: 64 });
    expect(tensor.view({ sizes: [4], offset: 16 }).offset).toBe(80);
    expect(refused(() => tensor.view({ sizes: [9] }))).toEqual(['ERR_BINDING_RANGE', 'sizes']);
    expect(refused(() => tensor.view({ sizes: [4], offset: 32 }))).toEqual(['ERR_BINDING_RANGE', 'sizes']);
    expect(refused(() => tensor.view({ strides: [2] }))).toEqual(['ERR_BINDING_RANGE', 'sizes']);
    expect(refused(() => tensor.view({ sizes: [1], offset: 4 }))).toEqual(['ERR_BINDING_RANGE', 'offset']);
    expect(refused(() => tensor.view({ sizes: [1], offset: -16 }))).toEqual(['ERR_INVALID_ARGUMENT', 'offset']);
    expect(refused(() => tensor.view(untyped({ size: [1] })))).toEqual(['ERR_INVALID_ARGUMENT', 'layout.size']);
    expect(refused(() => tensor.view(untyped(null)))).toEqual(['ERR_INVALID_ARGUMENT', 'layout']);
  });

  test('plain arrays are converted to the data type', async () => {
    const elements = async (dataType: 'int8' | 'int64' | 'uint4' | 'float32', data: readonly number[]) =>
      Array.from(await device.createTensor({ dataType, sizes: [data.length] }, data).read(), String);
    expect(await elements('int8', [-128, 127])).toEqual(['-128', '127']);
    expect(await elements('int64', [-1, 2 ** 40])).toEqual(['-1', String(2 ** 40)]);
    expect(await elements('uint4', [1, 15, 3])).toEqual(['241', '3']);
    expect(await elements('float32', [0.1, NaN])).toEqual([String(Math.fround(0.1)), 'NaN']);
    const half = device.createTensor({ dataType: 'float16', sizes: [2] }, [1, 65504]);
    expect([...new Uint16Array(await half.buffer.read(0, 4))]).toEqual([0x3c00, 0x7bff]);
    const write = (data: unknown) => refused(() => device.createTensor({ dataType: 'uint8', sizes: [2] }, untyped(data)));
    expect(write([1])).toEqual(['ERR_SIZES', 'data']);
    expect(write([1, 256])).toEqual(['ERR_OUT_OF_RANGE', 'data[1]']);
    expect(write([1, 0.5])).toEqual(['ERR_OUT_OF_RANGE', 'data[1]']);
    expect(write([1, '2'])).toEqual(['ERR_INVALID_ARGUMENT', 'data[1]']);
    expect(write([[1], [2]])).toEqual(['ERR_INVALID_ARGUMENT', 'data[0]']);
  });

  test('a bound tensor must have the sizes and strides of the descriptor', async () => {
    const operator = await device.compile({ type: 'elementWiseAbs', inputTensor: float32(2, 3) });
    const outputs = operator.createOutputs();
    const x = device.createTensor(float32(2, 3));
    const bind = (inputTensor: typeof x) => caught(() => operator.dispatch({ inputTensor, ...outputs }));
    expect(gist(bind(device.createTensor(float32(3, 2))))).toEqual(['ERR_SIZES', 'inputTensor.sizes']);
    expect(bind(x.reshape([6])).message).toContain('bind tensor.reshape([2, 3])');
    expect(bind(device.createTensor(float32(3))).message).toContain('tensor.broadcastTo([2, 3])');
    expect(gist(bind(device.createTensor({ ...float32(2, 3), strides: [1, 2] })))).toEqual([
      'ERR_STRIDES',
      'inputTensor.strides',
    ]);
    // Leading dimensions of size 1 and their strides do not count.
    operator.dispatch({ inputTensor: x.reshape([1, 1, 2, 3]), ...outputs });
    operator.dispatch({ inputTensor: device.createTensor({ ...float32(1, 2, 3), strides: [77, 3, 1] }), ...outputs });
    operator.dispatch({ inputTensor: x.buffer, ...outputs });
  });
});
