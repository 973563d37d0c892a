/** Devices on an ID3D12Device, or on a queue, of another addon. */
import { createDevice } from 'node-directml';
import { expect, test } from 'vitest';
import { gist, rejected } from '../support/errors.js';
import { interop, makeTexture } from '../../checks/interop/addon.js';

test.each(['device', 'direct queue', 'compute queue'])('a %s of another addon can be used', async (kind) => {
  const foreign = interop.createDevice();
  const external = kind === 'device' ? foreign : interop.createQueue(foreign, kind === 'direct queue' ? 0 : 2);
  using device = await createDevice({ external });
  const a = device.createTensor({ dataType: 'float32', sizes: [3] }, [1, 2, 3]);
  const { outputTensor } = await device.run({ type: 'elementWiseAdd', aTensor: a, bTensor: a });
  expect(await outputTensor.toArray()).toEqual([2, 4, 6]);
  // What the addon makes on its own device belongs to the same device.
  const { texture } = makeTexture(device, 'r8unorm', 3, 1, Uint8Array.of(7, 8, 9));
  const pixels = device.createTensor({ dataType: 'float32', sizes: [1, 3] });
  await texture.copyTo(pixels);
  expect(await pixels.toArray()).toEqual([[7, 8, 9]]);
  expect(device.importBuffer({ external: interop.createBuffer(foreign, { size: 64 }) }).sizeInBytes).toBe(64);
  expect(device.info.adapter?.luid).toMatch(/^[0-9a-f]{8}-[0-9a-f]{8}$/);
});

test('anything else is refused', async () => {
  const foreign = interop.createDevice();
  const wrong = [
    interop.createQueue(foreign, 3),
    interop.createFence(foreign),
    interop.malformed('tag'),
    interop.malformed('null'),
  ];
  for (const external of wrong) {
    expect(await rejected(createDevice({ external }))).toMatchObject({ code: 'ERR_NOT_SHAREABLE', field: 'external' });
  }
  expect(gist(await rejected(createDevice({ external: {} })))).toEqual(['ERR_INVALID_ARGUMENT', 'options.external']);
  const options = [
    { external: foreign, adapter: '00000000-00000000' },
    { external: foreign, debug: true },
    { external: foreign, backend: 'reference' },
  ] as const;
  for (const given of options) expect((await rejected(createDevice(given))).code).toBe('ERR_INVALID_ARGUMENT');
});
