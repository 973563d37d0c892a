// Draws a page of one colour in an offscreen window, copies the texture of the window into a shared buffer, and has a utility
// process read that buffer. Exits with 0 if the pixels have the colour.
import { app, BrowserWindow, utilityProcess } from 'electron';
import { once } from 'node:events';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { createDevice } from 'node-directml';

const [width, height] = [64, 32];
const colour = { red: 10, green: 200, blue: 90 };
const bytesPerRow = width * 4;
const sizeInBytes = bytesPerRow * height;
/** The window may paint an empty page first. */
const mostFrames = 100;

// Chromium draws with Direct3D 11's software adapter, because the machine has no GPU.
app.commandLine.appendSwitch('use-angle', 'd3d11-warp');
app.commandLine.appendSwitch('ignore-gpu-blocklist');

/** Resolves with the next texture that the window paints. */
async function nextTexture(/** @type {BrowserWindow} */ window) {
  window.webContents.invalidate();
  const [{ texture }] = await once(window.webContents, 'paint');
  if (texture === undefined) throw new Error('the window paints without a shared texture');
  return texture;
}

async function test() {
  const device = await createDevice();
  const names = { pixels: `Local\\pixels-${process.pid}`, fence: `Local\\frames-${process.pid}` };
  const pixels = device.createBuffer(sizeInBytes, { shared: { name: names.pixels } });
  const fence = device.createFence({ name: names.fence });
  const child = utilityProcess.fork(fileURLToPath(new URL('utility.mjs', import.meta.url)));
  child.on('exit', (code) => app.exit(code === 0 ? 1 : code));
  await once(child, 'spawn');

  const webPreferences = { offscreen: { useSharedTexture: true } };
  const window = new BrowserWindow({ show: false, frame: false, width, height, webPreferences });
  const { red, green, blue } = colour;
  await window.loadURL(`data:text/html,<body style="background: rgb(${red}, ${green}, ${blue})">`);
  for (let frame = 1n; frame <= mostFrames; frame += 1n) {
    const texture = await nextTexture(window);
    const { handle, pixelFormat } = texture.textureInfo;
    const source = device.importTexture({ handle: handle.ntHandle });
    await source.copyTo(pixels, { bytesPerRow, region: { x: 0, y: 0, width, height } });
    device.signal(fence, frame);
    child.postMessage({ names, frame, sizeInBytes });
    const [texel] = await once(child, 'message');
    source.dispose();
    texture.release();
    const expected = pixelFormat === 'bgra' ? [blue, green, red, 255] : [red, green, blue, 255];
    console.log(`frame ${frame} of ${source.format}: ${texel ?? 'several colours'}`);
    if (String(texel) === String(expected)) return;
    await delay(50);
  }
  throw new Error('no frame has the colour of the page');
}

await app.whenReady();
try {
  await test();
  app.exit(0);
} catch (error) {
  console.error(error);
  app.exit(1);
}
