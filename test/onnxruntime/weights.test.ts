/** The graphs of sessions share their weights in the device's memory. */
import { describe, expect, test } from 'vitest';
import { InferenceSession } from 'node-directml/onnxruntime';
import { backends, deviceOn } from '../support/devices.js';
import { expectSame } from '../support/expect-same.js';
import { largeLayer } from '../../checks/networks/small-models.js';

const weights = 2 ** 20;

describe.each(backends)('on %s', (backend) => {
  const device = deviceOn(backend);
  const held = () => device().memory().buffers + device().memory().persistent;

  test('weights are in memory once for all sizes', async () => {
    const before = held();
    const session = await InferenceSession.create(largeLayer(1).bytes, { device: device(), maxGraphs: 2 });
    // The third graph takes the place of the first.
    for (const rows of [1, 2, 3]) {
      await expectSame(session, largeLayer(rows));
      expect(held() - before).toBeGreaterThanOrEqual(weights);
      expect(held() - before).toBeLessThan(1.1 * weights);
    }
    await session.release();
    expect(held() - before).toBeLessThan(0.1 * weights);
  });
});
