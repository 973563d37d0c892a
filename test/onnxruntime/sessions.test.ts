/** Sessions of node-directml/onnxruntime give what onnxruntime's wasm gives, with graphs for the sizes of the inputs. */
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { onnx } from 'onnx-proto';
import { afterAll, describe, expect, test } from 'vitest';
import { createDevice } from 'node-directml';
import { InferenceSession, Tensor } from 'node-directml/onnxruntime';
import { ml, tensorOf, type MLTensor } from 'node-directml/webnn';
import { backends, deviceOn } from '../support/devices.js';
import { attention } from '../../checks/networks/models/attention.js';
import { models } from '../../checks/networks/models/index.js';
import { perceptron } from '../../checks/networks/models/perceptron.js';
import { distance, expectedOf, read } from '../../checks/networks/sessions.js';
import { smallModel } from '../../checks/networks/small-model.js';
import { counting, expectSame } from '../support/expect-same.js';
import {
  sharedDimensions,
  unnamedDimensions,
  withoutOperator,
  wrongOutput,
  type Model,
} from '../../checks/networks/small-models.js';

test('require and import share one copy', () => {
  expect(createRequire(import.meta.url)('node-directml/onnxruntime')).toMatchObject({ InferenceSession, Tensor });
  expect(Reflect.get(globalThis, Symbol.for('onnxruntime'))).toMatchObject({ InferenceSession, Tensor });
});

describe.each(backends)('on %s', (backend) => {
  const device = deviceOn(backend);

  const create = (model: Model, options: InferenceSession.SessionOptions = {}) =>
    InferenceSession.create(model.bytes, { backend, fallback: 'error', ...options });

  test.each(Object.entries(models))('runs the %s', async (_name, make) => {
    const model = make();
    const session = await create(model);
    await expectSame(session, model);
    expect(session.placement).toMatchObject({ backend, graphs: 1, cpu: [] });
    expect(session.placement?.operators).toBeGreaterThan(2);
    await session.release();
  });

  test('makes a graph for each set of sizes, and keeps the most recently used ones', async () => {
    const session = await create(sharedDimensions(1, 1), { maxGraphs: 2 });
    const builds: number[] = [];
    for (const [batch, length] of [
      [1, 3],
      [2, 5],
      [1, 3],
      [3, 1],
      [1, 3],
      [2, 5],
    ] as const) {
      builds.push((await counting(() => expectSame(session, sharedDimensions(batch, length)))).builds);
    }
    expect(builds).toEqual([1, 1, 0, 1, 0, 1]);
    await session.release();
  });

  test('makes graphs for known sizes before the first run', async () => {
    const sizes = [
      { batch: 1, length: 2 },
      { batch: 2, length: 2 },
    ];
    const { result: session, builds } = await counting(() => create(sharedDimensions(1, 1), { sizes }));
    expect(builds).toBe(2);
    const ran = await counting(() => expectSame(session, sharedDimensions(2, 2)));
    expect(ran.builds).toBe(0);
    await session.release();
    const fixed = await counting(() => create(perceptron()));
    expect(fixed.builds).toBe(1);
    await fixed.result.release();
  });

  test('finds the sizes of dimensions without names', async () => {
    const session = await create(unnamedDimensions(1, 1));
    expect(session.inputMetadata).toEqual([{ name: 'x', isTensor: true, type: 'float32', shape: [-1, -1, 4] }]);
    for (const [rows, columns] of [
      [2, 3],
      [3, 2],
      [1, 1],
    ] as const)
      await expectSame(session, unnamedDimensions(rows, columns));
    await session.release();
  });

  test('runs a model that is wrong about its dynamic output', async () => {
    const session = await create(wrongOutput(unnamedDimensions(1, 2)));
    expect(session.outputMetadata).toEqual([{ name: 'y', isTensor: true, type: 'float32', shape: ['rows'] }]);
    for (const rows of [3, 1]) await expectSame(session, unnamedDimensions(rows, 2));
    await session.release();
  });

  test('runs 200 calls at once as one after the other', async () => {
    const sessions = [await create(sharedDimensions(1, 1)), await create(unnamedDimensions(1, 1))] as const;
    const models = [1, 2, 3, 4].flatMap((size) => [sharedDimensions(2, size), unnamedDimensions(size, 2)]);
    const calls = Array.from({ length: 200 }, async (_, i) => {
      const model = models[i % models.length] ?? sharedDimensions(1, 1);
      return read(await sessions[i % 2 === 0 ? 0 : 1].run(model.feeds));
    });
    const results = await Promise.all(calls);
    for (const [i, model] of models.entries()) {
      const expected = await expectedOf(model);
      for (let call = i; call < results.length; call += models.length) {
        expect(distance(results[call] ?? {}, expected)).toBeLessThanOrEqual(model.tolerance);
      }
    }
    await Promise.all(sessions.map((session) => session.release()));
  });

  test('creates, runs and releases in any order', async () => {
    const model = sharedDimensions(2, 3);
    const expected = await expectedOf(model);
    const lives = Array.from({ length: 6 }, async () => {
      const session = await create(model);
      const run = session.run(model.feeds);
      const released = session.release();
      await expect(session.run(model.feeds)).rejects.toMatchObject({ code: 'ERR_DISPOSED' });
      await Promise.all([released, session.release()]);
      return read(await run);
    });
    for (const result of await Promise.all(lives)) expect(distance(result, expected)).toBeLessThanOrEqual(model.tolerance);
  });

  test('keeps outputs on the device, for other sessions too', async () => {
    const model = attention();
    const first = await create(model, { preferredOutputLocation: 'ml-tensor' });
    const second = await create(model);
    const { y: once } = await first.run(model.feeds);
    if (once === undefined) throw new Error('the model has an output y');
    expect(once.location).toBe('ml-tensor');
    const twice = await second.run({ ...model.feeds, x: once });
    const x = new Tensor('float32', Float32Array.from((await expectedOf(model))['y'] ?? []), once.dims);
    const expected = await expectedOf(model, { ...model.feeds, x });
    expect(distance(await read(twice), expected)).toBeLessThanOrEqual(2 * model.tolerance);
    await first.release();
    await second.release();
  });

  test('gives outputs on the CPU where the model runs there, wherever they were wanted', async () => {
    const model = perceptron();
    const session = await InferenceSession.create(model.bytes, { backend: 'wasm', preferredOutputLocation: 'ml-tensor' });
    const [output] = Object.values(await session.run(model.feeds));
    expect(output?.location).toBe('cpu');
    await session.release();
  });

  test('runs again after a run that was refused', async () => {
    const model = sharedDimensions(2, 3);
    const session = await InferenceSession.create(model.bytes, { backend });
    const ids = new Tensor('int32', new Int32Array(6), [2, 3]);
    await expect(session.run({ ...model.feeds, ids })).rejects.toThrow('type');
    await expectSame(session, model);
    await session.release();
  });

  test('uses a device and a context of the program', async () => {
    const model = perceptron();
    const context = await ml.createContext(device());
    const [onDevice, inContext] = [await create(model, { device: device() }), await create(model, { context })];
    await expectSame(onDevice, model);
    await onDevice.release();
    const input: MLTensor = await context.createTensor({ dataType: 'float32', shape: [8, 32], writable: true });
    tensorOf(input).write((await model.feeds['x']?.getData()) as Float32Array);
    const results = await inContext.run({ x: Tensor.fromMLTensor(input, { dataType: 'float32', dims: [8, 32] }) });
    expect(distance(await read(results), await expectedOf(model))).toBeLessThanOrEqual(model.tolerance);
    await inContext.release();
    // Releasing the sessions leaves both as they are.
    expect(tensorOf(input).sizes).toEqual([8, 32]);
    context.destroy();
    await device().idle();
  });

  test('a tensor on the device may stand for a single number', async () => {
    const graph = {
      inputs: 'float32 x [2]; float32 factor []',
      outputs: 'float32 y [2]',
      nodes: [['Mul', 'x factor', 'y']],
    } as const;
    const session = await InferenceSession.create(smallModel(graph), { device: device(), fallback: 'error' });
    const mlTensor = device().createTensor({ dataType: 'float32', sizes: [1] }, [3]);
    const factor = Tensor.fromMLTensor(mlTensor as never, { dataType: 'float32', dims: [] });
    const { y } = await session.run({ x: new Tensor('float32', [1, 2], [2]), factor });
    expect(Array.from(y?.data as Float32Array)).toEqual([3, 6]);
    await session.release();
  });

  test('sequences are only outputs that a run leaves out', async () => {
    const graph = {
      inputs: 'float32 x [4]',
      outputs: '? parts; ? y',
      nodes: [
        ['SplitToSequence', 'x', 'parts'],
        ['Abs', 'x', 'y'],
      ],
    } as const;
    const decoded = onnx.ModelProto.decode(smallModel(graph));
    const elemType = { tensorType: { elemType: 1 } };
    for (const [i, type] of [{ sequenceType: { elemType } }, elemType].entries())
      Object.assign(decoded.graph?.output?.[i] ?? {}, { type });
    const options = { device: device(), fallback: 'error' } as const;
    const session = await InferenceSession.create(onnx.ModelProto.encode(decoded).finish(), options);
    expect(session.outputMetadata[0]).toEqual({ name: 'parts', isTensor: false });
    const feeds = { x: new Tensor('float32', [-1, 2, 3, 4], [4]) };
    await session.run(feeds, ['y']);
    const before = device().memory().buffers;
    const { y } = await session.run(feeds, ['y']);
    expect(Array.from(y?.data as Float32Array)).toEqual([1, 2, 3, 4]);
    expect(device().memory().buffers).toBe(before);
    await expect(session.run(feeds)).rejects.toMatchObject({
      code: 'ERR_INVALID_FILE',
      message: expect.stringContaining('parts') as string,
    });
    await session.release();
  });

  test('works after a session that could not be created', async () => {
    await expect(create(withoutOperator())).rejects.toThrow("node 'odd' (Odd)");
    const model = sharedDimensions(2, 3);
    for (const options of [{}, { backend: 'wasm' }] as const) {
      const session = await create(model, options);
      await expectSame(session, model);
      await session.release();
    }
  });

  test('a device that ends is an error, and other sessions go on', async () => {
    const model = perceptron();
    const own = await createDevice({ backend });
    const session = await create(model, { device: own });
    await expectSame(session, model);
    own.dispose();
    await expect(session.run(model.feeds)).rejects.toMatchObject({ code: 'ERR_DISPOSED' });
    await expect(create(model, { device: own })).rejects.toMatchObject({ code: 'ERR_DISPOSED' });
    await session.release();
    const other = await create(model);
    await expectSame(other, model);
    await other.release();
  });

  test('says what is wrong with inputs', async () => {
    const model = sharedDimensions(2, 3);
    const session = await create(model);
    const { ids, mask } = model.feeds;
    const run = (feeds: object) => session.run(feeds as InferenceSession.FeedsType);
    await expect(run({ ids })).rejects.toMatchObject({ code: 'ERR_MISSING_BINDING', field: 'feeds["mask"]' });
    await expect(run({ ids: 1, mask })).rejects.toMatchObject({ code: 'ERR_INVALID_ARGUMENT', field: 'feeds["ids"]' });
    const flat = new Tensor('float32', new Float32Array(6), [6]);
    await expect(run({ ids, mask: flat })).rejects.toMatchObject({ code: 'ERR_DIMENSION_COUNT', given: '[6]' });
    const other = new Tensor('float32', new Float32Array(8), [2, 4]);
    await expect(run({ ids, mask: other })).rejects.toThrow("'length' is 3 in input 'ids'");
    await expectSame(session, model);
    await session.release();
  });
});

describe('models', () => {
  const folder = mkdtempSync(join(tmpdir(), 'node-directml-onnxruntime-'));
  const model = sharedDimensions(2, 3);
  const options = { backend: 'reference', fallback: 'error' } as const;

  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  test('come from paths, URLs and buffers', async () => {
    const path = join(folder, 'a model.onnx');
    writeFileSync(path, model.bytes);
    const padded = new Uint8Array(model.bytes.length + 3);
    padded.set(model.bytes, 2);
    const url = pathToFileURL(path);
    const sessions = [
      await InferenceSession.create(path, options),
      await InferenceSession.create(url, options),
      await InferenceSession.create(url.href, options),
      await InferenceSession.create(padded.subarray(2, -1), options),
      await InferenceSession.create(padded.buffer, 2, model.bytes.length, options),
    ];
    for (const session of sessions) await expectSame(session, model);
    for (const session of sessions) await session.release();
  });

  test('may have weights in other files', async () => {
    const decoded = onnx.ModelProto.decode(model.bytes);
    for (const [i, weight] of (decoded.graph?.initializer ?? []).entries()) {
      if ((weight.rawData?.length ?? 0) < 64) continue;
      writeFileSync(join(folder, `weights.${i}`), weight.rawData ?? '');
      weight.rawData = null;
      weight.dataLocation = onnx.TensorProto.DataLocation.EXTERNAL;
      weight.externalData = [{ key: 'location', value: `weights.${i}` }];
    }
    const path = join(folder, 'weights elsewhere.onnx');
    const bytes = onnx.ModelProto.encode(decoded).finish();
    writeFileSync(path, bytes);
    const names = readdirSync(folder).filter((name) => name.startsWith('weights.'));
    const externalData = names.map((name) => ({ path: name, data: Uint8Array.from(readFileSync(join(folder, name))) }));
    const given = await InferenceSession.create(bytes, { ...options, externalData });
    await expectSame(given, model);
    await given.release();
    const wrong = InferenceSession.create(bytes, { ...options, externalData: [{ path: 'weights.0', data: 1 as never }] });
    await expect(wrong).rejects.toMatchObject({ code: 'ERR_INVALID_ARGUMENT', field: 'options.externalData[0].data' });
    const session = await InferenceSession.create(path, options);
    await expectSame(session, model);
    await expectSame(session, sharedDimensions(1, 1));
    await session.release();
    rmSync(join(folder, 'weights.0'));
    await expect(InferenceSession.create(path, options)).rejects.toMatchObject({ code: 'ERR_INVALID_FILE' });
  });

  test('that are none are errors, and so are wrong options', async () => {
    const file = { code: 'ERR_INVALID_FILE' };
    const argument = { code: 'ERR_INVALID_ARGUMENT' };
    for (const length of [0, 1, 10, model.bytes.length - 1]) {
      await expect(InferenceSession.create(model.bytes.subarray(0, length))).rejects.toMatchObject(file);
    }
    await expect(InferenceSession.create(join(folder, 'missing.onnx'))).rejects.toMatchObject(file);
    await expect(InferenceSession.create('https://example.org/model.onnx')).rejects.toMatchObject(file);
    await expect(InferenceSession.create(new URL('https://example.org/model.onnx'))).rejects.toMatchObject(argument);
    await expect(InferenceSession.create(1 as never)).rejects.toMatchObject(argument);
    const wrong: readonly object[] = [
      { backend: 'dml' },
      { fallback: true },
      { maxGraphs: 0 },
      { sums: 'float64' },
      { sizes: 1 },
      { device: {} },
      { context: {} },
    ];
    for (const each of wrong) {
      await expect(InferenceSession.create(model.bytes, each)).rejects.toMatchObject({
        ...argument,
        field: `options.${Object.keys(each)[0]}`,
      });
    }
  });
});
