/** Buffers that are the same memory, because one was imported from the other: checks treat them as one buffer. */
import { beforeAll, describe, expect, test } from 'vitest';
import type { DirectMLBuffer } from 'node-directml';
import { deviceOn } from '../support/devices.js';
import { caught, gist, rejected } from '../support/errors.js';
import { interop } from '../../checks/interop/addon.js';

const SIZE = 512;
const device = deviceOn('directml');
const float32 = (...sizes: number[]) => ({ dataType: 'float32', sizes }) as const;
const numbers = Float32Array.from({ length: SIZE / 4 }, (_, i) => i + 1);
const tensorIn = (buffer: DirectMLBuffer, offset = 0, count = 16) => device().createTensor(float32(count), { buffer, offset });

type Twins = readonly [first: DirectMLBuffer, second: DirectMLBuffer];

/** By how they are made, two buffers in one memory. */
const pairs: Readonly<Record<string, () => Twins>> = {
  'an own buffer and an import of its external': () => {
    const first = device().createBuffer(SIZE);
    return [first, device().importBuffer({ external: first.native })];
  },
  'a shared buffer and an import of its handle': () => {
    const first = device().createBuffer(SIZE, { shared: true });
    return [first, device().importBuffer({ handle: first.exportHandle() })];
  },
  'a shared buffer and an import of its name': () => {
    const name = `Local\\node-directml-twins-${process.pid}`;
    return [device().createBuffer(SIZE, { shared: { name } }), device().importBuffer({ name })];
  },
  'two imports of memory of the other addon': () => {
    const external = interop.createBuffer(device().native, { size: SIZE });
    return [device().importBuffer({ external }), device().importBuffer({ external })];
  },
  'imports of a handle of the other addon and of an import': () => {
    const handle = interop.createHandle(interop.createBuffer(device().native, { size: SIZE, heapFlags: 1 }));
    const first = device().importBuffer({ handle });
    interop.closeHandle(handle);
    return [first, device().importBuffer({ external: first.native })];
  },
};

describe.each(Object.keys(pairs))('%s', (name) => {
  let first: DirectMLBuffer;
  let second: DirectMLBuffer;
  beforeAll(() => {
    [first, second] = pairs[name]?.() ?? [first, second];
    first.write(numbers);
  });

  test('an output that is shifted by 16 bytes is refused', async () => {
    const [inputTensor, outputTensor] = [tensorIn(first), tensorIn(second, 16)];
    const error = await rejected(device().run({ type: 'elementWiseIdentity', inputTensor, outputTensor }));
    expect(gist(error)).toEqual(['ERR_ALIASED_BINDING', 'outputTensor']);
    expect(error.given).toBe('bytes that are bound to inputTensor too, by another buffer of the same memory');
    expect(error.message).toContain('outputTensor has 16 to 80, inputTensor 0 to 64');
    expect([...(await outputTensor.read())]).toEqual([...numbers.subarray(4, 20)]);
  });

  test('an output in the place of its input, and ranges without common bytes, are right', async () => {
    first.write(numbers);
    const add = await device().compile({ type: 'elementWiseAdd', aTensor: float32(16), bTensor: float32(16) });
    add.dispatch({ aTensor: tensorIn(first), bTensor: tensorIn(first, 64), outputTensor: tensorIn(second, 64) });
    const sums = Array.from({ length: 16 }, (_, i) => 2 * i + 18);
    expect([...(await tensorIn(first, 64).read())]).toEqual(sums);
    add.dispatch({ aTensor: tensorIn(first, 64), bTensor: tensorIn(second), outputTensor: tensorIn(second, 128) });
    expect([...(await tensorIn(first, 128).read())]).toEqual(sums.map((sum, i) => sum + i + 1));
    const gemm = await device().compile({ type: 'gemm', aTensor: float32(4, 4), bTensor: float32(4, 4) });
    const [aTensor, outputTensor] = [tensorIn(first).reshape([4, 4]), tensorIn(second).reshape([4, 4])];
    expect(caught(() => gemm.dispatch({ aTensor, bTensor: aTensor, outputTensor })).message).toContain(
      'no output of gemm can be computed in place',
    );
  });

  test('a join of many tensors is refused, a recording, and an output over a constant', async () => {
    const inputTensors = Array.from({ length: 12 }, (_, i) => tensorIn(i % 2 === 0 ? first : second, 16 * i, 4));
    const join = await device().compile({ type: 'join', axis: 0, inputTensors: inputTensors.map(() => float32(4)) });
    const over = (offset: number) => ({ inputTensors, outputTensor: tensorIn(second, offset, 48) });
    expect(gist(caught(() => join.dispatch(over(16 * 11))))).toEqual(['ERR_ALIASED_BINDING', 'outputTensor']);
    expect(caught(() => device().record(() => join.dispatch(over(0)))).code).toBe('ERR_ALIASED_BINDING');
    first.write(numbers);
    join.dispatch(over(16 * 12));
    expect([...(await tensorIn(first, 16 * 12, 48).read())]).toEqual([...numbers.subarray(0, 48)]);

    const graph = device().createGraph();
    const weights = tensorIn(first);
    const { outputTensor: y } = graph.add({
      type: 'elementWiseAdd',
      ...{ aTensor: graph.input('x', float32(16)), bTensor: graph.constant(weights, { name: 'w' }) },
    });
    const net = await graph.compile({ y });
    const x = tensorIn(first, 64);
    expect(gist(caught(() => net.dispatch({ x, y: tensorIn(second, 48) })))).toEqual(['ERR_ALIASED_BINDING', 'y']);
    expect(gist(caught(() => net.dispatch({ x, y: tensorIn(second, 112) })))).toEqual(['ERR_ALIASED_BINDING', 'y']);
    net.dispatch({ x, y: tensorIn(second, 128) });
    expect((await tensorIn(first, 128).read())[0]).toBe(1 + 17);
  });
});

test('an import that begins later is compared by the bytes of the memory', async () => {
  const first = device().createBuffer(SIZE);
  const { native } = first;
  const second = device().importBuffer({ external: native, offset: 64, sizeInBytes: 128 });
  const third = device().importBuffer({ external: second.native, offset: 16 });
  first.write(numbers);
  const inputTensor = tensorIn(first, 80);
  const shifted = [tensorIn(second), tensorIn(second, 32), tensorIn(third, 16)];
  for (const outputTensor of shifted) {
    const error = await rejected(device().run({ type: 'elementWiseNegate', inputTensor, outputTensor }));
    expect(gist(error)).toEqual(['ERR_ALIASED_BINDING', 'outputTensor']);
  }
  // The same bytes, of which the third buffer has the first ones and the second one those from 16 on.
  await device().run({ type: 'elementWiseNegate', inputTensor: tensorIn(second, 16), outputTensor: tensorIn(third) });
  expect([...(await inputTensor.read())]).toEqual([...numbers.subarray(20, 36)].map((number) => -number));
});

test('a buffer that was bound before it was exported is compared by its memory, too', async () => {
  const [first, other] = [device().createBuffer(SIZE), device().createBuffer(SIZE)];
  const graph = device().createGraph();
  const { outputTensor: y } = graph.add({
    type: 'elementWiseAdd',
    ...{ aTensor: graph.input('x', float32(16)), bTensor: graph.constant(tensorIn(first), { name: 'w' }) },
  });
  const net = await graph.compile({ y });
  const second = device().importBuffer({ external: first.native });
  expect(gist(caught(() => net.dispatch({ x: tensorIn(other), y: tensorIn(second) })))).toEqual(['ERR_ALIASED_BINDING', 'y']);
});

test('buffers of one device that share no memory are not taken for one', async () => {
  const first = device().createBuffer(SIZE, { shared: true });
  const second = device().createBuffer(SIZE, { shared: true });
  const third = device().importBuffer({ external: interop.createBuffer(device().native, { size: SIZE }) });
  first.write(numbers);
  await device().run({ type: 'elementWiseIdentity', inputTensor: tensorIn(first), outputTensor: tensorIn(second, 16) });
  await device().run({ type: 'elementWiseIdentity', inputTensor: tensorIn(second, 16), outputTensor: tensorIn(third, 32) });
  expect([...(await tensorIn(third, 32).read())]).toEqual([...numbers.subarray(0, 16)]);
});
