/** `device.jit`: functions that call themselves or never settle, revoked proxies, and long names. */
import { createDevice, type Device, type Tensor } from 'node-directml';
import { activationRelu as relu, elementWiseAdd as add } from 'node-directml/operators';
import { describe, expect, test, vi } from 'vitest';
import { backends, deviceOn } from '../../support/devices.js';
import { caught, gist, rejected } from '../../support/errors.js';
import { revoked, throwing, thrown, untyped } from '../../../checks/malformed/objects.js';

type Floats = Tensor<'float32'>;
const never = () => new Promise<never>(() => {});

describe.each(backends)('on the %s backend', (backend) => {
  const device = deviceOn(backend);
  const floats = (sizes: readonly number[], label = '') =>
    device().createTensor({ dataType: 'float32', sizes }, undefined, { label });
  const jit = (fn: (...args: never[]) => unknown, label?: string) =>
    device().jit(untyped<(...args: unknown[]) => unknown>(fn), { label });

  test('a function that calls itself with the same arguments is refused', async () => {
    const [x, w] = [floats([2]), floats([2])];
    const direct = jit((y: unknown): unknown => direct(y));
    const afterAwait = jit(async (y: Floats): Promise<unknown> => afterAwait(await relu(y)));
    const onTensor = jit((): unknown => onTensor(w));
    const onTwo = jit((y: Floats): unknown => (y.sizes.length === 1 ? onTwo(w.reshape([1, 2])) : onTwo(w)));
    const even = jit((y: unknown): unknown => odd(y), 'even');
    const odd = jit((y: unknown): unknown => even(y), 'odd');
    for (const fn of [direct, afterAwait, onTensor, onTwo, even]) {
      const { code, field, message } = await rejected(untyped(fn(x)));
      expect([code, field]).toEqual(['ERR_INVALID_ARGUMENT', 'fn']);
      expect(message).toContain('expected a function that ends, given one that calls itself');
      expect(message.length).toBeLessThan(400);
    }
    const graph = device().createGraph();
    expect(caught(() => direct(graph.input('x', x))).field).toBe('fn');
  });

  test('a function may call itself with other arguments, and often at the same time', async () => {
    const sum = jit((y: Floats, count: number): unknown => (count === 0 ? y : sum(add(y, 1), count - 1)));
    const grow = jit(async (y: Floats): Promise<unknown> =>
      y.sizes.length < 4 ? grow((await add(y, 1)).reshape([1, ...y.sizes])) : y,
    );
    const once = jit(async (y: Floats) => add(await relu(y), 1));
    const many = jit(async (y: Floats) => {
      const all = await Promise.all(Array.from({ length: 200 }, () => once(y)));
      return all.at(-1);
    });
    const x = floats([1]);
    const results = await Promise.all([sum(x, 70), grow(x), many(x)].map((result) => untyped<Promise<Floats>>(result)));
    const numbers = await Promise.all(results.map(async (tensor) => [...(await tensor.read())]));
    expect(numbers).toEqual([[70], [3], [1]]);
  });

  test('proxies that were revoked, and getters that throw, are typed errors', async () => {
    const x = floats([2]);
    const proxy = revoked<object>({});
    const calls: readonly (readonly [() => unknown, string])[] = [
      [() => jit((y: unknown) => y)(proxy), 'args[0]'],
      [() => jit((_: unknown, y: unknown) => y)(x, { deep: [proxy] }), 'args[1]'],
      [() => jit((y: unknown) => y)(throwing({ x }, 'x')), 'args[0]'],
      [() => jit(() => proxy)(), 'result'],
      [() => jit(() => ({ proxy }))(), 'result'],
      [() => jit(async () => Promise.resolve({ x, proxy }))(), 'result'],
      [() => device().scope(() => proxy), 'result'],
      [() => device().scope(() => [{ proxy }]), 'result'],
      [() => device().scope(revoked(() => 1)), 'fn'],
    ];
    for (const [call, field] of calls) {
      const error = await rejected(untyped(call()));
      expect(gist(error), String(call)).toEqual(['ERR_INVALID_ARGUMENT', field]);
      expect(error.stack).toContain('jit-malformed.test');
    }
    const fromGetter = await rejected(untyped(jit((y: unknown) => y)(throwing({ x }, 'x'))));
    expect(fromGetter.cause).toBe(thrown);
    const { proxy: fn, revoke } = Proxy.revocable((y: Floats) => relu(y), {});
    const traced = device().jit(fn);
    revoke();
    expect(gist(await rejected(traced(x)))).toEqual(['ERR_INVALID_ARGUMENT', 'fn']);
    expect(gist(caught(() => device().jit(fn)))).toEqual(['ERR_INVALID_ARGUMENT', 'fn']);
    expect(caught(() => device().record(revoked(() => undefined))).given).toBe('a revoked proxy');
  });

  test('errors shorten long labels and paths', async () => {
    const long = 'x'.repeat(10_000_000);
    const fn = jit(relu, long);
    fn.dispose();
    const other = await createDevice({ backend });
    const late = other.jit((y: Floats) => relu(y), { label: long });
    other.dispose();
    const calls = [
      () => fn(floats([2])),
      () => late(floats([2])),
      () => jit(() => ({ [long]: new Map() }))(),
      () => jit(() => add(untyped<Floats>(floats([2], long)), floats([3])), long)(),
      () => jit((y: Floats) => add(y, floats([3], long)), long)(floats([2])),
      () => jit((y: Floats) => relu(y))({ [long]: new Map() }),
    ];
    for (const call of calls) {
      const { message, operator = '', field = '' } = await rejected(untyped(call()));
      expect(message.length + operator.length + field.length, String(call)).toBeLessThan(600);
    }
  });

  test.each(['dispose', 'simulateLoss'] as const)('%s of the device ends what waits for a function', async (method) => {
    const other = await createDevice({ backend });
    const x = other.createTensor({ dataType: 'float32', sizes: [2] });
    const calls = [other.jit(never)(), other.jit(never).compile(), other.jit(relu)(untyped(never())), other.scope(never)];
    const settled = Promise.all(calls.map(async (call) => rejected(untyped(call))));
    const own = other.scope(async () => {
      await other.lost;
      return 'its own end';
    });
    expect(x.sizes).toEqual([2]);
    other[method]();
    const code = method === 'dispose' ? 'ERR_DISPOSED' : 'ERR_DEVICE_LOST';
    expect((await settled).map((error) => [error.code, error.stack?.includes('jit-malformed.test')])).toEqual(
      calls.map(() => [code, true]),
    );
    if (method === 'dispose') expect(await own).toBe('its own end');
    else await own.catch(() => undefined);
    other.dispose();
  });

  test('dispose of the function ends its calls, also while the device lives', async () => {
    const fn = device().jit(never);
    const calls = [fn(), fn.compile()];
    fn.dispose();
    for (const call of calls) expect((await rejected(call)).code).toBe('ERR_DISPOSED');
  });

  test('beyond its limit, a function warns once of what it costs', async () => {
    const emit = vi.spyOn(process, 'emitWarning').mockImplementation(() => undefined);
    try {
      using fn = device().jit((x: Floats, n: number) => add(x, n), { limit: 3, label: 'step' });
      using other = device().jit((x: Floats) => relu(x), { limit: 3 });
      const [x] = [floats([1])];
      for (let n = 0; n < 3; n++) await Promise.all([fn(x, n), other(x)]);
      expect(emit.mock.calls).toEqual([]);
      for (let n = 3; n < 9; n++) await Promise.all([fn(x, n), other(x)]);
      expect(emit.mock.calls).toHaveLength(1);
      const [[text, options] = []] = emit.mock.calls;
      expect(text).toMatch(/^step: the function was compiled 4 times, for \d+\.\d ms each, and keeps 3 of its graphs\. /);
      expect(text).toContain('pass numbers that change as tensors');
      expect(options).toEqual({ code: 'NODE_DIRECTML_JIT_LIMIT' });
    } finally {
      emit.mockRestore();
    }
  });

  test('numbers and random numbers that are no arguments stay as they were in the first call', async () => {
    const state = { scale: 2 };
    using fn = device().jit((x: Floats) => add(add(x, state.scale), Math.random()));
    const x = floats([1]);
    const first = await (await fn(x)).read();
    state.scale = 5;
    expect(await (await fn(x)).read()).toEqual(first);
  });

  test('a scope keeps its result if the device is disposed of in the function', async () => {
    const result = await endedInside(await createDevice({ backend }));
    expect(result).toBe('result');
  });
});

async function endedInside(device: Device): Promise<string> {
  return device.scope(async () => {
    device.dispose();
    await Promise.resolve();
    return 'result';
  });
}
