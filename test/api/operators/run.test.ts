/** `device.run`: takes descriptors with tensors in their fields, and returns the outputs as tensors. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createDevice, Tensor, type Device } from 'node-directml';
import { backends } from '../../support/devices.js';
import { gist, rejected } from '../../support/errors.js';
import { untyped } from '../../../checks/malformed/objects.js';

const float32 = (...sizes: number[]) => ({ dataType: 'float32', sizes }) as const;

describe.each(backends)('on %s', (backend) => {
  let device: Device;

  beforeAll(async () => {
    device = await createDevice({ backend });
  });

  afterAll(() => device.dispose());

  const numbers = async (tensor: Tensor) => Array.from(await tensor.read(), Number);

  test('computes, and creates outputs with the data type and sizes that the operator determines', async () => {
    const table = device.createTensor(float32(3, 2), [1, 2, 3, 4, 5, 6]);
    const ids = device.createTensor({ dataType: 'uint32', sizes: [1, 2] }, [2, 0]);
    const { outputTensor } = await device.run({ type: 'gather', inputTensor: table, indicesTensor: ids, indexDimensions: 1 });
    expect(outputTensor).toMatchObject({ dataType: 'float32', sizes: [2, 2], strides: null, offset: 0 });
    expect(await numbers(outputTensor)).toEqual([5, 6, 1, 2]);
  });

  test('returns several outputs, and arrays of outputs, by field name', async () => {
    const input = device.createTensor(float32(1, 4), [7, 3, 9, 1]);
    const top = await device.run({ type: 'topK1', inputTensor: input, axis: 1, k: 2, outputIndexTensor: { dataType: 'uint32' } });
    expect(await numbers(top.outputValueTensor)).toEqual([9, 7]);
    expect(await numbers(top.outputIndexTensor)).toEqual([2, 0]);
    const halves = [{ sizes: [1, 1] }, { sizes: [1, 3] }];
    const { outputTensors } = await device.run({ type: 'split', inputTensor: input, axis: 1, outputTensors: halves });
    expect(await Promise.all(outputTensors.map(numbers))).toEqual([[7], [3, 9, 1]]);
    const { outputTensor } = await device.run({ type: 'join', inputTensors: [...outputTensors].reverse(), axis: 1 });
    expect(await numbers(outputTensor)).toEqual([3, 9, 1, 7]);
  });

  test('writes into a given output, which may be an input that the operator can overwrite', async () => {
    const a = device.createTensor(float32(2), [1, 2]);
    const target = device.createTensor(float32(2));
    const given = await device.run({ type: 'elementWiseAdd', aTensor: a, bTensor: a, outputTensor: target });
    expect(given.outputTensor).toBe(target);
    expect(await numbers(target)).toEqual([2, 4]);
    await device.run({ type: 'elementWiseAdd', aTensor: a, bTensor: target, outputTensor: target });
    expect(await numbers(target)).toEqual([3, 6]);
  });

  test('computes an optional output only if the descriptor requests it', async () => {
    const image = device.createTensor(float32(1, 1, 2, 2), [1, 4, 3, 2]);
    const pool = { type: 'maxPooling2', inputTensor: image, strides: [2, 2], windowSize: [2, 2] } as const;
    expect(Object.keys(await device.run(pool))).toEqual(['outputTensor']);
    const { outputIndicesTensor } = await device.run({ ...pool, outputIndicesTensor: { dataType: 'uint32' } });
    if (outputIndicesTensor === undefined) throw new Error('no indices');
    expect(await numbers(outputIndicesTensor)).toEqual([1]);
  });

  test('takes views with their strides', async () => {
    const a = device.createTensor(float32(2, 3), [0, 0, 0, 10, 10, 10]);
    const b = device.createTensor(float32(3), [1, 2, 3]);
    const { outputTensor } = await device.run({ type: 'elementWiseAdd', aTensor: a, bTensor: b.broadcastTo([2, 3]) });
    expect(await numbers(outputTensor)).toEqual([1, 2, 3, 11, 12, 13]);
  });

  test('runs awaited calls in their order', async () => {
    let x: Tensor = device.createTensor(float32(4), [1, 1, 1, 1]);
    for (let i = 0; i < 20; i++) ({ outputTensor: x } = await device.run({ type: 'elementWiseAdd', aTensor: x, bTensor: x }));
    expect(await numbers(x)).toEqual(new Array(4).fill(2 ** 20));
  });

  test('runs more operators than the cache holds, and then the first one again', async () => {
    for (const size of [...new Array(300).keys(), 0]) {
      const input = device.createTensor(float32(size + 1), new Float32Array(size + 1).fill(-2));
      const { outputTensor } = await device.run({ type: 'elementWiseAbs', inputTensor: input });
      if (size % 100 === 0) expect(await numbers(outputTensor)).toEqual(new Array(size + 1).fill(2));
      input.dispose();
      outputTensor.dispose();
    }
  });

  test('tells operators apart that differ only after a long array', async () => {
    const inputTensors = Array.from({ length: 200 }, (_, i) => device.createTensor(float32(1, 1), [i]));
    const joined = async (axis: number) => (await device.run({ type: 'join', inputTensors, axis })).outputTensor;
    expect((await joined(0)).sizes).toEqual([200, 1]);
    expect((await joined(1)).sizes).toEqual([1, 200]);
    expect((await numbers(await joined(1))).at(-1)).toBe(199);
  });

  test('reads the getters of an array at each call', async () => {
    const inputTensor = device.createTensor(float32(3), [7, 8, 9]);
    let reads = 0;
    const offsets = Object.defineProperty([0], 0, { get: () => reads++, enumerable: true });
    for (const expected of [7, 8, 9]) {
      const { outputTensor } = await device.run({ type: 'slice', inputTensor, offsets, sizes: [1], strides: [1] });
      expect(await numbers(outputTensor)).toEqual([expected]);
    }
  });

  test('rejects with the errors of compile and dispatch', async () => {
    const a = device.createTensor(float32(2, 3));
    const run = async (descriptor: object) => gist(await rejected(device.run(untyped<never>(descriptor))));
    const product = { type: 'gemm', aTensor: a, bTensor: a } as const;
    await device.run({ ...product, transA: 'none', transB: 'transpose' });
    // The text of this field is that of two fields in the descriptor before.
    expect(await run({ ...product, transA: `none transB ' transpose` })).toEqual(['ERR_INVALID_DESCRIPTOR', 'transA']);
    const slice = { type: 'slice', inputTensor: a, offsets: new Array(2), sizes: [1, 1], strides: [1, 1] };
    expect(await run(slice)).toEqual(['ERR_INVALID_DESCRIPTOR', 'offsets[0]']);
    expect(await run({ type: 'elementWiseAdd', aTensor: a, bTensor: float32(2, 3) })).toEqual(['ERR_MISSING_BINDING', 'bTensor']);
    expect(await run({ type: 'elementWiseAdd', aTensor: a })).toEqual(['ERR_MISSING_FIELD', 'bTensor']);
    expect(await run({ type: 'elementWiseAdd', aTensor: a, bTensor: a.reshape([3, 2]) })).toEqual(['ERR_SIZES', 'bTensor.sizes']);
    const gone = device.createTensor(float32(2, 3));
    gone.dispose();
    expect(await run({ type: 'elementWiseAdd', aTensor: a, bTensor: gone })).toEqual(['ERR_DISPOSED', 'bTensor']);
    using other = await createDevice({ backend: 'reference' });
    const foreign = other.createTensor(float32(2, 3));
    expect(await run({ type: 'elementWiseAdd', aTensor: a, bTensor: foreign })).toEqual(['ERR_WRONG_DEVICE', 'bTensor']);
    const output = { type: 'elementWiseAdd', aTensor: a, bTensor: a, outputTensor: a.reshape([3, 2]) };
    expect((await run(output))[0]).toBe('ERR_SIZES');
  });

  test('compile, resolve and createTensor take a tensor as its description', async () => {
    const x = device.createTensor(float32(2, 3), [1, -2, 3, -4, 5, -6]);
    expect(device.resolve({ type: 'elementWiseAbs', inputTensor: x.transpose() }).inputTensor).toMatchObject({
      sizes: [3, 2],
      strides: [1, 3],
    });
    const operator = await device.compile({ type: 'elementWiseAbs', inputTensor: x });
    const outputs = operator.createOutputs();
    operator.dispatch({ inputTensor: x, ...outputs });
    expect(await numbers(outputs.outputTensor)).toEqual([1, 2, 3, 4, 5, 6]);
    expect(device.createTensor(x)).toMatchObject({ dataType: 'float32', sizes: [2, 3] });
    expect(device.createTensor(operator.descriptor.outputTensor).sizes).toEqual([2, 3]);
  });

  test('rejects after the device was disposed of, even during the call', async () => {
    const short = await createDevice({ backend });
    const input = short.createTensor(float32(1));
    const pending = short.run({ type: 'elementWiseAbs', inputTensor: input });
    short.dispose();
    expect((await rejected(pending)).code).toBe('ERR_DISPOSED');
    expect((await rejected(short.run({ type: 'elementWiseAbs', inputTensor: input }))).code).toBe('ERR_DISPOSED');
  });
});
