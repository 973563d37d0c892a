// @ts-check
// The benchmark's rows about a texture of another addon: a frame of 1080p goes to a tensor and back.
import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';
import { createDevice } from 'node-directml';
import { startProgram } from './cpp-program.mjs';
import { measureValues, takeTurns, timed } from './rounds.mjs';

/** @typedef {import('node-directml').Device} Device */
/** @typedef {import('./rounds.mjs').Effort} Effort */

/** @typedef {{ width: number, height: number }} Size */

/** @type {Size} */
const fullHd = { width: 1920, height: 1080 };
const texelCount = fullHd.width * fullHd.height;
const toFloats = /** @type {const} */ ({ channels: 'rgb', scale: 1 / 255 });
const toTexels = /** @type {const} */ ({ channels: 'rgb', scale: 255 });

/** A texture of the addon of checks/interop, with a picture, and a tensor for it. */
function frameOn(/** @type {Device} */ device, /** @type {Size} */ { width, height }) {
  const path = fileURLToPath(new URL(`../build/win32-${process.arch}/interop.node`, import.meta.url));
  /** @type {import('../checks/interop/addon.js').Interop} */
  const interop = createRequire(import.meta.url)(path);
  const external = interop.createTexture(device.native, { width, height });
  const texels = Uint8Array.from({ length: 4 * width * height }, (_, i) => (i % 4 === 3 ? 255 : (i * 7919) % 251));
  interop.writeTexture(external, texels);
  const texture = device.importTexture({ external });
  const tensor = device.createTensor({ dataType: 'float32', sizes: [1, 3, height, width] });
  const isWhole = () => Buffer.compare(interop.readTexture(external), texels) === 0;
  return { interop, external, texture, tensor, isWhole };
}

/** A frame goes to the tensor and back, by copies that were prepared. */
async function preparedFrame(/** @type {Device} */ device, /** @type {Size} */ size) {
  const frame = frameOn(device, size);
  const toTensor = await frame.texture.prepareCopyTo(frame.tensor, toFloats);
  const toTexture = await frame.texture.prepareCopyFrom(frame.tensor, toTexels);
  const dispatch = () => {
    toTensor.dispatch();
    toTexture.dispatch();
  };
  return { ...frame, dispatch };
}

/**
 * The same frame as that of the C++ program.
 * @returns {Promise<import('./rounds.mjs').Work>}
 */
export async function frameWork(/** @type {Device} */ device) {
  const { interop, external, dispatch } = await preparedFrame(device, fullHd);
  return {
    run() {
      dispatch();
      return device.idle();
    },
    result: () => Promise.resolve(new Uint32Array(interop.readTexture(external).buffer)),
  };
}

/** Runs small frames until V8 has compiled the functions of a frame, as in a program that shows frames for some seconds. */
async function warmUp(/** @type {Device} */ device) {
  const { texture, tensor, dispatch } = await preparedFrame(device, { width: 64, height: 64 });
  for (let frame = 1; frame <= 1000; frame++) {
    dispatch();
    if (frame % 20 === 0) await device.idle();
  }
  for (const each of [texture, tensor]) each.dispose();
}

/**
 * Measures how much longer the JavaScript thread works for a frame, from the first call until the last one has returned, than C++
 * records the same frame. The device has nothing to do meanwhile, because in the sandbox it would take the thread's core. Three
 * frames before it are not counted: after the device's work in software, the core's caches hold nothing of either program's.
 * @returns {Promise<Omit<import('./verdict.mjs').Measurement, 'name'>>}
 */
export async function measureFrames(/** @type {Effort} */ effort) {
  const device = await createDevice({ backend: 'directml' });
  const cpp = await startProgram(device.info);
  await warmUp(device);
  const { dispatch, isWhole } = await preparedFrame(device, fullHd);
  const lastFrame = async () => {
    await device.idle();
    let called = NaN;
    for (let frame = 0; frame < 4; frame++) {
      called = performance.now();
      dispatch();
    }
    return performance.now() - called;
  };
  const row = /** @type {const} */ ({ ours: 'more', unit: 'ms', limit: 0.1 });
  const measured = await measureValues(row, { ...effort, share: 0.5 }, lastFrame, {
    name: 'C++',
    value: () => cpp.time('recording'),
  });
  await cpp.end();
  await device.idle();
  const equal = isWhole();
  device.dispose();
  return { ...measured, equal };
}

/**
 * The same frame on the device, and by reading the texture, computing in JavaScript and writing it.
 * @returns {Promise<import('./rounds.mjs').Compared>}
 */
export async function compareFrames(/** @type {Device} */ device, /** @type {Effort} */ effort) {
  const { interop, external, texture, tensor, isWhole } = frameOn(device, fullHd);
  const onDevice = async () => {
    await texture.copyTo(tensor, toFloats);
    await texture.copyFrom(tensor, toTexels);
    await device.idle();
  };
  const throughCpu = async () => {
    tensor.write(planesOf(interop.readTexture(external)));
    interop.writeTexture(external, texelsOf(await tensor.read()));
  };
  const turns = await takeTurns(
    { ...effort, limit: null },
    () => timed(onDevice),
    () => timed(throughCpu),
  );
  const equal = isWhole();
  for (const each of [texture, tensor]) each.dispose();
  return { ours: 'device', theirs: 'CPU', equal, ...turns };
}

/** The texels are BGRA, the planes red, green and blue from 0 to 1. */
function planesOf(/** @type {Uint8Array} */ texels) {
  const planes = new Float32Array(3 * texelCount);
  for (let i = 0; i < texelCount; i++) {
    for (let channel = 0; channel < 3; channel++) planes[channel * texelCount + i] = (texels[4 * i + 2 - channel] ?? 0) / 255;
  }
  return planes;
}

function texelsOf(/** @type {Float32Array} */ planes) {
  const texels = new Uint8Array(4 * texelCount).fill(255);
  for (let i = 0; i < texelCount; i++) {
    for (let channel = 0; channel < 3; channel++) {
      texels[4 * i + 2 - channel] = Math.round(255 * (planes[channel * texelCount + i] ?? 0));
    }
  }
  return texels;
}
