/**
 * `node hostile.mjs CASE`: a program whose setters and getters on prototypes, and hooks of promises, run in the middle of the
 * addon's work. Writes one line of JSON. Needs its own process, because it changes shared built-in objects.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { promiseHooks } from 'node:v8';
import { loadAddon } from '#lib/backends/directml/addon.js';
import { encodeOperator } from '#lib/backends/directml/encode.js';
import { resolveDescriptor } from '#lib/operators/resolve.js';

const MEBIBYTE = 2 ** 20;
const { binding, directory } = loadAddon();
const open = () => binding.createDevice({ addonDirectory: directory });
const bytes = (/** @type {number} */ value, length = 6 * MEBIBYTE) => new Uint8Array(length).fill(value);
const transfer = (/** @type {Uint8Array<ArrayBuffer>} */ array) => structuredClone(array.buffer, { transfer: [array.buffer] });

/** Resolves to the code of the promise's error, or to 'fulfilled' or 'pending'. */
async function outcome(/** @type {Promise<unknown>} */ promise) {
  const settled = promise.then(
    () => 'fulfilled',
    (error) => Object.getOwnPropertyDescriptor(error, 'code')?.value ?? String(error),
  );
  return Promise.race([settled, sleep(20_000, 'pending', { ref: false })]);
}

/**
 * Reads of each kind. The array of the first one is transferred before the bytes arrive.
 * @returns {Promise<Promise<unknown>[]>}
 */
async function reads(/** @type {import('../../../binding.js').NativeDevice} */ device, count = 6) {
  const buffer = device.createBuffer(6 * MEBIBYTE);
  device.write(buffer, 0, bytes(1));
  await device.idle();
  const [moved, kept] = [bytes(0), bytes(0)];
  const calls = [
    () => device.readInto(buffer, 0, moved),
    () => device.readInto(buffer, 0, kept),
    () => device.read(buffer, 0, 6 * MEBIBYTE),
    () => device.idle(),
    () => device.readInto(buffer, 0, bytes(0)),
    () => device.read(buffer, 0, 16),
  ];
  const all = calls.slice(0, count).map((call) => call());
  transfer(moved);
  return all;
}

/** Defines an accessor that runs `body` once. */
function trap(/** @type {object} */ target, /** @type {string} */ name, /** @type {() => unknown} */ body) {
  let left = 1;
  const run = () => (left-- > 0 ? body() : undefined);
  Object.defineProperty(target, name, { configurable: true, get: run, set: run });
}

/** @type {Record<string, () => Promise<unknown>>} */
const cases = {
  /** A setter disposes of the device while a read is refused: one of several reads, then the only one. */
  async disposingSetter() {
    const codes = [];
    for (const count of [6, 1]) {
      const device = await open();
      const pending = await reads(device, count);
      trap(Error.prototype, 'code', () => device.dispose());
      codes.push(...(await Promise.all(pending.map(outcome))));
    }
    return codes;
  },

  async throwingSetter() {
    const device = await open();
    const pending = await reads(device);
    for (const name of ['code', 'field', 'probe']) {
      const fails = () => {
        throw new Error('mine');
      };
      Object.defineProperty(Object.prototype, name, { configurable: true, set: fails });
    }
    return Promise.all(pending.map(outcome));
  },

  /** A setter disposes of the device while its loss is reported. */
  async lostWithSetter() {
    const device = await open();
    const pending = await reads(device);
    trap(Error.prototype, 'code', () => device.dispose());
    trap(Error.prototype, 'call', () => device.dispose());
    device.removeForTesting();
    const codes = await Promise.all(pending.map(outcome));
    return codes.every((code) => ['fulfilled', 'ERR_DEVICE_LOST', 'ERR_INVALID_ARGUMENT'].includes(code));
  },

  /** Setters for every name and index that the addon writes. */
  async setters() {
    const names = new Set(['probe', 'code', 'field', 'call', 'hresult', 'hresultName', 'cause', '0', '1', '12']);
    const collect = (/** @type {unknown} */ value) => {
      if (typeof value !== 'object' || value === null) return;
      for (const name of Object.keys(value)) {
        names.add(name);
        collect(Reflect.get(value, name));
      }
    };
    const first = await open();
    const all = async (/** @type {typeof first} */ device) => {
      device.startProfile();
      const times = await device.endProfile();
      const { type, name, fields } = binding.operatorTable()[7] ?? {};
      return { info: device.info, memory: device.memory(), times, adapters: await binding.listAdapters(), type, name, fields };
    };
    const expected = await all(first);
    collect(expected);
    collect(binding.liveObjects());
    /** @type {Set<string>} */
    const ran = new Set();
    for (const name of names) {
      const remember = () => {
        ran.add(name);
      };
      Object.defineProperty(Object.prototype, name, { configurable: true, set: remember });
    }
    const device = await open();
    const found = await all(device);
    /** @type {unknown} */
    let error;
    try {
      await device.compileOperator(Object.create(null), 0);
    } catch (thrown) {
      error = thrown;
    }
    const live = binding.liveObjects();
    for (const name of names) Reflect.deleteProperty(Object.prototype, name);
    const { code, field } = Object(error);
    const same = ['info', 'adapters', 'fields', 'name', 'type'].every(
      (name) => JSON.stringify(Reflect.get(found, name)) === JSON.stringify(Reflect.get(expected, name)),
    );
    return {
      ran: [...ran],
      names: names.size > 40,
      same,
      code,
      field,
      devices: live.devices,
      memory: Object.keys(found.memory).length,
    };
  },

  /** A getter `then` that closes the device while a read is resolved. */
  async disposingThen() {
    const device = await open();
    const pending = await reads(device);
    for (const prototype of [Object.prototype, ArrayBuffer.prototype]) trap(prototype, 'then', () => device.dispose());
    return Promise.all(pending.map(outcome));
  },

  async disposingHook() {
    const codes = [];
    for (const count of [6, 1]) {
      const device = await open();
      const pending = await reads(device, count);
      let isFirst = true;
      const stop = promiseHooks.onSettled((promise) => {
        if (!pending.includes(promise) || !isFirst) return;
        isFirst = false;
        device.dispose();
      });
      codes.push(...(await Promise.all(pending.map(outcome))));
      stop();
    }
    return codes;
  },

  /** A hook that closes the device when a method makes its promise. */
  async newPromises() {
    const table = /** @satisfies {import('node-directml').TensorDesc} */ ({ dataType: 'float32', sizes: [4] });
    const { descriptor } = resolveDescriptor(
      { type: 'elementWiseAdd', aTensor: table, bTensor: table, outputTensor: table },
      '6.4',
    );
    const desc = encodeOperator(descriptor);
    /**
     * @type {((device: Awaited<ReturnType<typeof open>>, buffer: import('../../../binding.js').NativeBuffer) =>
     * Promise<unknown>)[]}
     */
    const calls = [
      (device) => device.compileOperator(desc, 0),
      (device, buffer) => device.read(buffer, 0, 64),
      (device, buffer) => device.readInto(buffer, 0, new Uint8Array(64)),
      (device) => device.idle(),
      (device) => device.endProfile(),
    ];
    const codes = [];
    for (const call of calls) {
      const device = await open();
      const buffer = device.createBuffer(64);
      device.startProfile();
      let isFirst = true;
      const stop = promiseHooks.onInit(() => {
        if (isFirst) device.dispose();
        isFirst = false;
      });
      const promise = call(device, buffer);
      stop();
      codes.push(await outcome(promise));
    }
    return codes;
  },

  /** A write that waits for the device must not run scripts, which could free its bytes. */
  async waitingWrite() {
    const device = await open();
    const buffer = device.createBuffer(6 * MEBIBYTE);
    const data = bytes(2);
    const targets = Array.from({ length: 12 }, () => bytes(0));
    let isWriting = false;
    let ran = 0;
    const stop = promiseHooks.onSettled(() => {
      if (isWriting) ran += 1;
    });
    const pending = targets.map((target) => device.readInto(buffer, 0, target));
    isWriting = true;
    for (let i = 0; i < 60; i++) device.write(buffer, 0, data);
    isWriting = false;
    const codes = await Promise.all(pending.map(outcome));
    stop();
    const last = new Uint8Array((await device.read(buffer, 0, 6 * MEBIBYTE)).bytes);
    return { ran, codes: [...new Set(codes)], last: last.every((byte) => byte === 2) };
  },
};

const result = await cases[process.argv[2] ?? '']?.();
process.stdout.write(`${JSON.stringify(result)}\n`);
