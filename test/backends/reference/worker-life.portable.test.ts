/** The worker thread of the reference backend: its start, its end and its failures. */
import { spawn } from 'node:child_process';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { createDevice, type Device } from 'node-directml';
import { backendOf } from '#lib/api/device-internals.js';
import type { BackendBuffer } from '#lib/backends/backend.js';
import { resolveDescriptor } from '#lib/operators/resolve.js';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { caught, gist, rejected } from '../../support/errors.js';
import { polluted, untyped } from '../../../checks/malformed/objects.js';
import { threadPoolDevice } from './programs/thread-pool-device.mjs';

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
    ['read', 0, [[512, 512]]],
    ['forgotten', 0, [[512, 512]]],
    ['nested', 0, [{ code: 1, soon: true }]],
    ['ends', 0, [[512, 512], 0]],
    ['disposed', 0, [{ isFreed: true }]],
    ['undisposed', 0, [{ isFreed: true }]],
    ['unawaited', 0, [{ isFreed: true }]],
    ['writes', 0, [{ isFreed: true, last: 0 }]],
    ['many', 0, [{ few: true }]],
    ['replaced', 0, ['ERR_DEVICE_LOST']],
  ])('%s: ends with %i', async (stage, code, printed) => {
    expect(await run(stage)).toEqual({ code, printed });
  });

  test.each([
    ['natural', 0, ['end', 'soon']],
    ['exit', 42, ['soon']],
    ['uncaught', 1, []],
    ['dispose', 0, [{ reason: 'destroyed', returned: true, ended: true }]],
    ['read', 0, [[512, 512]]],
    ['computed', 0, [[512, 512], 'soon']],
    ['nested', 0, [{ code: 1, soon: true }]],
    ['ends', 0, [[512, 512], 0]],
  ])('%s, while several threads multiply: ends with %i', async (stage, code, printed) => {
    expect(await run(stage, [], ['threadPool'])).toEqual({ code, printed });
  });

  test('that drops devices ends their threads', async () => {
    expect(await run('dropped', ['--expose-gc'])).toEqual({ code: 0, printed: [{ some: true, threads: 0 }] });
    expect(await run('dropped', ['--expose-gc'], ['threadPool'])).toEqual({ code: 0, printed: [{ some: true, threads: 0 }] });
  });
});

/** Calls `run`, and `meanwhile` before each array that it iterates over. */
function iterating<T>(meanwhile: () => void, run: () => T): T {
  const prototype: { [Symbol.iterator]: () => Iterator<unknown> } = Array.prototype;
  const iterate = prototype[Symbol.iterator];
  let isBusy = false;
  prototype[Symbol.iterator] = function () {
    if (!isBusy) {
      isBusy = true;
      meanwhile();
      isBusy = false;
    }
    return iterate.call(this);
  };
  try {
    return run();
  } finally {
    prototype[Symbol.iterator] = iterate;
  }
}

describe('a device', () => {
  let device: Device;
  beforeEach(async () => {
    device = await createDevice({ backend: 'reference', thread: 'worker' });
  });
  afterEach(() => device.dispose());

  const length = 1_000_000;
  const bytes = { dataType: 'uint8', sizes: [length] } as const;

  /** Makes a tensor and dispatches an operator that fills it, which the worker has yet to run. */
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

  test('rejects reads into memory that is transferred or shrunk before the bytes arrive', async () => {
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

  test('completes reads in flight when it is disposed of', async () => {
    const tensor = await filling(9);
    const reads = Array.from({ length: 5 }, () => [tensor.readInto(new Uint8Array(length)), tensor.read()]).flat();
    device.dispose();
    for (const array of await Promise.all(reads)) expect(array[length - 1]).toBe(9);
    expect(await device.lost).toMatchObject({ reason: 'destroyed' });
    expect((await rejected(tensor.read())).code).toBe('ERR_DISPOSED');
  });

  test('throws ERR_OUT_OF_MEMORY for a buffer of 2^50 bytes', () => {
    expect(caught(() => device.createBuffer(2 ** 50)).code).toBe('ERR_OUT_OF_MEMORY');
  });

  test('records what a replaced function calls in the middle of another call', async () => {
    await filling(1);
    const backend = backendOf(device);
    const resolved = resolveDescriptor({ type: 'elementWiseAbs', inputTensor: { dataType: 'float32', sizes: [4] } }, '6.4');
    const [from, to] = [backend.createBuffer(16), backend.createBuffer(16)];
    backend.write(from, 0, new Uint8Array(Float32Array.of(-1, 2, -3, 4).buffer));
    const idle: Promise<void>[] = [];
    const dispatchable = await iterating(
      () => idle.push(device.idle()),
      () => backend.compile(resolved, untyped({}), [null]),
    );
    const range = (buffer: BackendBuffer) => ({ buffer, offset: 0, sizeInBytes: 16 });
    iterating(
      () => idle.push(device.idle()),
      () => backend.dispatch({ dispatchable, inputs: [range(from)], outputs: [range(to)] }),
    );
    expect((await Promise.all(idle)).length).toBeGreaterThan(0);
    const { bytes } = await backend.read(to, 0, 16);
    expect([...new Float32Array(bytes)]).toEqual([1, 2, 3, 4]);
  });

  test('is lost if a kernel fails', async () => {
    const tensor = await filling(1);
    const before = tensor.read();
    const backend = backendOf(device);
    const resolved = resolveDescriptor({ type: 'elementWiseNegate', inputTensor: { dataType: 'float32', sizes: [4] } }, '6.4');
    const negate = await backend.compile(resolved, untyped({}), [null]);
    // The kernel fails because nothing is bound; the public API would refuse this.
    backend.dispatch({ dispatchable: negate, inputs: [null], outputs: [null] });
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

describe.each(['worker', 'caller'] as const)('a kernel that runs out of memory, thread: %s', (thread) => {
  let device: Device;
  beforeEach(async () => {
    device = await createDevice({ backend: 'reference', thread });
  });
  afterEach(() => device.dispose());

  const float = (...sizes: readonly number[]) => ({ dataType: 'float32' as const, sizes });
  const count = 2 ** 18;
  const column = float(1, 1, count, 1);
  /** The kernel resamples one dimension after the other, so its intermediate result has 2³⁶ elements. */
  const turn = {
    type: 'resample',
    inputTensor: float(1, 1, 1, count),
    outputTensor: column,
    interpolationMode: 'linear',
    scales: [1, 1, count, 1 / count],
  } as const;
  const lack = {
    name: 'DirectMLError',
    code: 'ERR_OUT_OF_MEMORY',
    operator: 'resample',
    message: 'resample: there is no memory to compute it',
  };

  const input = () => device.createTensor(turn.inputTensor, new Float32Array(count).fill(3));

  /** Returns the error. The worker reports it to calls that read the output; on the calling thread, the dispatch throws it. */
  const failed = async (dispatch: () => void, then: () => Promise<unknown>) => {
    if (thread === 'caller') return caught(dispatch);
    dispatch();
    return rejected(then());
  };

  /** Checks that the device still computes correctly. */
  const isWell = async () => {
    const one = device.createTensor(float(3), [1, -2, 3]);
    const { outputTensor } = await device.run({ type: 'elementWiseAbs', inputTensor: one });
    expect(Array.from(await outputTensor.read(), Number)).toEqual([1, 2, 3]);
    await device.idle();
  };

  test('fails with ERR_OUT_OF_MEMORY, and the device lives on', async () => {
    const operator = await device.compile(turn);
    const outputTensor = device.createTensor(column);
    const all = { inputTensor: input(), outputTensor };
    const dispatch = () => operator.dispatch(all);
    for (const read of [
      () => outputTensor.read(),
      () => outputTensor.read({ offset: 7, length: 1 }),
      () => outputTensor.readInto(new Float32Array(count)),
      () => outputTensor.buffer.read(),
      () => device.idle(),
    ]) {
      expect(await failed(dispatch, read)).toMatchObject(lack);
      await isWell();
    }
    expect([...(await all.inputTensor.read({ length: 2 }))]).toEqual([3, 3]);
  });

  const inWorker = thread === 'worker';
  if (inWorker)
    test('is reported by idle, however many operators have run since', async () => {
      const operator = await device.compile(turn);
      operator.dispatch({ inputTensor: input(), outputTensor: device.createTensor(column) });
      const one = device.createTensor(float(3), [1, -2, 3]);
      for (let i = 0; i < 300; i++) await device.run({ type: 'elementWiseAbs', inputTensor: one });
      expect(await rejected(device.idle())).toMatchObject(lack);
      await isWell();
    });

  test('fails in a graph and in a recording, too', async () => {
    const graph = device.createGraph();
    const { outputTensor: turned } = graph.add({ ...turn, inputTensor: graph.input('x', turn.inputTensor) });
    const { outputTensor: y } = graph.add({ type: 'elementWiseNegate', inputTensor: turned });
    const compiled = await graph.compile({ y });
    const all = { x: input(), ...compiled.createOutputs() };
    expect(
      await failed(
        () => compiled.dispatch(all),
        () => all.y.read(),
      ),
    ).toMatchObject(lack);
    const recording = device.record(() => compiled.dispatch(all));
    expect(
      await failed(
        () => recording.replay(),
        () => all.y.read(),
      ),
    ).toMatchObject(lack);
    await isWell();
  });

  if (inWorker)
    test('also fails reads of tensors computed from its output, until they are computed anew', async () => {
      const outputTensor = device.createTensor(column);
      const negate = await device.compile({ type: 'elementWiseNegate', inputTensor: column });
      const { outputTensor: negated } = negate.createOutputs();
      const operator = await device.compile(turn);
      operator.dispatch({ inputTensor: input(), outputTensor });
      negate.dispatch({ inputTensor: outputTensor, outputTensor: negated });
      const owning = await device.compile(
        { type: 'elementWiseNegate', inputTensor: { ...column, flags: 'ownedByDml' } },
        { initializationInputs: { inputTensor: outputTensor } },
      );
      const { outputTensor: fromOwned } = owning.createOutputs();
      owning.dispatch({ outputTensor: fromOwned });
      outputTensor.write(new Float32Array(count).fill(5));
      for (const tensor of [negated, fromOwned]) expect(await rejected(tensor.read())).toMatchObject(lack);
      expect((await outputTensor.read())[count - 1]).toBe(5);
      negate.dispatch({ inputTensor: outputTensor, outputTensor: negated });
      expect((await negated.read())[count - 1]).toBe(-5);
      // After a write to a part of the output, only that part can be read.
      operator.dispatch({ inputTensor: input(), outputTensor });
      outputTensor.write([1, 2], { offset: 1 });
      expect([...(await outputTensor.read({ offset: 1, length: 2 }))]).toEqual([1, 2]);
      for (const part of [{ length: 1 }, { offset: 3 }]) expect(await rejected(outputTensor.read(part))).toMatchObject(lack);
      await device.idle();
      await isWell();
    });

  test('is not reported for a stack overflow', () => {
    const seen = new Set<unknown>();
    const fall = (): void => {
      try {
        fall();
      } catch {
        // The stack is full here; each enclosing call has a little more room.
      }
      try {
        device.createBuffer(64).dispose();
      } catch (error) {
        seen.add(Object(error).code ?? (error instanceof RangeError ? 'RangeError' : Object(error).stack));
      }
    };
    fall();
    expect([...seen]).toEqual(['RangeError']);
  });
});

describe('the threads of a device take nothing from the program', () => {
  const foreign = fileURLToPath(new URL('programs/foreign.cjs', import.meta.url));
  const size = 64;
  const desc = { dataType: 'float32', sizes: [size, size] } as const;

  /** Multiplies ones in several threads. */
  async function multiplied(): Promise<readonly number[]> {
    using device = threadPoolDevice();
    const tensor = device.createTensor(desc, new Float32Array(size * size).fill(1));
    const { outputTensor } = await device.run({ type: 'gemm', aTensor: tensor, bTensor: tensor });
    return Array.from(await outputTensor.read(), Number);
  }

  const expected = new Array<number>(size * size).fill(size);

  test.each([
    { env: { NODE_OPTIONS: `--require ${foreign}` } },
    { env: 7 },
    { eval: true },
    { execArgv: ['--no-such-option'], argv: 7, name: 7 },
    { resourceLimits: { maxOldGenerationSizeMb: 1, stackSizeMb: 0.01 } },
    { transferList: [7] },
    { workerData: 7, role: 'member', version: 0, threadPool: 7, counters: 7 },
    { stdin: true, stdout: true, stderr: true, trackUnmanagedFds: true },
    { numbers: 7, values: 7, request: 7, result: 'out of memory', transfer: 7, type: 7, id: 7, data: 7 },
    { address: 'i64', index: 'i64', minimum: 7, initial: 7, maximum: 7, shared: false, maxByteLength: 1 },
  ])('from Object.prototype: %j', async (properties) => {
    expect(await polluted(properties, multiplied)).toEqual(expected);
  });

  test.each(['SharedArrayBuffer', 'Atomics', 'FinalizationRegistry', 'WeakRef', 'WebAssembly', 'Float64Array'])(
    'from a global that it replaced: %s',
    async (name) => {
      const before: unknown = Reflect.get(globalThis, name);
      Reflect.set(globalThis, name, undefined);
      try {
        using device = threadPoolDevice();
        const tensor = device.createTensor(desc, new Float32Array(size * size).fill(1));
        const { outputTensor } = await device.run({ type: 'gemm', aTensor: tensor, bTensor: tensor });
        expect((await outputTensor.read())[0]).toBe(size);
        await device.idle();
      } finally {
        Reflect.set(globalThis, name, before);
      }
    },
  );

  test('from the environment', async () => {
    const before = process.env.NODE_OPTIONS;
    process.env.NODE_OPTIONS = `--require ${foreign}`;
    try {
      expect(await multiplied()).toEqual(expected);
    } finally {
      if (before === undefined) delete process.env.NODE_OPTIONS;
      else process.env.NODE_OPTIONS = before;
    }
  });
});

describe('the option thread', () => {
  test.each(['wroker', null, 1])('refuses %j', async (thread) => {
    for (const backend of ['directml', 'reference'] as const) {
      const error = await rejected(createDevice({ backend, thread: untyped(thread) }));
      expect(gist(error)).toEqual(['ERR_INVALID_ARGUMENT', 'options.thread']);
    }
  });

  test('is refused with the DirectML backend', async () => {
    const error = await rejected(createDevice({ backend: 'directml', thread: 'worker' }));
    expect(gist(error)).toEqual(['ERR_INVALID_ARGUMENT', 'options.thread']);
  });

  test('gives ERR_NO_WORKER without the permission to start threads', async () => {
    const code = `require('node-directml').createDevice({ backend: 'reference', thread: 'worker' }).catch(({ code }) => console.log(code))`;
    const [major = 0] = process.versions.node.split('.').map(Number);
    const flags = [major < 24 ? '--experimental-permission' : '--permission', '--allow-fs-read=*', '-e', code];
    const child = spawn(process.execPath, flags, {
      stdio: ['ignore', 'pipe', 'ignore'],
      cwd: fileURLToPath(new URL('../../operators', import.meta.url)),
    });
    let text = '';
    child.stdout.on('data', (part: Buffer) => (text += String(part)));
    await new Promise((resolve, reject) => child.on('error', reject).on('close', resolve));
    expect(text.trim()).toBe('ERR_NO_WORKER');
  });
});
