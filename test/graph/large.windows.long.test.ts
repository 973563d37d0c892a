/** Graphs with tens of thousands of nodes on DirectML, which compiles them by recursion along the longest path. */
import { createDevice, type Device, type Value } from 'node-directml';
import { afterAll, beforeAll, expect, test } from 'vitest';

const float32 = (...sizes: number[]) => ({ dataType: 'float32', sizes }) as const;

let device: Device;
beforeAll(async () => {
  device = await createDevice();
});
afterAll(() => device.dispose());

function compileChain(count: number) {
  const graph = device.createGraph();
  let value: Value = graph.input('x', float32(1));
  for (let i = 0; i < count; i++) value = graph.add({ type: 'elementWiseNegate', inputTensor: value }).outputTensor;
  return graph.compile({ y: value });
}

test('compiles a chain that needs more stack than the threads of Node.js have', async () => {
  const net = await compileChain(65_000);
  // On the 8 MiB stack of a thread of libuv's pool, DirectML compiles 57,000 nodes, and crashes the process with 61,000. This
  // chain does not run: in the sandbox, each node then takes one of the 65,530 pieces of memory that Linux gives a process.
  expect(net.outputs).toEqual({ y: expect.objectContaining(float32(1)) });
  net.dispose();
});

test('runs a chain of tens of thousands of nodes', async () => {
  const net = await compileChain(20_000);
  const { y } = await net.run({ x: device.createTensor(float32(1), [3]) });
  expect(await y.read()).toEqual(Float32Array.of(3));
  net.dispose();
});
