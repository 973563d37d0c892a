/** A session whose device is lost opens another one. */
import { createDevice } from 'node-directml';
import { InferenceSession } from 'node-directml/onnxruntime';
import { expect, test } from 'vitest';
import { expectSame } from '../support/expect-same.js';
import { largeLayer, sharedDimensions } from '../../checks/networks/small-models.js';

test('a session works again after its device is lost', async () => {
  const model = largeLayer(2);
  const sessions = [await InferenceSession.create(model.bytes), await InferenceSession.create(model.bytes)] as const;
  for (const session of sessions) await expectSame(session, model);
  // Removes every device of the adapter.
  const device = await createDevice();
  device.simulateLoss();
  await device.lost;
  device.dispose();
  // The runs that notice the loss may fail.
  for (const session of sessions) {
    await session.run(model.feeds).catch(() => undefined);
    await expectSame(session, model);
    await expectSame(session, largeLayer(1));
  }
  for (const session of sessions) await session.release();
});

test('a session on a lost device of the program stays lost, and can be released', async () => {
  const model = sharedDimensions(2, 3);
  const device = await createDevice();
  const session = await InferenceSession.create(model.bytes, { device });
  await expectSame(session, model);
  device.simulateLoss();
  await device.lost;
  for (let i = 0; i < 2; i++) await expect(session.run(model.feeds)).rejects.toMatchObject({ code: 'ERR_DEVICE_LOST' });
  await session.release();
  device.dispose();
});
