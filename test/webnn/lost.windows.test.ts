/** WebNN's objects after the GPU's driver removes the device. */
import { expect, test } from 'vitest';
import { createDevice } from 'node-directml';
import { loadAddon } from '#lib/backends/directml/addon.js';
import { ml, MLGraphBuilder, type MLContext } from 'node-directml/webnn';
import { removeDevice } from '../support/remove-device.js';

const desc = { dataType: 'float32', shape: [2] } as const;
const state = { name: 'InvalidStateError' };

/** y = x + x */
async function prepare(context: MLContext) {
  const builder = new MLGraphBuilder(context);
  const operand = builder.input('x', desc);
  const graph = await builder.build({ y: builder.add(operand, operand) });
  const x = await context.createTensor({ ...desc, writable: true });
  const y = await context.createTensor({ ...desc, readable: true });
  return { graph, x, y };
}

/** Returns what the call throws; undefined if it throws nothing. */
function thrown(call: () => void): unknown {
  try {
    call();
  } catch (error) {
    return error;
  }
  return undefined;
}

test('removing a device loses all its contexts, and no promise stays pending', async () => {
  const before = loadAddon().binding.liveObjects();
  const device = await createDevice({ backend: 'directml' });
  const [context, other] = [await ml.createContext(device), await ml.createContext(device)];
  const { graph, x, y } = await prepare(context);
  const builder = new MLGraphBuilder(context);
  const open = [context.readTensor(y), builder.build({ y: builder.relu(builder.input('x', desc)) }), context.createTensor(desc)];
  removeDevice(device);
  open.push(context.readTensor(y), context.createConstantTensor(desc, new Float32Array(2)));
  // These calls may succeed, as long as the package has not noticed the loss.
  for (const call of [() => context.writeTensor(x, new Float32Array(2)), () => context.dispatch(graph, { x }, { y })]) {
    const error = thrown(call);
    if (error !== undefined) expect(error).toMatchObject(state);
  }
  for (const result of await Promise.allSettled(open)) {
    if (result.status === 'rejected') expect(result.reason).toMatchObject(state);
  }
  expect((await context.lost).message).toContain('DXGI_ERROR_DEVICE_REMOVED');
  expect((await other.lost).message).toBe((await context.lost).message);
  await expect(context.readTensor(y)).rejects.toMatchObject(state);
  await expect(context.createTensor(desc)).rejects.toMatchObject(state);
  expect(thrown(() => context.writeTensor(x, new Float32Array(2)))).toMatchObject(state);
  expect(thrown(() => context.dispatch(graph, { x }, { y }))).toMatchObject(state);
  expect(thrown(() => new MLGraphBuilder(other))).toMatchObject(state);
  for (const destroyed of [graph, x, y, context, other]) destroyed.destroy();
  device.dispose();
  expect(loadAddon().binding.liveObjects()).toEqual(before);
});

test('rejects a read that waits for a device when the device is removed', async () => {
  const device = await createDevice({ backend: 'directml' });
  const context = await ml.createContext(device);
  const { graph, x, y } = await prepare(context);
  for (let i = 0; i < 50; i++) context.dispatch(graph, { x }, { y });
  removeDevice(device);
  await expect(context.readTensor(y)).rejects.toMatchObject(state);
  await context.lost;
  const next = await ml.createContext(await createDevice({ backend: 'directml' }));
  const made = await prepare(next);
  next.writeTensor(made.x, Float32Array.of(1, 2));
  next.dispatch(made.graph, { x: made.x }, { y: made.y });
  expect([...new Float32Array(await next.readTensor(made.y))]).toEqual([2, 4]);
  next.destroy();
});

test('a context that is created on a removed device is lost', async () => {
  const device = await createDevice({ backend: 'directml' });
  device.simulateLoss();
  await device.lost;
  const context = await ml.createContext(device);
  expect((await context.lost).message).toContain('DXGI_ERROR_DEVICE_REMOVED');
  await expect(context.createTensor(desc)).rejects.toMatchObject(state);
  device.dispose();
});
