/** The reference backend reports the memory of its buffers. It has no adapter, so it reports no adapter memory. */
import { expect, test } from 'vitest';
import { createDevice } from 'node-directml';
import { caught } from '../support/errors.js';
import { untyped } from '../../checks/malformed/objects.js';

test('buffers are counted until they are disposed of', async () => {
  using device = await createDevice({ backend: 'reference' });
  const none = { inUse: 0, idle: 0 };
  const empty = { adapter: null, buffers: 0, persistent: 0, temporary: none, staging: none, descriptors: none };
  expect(device.memory()).toEqual(empty);
  const buffer = device.createBuffer(1000);
  const tensor = device.createTensor({ dataType: 'float32', sizes: [4] });
  expect(device.memory().buffers).toBe(1016);
  buffer.dispose();
  buffer.dispose();
  expect(device.memory().buffers).toBe(16);
  tensor.dispose();
  expect(device.memory()).toEqual(empty);
  expect(Object.isFrozen(device.memory())).toBe(true);
});

test('budget listeners are never called, because there is no budget', async () => {
  const device = await createDevice({ backend: 'reference' });
  const registration = device.onBudgetShrink(() => expect.unreachable());
  registration[Symbol.dispose]();
  const error = caught(() => device.onBudgetShrink(untyped(null)));
  expect(error).toMatchObject({ code: 'ERR_INVALID_ARGUMENT', operator: 'onBudgetShrink', field: 'listener' });
  device.dispose();
  expect(caught(() => device.memory()).code).toBe('ERR_DISPOSED');
});
