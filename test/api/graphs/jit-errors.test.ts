/** Errors of functions that `device.jit` traces lead to the line and the part of the model that is wrong. */
import type { Tensor } from 'node-directml';
import { activationRelu as relu, elementWiseAdd as add, gemm } from 'node-directml/operators';
import { describe, expect, test } from 'vitest';
import { backends, deviceOn } from '../../support/devices.js';
import { gist, rejected } from '../../support/errors.js';
import { untyped } from '../../../checks/malformed/objects.js';
import { frames } from '../../support/stack.js';

type Floats = Tensor<'float32'>;

describe.each(backends)('on the %s backend', (backend) => {
  const device = deviceOn(backend);
  const floats = (sizes: readonly number[], label = '') =>
    device().createTensor({ dataType: 'float32', sizes }, undefined, { label });

  test('the stack begins with the line of the function, and has that of the call, without calls of the package', async () => {
    const weights = Array.from({ length: 40 }, (_, i) => floats(i === 27 ? [5, 4] : [4, 4]));
    const product = (x: Floats, i: number) => gemm(x, weights[i] ?? x);
    const rightLayer = (x: Floats, i: number) => product(x, i);
    const wrongLayer = (x: Floats, i: number) => product(x, i);
    const layers = Array.from({ length: 40 }, (_, i) => (i === 27 ? wrongLayer : rightLayer));
    const steps = (x: Floats) => {
      let y = x;
      // With values, the results are no promises.
      for (const [i, layer] of layers.entries()) y = untyped(layer(y, i));
      return y;
    };
    const asyncSteps = async (x: Floats) => {
      let y = x;
      for (const [i, layer] of layers.entries()) y = await layer(y, i);
      return y;
    };
    for (const fn of [steps, asyncSteps]) {
      using model = device().jit(untyped<(x: Floats) => Floats>(fn));
      const callsTheModel = async () => model(floats([2, 4]));
      const [first, second, ...others] = frames(await rejected(callsTheModel()));
      expect([first, second]).toEqual([expect.stringContaining(' product '), expect.stringContaining(' wrongLayer ')]);
      for (const name of [fn.name, 'callsTheModel'])
        expect(
          others.some((frame) => frame.includes(name)),
          name,
        ).toBe(true);
      expect(others.join()).not.toMatch(/node-directml-\w+\.js|[\\/]lib[\\/]api/);
    }
  });

  test('the limit of the stack is that of the program', async () => {
    const x = floats([2]);
    const nested = (y: Floats, levels: number): unknown => (levels === 0 ? add(y, floats([3])) : nested(y, levels - 1));
    using fn = device().jit((y: Floats) => nested(y, 30));
    const limit = Error.stackTraceLimit;
    try {
      for (const most of [1, 3, 20]) {
        Error.stackTraceLimit = most;
        const { length } = frames(await rejected(untyped(fn(x)))).filter((frame) => frame.includes('nested'));
        expect(length).toBe(most);
        expect(Error.stackTraceLimit).toBe(most);
      }
      Object.defineProperty(Error, 'stackTraceLimit', { value: 10, writable: false, configurable: true });
      expect((await rejected(untyped(fn(x)))).code).toBe('ERR_SIZES');
    } finally {
      Object.defineProperty(Error, 'stackTraceLimit', { value: limit, writable: true, configurable: true, enumerable: true });
    }
  });

  test('the message begins with the labels of the functions', async () => {
    const mlp = device().jit((x: Floats, w: Floats) => relu(gemm(x, w)), { label: 'layers[3].mlp' });
    const later = device().jit(async (x: Floats) => gemm(await relu(x), floats([5, 3])), { label: 'later' });
    const model = device().jit(function model(x: Floats) {
      return mlp(x, floats([5, 3]));
    });
    const x = floats([2, 4]);
    const wrong = 'gemm: bTensor.sizes: expected [4, 3], given [5, 3] (to multiply aTensor by)';
    const outer = device().jit((y: Floats) => later(y));
    const messages = await Promise.all([model(x), outer(x), later(x)].map(async (call) => (await rejected(call)).message));
    expect(messages).toEqual([`model.layers[3].mlp: ${wrong} (aTensor is 'args[0]')`, `later: ${wrong}`, `later: ${wrong}`]);
    const error = await rejected(model(x));
    expect(gist(error)).toEqual(['ERR_SIZES', 'bTensor.sizes']);
    expect([error.operator, error.stack?.split('\n')[0]]).toEqual(['gemm', `DirectMLError: ${error.message}`]);
  });

  test('the message names tensors with labels, and arguments', async () => {
    const [x, weight] = [floats([2, 4]), floats([5, 3], 'layers.3.weight')];
    const { message } = await rejected(device().jit((y: Floats) => gemm(y, weight))(x));
    expect(message).toContain(`(aTensor is 'args[0]', bTensor is 'layers.3.weight')`);
    const args = { layers: [{ w: floats([4, 4]) }, { w: weight }] };
    const all = device().jit(({ layers }: typeof args) => layers.map(({ w }) => gemm(floats([2, 4]), w)));
    expect((await rejected(all(args))).message).toContain(`(bTensor is 'args[0].layers[1].w')`);
    const hidden = await rejected(device().jit((y: Floats) => gemm(relu(y), floats([5, 3])))(x));
    expect(hidden.message).toMatch(/\(to multiply aTensor by\)$/);
  });

  test('each of several calls that share a compilation has its own line, and that of the function', async () => {
    const fails = (x: Floats) => add(x, floats([3]));
    using fn = device().jit(fails);
    const x = floats([2]);
    const firstCall = async () => fn(x);
    const secondCall = async () => fn(x);
    const errors = await Promise.all([rejected(firstCall()), rejected(secondCall())]);
    for (const [i, error] of errors.entries()) {
      const [own, other] = i === 0 ? ['firstCall', 'secondCall'] : ['secondCall', 'firstCall'];
      expect(error.stack).toContain(own);
      expect(frames(error)[0]).toContain('fails');
      expect(error.stack).not.toContain(other);
    }
  });
});
