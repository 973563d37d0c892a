/** `device.jit`: tracing, the cache of compiled graphs, and errors. */
import { createDevice, type Tensor } from 'node-directml';
import {
  activationRelu as relu,
  elementWiseAdd as add,
  elementWiseMultiply as multiply,
  gemm,
  topK,
} from 'node-directml/operators';
import { describe, expect, test } from 'vitest';
import { backends, deviceOn } from '../../support/devices.js';
import { caught, gist, rejected } from '../../support/errors.js';
import { untyped } from '../../../checks/malformed/objects.js';

const numbersIn = async (tensor: Tensor) => Array.from(await tensor.read(), Number);

describe.each(backends)('on the %s backend', (backend) => {
  const device = deviceOn(backend);
  const floats = (sizes: readonly number[], data: readonly number[]) =>
    device().createTensor({ dataType: 'float32', sizes }, data);

  test('a function is traced once for each set of layouts and other arguments', async () => {
    let traces = 0;
    const weights = floats([2, 2], [1, 0, 0, -1]);
    using layer = device().jit((x: Tensor<'float32'>, { bias, factor }: { bias: Tensor<'float32'>; factor: number }) => {
      traces++;
      return multiply(relu(gemm(x, weights, { cTensor: bias })), factor);
    });
    const [x, bias] = [floats([2, 2], [1, 2, 3, 4]), floats([2], [10, 3])];
    expect(await numbersIn(await layer(x, { bias, factor: 2 }))).toEqual([22, 2, 26, 0]);
    expect(await numbersIn(await layer(Promise.resolve(x), { bias, factor: 2 }))).toEqual([22, 2, 26, 0]);
    expect(traces).toBe(1);
    expect(await numbersIn(await layer(x, { bias, factor: 3 }))).toEqual([33, 3, 39, 0]);
    expect(await numbersIn(await layer(floats([1, 2], [1, 2]), { bias, factor: 2 }))).toEqual([22, 2]);
    await layer(x.transpose(), { bias, factor: 2 });
    await layer(x, { factor: 2, bias });
    expect([traces, layer.graphs.length]).toEqual([5, 5]);
  });

  test('results have the structure that the function returns', async () => {
    const weight = floats([1, 2], [5, 6]);
    using fn = device().jit(async (x: Tensor<'float32'>, _unused: Tensor) => {
      const sum = await add(x, 1);
      return { list: [x, sum, sum.reshape([2])], weight, eager: multiply(weight, 2), top: topK(x, { k: 1 }), n: 3, none: null };
    });
    const x = floats([1, 2], [1, 2]);
    const { list, weight: same, eager, top, n, none } = await fn(x, weight);
    expect(await Promise.all(list.map(numbersIn))).toEqual([
      [1, 2],
      [2, 3],
      [2, 3],
    ]);
    expect([await numbersIn(same), await numbersIn(eager), n, none]).toEqual([[5, 6], [10, 12], 3, null]);
    expect(await numbersIn(top.outputIndexTensor)).toEqual([1]);
    expect(list[0]).not.toBe(x);
  });

  test('calls whose graph is already compiled are recorded at once and in order', async () => {
    using increment = device().jit((x) => add(x, 1));
    const x = floats([1], [0]);
    await increment(x);
    const results = [];
    for (let i = 0; i < 4; i++) {
      x.write([i]);
      results.push(increment(x));
    }
    expect(await Promise.all((await Promise.all(results)).map(numbersIn))).toEqual([[1], [2], [3], [4]]);
  });

  test('calls share a compilation in flight; a failed compilation is not cached', async () => {
    let traces = 0;
    using fn = device().jit((x) => {
      if (traces++ === 1) throw new Error('mine');
      return relu(x);
    });
    const x = floats([2], [-1, 1]);
    await Promise.all([fn(x), fn(x), fn(x)]);
    expect(traces).toBe(1);
    const wide = floats([3], [1, 2, 3]);
    await expect(Promise.all([fn(wide), fn(wide)])).rejects.toThrow('mine');
    expect(await numbersIn(await fn(wide))).toEqual([1, 2, 3]);
    expect(fn.graphs).toHaveLength(2);
  });

  test('beyond the limit, the least recently used graph is disposed of', async () => {
    let traces = 0;
    using fn = device().jit((x, n) => (traces++, add(x, n)), { limit: 2 });
    const x = floats([1], [0]);
    for (const n of [1, 2, 1, 3, 1]) await fn(x, n);
    expect([traces, fn.graphs.length]).toEqual([3, 2]);
    expect(await Promise.all([4, 5, 6, 7].map(async (n) => numbersIn(await fn(x, n))))).toEqual([[4], [5], [6], [7]]);
    expect(fn.graphs).toHaveLength(2);
    await fn.compile(x, 8);
    for (const n of [9, 10, 11]) await fn(x, n);
    expect(fn.graphs).toHaveLength(3);
  });

  test('compile takes tensor descriptions and returns a graph that can be recorded', async () => {
    using fn = device().jit((x, { y }) => add(x, y), { label: 'sum' });
    const desc = { dataType: 'float32', sizes: [2] } as const;
    const net = await fn.compile(desc, { y: desc });
    expect([net.label, Object.keys(net.inputs), Object.keys(net.outputs)]).toEqual(['sum', ['args[0]', 'args[1].y'], ['result']]);
    const [x, y, result] = [floats([2], [1, 2]), floats([2], [3, 4]), floats([2], [0, 0])];
    using recording = device().record(() => net.dispatch({ 'args[0]': x, 'args[1].y': y, result }));
    recording.replay();
    expect(await numbersIn(result)).toEqual([4, 6]);
    expect(await numbersIn(await fn(x, { y }))).toEqual([4, 6]);
    expect(fn.graphs).toEqual([net]);
  });

  test('has the name of the function or the label, and cannot be called in a recording', () => {
    const fn = device().jit(function twice(x: Tensor) {
      return x;
    });
    expect([fn.name, device().jit((x: Tensor) => x, { label: 'net' }).name]).toEqual(['twice', 'net']);
    const x = floats([1], [1]);
    const { code, message } = caught(() => device().record(() => void fn(x)));
    expect([code, message]).toEqual(['ERR_NOT_RECORDABLE', 'twice: only dispatch may be called inside device.record']);
  });

  test('a value that is returned twice is one output, and one tensor', async () => {
    using fn = device().jit((x: Tensor<'float32'>) => {
      const y = relu(x);
      return { first: y, all: [y] };
    });
    const { first, all } = await fn(floats([1], [5]));
    expect(all[0]).toBe(first);
    expect(fn.graphs.map(({ outputs }) => Object.keys(outputs))).toEqual([['result.first']]);
  });

  test('the graph that ran longest ago is dropped first, also if it was compiled last', async () => {
    let traces = 0;
    using fn = device().jit((x: Tensor<'float32'>, n: number) => (traces++, add(x, n)), { limit: 3 });
    const x = floats([1], [0]);
    for (const n of [1, 2, 3, 1, 2, 4]) await fn(x, n);
    expect(traces).toBe(4);
    for (const n of [1, 2, 4]) await fn(x, n);
    expect(traces).toBe(4);
    await fn(x, 3);
    expect(traces).toBe(5);
  });

  test('arguments and results have no more than 64 levels of objects', async () => {
    const nested = (levels: number, leaf: Tensor | object): Tensor | object => (levels === 0 ? leaf : [nested(levels - 1, leaf)]);
    const innermost = (given: unknown): Tensor => (Array.isArray(given) ? innermost(given[0]) : (given as Tensor));
    using fn = device().jit((given: object, levels: number) => nested(levels, innermost(given)));
    const x = floats([1], [7]);
    expect(await numbersIn(innermost(await fn(nested(64, x), 64)))).toEqual([7]);
    const wrong = async (given: object, levels: number) => (await rejected(fn(given, levels))).message;
    expect(await wrong(nested(65, x), 1)).toMatch(/^jit: args\[0\]: expected no more than 64 levels of objects, given /);
    expect(await wrong(x, 65)).toMatch(/^jit: result\[0\]\S+: expected no more than 64 levels of objects, given more$/);
  });

  test('a traced function can call another one', async () => {
    using inner = device().jit((x: Tensor<'float32'>) => relu(x));
    using outer = device().jit((x: Tensor<'float32'>) => add(inner(x), 1));
    expect(await numbersIn(await outer(floats([2], [-1, 1])))).toEqual([1, 2]);
    expect(inner.graphs).toHaveLength(0);
  });

  test('errors name the mistake, at the line of the caller or of the function', async () => {
    const x = floats([2], [1, 2]);
    const calls: [() => Promise<unknown>, readonly [string, string | undefined]][] = [
      [() => device().jit((y: Tensor) => untyped<Tensor>(y.read()))(x), ['ERR_INVALID_GRAPH', undefined]],
      [() => device().jit((y) => y)(new Date()), ['ERR_INVALID_ARGUMENT', 'args[0]']],
      [() => device().jit((y) => y)({ dataType: 'float32', sizes: [1] }), ['ERR_INVALID_ARGUMENT', 'args[0]']],
      [() => device().jit((y) => [y, new Map()])(x), ['ERR_INVALID_ARGUMENT', 'result[1]']],
      [() => device().jit(untyped<() => Tensor>(() => 3))(), ['ERR_INVALID_GRAPH', 'result']],
      [() => device().jit((y: Tensor) => add(y, floats([3], [1, 2, 3])))(x), ['ERR_SIZES', 'bTensor.sizes']],
    ];
    for (const [wrong, expected] of calls) {
      const error = await rejected(wrong());
      expect(gist(error), String(wrong)).toEqual(expected);
      expect(error.stack).toContain('jit.test');
    }
    expect(gist(caught(() => device().jit(untyped<() => Tensor>(3))))).toEqual(['ERR_INVALID_ARGUMENT', 'fn']);
    expect(gist(caught(() => device().jit(() => x, { limit: 0 })))).toEqual(['ERR_INVALID_ARGUMENT', 'options.limit']);
    const around: unknown[] = [];
    around.push(around);
    expect(gist(await rejected(device().jit((y) => y)(around)))).toEqual(['ERR_INVALID_ARGUMENT', 'args[0]']);
    expect(gist(await rejected(device().jit(() => around)()))[0]).toBe('ERR_INVALID_ARGUMENT');
  });

  test('a disposed function, and one of a disposed device, cannot be called', async () => {
    const fn = device().jit((x) => relu(x));
    const x = floats([1], [1]);
    await fn(x);
    const [net] = fn.graphs;
    fn.dispose();
    fn.dispose();
    expect(gist(await rejected(fn(x)))[0]).toBe('ERR_DISPOSED');
    expect(gist(caught(() => net?.createOutputs()))[0]).toBe('ERR_DISPOSED');
    expect(gist(await rejected(fn.compile(x)))[0]).toBe('ERR_DISPOSED');
    expect(fn.graphs).toEqual([]);
    const early = device().jit((y) => relu(y));
    const compiling = early.compile(x);
    early.dispose();
    const made = await compiling;
    expect(gist(caught(() => made.createOutputs()))[0]).toBe('ERR_DISPOSED');
    const other = await createDevice({ backend });
    const late = other.jit((y) => relu(y));
    const call = late(other.createTensor({ dataType: 'float32', sizes: [1] }));
    other.dispose();
    expect(gist(await rejected(call))[0]).toBe('ERR_DISPOSED');
  });

  test('a compiled function of a disposed device names itself', async () => {
    const other = await createDevice({ backend });
    const twice = other.jit((x) => add(x, x), { label: 'twice' });
    const x = other.tensor([1]);
    await twice(x);
    other.dispose();
    expect((await rejected(twice(x))).message).toBe('twice: the device is disposed');
  });
});
