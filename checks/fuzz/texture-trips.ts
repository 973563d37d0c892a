/** Whole trips of frames through textures, on objects that no other call uses. Either side lets go before the GPU is done. */
import type { Device, PixelOptions, TextureFormat } from 'node-directml';
import { textureFormats } from '#lib/backends/texture-formats.js';
import { formatNumbers, interop, makeTexture } from '../interop/addon.js';
import { right, type Weighted } from './make.js';
import { onDirectML, sourceOf } from './sharing-actions.js';
import { whileLive } from './texture-actions.js';
import { elsewhere } from './texture-memory.js';
import { bytesOfTexels, expectSame, randomSize, randomTexels } from './texture-model.js';

const MOST_FRAMES = 3;

/** Options with which no texel changes on the way to a float32 tensor and back. */
function optionsOf(format: TextureFormat): { to: PixelOptions; from: PixelOptions } {
  const { channels, dataType } = textureFormats[format];
  return dataType === 'uint8'
    ? { to: { channels, scale: 1 / 255 }, from: { channels, scale: 255 } }
    : { to: { channels, scale: 2, offset: 1 }, from: { channels, scale: 0.5, offset: -0.5 } };
}

/** A live frame through a tensor into another texture. */
const throughTensor = onDirectML((owner, random) => {
  const size = randomSize(random);
  const { format, width, height } = size;
  const frames = Array.from({ length: random.int(1, MOST_FRAMES) }, () => bytesOfTexels(size, randomTexels(random, size)));
  const isRecorded = random.chance(0.5);
  const forgets = random.chance(0.5);
  const { to, from } = optionsOf(format);
  return right(
    `${frames.length} frames of ${format} ${width} × ${height} go through a tensor`,
    whileLive([{ owner, value: null, isGone: false }], async () => {
      const { device } = owner;
      const pair = elsewhere(
        () => [makeTexture(device, format, width, height), makeTexture(device, format, width, height)] as const,
      );
      if (pair === null) return;
      const [source, target] = pair;
      const tensor = device.createTensor({
        dataType: 'float32',
        sizes: [1, textureFormats[format].channels.length, height, width],
      });
      const input = await source.texture.prepareCopyTo(tensor, to);
      const output = await target.texture.prepareCopyFrom(tensor, from);
      const both = () => {
        input.dispatch();
        output.dispatch();
      };
      const recording = isRecorded ? device.record(both) : null;
      for (const [i, frame] of frames.entries()) {
        if (elsewhere(() => interop.writeTexture(source.external, frame)) === null) return;
        if (recording === null) both();
        else recording.replay();
        if (i === frames.length - 1 && forgets) {
          for (const object of [recording, input, output, tensor, source.texture, target.texture]) object?.dispose();
          source.external = null;
        }
        await device.idle();
        const arrived = elsewhere(() => interop.readTexture(target.external));
        if (arrived !== null) expectSame(`frame ${i}`, arrived, frame);
      }
    }),
  );
});

/** A frame that one device copies into a texture, and another one out of it. */
const throughDevices = onDirectML((owner, random, world) => {
  const others = world.live('directml').filter((held) => held !== owner);
  if (others.length === 0) return null;
  const other = random.pick(others);
  const size = randomSize(random);
  const { format, width, height } = size;
  const { channels, dataType } = textureFormats[format];
  const frame = bytesOfTexels(size, randomTexels(random, size));
  const closes = random.chance(0.5);
  const tensorOn = (device: Device) => device.createTensor({ dataType, sizes: [height, width, channels.length] });
  return right(`a frame of ${format} ${width} × ${height} goes from device to device`, async () => {
    const desc = { width, height, format: formatNumbers[format], heapFlags: 1 };
    const external = elsewhere(() => interop.createTexture(owner.device.native, desc));
    if (external === null) return;
    const handle = world.keepOpen(interop.createHandle(external));
    const [ours, theirs] = [owner.device.importTexture({ external }), other.device.importTexture(sourceOf(random, handle.value))];
    if (closes) world.closeHandle(handle);
    const [from, to] = [tensorOn(owner.device), tensorOn(other.device)];
    from.buffer.write(frame);
    await ours.copyFrom(from, { layout: 'nhwc', channels });
    await owner.device.idle();
    ours.dispose();
    await theirs.copyTo(to, { layout: 'nhwc', channels });
    theirs.dispose();
    const arrived = await to.read();
    expectSame('the frame', new Uint8Array(arrived.buffer, arrived.byteOffset, arrived.byteLength), frame);
  });
});

export const textureTrips: Weighted = [
  [30, throughTensor],
  [20, throughDevices],
];
