/**
 * `node --expose-gc dropped.mjs`: drops devices without dispose(), each in the middle of some work, and collects garbage
 * until none is left. Writes one line of JSON: the native objects that are left, by the device's work.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { loadAddon } from '#lib/backends/directml/addon.js';

const { binding, directory } = loadAddon();
const SIZE = 1 << 22;
const tensor = {
  dataType: 1,
  flags: 0,
  sizes: [1, 1, 1, SIZE / 4],
  strides: null,
  totalTensorSizeInBytes: SIZE,
  guaranteedBaseOffsetAlignment: 0,
};
const identity = { type: 1, inputTensor: tensor, outputTensor: tensor, scaleBias: null };

/** @typedef {Awaited<ReturnType<typeof binding.createDevice>>} NativeDevice */

/**
 * The stages at which a device is dropped. If they return a `promise`, it is awaited after the device is dropped.
 * @type {Record<string, (device: NativeDevice) => unknown>}
 */
const stages = {
  opened: () => undefined,
  compiling: (device) => device.compileOperator(identity, 0),
  recorded: (device) => dispatches(device),
  submitted: async (device) => {
    await dispatches(device);
    device.submit();
  },
  reading: async (device) => {
    const buffer = await dispatches(device);
    return { promise: device.read(buffer, 0, SIZE) };
  },
  idling: async (device) => {
    await dispatches(device);
    return { promise: device.idle() };
  },
  lost: async (device) => {
    await dispatches(device);
    device.submit();
    device.onLost(() => device);
    device.removeForTesting();
  },
};

async function dispatches(/** @type {NativeDevice} */ device) {
  const [input, output] = [device.createBuffer(SIZE), device.createBuffer(SIZE)];
  const operator = await device.compileOperator(identity, 0);
  const command = Float64Array.of(operator.number, input.number, 0, SIZE, output.number, 0, SIZE);
  for (let i = 0; i < 30; i++) binding.dispatch(command);
  return output;
}

async function drop(/** @type {(device: NativeDevice) => unknown} */ stage) {
  const given = await stage(await binding.createDevice({ addonDirectory: directory }));
  return /** @type {{ promise?: Promise<unknown> } | undefined} */ (given);
}

/** Collects garbage until no device is left, or for some seconds. */
async function collect() {
  for (let i = 0; i < 200 && binding.liveObjects().devices > 0; i++) {
    globalThis.gc?.();
    await sleep(20);
  }
}

/** @type {Record<string, object>} */
const left = {};
for (const [name, stage] of Object.entries(stages)) {
  let dropped = await drop(stage);
  globalThis.gc?.();
  await dropped?.promise;
  dropped = undefined;
  await collect();
  left[name] = binding.liveObjects();
}
console.log(JSON.stringify(left));
