// The utility process: opens the buffer and the fence by their names, waits for the frame, and answers with the texel that all
// texels of the frame are equal to, or with null.
import { createDevice } from 'node-directml';

const device = await createDevice();
/** @type {{ pixels: import('node-directml').DirectMLBuffer, fence: import('node-directml').DirectMLFence } | undefined} */
let shared;

process.parentPort.on('message', async ({ data: { names, frame, sizeInBytes } }) => {
  shared ??= {
    pixels: device.importBuffer({ name: names.pixels, sizeInBytes }),
    fence: device.importFence({ name: names.fence }),
  };
  device.waitFor(shared.fence, frame);
  const texels = new Uint32Array(await shared.pixels.read());
  const isPlain = texels.every((texel) => texel === texels[0]);
  process.parentPort.postMessage(isPlain ? [...new Uint8Array(texels.buffer, 0, 4)] : null);
});
