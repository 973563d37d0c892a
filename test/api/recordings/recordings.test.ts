/** A replay runs the dispatches of a recording as they were recorded; on each backend. */
import { describe, expect, test, vi } from 'vitest';
import { createDevice, type Device, type Recording, type RecordOptions, type Tensor } from 'node-directml';
import { loadNpy, loadSafetensors, saveNpy, saveSafetensors } from 'node-directml/files';
import { elementWiseAbs as abs, topK } from 'node-directml/operators';
import { backendOf } from '#lib/api/device-internals.js';
import { backends, deviceOn } from '../../support/devices.js';
import { caught } from '../../support/errors.js';
import { untyped } from '../../../checks/malformed/objects.js';

const float32 = (...sizes: number[]) => ({ dataType: 'float32', sizes }) as const;
const numbers = async (tensor: Tensor) => Array.from(await tensor.read(), Number);
const code = (call: () => unknown) => caught(call).code;

/** Makes a recording that adds `step` to `sum`, `dispatches` times per replay. */
async function counter(device: Device, dispatches = 1, reuseCommandLists = true) {
  const add = await device.compile({ type: 'elementWiseAdd1', aTensor: float32(3), bTensor: float32(3) });
  const sum = device.createTensor(float32(3), [0, 0, 0]);
  const step = device.createTensor(float32(3), [1, 2, 3]);
  const record = () => {
    for (let i = 0; i < dispatches; i++) add.dispatch({ aTensor: sum, bTensor: step, outputTensor: sum });
  };
  return { add, sum, step, recording: device.record(record, { reuseCommandLists }) };
}

describe.each(backends)('on %s', (backend) => {
  const device = deviceOn(backend);

  test.each([true, false])('record runs no dispatch, each replay runs all of them (reuseCommandLists: %s)', async (reuses) => {
    const { recording, sum } = await counter(device(), 300, reuses);
    expect(recording.dispatchCount).toBe(300);
    expect(await numbers(sum)).toEqual([0, 0, 0]);
    for (let i = 0; i < 10; i++) recording.replay();
    expect(await numbers(sum)).toEqual([3000, 6000, 9000]);
  });

  test('reuseCommandLists is true by default', async () => {
    const { add, sum, step } = await counter(device());
    const createRecording = vi.spyOn(backendOf(device()), 'createRecording');
    const record = (options?: RecordOptions) =>
      device().record(() => add.dispatch({ aTensor: sum, bTensor: step, outputTensor: sum }), options);
    for (const options of [undefined, {}, { reuseCommandLists: undefined }, { reuseCommandLists: true }]) record(options);
    record({ reuseCommandLists: false });
    expect(createRecording.mock.calls.map(([, reuses]) => reuses)).toEqual([true, true, true, true, false]);
    createRecording.mockRestore();
  });

  test('replays, dispatches, writes and reads run in the order of the calls', async () => {
    const { recording, add, sum, step } = await counter(device());
    const reads: Promise<number[]>[] = [];
    for (let i = 1; i <= 6; i++) {
      step.write([i, 0, 0]);
      recording.replay();
      reads.push(numbers(sum));
      add.dispatch({ aTensor: sum, bTensor: step, outputTensor: sum });
      recording.replay();
    }
    expect(await Promise.all(reads)).toEqual([1, 5, 12, 22, 35, 51].map((first) => [first, 0, 0]));
    expect(await numbers(sum)).toEqual([63, 0, 0]);
  });

  test('replays graphs, and operators that read the output of an earlier dispatch', async () => {
    const graph = device().createGraph();
    const x = graph.input('x', float32(2));
    const scale = graph.constant(float32(2), [10, 100]);
    const { outputTensor } = graph.add({ type: 'elementWiseMultiply', aTensor: x, bTensor: scale });
    const net = await graph.compile({ y: outputTensor });
    const negate = await device().compile({ type: 'elementWiseNegate', inputTensor: float32(2) });
    const [input, middle, output] = [
      [1, 2],
      [0, 0],
      [0, 0],
    ].map((data) => device().createTensor(float32(2), data));
    if (input === undefined || middle === undefined || output === undefined) throw new Error('three tensors were made');
    const recording = device().record(() => {
      net.dispatch({ x: input, y: middle });
      negate.dispatch({ inputTensor: middle, outputTensor: output });
    });
    recording.replay();
    expect(await numbers(output)).toEqual([-10, -200]);
    input.write([3, 4]);
    recording.replay();
    expect(await numbers(output)).toEqual([-30, -400]);
  });

  test('replays a graph with the constants that initialize has replaced', async () => {
    for (const size of [2, 64 * 1024]) {
      const graph = device().createGraph();
      const x = graph.input('x', float32(size));
      const weights = graph.constant(float32(size), new Float32Array(size).fill(2), { name: 'weights' });
      const { outputTensor: once } = graph.add({ type: 'elementWiseAdd', aTensor: x, bTensor: weights });
      const { outputTensor: y } = graph.add({ type: 'elementWiseAdd', aTensor: once, bTensor: weights });
      const net = await graph.compile({ y });
      const [input, output] = [device().createTensor(float32(size)), device().createTensor(float32(size))];
      const recording = device().record(() => net.dispatch({ x: input, y: output }));
      recording.replay();
      expect((await numbers(output)).at(-1)).toBe(4);
      net.initialize({ weights: new Float32Array(size).fill(5) });
      recording.replay();
      expect((await numbers(output)).at(-1)).toBe(10);
    }
  });

  test('a new tensor is zero at the first replay and keeps its values between replays', async () => {
    const add = await device().compile({ type: 'elementWiseAdd1', aTensor: float32(2), bTensor: float32(2) });
    const [sum, one] = [device().createTensor(float32(2)), device().createTensor(float32(2), [1, 1])];
    const recording = device().record(() => add.dispatch({ aTensor: sum, bTensor: one, outputTensor: sum }));
    for (let i = 0; i < 3; i++) recording.replay();
    expect(await numbers(sum)).toEqual([3, 3]);
  });

  test('replays an empty recording, and two recordings of the same tensors', async () => {
    const { recording, sum, add, step } = await counter(device());
    const nothing = device().record(() => undefined);
    nothing.replay();
    const twice = device().record(() => {
      for (let i = 0; i < 2; i++) add.dispatch({ aTensor: sum, bTensor: step, outputTensor: sum });
    });
    for (const each of [recording, twice, nothing, recording, twice]) each.replay();
    expect(await numbers(sum)).toEqual([6, 12, 18]);
    nothing.dispose();
  });

  test('record fails if its function makes any call other than a dispatch', async () => {
    const { recording, add, sum, step } = await counter(device());
    const net = await (() => {
      const graph = device().createGraph();
      const { outputTensor } = graph.add({ type: 'elementWiseNegate', inputTensor: graph.input('x', float32(3)) });
      return graph.compile({ y: outputTensor });
    })();
    const later = Promise.resolve(sum);
    const calls: readonly (readonly [name: string, call: () => unknown])[] = [
      ['tensor.write', () => sum.write([1, 2, 3])],
      ['buffer.write', () => sum.buffer.write(new Uint8Array(4))],
      ['createTensor', () => device().createTensor(float32(1), [1])],
      ['createTensor', () => device().createTensor(sum, sum)],
      ['tensor.read', () => sum.read()],
      ['tensor.readInto', () => sum.readInto(new Float32Array(3))],
      ['buffer.read', () => sum.buffer.read()],
      ['buffer.readInto', () => sum.buffer.readInto(new Uint8Array(12))],
      ['device.submit', () => device().submit()],
      ['device.idle', () => device().idle()],
      ['device.run', () => device().run({ type: 'elementWiseNegate', inputTensor: sum })],
      ['device.profile', () => device().profile(() => undefined)],
      ['dispatchChecked', () => add.dispatchChecked({ aTensor: sum, bTensor: step, outputTensor: sum })],
      ['run', () => net.run({ x: sum })],
      ['dispatchChecked', () => net.dispatchChecked({ x: sum, y: step })],
      ['initialize', () => net.initialize({})],
      ['recording.replay', () => recording.replay()],
      ['device.record', () => device().record(() => undefined)],
      ['elementWiseAbs', () => abs(sum)],
      ['elementWiseAbs', () => abs(step, untyped<object>(5))],
      ['elementWiseAbs', () => abs(untyped<Tensor>(later))],
      ['topK', () => topK(sum, { k: 1 })],
      ['loadNpy', () => loadNpy(device(), 'none.npy')],
      ['saveNpy', () => saveNpy('none.npy', sum)],
      ['loadSafetensors', () => loadSafetensors(device(), 'none.safetensors')],
      ['saveSafetensors', () => saveSafetensors('none.safetensors', { sum })],
    ];
    const unhandled: unknown[] = [];
    const remember = (reason: unknown) => void unhandled.push(reason);
    process.on('unhandledRejection', remember);
    for (const [name, call] of calls) {
      const ways: readonly (readonly [way: string, work: () => unknown])[] = [
        ['called', call],
        ['awaited', async () => await call()],
        ['awaited with others', async () => await Promise.all([call()])],
        ['followed', () => void Promise.resolve(call()).then(() => undefined)],
      ];
      for (const [way, work] of ways) {
        let inside: unknown;
        const error = caught(() =>
          device().record(() => {
            add.dispatch({ aTensor: sum, bTensor: step, outputTensor: sum });
            try {
              return untyped<never>(work());
            } catch (thrown) {
              inside = thrown;
            }
          }),
        );
        expect([error.code, error.operator], `${name} ${way}`).toEqual(['ERR_NOT_RECORDABLE', name]);
        if (way === 'called') expect(untyped<Error>(inside).message, name).toBe(error.message);
      }
    }
    // The function itself is refused because it returns a promise; the later rejection of that promise is not reported as well.
    const failing = async () => {
      await Promise.resolve();
      throw new RangeError('later');
    };
    expect(code(() => device().record(() => untyped<never>(failing())))).toBe('ERR_INVALID_ARGUMENT');
    await new Promise((resolve) => setTimeout(resolve, 20));
    process.off('unhandledRejection', remember);
    expect(unhandled).toEqual([]);
    recording.replay();
    expect(await numbers(sum)).toEqual([1, 2, 3]);
  });

  test('an error in the function ends record, and later recordings still work', async () => {
    const { recording, add, sum, step } = await counter(device());
    const failing = () =>
      device().record(() => {
        add.dispatch({ aTensor: sum, bTensor: step, outputTensor: sum });
        throw new RangeError('mine');
      });
    expect(failing).toThrow(RangeError);
    expect(code(() => device().record(() => add.dispatch(untyped({}))))).toBe('ERR_MISSING_BINDING');
    const asynchronous = async () => {
      await Promise.resolve();
      add.dispatch({ aTensor: sum, bTensor: step, outputTensor: sum });
    };
    expect(code(() => device().record(untyped(asynchronous)))).toBe('ERR_INVALID_ARGUMENT');
    await Promise.resolve();
    for (const wrong of [undefined, null, 1, {}, 'work', class Work {}])
      expect(code(() => device().record(untyped(wrong)))).toBe('ERR_INVALID_ARGUMENT');
    expect(code(() => device().record(() => undefined, untyped({ reuseCommandLists: 1 })))).toBe('ERR_INVALID_ARGUMENT');
    expect(code(() => device().record(() => undefined, untyped({ reuse: true })))).toBe('ERR_INVALID_ARGUMENT');
    recording.replay();
    // One step is from the replay, the other from the async function, which dispatches after record has failed.
    expect(await numbers(sum)).toEqual([2, 4, 6]);
  });

  test('a replay fails once a tensor, an operator or the device of the recording is disposed of', async () => {
    const gone = await createDevice({ backend });
    const [withoutTensor, disposed, other] = [await counter(device()), await counter(device()), await counter(gone)];
    withoutTensor.recording.replay();
    withoutTensor.step.dispose();
    for (let again = 0; again < 2; again++) {
      const lacking = caught(() => withoutTensor.recording.replay());
      expect([lacking.code, lacking.operator, lacking.field]).toEqual(['ERR_DISPOSED', 'elementWiseAdd1', 'bTensor']);
    }
    expect(await numbers(withoutTensor.sum)).toEqual([1, 2, 3]);
    disposed.recording.replay();
    disposed.recording.dispose();
    disposed.recording.dispose();
    expect(code(() => disposed.recording.replay())).toBe('ERR_DISPOSED');
    expect(await numbers(disposed.sum)).toEqual([1, 2, 3]);
    disposed.add.dispose();
    const late = await counter(device());
    late.recording.replay();
    late.add.dispose();
    expect(code(() => late.recording.replay())).toBe('ERR_DISPOSED');
    gone.dispose();
    expect(code(() => other.recording.replay())).toBe('ERR_DISPOSED');
    expect(code(() => gone.record(() => undefined))).toBe('ERR_DISPOSED');
    other.recording.dispose();
  });

  test('the end of a using block disposes of a recording', async () => {
    const { recording } = await counter(device());
    {
      using own: Recording = recording;
      own.replay();
    }
    expect(code(() => recording.replay())).toBe('ERR_DISPOSED');
  });
});
