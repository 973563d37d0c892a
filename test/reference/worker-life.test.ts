/** The worker thread of the reference backend: how it begins, how it ends, and what happens if it fails. */
import { spawn } from 'node:child_process';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { createDevice, type Device } from 'node-directml';
import { backendOf } from '#lib/api/device-internals.js';
import { resolveDescriptor } from '#lib/validation/index.js';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { caught, gist, rejected } from '../support/errors.js';
import { untyped } from '../support/hostile.js';

const program = fileURLToPath(new URL('programs/worker.mjs', import.meta.url));

/** Runs a stage of the program. Returns its exit code, and each line that it printed. */
async function run(
  stage: string,
  flags: readonly string[] = [],
  parts: readonly string[] = [],
): Promise<{ code: number | null; printed: unknown[] }> {
  const child = spawn(process.execPath, [...flags, program, stage, ...parts], { stdio: ['ignore', 'pipe', 'ignore'] });
  let text = '';
  child.stdout.on('data', (part: Buffer) => (text += String(part)));
  const code = await new Promise<number | null>((resolve, reject) => child.on('error', reject).on('close', resolve));
  return { code, printed: text.split(/\r?\n/).flatMap((line) => (line === '' ? [] : [JSON.parse(line)])) };
}

describe('a process', () => {
  test.each([
    ['natural', 0, ['end', 'soon']],
    ['unused', 0, [{ threads: 0 }]],
    ['watching', 0, ['end']],
    ['exit', 42, ['soon']],
    ['uncaught', 1, []],
    ['dispose', 0, [{ reason: 'destroyed', returned: true, ended: true }]],
    ['read', 0, [[1024, 1024]]],
    ['forgotten', 0, [[1024, 1024]]],
    ['nested', 0, [{ code: 1, soon: true }]],
    ['ends', 0, [[1024, 1024], 0]],
    ['disposed', 0, [{ isFreed: true }]],
    ['undisposed', 0, [{ isFreed: true }]],
    ['unawaited', 0, [{ isFreed: true }]],
    ['writes', 0, [{ isFreed: true, last: 0 }]],
    ['many', 0, [{ few: true }]],
  ])('%s: ends with %i', async (stage, code, printed) => {
    expect(await run(stage)).toEqual({ code, printed });
  });

  test.each([
    ['natural', 0, ['end', 'soon']],
    ['exit', 42, ['soon']],
    ['uncaught', 1, []],
    ['dispose', 0, [{ reason: 'destroyed', returned: true, ended: true }]],
    ['read', 0, [[1024, 1024]]],
    ['computed', 0, [[1024, 1024], 'soon']],
    ['nested', 0, [{ code: 1, soon: true }]],
    ['ends', 0, [[1024, 1024], 0]],
  ])('%s, while several threads multiply: ends with %i', async (stage, code, printed) => {
    expect(await run(stage, [], ['crew'])).toEqual({ code, printed });
  });

  test('that drops devices ends their threads', async () => {
    expect(await run('dropped', ['--expose-gc'])).toEqual({ code: 0, printed: [{ some: true, threads: 0 }] });
    expect(await run('dropped', ['--expose-gc'], ['crew'])).toEqual({ code: 0, printed: [{ some: true, threads: 0 }] });
  });
});

describe('a device', () => {
  let device: Device;
  beforeEach(async () => {
    device = await createDevice({ backend: 'reference', thread: 'worker' });
  });
  afterEach(() => device.dispose());

  const length = 1_000_000;
  const bytes = { dataType: 'uint8', sizes: [length] } as const;

  /** A tensor that the worker is still to fill. */
  async function filling(value: number) {
    const fill = await device.compile({ type: 'fillValueConstant', outputTensor: bytes, valueDataType: 'uint8', value });
    const tensor = device.createTensor(bytes);
    fill.dispatch({ outputTensor: tensor });
    return tensor;
  }

  test('does not block the JavaScript thread', async () => {
    const desc = { dataType: 'float32', sizes: [1, 1, 512, 512] } as const;
    const [a, b] = [device.createTensor(desc), device.createTensor(desc)];
    const gemm = await device.compile({ type: 'gemm', aTensor: desc, bTensor: desc });
    const { outputTensor } = gemm.createOutputs();
    for (let i = 0; i < 20; i++) gemm.dispatch({ aTensor: a, bTensor: b, outputTensor });
    const idle = device.idle().then(() => 'idle');
    expect(await Promise.race([idle, sleep(20, 'still computing')])).toBe('still computing');
    expect(await idle).toBe('idle');
  });

  test('reads into memory that is transferred or cut off before the bytes arrive', async () => {
    const tensor = await filling(7);
    /** TypeScript's library for Node.js 20 does not know resizable buffers. */
    const resizable: ArrayBuffer = Reflect.construct(ArrayBuffer, [length, { maxByteLength: length }]);
    const [given, shrunk, kept] = [new Uint8Array(length), new Uint8Array(resizable), new Uint8Array(length)];
    const reads = [given, shrunk].map((array) => rejected(tensor.readInto(array)));
    const last = tensor.readInto(kept);
    structuredClone(given.buffer, { transfer: [given.buffer] });
    Reflect.apply(Reflect.get(resizable, 'resize'), resizable, [100]);
    for (const error of await Promise.all(reads)) {
      expect(error.code).toBe('ERR_INVALID_ARGUMENT');
      expect(error.message).toContain('transferred or cut off');
    }
    expect((await last).every((byte) => byte === 7)).toBe(true);
    tensor.write(new Uint8Array(length).fill(8));
    expect((await tensor.read()).every((byte) => byte === 8)).toBe(true);
  });

  test('that is disposed of with reads in flight settles them', async () => {
    const tensor = await filling(9);
    const reads = Array.from({ length: 5 }, () => [tensor.readInto(new Uint8Array(length)), tensor.read()]).flat();
    device.dispose();
    for (const array of await Promise.all(reads)) expect(array[length - 1]).toBe(9);
    expect(await device.lost).toMatchObject({ reason: 'destroyed' });
    expect((await rejected(tensor.read())).code).toBe('ERR_DISPOSED');
  });

  test('has no memory for a buffer', () => {
    expect(caught(() => device.createBuffer(2 ** 50)).code).toBe('ERR_OUT_OF_MEMORY');
  });

  test('is lost if a kernel fails', async () => {
    const tensor = await filling(1);
    const before = tensor.read();
    const backend = backendOf(device);
    const resolved = resolveDescriptor({ type: 'elementWiseNegate', inputTensor: { dataType: 'float32', sizes: [4] } }, '6.4');
    const negate = await backend.compile(resolved, untyped({}), [null]);
    // Nothing is bound, which the public API does not let through.
    backend.dispatch(negate, [null], [null]);
    const after = tensor.read();
    const idle = device.idle();
    expect((await before)[length - 1]).toBe(1);
    expect((await rejected(after)).code).toBe('ERR_DEVICE_LOST');
    expect((await rejected(idle)).code).toBe('ERR_DEVICE_LOST');
    expect(await device.lost).toMatchObject({ reason: 'unknown', message: expect.stringContaining('worker thread') });
    expect(caught(() => tensor.write(new Uint8Array(length))).code).toBe('ERR_DEVICE_LOST');
    expect((await rejected(tensor.read())).code).toBe('ERR_DEVICE_LOST');
  });
});

describe('the option', () => {
  test.each(['wroker', null, 1])('thread: %j', async (thread) => {
    for (const backend of ['directml', 'reference'] as const) {
      const error = await rejected(createDevice({ backend, thread: untyped(thread) }));
      expect(gist(error)).toEqual(['ERR_INVALID_ARGUMENT', 'options.thread']);
    }
  });

  test('is of the reference backend only', async () => {
    const error = await rejected(createDevice({ backend: 'directml', thread: 'worker' }));
    expect(gist(error)).toEqual(['ERR_INVALID_ARGUMENT', 'options.thread']);
  });

  test('needs the permission to start threads', async () => {
    const code = `require('node-directml').createDevice({ backend: 'reference', thread: 'worker' }).catch(({ code }) => console.log(code))`;
    const [major = 0] = process.versions.node.split('.').map(Number);
    const flags = [major < 24 ? '--experimental-permission' : '--permission', '--allow-fs-read=*', '-e', code];
    const child = spawn(process.execPath, flags, {
      stdio: ['ignore', 'pipe', 'ignore'],
      cwd: fileURLToPath(new URL('.', import.meta.url)),
    });
    let text = '';
    child.stdout.on('data', (part: Buffer) => (text += String(part)));
    await new Promise((resolve, reject) => child.on('error', reject).on('close', resolve));
    expect(text.trim()).toBe('ERR_NO_WORKER');
  });
});
