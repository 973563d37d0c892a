/** Checks what device.profile counts and measures, and which calls it refuses; on each backend. */
import { describe, expect, test } from 'vitest';
import { createDevice, DirectMLError, type Device, type ProfileOptions } from 'node-directml';
import { backends, deviceOn } from '../../support/devices.js';
import { caught, rejected } from '../../support/errors.js';
import { untyped } from '../../../checks/malformed/objects.js';

const float32 = (...sizes: number[]) => ({ dataType: 'float32', sizes }) as const;

/** Compiles an addition. Each dispatch adds 1 to every element of `sum`. */
async function adder(device: Device, label?: string) {
  const add = await device.compile({ type: 'elementWiseAdd1', aTensor: float32(3), bTensor: float32(3) }, { label });
  const sum = device.createTensor(float32(3));
  const step = device.createTensor(float32(3), [1, 1, 1]);
  return { add, sum, dispatch: () => add.dispatch({ aTensor: sum, bTensor: step, outputTensor: sum }) };
}

/** Compiles a graph that negates its input. */
async function negation(device: Device, label?: string) {
  const graph = device.createGraph();
  const x = graph.input('x', float32(3));
  const { outputTensor: y } = graph.add({ type: 'elementWiseNegate', inputTensor: x });
  return graph.compile({ y }, { label });
}

describe.each(backends)('on %s', (backend) => {
  const device = deviceOn(backend);
  /** The expected `gpuMs`: a number of milliseconds on DirectML, null on the reference, which has no GPU clock. */
  const gpuTime = backend === 'reference' ? null : expect.any(Number);

  test('counts the dispatches of operators, of graphs, of run, and of recordings', async () => {
    const { sum, dispatch } = await adder(device());
    const net = await negation(device());
    const output = device().createTensor(float32(3));
    const recording = device().record(() => {
      dispatch();
      dispatch();
    });
    const profile = await device().profile(async () => {
      dispatch();
      net.dispatch({ x: sum, y: output });
      await net.run({ x: sum });
      await device().run({ type: 'elementWiseAbs', inputTensor: sum });
      recording.replay();
      recording.replay();
    });
    expect(profile).toEqual({ gpuMs: gpuTime, wallMs: expect.any(Number), dispatchCount: 8 });
    expect(await sum.read()).toEqual(Float32Array.of(5, 5, 5));
  });

  test('perDispatch lists the operator and the label of each dispatch, in order', async () => {
    const { add, sum, dispatch } = await adder(device(), 'count up');
    const net = await negation(device(), 'negation');
    const plain = await device().compile({ type: 'elementWiseAbs', inputTensor: float32(3) });
    const outputs = plain.createOutputs();
    const recording = device().record(() => {
      dispatch();
      net.dispatch({ x: sum, y: outputs.outputTensor });
    });
    const profile = await device().profile(
      async () => {
        dispatch();
        plain.dispatch({ inputTensor: sum, ...outputs });
        recording.replay();
        await device().run({ type: 'elementWiseSign', inputTensor: sum });
        await add.dispatchChecked({ aTensor: sum, bTensor: sum, outputTensor: sum });
      },
      { perDispatch: true },
    );
    const [elementWiseAdd1, graph] = [
      { operator: 'elementWiseAdd1', label: 'count up', gpuMs: gpuTime },
      { operator: 'graph', label: 'negation', gpuMs: gpuTime },
    ];
    expect(profile).toEqual({
      gpuMs: gpuTime,
      wallMs: expect.any(Number),
      dispatchCount: 6,
      dispatches: [
        elementWiseAdd1,
        { operator: 'elementWiseAbs', label: '', gpuMs: gpuTime },
        elementWiseAdd1,
        graph,
        { operator: 'elementWiseSign', label: '', gpuMs: gpuTime },
        elementWiseAdd1,
      ],
    });
    expect(await sum.read()).toEqual(Float32Array.of(4, 4, 4));
  });

  test('compiled operators that share a native operator keep labels of their own', async () => {
    const [first, second] = [await adder(device(), 'first'), await adder(device(), 'second')];
    const { dispatches } = await device().profile(
      () => {
        first.dispatch();
        second.dispatch();
        first.dispatch();
      },
      { perDispatch: true },
    );
    expect(dispatches.map(({ label }) => label)).toEqual(['first', 'second', 'first']);
  });

  test('counts dispatches that other code records while the function runs, but none from before', async () => {
    const { sum, dispatch } = await adder(device());
    for (let i = 0; i < 10; i++) dispatch();
    let release = () => {};
    const waits = new Promise<void>((resolve) => (release = resolve));
    let begun = () => {};
    const begins = new Promise<void>((resolve) => (begun = resolve));
    const profile = device().profile(() => {
      begun();
      return waits;
    });
    dispatch();
    await begins;
    dispatch();
    release();
    expect((await profile).dispatchCount).toBe(1);
    dispatch();
    expect(await sum.read()).toEqual(Float32Array.of(13, 13, 13));
  });

  test('the wall time covers the whole function, and nothing before it', async () => {
    const { wallMs } = await device().profile(() => new Promise((resolve) => setTimeout(resolve, 60)));
    expect(wallMs).toBeGreaterThan(50);
    expect(wallMs).toBeLessThan(10_000);
  });

  test.each([{}, { perDispatch: false }, { perDispatch: undefined }, undefined])('omits dispatches with %j', async (options) => {
    const { dispatch } = await adder(device());
    const profile = await device().profile(dispatch, options);
    expect(Object.keys(profile)).toEqual(['gpuMs', 'wallMs', 'dispatchCount']);
    expect(Object.isFrozen(profile)).toBe(true);
  });

  test('returns a count of 0 and an empty list for a function without dispatches', async () => {
    const profile = await device().profile(() => {}, { perDispatch: true });
    expect(profile).toEqual({
      gpuMs: backend === 'reference' ? null : 0,
      wallMs: expect.any(Number),
      dispatchCount: 0,
      dispatches: [],
    });
  });

  test('rejects with the very error that the function throws, and ends the profile', async () => {
    const { sum, dispatch } = await adder(device());
    const mine = new RangeError('mine');
    const work = [
      () => {
        dispatch();
        throw mine;
      },
      async () => {
        dispatch();
        await sum.read();
        throw mine;
      },
    ];
    for (const perDispatch of [false, true]) {
      for (const fails of work) await expect(device().profile(fails, { perDispatch })).rejects.toBe(mine);
    }
    const own = await rejected(device().run(untyped<never>({ type: 'nothing' })));
    await expect(device().profile(() => Promise.reject(own))).rejects.toBe(own);
    expect((await device().profile(dispatch)).dispatchCount).toBe(1);
    expect(await sum.read()).toEqual(Float32Array.of(5, 5, 5));
  });

  test('refuses a second profile while one runs on the same device', async () => {
    const { dispatch } = await adder(device());
    const first = device().profile(async () => {
      const inside = await rejected(device().profile(dispatch));
      expect(inside.code).toBe('ERR_PROFILE_RUNNING');
      expect(inside.message).toContain('await it first');
      dispatch();
    });
    expect((await rejected(device().profile(dispatch))).code).toBe('ERR_PROFILE_RUNNING');
    expect((await first).dispatchCount).toBe(1);
    // Two devices can profile at the same time.
    const other = await createDevice({ backend });
    const both = [device().profile(dispatch), other.profile(() => {})];
    expect((await Promise.all(both)).map(({ dispatchCount }) => dispatchCount)).toEqual([1, 0]);
    other.dispose();
  });

  test('is refused inside device.record, but accepts device.record in its function', async () => {
    const { sum, dispatch } = await adder(device());
    const profiles = () => void device().profile(dispatch);
    expect(caught(() => device().record(profiles)).code).toBe('ERR_NOT_RECORDABLE');
    const profile = await device().profile(
      () => {
        const recording = device().record(dispatch);
        recording.replay();
        recording.replay();
        recording.dispose();
      },
      { perDispatch: true },
    );
    expect(profile.dispatches).toHaveLength(2);
    expect(await sum.read()).toEqual(Float32Array.of(2, 2, 2));
  });

  test('wrong arguments are refused, and the function is not called', async () => {
    const calls: unknown[] = [];
    const work = () => void calls.push(1);
    for (const wrong of [undefined, null, {}, 'work', Promise.resolve(), class {}]) {
      const error = await rejected(device().profile(untyped(wrong)));
      expect([error.code, error.field]).toEqual(['ERR_INVALID_ARGUMENT', 'work']);
    }
    const cases: [unknown, string][] = [
      [null, 'options'],
      [{ perDispatch: 1 }, 'options.perDispatch'],
      [{ perdispatch: true }, 'options.perdispatch'],
    ];
    for (const [options, field] of cases) {
      const error = await rejected(device().profile(work, untyped<ProfileOptions>(options)));
      expect([error.code, error.field]).toEqual(['ERR_INVALID_ARGUMENT', field]);
    }
    expect(calls).toEqual([]);
  });

  test('handles a device that is disposed of before, during and after the function', async () => {
    for (const perDispatch of [false, true]) {
      const before = await createDevice({ backend });
      before.dispose();
      expect((await rejected(before.profile(() => {}, { perDispatch }))).code).toBe('ERR_DISPOSED');

      const inside = await createDevice({ backend });
      const { dispatch } = await adder(inside);
      const disposes = () => {
        dispatch();
        inside.dispose();
      };
      expect((await rejected(inside.profile(disposes, { perDispatch }))).code).toBe('ERR_DISPOSED');

      const at = await createDevice({ backend });
      const last = await adder(at);
      const profile = at.profile(last.dispatch, { perDispatch });
      // The callback runs after the function: the function's promise settles within a few microtasks.
      const disposal = new Promise<void>((resolve) => {
        setImmediate(() => {
          at.dispose();
          resolve();
        });
      });
      const outcome = await profile.then(
        () => 'ended',
        (error: unknown) => (error instanceof DirectMLError ? error.code : error),
      );
      expect(['ended', 'ERR_DISPOSED']).toContain(outcome);
      await disposal;
    }
  });

  test.each([false, true])(
    'rejects if the device is disposed of while the function waits for something else; perDispatch: %s',
    async (perDispatch) => {
      const waiting = await createDevice({ backend });
      const { dispatch } = await adder(waiting);
      const profile = waiting.profile(
        () => {
          dispatch();
          setTimeout(() => waiting.dispose(), 20);
          return new Promise(() => {});
        },
        { perDispatch },
      );
      expect((await rejected(profile)).code).toBe('ERR_DISPOSED');
      expect((await rejected(waiting.profile(() => {}))).code).toBe('ERR_DISPOSED');
    },
  );

  test('the stack of its error contains the line of the call', async () => {
    const error = await rejected(device().profile(untyped(1)));
    expect(error.stack).toContain('profile.test.ts');
  });
});
