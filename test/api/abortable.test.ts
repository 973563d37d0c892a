/** An AbortSignal ends a wait, and not the work; on each backend. */
import { getEventListeners } from 'node:events';
import { runInNewContext } from 'node:vm';
import { describe, expect, test, vi } from 'vitest';
import { createDevice, DirectMLError, type Device, type Tensor } from 'node-directml';
import { loadAddon } from '#lib/backends/directml/addon.js';
import { backendOf } from '#lib/api/device-internals.js';
import { backends, deviceOn } from '../support/devices.js';
import { gist, rejected } from '../support/errors.js';
import { thrown, untyped } from '../../checks/malformed/objects.js';

const float32 = (...sizes: number[]) => ({ dataType: 'float32', sizes }) as const;
const relu = { type: 'activationRelu', inputTensor: float32(3) } as const;

/** The methods that wait, with their name in messages. Each call has the given options. */
type Call = (device: Device, tensor: Tensor<'float32'>, options: object) => Promise<unknown>;
const calls: Readonly<Record<string, Call>> = {
  'tensor.read': (_, tensor, options) => tensor.read(options),
  'tensor.readInto': (_, tensor, options) => tensor.readInto(new Float32Array(3), options),
  'buffer.read': (_, { buffer }, options) => buffer.read(0, 4, options),
  'buffer.readInto': (_, { buffer }, options) => buffer.readInto(new Uint8Array(4), 0, options),
  idle: (device, _, options) => device.idle(options),
  compile: (device, _, options) => device.compile(relu, options),
  'graph.compile': (device, _, options) => {
    const graph = device.createGraph();
    return graph.compile(graph.add({ ...relu, inputTensor: graph.input('x', float32(3)) }), options);
  },
  compileGraph: (device, _, options) => {
    const graph = device.createGraph();
    const outputs = graph.add({ ...relu, inputTensor: graph.input('x', float32(3)) });
    return device.compileGraph(graph.toDescriptor(outputs), options);
  },
};
const names = Object.keys(calls);

function call(name: string, device: Device, tensor: Tensor<'float32'>, options: object): Promise<unknown> {
  const made = calls[name];
  if (made === undefined) throw new Error(name);
  return made(device, tensor, options);
}

/** A signal as a library may make it, with its listeners. */
function polyfill(): { signal: object; listeners: Set<() => void>; abort: () => void } {
  const listeners = new Set<() => void>();
  const signal = {
    aborted: false,
    addEventListener: (_: string, listener: () => void) => listeners.add(listener),
    removeEventListener: (_: string, listener: () => void) => listeners.delete(listener),
  };
  const abort = () => {
    signal.aborted = true;
    for (const listener of listeners) listener();
  };
  return { signal, listeners, abort };
}

/** How often each thing that the backend compiles is disposed of. */
function watchDisposals(device: Device, method: 'compile' | 'compileGraph'): number[] {
  const counts: number[] = [];
  const backend = backendOf(device);
  const original: (...args: readonly never[]) => Promise<{ dispose(): void }> = backend[method];
  Object.defineProperty(backend, method, {
    value: async (...args: readonly never[]) => {
      const made = await Reflect.apply(original, backend, args);
      const i = counts.push(0) - 1;
      const dispose = made.dispose.bind(made);
      made.dispose = () => {
        counts[i] = (counts[i] ?? 0) + 1;
        dispose();
      };
      return made;
    },
  });
  return counts;
}

describe.each(backends)('on %s', (backend) => {
  const device = deviceOn(backend);
  const tensorOf = (...numbers: number[]) => device().createTensor(float32(numbers.length), numbers);

  /** Work that takes the device long enough that a wait for it is not over at once. */
  async function long(): Promise<Tensor<'float32'>> {
    const aTensor = device().createTensor(float32(512, 512));
    const { outputTensor } = await device().run({ type: 'gemm', aTensor, bTensor: aTensor });
    return outputTensor;
  }

  test.each(names)('%s: aborted while it waits', async (name) => {
    using busy = await long();
    using tensor = tensorOf(1, 2, 3);
    const controller = new AbortController();
    const reason = new Error('no longer needed');
    const waiting = rejected(
      call(name, device(), name.startsWith('b') || name.startsWith('t') ? tensor : busy, { signal: controller.signal }),
    );
    controller.abort(reason);
    const error = await waiting;
    expect(error).toBeInstanceOf(DirectMLError);
    expect([error.code, error.name, error.operator, error.cause]).toEqual(['ERR_ABORTED', 'AbortError', name, reason]);
    expect(error.message).toMatch(`${name}: the wait was aborted; `);
    expect(error.stack).toContain('abortable.test.ts');
    expect(String(error)).toMatch(/^AbortError: /);
    expect(getEventListeners(controller.signal, 'abort')).toEqual([]);
    await device().idle();
    expect([...(await tensor.read())]).toEqual([1, 2, 3]);
  });

  test.each(names)('%s: aborted before', async (name) => {
    using tensor = tensorOf(1, 2, 3);
    const { signal } = polyfill();
    const reject = async (options: object) => rejected(call(name, device(), tensor, options));
    expect(await reject({ signal: AbortSignal.abort('why') })).toMatchObject({ code: 'ERR_ABORTED', cause: 'why' });
    expect(await reject({ signal: { ...signal, aborted: true } })).not.toHaveProperty('cause');
    expect(await reject({ signal: AbortSignal.abort() })).toMatchObject({ cause: { name: 'AbortError' } });
  });

  test.each(names)('%s: not aborted, or after it is over', async (name) => {
    using tensor = tensorOf(1, 2, 3);
    const controller = new AbortController();
    const result = await call(name, device(), tensor, { signal: controller.signal });
    expect(getEventListeners(controller.signal, 'abort')).toEqual([]);
    controller.abort();
    if (name === 'tensor.read') expect(result).toEqual(Float32Array.of(1, 2, 3));
    const { signal, listeners } = polyfill();
    await call(name, device(), tensor, { signal });
    expect(listeners.size).toBe(0);
    await call(name, device(), tensor, { signal: undefined });
  });

  test.each(names)('%s: something other than a signal is refused, whatever its getters do', async (name) => {
    using tensor = tensorOf(1, 2, 3);
    const { signal } = polyfill();
    const throwing = (part: string, others: object = {}) =>
      Object.defineProperty({ ...signal, ...others }, part, {
        get: () => {
          throw thrown;
        },
      });
    const wrong = [null, 7, 'abort', {}, [], new AbortController(), () => true, { ...signal, aborted: 1 }, { aborted: true }];
    for (const given of wrong) {
      const error = await rejected(call(name, device(), tensor, { signal: given }));
      expect(gist(error)).toEqual(['ERR_INVALID_ARGUMENT', 'options.signal']);
    }
    for (const part of ['aborted', 'addEventListener', 'removeEventListener']) {
      const error = await rejected(call(name, device(), tensor, { signal: throwing(part) }));
      expect([...gist(error), error.cause]).toEqual(['ERR_INVALID_ARGUMENT', 'options.signal', thrown]);
    }
    const fail = () => {
      throw thrown;
    };
    const adding = await rejected(call(name, device(), tensor, { signal: { ...signal, addEventListener: fail } }));
    expect([...gist(adding), adding.cause]).toEqual(['ERR_INVALID_ARGUMENT', 'options.signal', thrown]);
    await call(name, device(), tensor, { signal: { ...signal, removeEventListener: fail } });
    const reasonless = await rejected(call(name, device(), tensor, { signal: throwing('reason', { aborted: true }) }));
    expect([reasonless.code, reasonless.cause]).toEqual(['ERR_ABORTED', thrown]);
    const hasty = { ...signal, addEventListener: (_: string, listener: () => void) => listener() };
    expect((await rejected(call(name, device(), tensor, { signal: hasty }))).code).toBe('ERR_ABORTED');
  });

  test('signals of another realm, of a time limit and of several signals', async () => {
    using tensor = tensorOf(1, 2, 3);
    const { signal, listeners, abort } = polyfill();
    const foreign: object = runInNewContext('Object.assign(Object.create(null), signal)', { signal });
    const waiting = rejected(tensor.read(untyped({ signal: foreign })));
    expect(listeners.size).toBe(1);
    abort();
    expect((await waiting).code).toBe('ERR_ABORTED');
    const other = new AbortController();
    const any = AbortSignal.any([AbortSignal.timeout(60_000), other.signal]);
    const read = rejected(tensor.read({ signal: any }));
    other.abort('other');
    expect((await read).cause).toBe('other');
    expect([...(await tensor.read({ signal: AbortSignal.timeout(60_000) }))]).toEqual([1, 2, 3]);
  });

  test('wrong arguments come before an aborted signal, and a lost or disposed tensor too', async () => {
    const tensor = tensorOf(1, 2, 3);
    const signal = AbortSignal.abort();
    expect(gist(await rejected(tensor.read({ signal, offset: 4 })))).toEqual(['ERR_OUT_OF_RANGE', 'options.offset']);
    expect((await rejected(tensor.readInto(new Float32Array(2), { signal }))).code).toBe('ERR_SIZES');
    expect((await rejected(tensor.readInto(new Float32Array(2), { signal, offset: 1 }))).code).toBe('ERR_ABORTED');
    expect((await rejected(tensor.buffer.read(-1, 4, { signal }))).code).toBe('ERR_INVALID_ARGUMENT');
    expect((await rejected(tensor.buffer.read(0, 1000, { signal }))).code).toBe('ERR_OUT_OF_RANGE');
    expect((await rejected(tensor.buffer.readInto(new Uint8Array(1000), 0, { signal }))).code).toBe('ERR_OUT_OF_RANGE');
    expect((await rejected(tensor.buffer.read(4, 0, { signal }))).code).toBe('ERR_ABORTED');
    expect((await rejected(device().compile(untyped<typeof relu>({ type: 'x' }), { signal }))).code).toBe('ERR_UNKNOWN_OPERATOR');
    expect((await rejected(tensor.read(untyped({ signals: signal })))).message).toContain('did you mean');
    tensor.dispose();
    expect((await rejected(tensor.read({ signal }))).code).toBe('ERR_DISPOSED');
  });

  test('many waits on one signal warn of nothing, and leave no listeners', async () => {
    using tensor = tensorOf(1, 2, 3);
    const warnings: unknown[] = [];
    const note = (warning: unknown) => void warnings.push(warning);
    process.on('warning', note);
    const controller = new AbortController();
    try {
      for (let i = 0; i < 1000; i++) await tensor.read({ signal: controller.signal });
      expect(getEventListeners(controller.signal, 'abort')).toEqual([]);
      const reads = Array.from({ length: 2000 }, () => rejected(tensor.read({ signal: controller.signal })));
      controller.abort();
      for (const { code } of await Promise.all(reads)) expect(code).toBe('ERR_ABORTED');
      expect(getEventListeners(controller.signal, 'abort')).toEqual([]);
      await new Promise((resolve) => setImmediate(resolve));
      expect(warnings).toEqual([]);
    } finally {
      process.off('warning', note);
    }
  });

  test('an aborted readInto may still fill its target', async () => {
    using tensor = tensorOf(1, 2, 3);
    const target = new Float32Array(3);
    const controller = new AbortController();
    const waiting = rejected(tensor.readInto(target, { signal: controller.signal }));
    controller.abort();
    expect((await waiting).code).toBe('ERR_ABORTED');
    await device().idle();
    await vi.waitFor(() => expect([...target]).toEqual([1, 2, 3]));
  });

  test('work that fails after its wait was aborted is no unhandled rejection', async () => {
    const other = await createDevice({ backend });
    const aTensor = other.createTensor(float32(256, 256));
    const { outputTensor } = await other.run({ type: 'gemm', aTensor, bTensor: aTensor });
    const controller = new AbortController();
    const waits = [
      outputTensor.read({ signal: controller.signal }),
      other.idle({ signal: controller.signal }),
      other.compile(relu, { signal: controller.signal }),
    ].map(rejected);
    controller.abort();
    const waiting = rejected(outputTensor.read({ signal: new AbortController().signal }));
    other.simulateLoss();
    for (const { code } of await Promise.all(waits)) expect(code).toBe('ERR_ABORTED');
    expect((await waiting).code).toBe('ERR_DEVICE_LOST');
    await other.lost;
    await new Promise((resolve) => setImmediate(resolve));
    other.dispose();
  });

  test('what is compiled after its wait was aborted is released, and not what others compile', async () => {
    const other = await createDevice({ backend });
    const disposals = { compile: watchDisposals(other, 'compile'), compileGraph: watchDisposals(other, 'compileGraph') };
    const x = other.createTensor(float32(3), [-1, 0, 1]);
    for (const name of ['compile', 'graph.compile', 'compileGraph']) {
      const controller = new AbortController();
      const waiting = rejected(call(name, other, x, { signal: controller.signal }));
      controller.abort();
      expect((await waiting).code).toBe('ERR_ABORTED');
    }
    await vi.waitFor(() => expect(disposals).toEqual({ compile: [1], compileGraph: [1, 1] }));
    const controller = new AbortController();
    const waiting = rejected(other.compile(relu, { signal: controller.signal }));
    const kept = other.compile(relu);
    controller.abort();
    expect((await waiting).code).toBe('ERR_ABORTED');
    const operator = await kept;
    const outputs = operator.createOutputs();
    operator.dispatch({ inputTensor: x, ...outputs });
    expect([...(await outputs.outputTensor.read())]).toEqual([0, 0, 1]);
    expect(disposals.compile).toEqual([1, 0]);
    operator.dispose();
    expect(disposals.compile).toEqual([1, 1]);
    other.dispose();
  });
});

describe.each(backends.filter((backend) => backend === 'directml'))('on %s', (backend) => {
  test('nothing that was compiled is left', async () => {
    const device = await createDevice({ backend });
    const tensor = device.createTensor(float32(3));
    const live = () => {
      const { operators, buffers } = loadAddon().binding.liveObjects();
      return { operators, buffers };
    };
    const before = live();
    for (const name of ['compile', 'graph.compile', 'compileGraph']) {
      const controller = new AbortController();
      const waiting = rejected(call(name, device, tensor, { signal: controller.signal }));
      controller.abort();
      expect((await waiting).code).toBe('ERR_ABORTED');
    }
    await vi.waitFor(() => expect(live()).toEqual(before), 60_000);
    device.dispose();
  });
});
