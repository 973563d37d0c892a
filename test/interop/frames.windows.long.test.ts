/** Thousands of frames go from another addon's texture to a tensor and into a second texture, and lose no bit. */
import { expect, test } from 'vitest';
import { deviceOn } from '../support/devices.js';
import { interop, makeTexture } from '../../checks/interop/addon.js';

const device = deviceOn('directml');

test('10,000 frames arrive as they were', async () => {
  const [width, height] = [67, 33];
  const from = makeTexture(device(), 'bgra8unorm', width, height);
  const to = makeTexture(device(), 'bgra8unorm', width, height);
  const tensor = device().createTensor({ dataType: 'float32', sizes: [1, 4, height, width] });
  const texels = new Uint8Array(width * height * 4);
  for (let frame = 0; frame < 10_000; frame += 1) {
    for (let i = 0; i < texels.length; i += 1) texels[i] = (i * 13 + frame * 7) & 255;
    interop.writeTexture(from.external, texels);
    await from.texture.copyTo(tensor, { channels: 'rgba', scale: 1 / 255 });
    await to.texture.copyFrom(tensor, { channels: 'rgba', scale: 255 });
    await device().idle();
    if (Buffer.compare(interop.readTexture(to.external), texels) !== 0) expect.fail(`frame ${frame} differs`);
  }
});

test('textures that live for one frame leave nothing', async () => {
  const texels = new Uint8Array(32 * 32 * 4).fill(7);
  const tensor = device().createTensor({ dataType: 'float32', sizes: [1, 3, 32, 32] });
  for (let frame = 0; frame < 2000; frame += 1) {
    const { texture } = makeTexture(device(), 'bgra8unorm', 32, 32, texels);
    await texture.copyTo(tensor, { channels: 'rgb' });
    texture.dispose();
  }
  expect(new Set(await tensor.read())).toEqual(new Set([7]));
});
