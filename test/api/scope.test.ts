/** `device.scope`: what it disposes of, and what stays; on each backend. */
import { describe, expect, test } from 'vitest';
import { createDevice, type DirectMLBuffer, type Tensor } from 'node-directml';
import { elementWiseAdd as add } from 'node-directml/operators';
import { backends, deviceOn } from '../support/devices.js';
import { rejected } from '../support/errors.js';
import { untyped } from '../../checks/malformed/objects.js';

const float32 = (...sizes: number[]) => ({ dataType: 'float32', sizes }) as const;

describe.each(backends)('on %s', (backend) => {
  const device = deviceOn(backend);
  const tensorOf = (label = '') => device().createTensor(float32(2), [1, 2], { label });
  const isLive = (object: { toString: () => string }) => !object.toString().endsWith('(disposed)');

  test('disposes of everything that it made and does not return, also after an await', async () => {
    const before = tensorOf();
    const made: { toString: () => string }[] = [];
    const sum = await device().scope(async () => {
      const first = tensorOf();
      const second = await add(first, before);
      const buffer = device().createBuffer(16);
      const operator = await device().compile({ type: 'elementWiseAbs', inputTensor: second });
      const graph = device().createGraph();
      const net = await graph.compile({ y: graph.input('x', first).reshape([2, 1]) });
      const prepared = await device().prepare({ type: 'elementWiseAbs', inputTensor: second });
      const recording = device().record(() => prepared.dispatch());
      made.push(first, second, buffer, operator, net, prepared, prepared.outputs.outputTensor, recording);
      recording.replay();
      return add(second, prepared.outputs.outputTensor);
    });
    expect(await sum.toArray()).toEqual([4, 8]);
    expect(made.filter(isLive)).toEqual([]);
    expect(isLive(before)).toBe(true);
  });

  test('keeps what is anywhere in the result', async () => {
    class Model {
      readonly weights = new Map<string, Tensor>([['w', tensorOf()]]);
    }
    const all = await device().scope(() => ({
      list: [[tensorOf()], tensorOf()],
      set: new Set([tensorOf()]),
      model: new Model(),
      view: tensorOf().reshape([2, 1]),
      promised: Promise.resolve(tensorOf()),
      deep: { deeper: [Promise.resolve({ x: tensorOf() })] },
      number: 3,
      text: 'text',
      nothing: null,
    }));
    const [first, second] = all.list;
    const kept = [first, second, ...all.set, all.model.weights.get('w'), all.view, all.promised];
    expect(kept.flat().map((tensor) => isLive(tensor ?? {}))).toEqual([true, true, true, true, true, true]);
    expect(await all.promised.toArray()).toEqual([1, 2]);
    expect(all.number).toBe(3);
  });

  test('keeps a proxy in the result, and runs no code of it', async () => {
    const trap = () => {
      throw new Error('a trap ran');
    };
    const proxy = new Proxy({}, { ownKeys: trap, get: trap, getOwnPropertyDescriptor: trap });
    const { held } = await device().scope(() => ({ held: new Set([proxy]) }));
    expect(held.has(proxy)).toBe(true);
  });

  test('keeps what a recording or a prepared operator needs', async () => {
    const { recording, output } = await device().scope(async () => {
      const { outputTensor } = await device().run({ type: 'elementWiseAbs', inputTensor: tensorOf() });
      const operator = await device().compile({ type: 'elementWiseAdd', aTensor: outputTensor, bTensor: outputTensor });
      const target = tensorOf();
      const bindings = { aTensor: outputTensor, bTensor: outputTensor, outputTensor: target };
      return { recording: device().record(() => operator.dispatch(bindings)), output: target };
    });
    recording.replay();
    expect(await output.toArray()).toEqual([2, 4]);
    const prepared = await device().scope(() => device().prepare({ type: 'elementWiseAbs', inputTensor: tensorOf() }));
    prepared.dispatch();
    expect(await prepared.outputs.outputTensor.toArray()).toEqual([1, 2]);
  });

  test('an inner scope gives its result to the outer one', async () => {
    const seen: Tensor[] = [];
    const result = await device().scope(async () => {
      const inner = await device().scope(() => {
        seen.push(tensorOf());
        return [tensorOf(), tensorOf()];
      });
      seen.push(...inner);
      expect(seen.map(isLive)).toEqual([false, true, true]);
      return inner[1];
    });
    expect(seen.map(isLive)).toEqual([false, false, true]);
    expect(result).toBe(seen[2]);
  });

  test('disposes of everything if the function throws', async () => {
    const made: Tensor[] = [];
    const failing = device().scope(async () => {
      made.push(tensorOf());
      await device().idle();
      made.push(tensorOf());
      throw new RangeError('mine');
    });
    await expect(failing).rejects.toThrow(new RangeError('mine'));
    expect(made.map(isLive)).toEqual([false, false]);
  });

  test('leaves alone what runs beside it, and what runs on after its end', async () => {
    const late: { make?: () => void; tensor?: Tensor } = {};
    const ended = new Promise<void>((resolve) => (late.make = resolve)).then(() => (late.tensor = tensorOf()));
    let detached: Promise<Tensor> | undefined;
    const [, beside] = await Promise.all([
      device().scope(async () => {
        await device().idle();
        detached = device()
          .idle()
          .then(() => new Promise((resolve) => setTimeout(resolve, 5)))
          .then(() => tensorOf());
      }),
      Promise.resolve().then(() => tensorOf()),
    ]);
    late.make?.();
    await ended;
    expect(isLive(beside)).toBe(true);
    expect(late.tensor !== undefined && isLive(late.tensor)).toBe(true);
    expect(detached !== undefined && isLive(await detached)).toBe(true);
  });

  test('belongs to one device', async () => {
    const other = await createDevice({ backend: 'reference' });
    const made: DirectMLBuffer[] = [];
    await device().scope(() => other.scope(() => made.push(device().createBuffer(4), other.createBuffer(4))));
    await device().scope(() => made.push(other.createBuffer(4)));
    expect(made.map(isLive)).toEqual([false, false, true]);
    other.dispose();
  });

  test('keeps caches: functions of jit from outside, numbers, and what a traced function makes', async () => {
    const doubled = device().jit((x: Tensor) => add(x, x));
    const scaled = device().jit((x: Tensor) => add(x, device().createTensor(float32(2), [10, 20])));
    const x = tensorOf();
    const kept = await device().scope(async () => {
      const own = device().jit((x: Tensor) => add(x, 1));
      await own(x);
      await doubled(x);
      await scaled(x);
      await add(x, 5);
      return { own };
    });
    expect(await (await kept.own(x)).toArray()).toEqual([2, 3]);
    expect(await (await doubled(x)).toArray()).toEqual([2, 4]);
    expect(await (await scaled(x)).toArray()).toEqual([11, 22]);
    expect(await (await add(x, 5)).toArray()).toEqual([6, 7]);
    const gone = await device().scope(async () => {
      const own = device().jit((x: Tensor) => add(x, 1));
      await own(x);
      const [net] = own.graphs;
      return () => String(net);
    });
    expect(gone()).toContain('(disposed)');
  });

  test('memory stays flat over many steps, in a scope each', async () => {
    const x = device().createTensor(float32(1024));
    const step = () =>
      device().scope(async () => {
        await add(await add(x, x), x);
      });
    await step();
    await device().idle();
    const { buffers } = device().memory();
    for (let i = 0; i < 200; i++) await step();
    expect(device().memory().buffers).toBeLessThanOrEqual(buffers);
  });

  test('refuses what is no function, and a disposed device', async () => {
    expect((await rejected(device().scope(untyped(3)))).message).toBe('scope: fn: expected a function, given 3');
    const cycle: { self?: unknown } = {};
    cycle.self = cycle;
    expect(await rejected(device().scope(() => cycle))).toMatchObject({ code: 'ERR_INVALID_ARGUMENT', operator: 'scope' });
    const own = await createDevice({ backend: 'reference' });
    own.dispose();
    expect((await rejected(own.scope(() => 1))).message).toBe('scope: the device is disposed');
    const ends = await createDevice({ backend: 'reference' });
    await ends.scope(() => {
      ends.createBuffer(4);
      ends.dispose();
    });
  });
});
