/** Shared constants: in memory once, read at each dispatch as they are then, and checked; on each backend. */
import { describe, expect, test } from 'vitest';
import { createDevice, type Device, type GraphDescriptor, type Tensor } from 'node-directml';
import { elementWiseAdd as add } from 'node-directml/operators';
import { backends, deviceOn } from '../support/devices.js';
import { caught, rejected } from '../support/errors.js';
import { untyped } from '../../checks/malformed/objects.js';

const float32 = (...sizes: number[]) => ({ dataType: 'float32', sizes }) as const;
const size = 1 << 20;
const large = float32(size);

/** A graph that adds a constant to its input. */
function plus(device: Device, weights: Tensor<'float32'>) {
  const graph = device.createGraph();
  const y = add(graph.input('x', weights), graph.constant(weights, { name: 'w' }));
  return graph.compile({ y }, { label: 'layer' });
}

describe.each(backends)('on %s', (backend) => {
  const device = deviceOn(backend);
  const held = () => device().memory().buffers + device().memory().persistent;

  test('two graphs with one weight need no memory for it', async () => {
    const weights = device().createTensor(large, new Float32Array(size).fill(2));
    const before = held();
    const [first, second] = await Promise.all([plus(device(), weights), plus(device(), weights)]);
    expect(held() - before).toBeLessThan(2 ** 16);
    for (const net of [first, second]) expect(net.memory).toMatchObject({ constants: 0, shared: 4 * size });
    const { y } = await second.run({ x: weights });
    expect((await y.read({ length: 2 })).toString()).toBe('4,4');
    for (const net of [first, second]) net.dispose();
    expect((await weights.read({ length: 1 }))[0]).toBe(2);
  });

  test('large data is uploaded once for all graphs that are compiled from it, and freed with the last', async () => {
    const graph = device().createGraph();
    const x = graph.input('x', large);
    const weights = graph.constant(large, new Float32Array(size).fill(3));
    const y = add(x, weights);
    const before = held();
    const first = await graph.compile({ y });
    const second = await graph.compile({ y, z: add(y, weights) });
    expect(held() - before).toBeLessThan(4 * size + 2 ** 16);
    expect([first.memory.shared, second.memory.shared]).toEqual([4 * size, 4 * size]);
    first.dispose();
    const input = device().createTensor(large);
    const { z } = await second.run({ x: input });
    expect((await z.read({ length: 1 }))[0]).toBe(6);
    input.dispose();
    z.buffer.dispose();
    second.dispose();
    const third = await graph.compile({ y });
    expect(third.memory.shared).toBe(4 * size);
    third.dispose();
  });

  test('equal large data of several graphs is uploaded once, and freed with the last', async () => {
    const before = held();
    const make = (number: number) => {
      const graph = device().createGraph();
      const [data, other] = [new Float32Array(size).fill(3), new Float32Array(size).fill(3)];
      other[size - 1] = number;
      const sum = add(graph.input('x', large), graph.constant(large, data));
      return graph.compile({ y: add(sum, graph.constant(large, other)) });
    };
    const [first, second, third] = [await make(3), await make(3), await make(4)];
    expect(held() - before).toBeLessThan(2 * 4 * size + 2 ** 16);
    first.dispose();
    second.dispose();
    const input = device().createTensor(large);
    const { y } = await third.run({ x: input });
    expect(Array.from(await y.read({ offset: size - 2 }))).toEqual([6, 7]);
    for (const each of [input, y.buffer, third]) each.dispose();
    expect(held() - before).toBeLessThan(2 ** 16);
    const again = await make(3);
    expect(held() - before).toBeLessThan(4 * size + 2 ** 16);
    again.dispose();
  });

  test('a graph that lacks memory for a constant leaves none of the others', async () => {
    using other = await createDevice({ backend, memoryLimit: 10 * size });
    const graph = other.createGraph();
    let y = graph.input('x', large);
    for (const [i, ownership] of (['directml', 'shared', 'shared'] as const).entries())
      y = add(y, graph.constant(large, new Float32Array(size).fill(i), { ownership }));
    expect((await rejected(graph.compile({ y }))).code).toBe('ERR_OUT_OF_MEMORY');
    await other.idle();
    using all = other.createBuffer(10 * size);
    expect(all.sizeInBytes).toBe(10 * size);
  });

  test('a graph can have DirectML own a constant, and small data it owns by default', async () => {
    const tensor = device().createTensor(float32(4), [1, 2, 3, 4]);
    const graph = device().createGraph();
    const owned = graph.constant(tensor, { ownership: 'directml', name: 'owned' });
    const small = graph.constant(float32(4), [1, 1, 1, 1]);
    const shared = graph.constant(float32(4), [10, 10, 10, 10], { ownership: 'shared' });
    const net = await graph.compile({ y: add(add(add(graph.input('x', float32(4)), owned), small), shared) });
    expect(net.memory.shared).toBe(16);
    tensor.dispose();
    const { y } = await net.run({ x: device().createTensor(float32(4)) });
    expect(await y.toArray()).toEqual([12, 13, 14, 15]);
  });

  test('a later write is seen by later dispatches, in order', async () => {
    const weights = device().createTensor(float32(4), [1, 1, 1, 1]);
    const net = await plus(device(), weights);
    const x = device().createTensor(float32(4));
    const results = [];
    for (const value of [2, 3, 4]) {
      results.push((await net.run({ x })).y);
      weights.write([value, value, value, value]);
    }
    expect(await Promise.all(results.map(async (y) => (await y.read())[0]))).toEqual([1, 2, 3]);
  });

  test('a recording sees writes, and constants that initialize replaces', async () => {
    const weights = device().createTensor(float32(4), [1, 1, 1, 1]);
    const net = await plus(device(), weights);
    const x = device().createTensor(float32(4));
    const { y } = net.createOutputs();
    const recording = device().record(() => net.dispatch({ x, y }));
    const replayed = async () => {
      recording.replay();
      return (await y.read())[0];
    };
    expect(await replayed()).toBe(1);
    weights.write([2, 2, 2, 2]);
    expect(await replayed()).toBe(2);
    net.initialize({ w: device().createTensor(float32(4), [5, 5, 5, 5]) });
    expect(await replayed()).toBe(5);
    net.initialize({ w: [6, 6, 6, 6] });
    expect(await replayed()).toBe(6);
    net.initialize({ w: y });
    expect(caught(() => recording.replay()).message).toBe(
      `graph 'layer': y: expected bytes of its own, given bytes that are bound to w too (no output of a graph can be computed in place)`,
    );
  });

  test('a disposed constant is a clear error, until it is replaced', async () => {
    const weights = device().createTensor(float32(4), [1, 2, 3, 4], { label: 'weights' });
    const net = await plus(device(), weights);
    const x = device().createTensor(float32(4));
    const { y } = net.createOutputs();
    const recording = device().record(() => net.dispatch({ x, y }));
    weights.dispose();
    const message = `graph 'layer': w: expected a live tensor or buffer, given tensor 'weights', which is disposed`;
    expect(caught(() => net.dispatch({ x, y })).message).toBe(message);
    expect((await rejected(net.run({ x }))).message).toBe(message);
    expect(caught(() => recording.replay()).message).toBe(message);
    net.initialize({ w: [1, 1, 1, 1] });
    expect(await (await net.run({ x })).y.toArray()).toEqual([1, 1, 1, 1]);
    recording.replay();
  });

  test('an output must not share bytes with a constant', async () => {
    const weights = device().createTensor(float32(4), [1, 2, 3, 4]);
    const net = await plus(device(), weights);
    const x = device().createTensor(float32(4));
    expect(caught(() => net.dispatch({ x, y: weights })).code).toBe('ERR_ALIASED_BINDING');
    net.dispatch({ x: weights, y: x });
    expect(await x.toArray()).toEqual([2, 4, 6, 8]);
  });

  test('a tensor that only a graph keeps is not collected', async () => {
    const net = await plus(device(), device().createTensor(float32(4), [1, 2, 3, 4]));
    for (let i = 0; i < 3; i++) {
      globalThis.gc?.();
      await new Promise((resolve) => setTimeout(resolve, 5));
    }
    expect(await (await net.run({ x: device().createTensor(float32(4)) })).y.toArray()).toEqual([1, 2, 3, 4]);
  });

  test('functions of jit share the tensors that they use', async () => {
    const weights = device().createTensor(large, new Float32Array(size).fill(2));
    const before = held();
    const plusWeights = device().jit((x: Tensor<'float32'>) => add(x, weights));
    const short = device().jit((x: Tensor<'float32'>) => add(add(x, weights), weights));
    const x = device().createTensor(large);
    const results = [await plusWeights(x), await short(x)];
    expect(held() - before).toBeLessThan(3 * 4 * size + 2 ** 16);
    weights.write(new Float32Array(size).fill(5));
    results.push(await plusWeights(x));
    const first = async (y: Tensor<'float32'>) => (await y.read({ length: 1 }))[0];
    expect(await Promise.all(results.map(first))).toEqual([2, 4, 5]);
  });

  test('a descriptor keeps who owns a constant, and refuses other words', async () => {
    const weights = device().createTensor(float32(4), [1, 2, 3, 4]);
    const graph = device().createGraph();
    const w = graph.constant(weights, { name: 'w', ownership: 'directml' });
    const descriptor = graph.toDescriptor({ y: add(graph.input('x', weights), w) });
    expect(descriptor.constants).toEqual({ w: { ...float32(4), ownership: 'directml' } });
    const net = await device().compileGraph(descriptor, { constants: { w: weights } });
    expect(net.memory.shared).toBe(0);
    const wrong: GraphDescriptor = untyped({ ...descriptor, constants: { w: { ...float32(4), ownership: 'mine' } } });
    expect((await rejected(device().compileGraph(wrong, { constants: { w: weights } }))).message).toBe(
      `compileGraph: constants.w.ownership: expected 'shared' or 'directml', given 'mine'`,
    );
    expect(caught(() => graph.constant(weights, { ownership: untyped('all') })).message).toBe(
      `graph.constant: options.ownership: expected 'shared' or 'directml', given 'all'`,
    );
  });

  test('a constant of another device is refused', async () => {
    const other = await createDevice({ backend: 'reference' });
    const graph = device().createGraph();
    const y = add(graph.input('x', float32(4)), graph.constant(other.createTensor(float32(4))));
    expect((await rejected(graph.compile({ y }))).code).toBe('ERR_WRONG_DEVICE');
    other.dispose();
  });
});
