/** Compiled graphs and their memory: what they hold, free, and refuse. */
import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { createDevice, type Device, type Graph, type Tensor, type Value } from 'node-directml';
import { loadAddon } from '#lib/backends/directml/addon.js';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { LiveObjects } from '../../binding.js';
import { caught, rejected } from '../support/errors.js';

const float32 = (...sizes: number[]) => ({ dataType: 'float32', sizes }) as const;
const live = loadAddon().binding.liveObjects;
const large = 64 * 1024;
const numbers = async (tensor: Tensor) => Array.from(await tensor.read(), Number);

let device: Device;
beforeEach(async () => {
  device = await createDevice({ backend: 'directml' });
});
afterEach(() => device.dispose());

const negate = (graph: Graph, inputTensor: Value) => graph.add({ type: 'elementWiseNegate', inputTensor }).outputTensor;
const sum = (graph: Graph, aTensor: Value, bTensor: Value) =>
  graph.add({ type: 'elementWiseAdd', aTensor, bTensor }).outputTensor;

/** A graph with a constant that DirectML owns, a constant that stays bound, and a sequence. */
function withConstants() {
  const graph = device.createGraph();
  const x = graph.input('x', float32(large));
  const owned = graph.constant(float32(1), [1]).broadcastTo([large]);
  const bound = graph.constant(float32(large), new Float32Array(large).fill(2));
  const output = {
    type: 'fillValueSequence',
    valueDataType: 'float32',
    outputTensor: float32(large),
    valueStart: 0,
    valueDelta: 1,
  } as const;
  const { outputTensor: sequence } = graph.add(output);
  return { graph, y: sum(graph, sum(graph, sum(graph, sum(graph, x, owned), bound), bound), sequence) };
}

test('a graph keeps its constants until it is disposed of', async () => {
  const before = live();
  const { graph, y } = withConstants();
  const net = await graph.compile({ y });
  expect(net.memory.persistent).toBeGreaterThan(0);
  expect([net.memory.constants, net.memory.shared]).toEqual([4 * large, 4 * large]);
  expect(live()).toMatchObject({ operators: before.operators + 1, buffers: before.buffers + 2 });
  const x = device.createTensor(float32(large));
  const outputs = await net.run({ x });
  net.dispose();
  net.dispose();
  expect((await numbers(outputs.y)).at(-1)).toBe(1 + 2 + 2 + large - 1);
  x.dispose();
  outputs.y.dispose();
  expect(live()).toMatchObject({ operators: before.operators, buffers: before.buffers });
});

test('initialize replaces the constants, and creates no further buffers or operators', async () => {
  const { graph, y } = withConstants();
  const net = await graph.compile({ y });
  const before = live();
  for (let i = 0; i < 50; i++) net.initialize({ constant_0: [i], constant_1: new Float32Array(large) });
  expect(live()).toMatchObject({ operators: before.operators, buffers: before.buffers });
  const { y: result } = await net.run({ x: device.createTensor(float32(large)) });
  expect((await numbers(result)).at(-1)).toBe(49 + large - 1);
});

/** Returns what a program writes, as a value. */
async function resultOf(name: string): Promise<unknown> {
  const program = fileURLToPath(new URL(`programs/${name}`, import.meta.url));
  const { stdout } = await promisify(execFile)(process.execPath, ['--expose-gc', program]);
  return JSON.parse(stdout);
}

test('garbage collection frees a graph that is not disposed of', async () => {
  const { before, after } = (await resultOf('dropped-graphs.mjs')) as Record<'before' | 'after', LiveObjects>;
  expect(after).toEqual(before);
});

test('a compiled graph keeps none of its nodes in memory of JavaScript', async () => {
  // A node of the graph takes about 300 bytes, and code that the engine compiles meanwhile counts too.
  expect(await resultOf('kept-nodes.mjs')).toBeLessThan(100);
});

test('graphs that are dropped are gone with the next minor collections', async () => {
  expect(await resultOf('dropped-nodes.mjs')).toBeLessThan(100);
});

test('a graph that needs more memory than there is fails, and the device still works', async () => {
  const graph = device.createGraph();
  const x = graph.input('x', float32(1, 1, 1, 1)).broadcastTo([1, 1, 65_535, 65_535]);
  const values = [sum(graph, x, x)];
  for (let i = 0; i < 7; i++) values.push(sum(graph, values.at(-1) ?? x, x));
  const total = values.reduce((all, value) => sum(graph, all, value));
  const { outputTensor: y } = graph.add({ type: 'reduce', inputTensor: total, axes: [2, 3], function: 'sum' });
  const net = await graph.compile({ y });
  expect(net.memory.temporary).toBeGreaterThan(16 * 2 ** 30);
  const error = await rejected(net.run({ x: device.createTensor(float32(1, 1, 1, 1)) }));
  expect(error.code).toBe('ERR_OUT_OF_MEMORY');
  expect(Number(/allocate (\d+) bytes/.exec(error.message)?.[1])).toBeGreaterThanOrEqual(net.memory.temporary);
  const small = device.createGraph();
  const other = await small.compile({ z: negate(small, small.input('w', float32(1))) });
  const { z } = await other.run({ w: device.createTensor(float32(1), [3]) });
  expect(await numbers(z)).toEqual([-3]);
});

test('dispatches of a large graph share the memory of descriptors', async () => {
  const graph = device.createGraph();
  const x = graph.input('x', float32(4));
  let value: Value = x;
  for (let i = 0; i < 1_000; i++) value = sum(graph, negate(graph, value), x);
  const net = await graph.compile({ value });
  const bindings = { x: device.createTensor(float32(4), [1, 2, 3, 4]), ...net.createOutputs() };
  // Read before the device is idle: the memory that a slow machine leaves unused for a second is freed.
  const bytes: number[] = [];
  for (let i = 0; i < 5; i++) {
    net.dispatch(bindings);
    bytes.push(live().descriptorBytes);
    await device.idle();
  }
  expect(Math.max(...bytes.slice(1))).toBeLessThanOrEqual(bytes[0] ?? 0);
  expect(await numbers(bindings.value)).toEqual([1, 2, 3, 4]);
});

test('calls of a graph of a lost device are refused', async () => {
  const { graph, y } = withConstants();
  const net = await graph.compile({ y });
  const bindings = { x: device.createTensor(float32(large)), ...net.createOutputs() };
  net.dispatch(bindings);
  device.simulateLoss();
  await device.lost;
  expect(caught(() => net.dispatch(bindings)).code).toBe('ERR_DEVICE_LOST');
  expect(caught(() => net.initialize({ constant_0: [1], constant_1: new Float32Array(large) })).code).toBe('ERR_DEVICE_LOST');
  expect((await rejected(net.run({ x: bindings.x }))).code).toBe('ERR_DEVICE_LOST');
  expect((await rejected(graph.compile({ y }))).code).toBe('ERR_DEVICE_LOST');
});

test('disposing of a device rejects the compilation of a graph and frees everything', async () => {
  const { graph, y } = withConstants();
  const compiling = graph.compile({ y });
  device.dispose();
  expect((await rejected(compiling)).code).toBe('ERR_DISPOSED');
  await vi.waitFor(() => expect(live()).toMatchObject({ devices: 0, operators: 0, buffers: 0 }), 60_000);
});
