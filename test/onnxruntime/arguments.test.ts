/** Whatever a program gives to a session, and does to it afterwards: errors name it, and no session waits for it. */
import { createContext as createRealm, runInContext } from 'node:vm';
import { onnx } from 'onnx-proto';
import { describe, expect, test } from 'vitest';
import { createDevice } from 'node-directml';
import { InferenceSession, Tensor } from 'node-directml/onnxruntime';
import { ml } from 'node-directml/webnn';
import { growable, resizable, resize } from '../../checks/malformed/values.js';
import { backends, deviceOn } from '../support/devices.js';
import { distance, expectedOf, read } from '../../checks/networks/sessions.js';
import { smallModel } from '../../checks/networks/small-model.js';
import { expectSame } from '../support/expect-same.js';
import { sharedDimensions, unnamedDimensions } from '../../checks/networks/small-models.js';

const model = sharedDimensions(2, 2);
const { ids, mask } = model.feeds;
const maskData = Float32Array.from((mask?.data ?? []) as Float32Array);

/** A tensor whose data have changed since it was made. */
function changed(change: (data: Float32Array<ArrayBuffer>) => void): Tensor {
  const data = new Float32Array(resizable(16, 32));
  const tensor = new Tensor('float32', data, [2, 2]);
  change(data);
  return tensor;
}

function detach({ buffer }: Float32Array<ArrayBuffer>): void {
  structuredClone(buffer, { transfer: [buffer] });
}

function disposed(): Tensor {
  const tensor = new Tensor('float32', new Float32Array(4), [2, 2]);
  tensor.dispose();
  return tensor;
}

function throwing(name: string): object {
  const tensor = { type: 'float32', dims: [2, 2], data: maskData, location: 'cpu' };
  return Object.defineProperty(tensor, name, {
    enumerable: true,
    get() {
      throw new Error('from the getter');
    },
  });
}

function revoked(): object {
  const { proxy, revoke } = Proxy.revocable({}, {});
  revoke();
  return proxy;
}

const plain = { type: 'float32', dims: [2, 2], data: maskData, location: 'cpu' };

/** What is given as `mask`, and the error about it: its code, and its field after `feeds["mask"]`. */
const wrong: readonly (readonly [name: string, make: () => unknown, code: string, field: string])[] = [
  ['a number', () => 1, 'ERR_INVALID_ARGUMENT', ''],
  ['null', () => null, 'ERR_MISSING_BINDING', ''],
  ['a plain object', () => ({ dims: [2, 2] }), 'ERR_INVALID_ARGUMENT', ''],
  ['a revoked proxy', revoked, 'ERR_INVALID_ARGUMENT', '.location'],
  ['a proxy of an array', () => ({ ...plain, data: new Proxy(maskData, {}) }), 'ERR_DATA_TYPE', '.data'],
  ['a buffer that shrank', () => changed(({ buffer }) => resize(buffer, 4)), 'ERR_SIZES', '.data'],
  ['a buffer that grew', () => changed(({ buffer }) => resize(buffer, 32)), 'ERR_SIZES', '.data'],
  ['a detached buffer', () => changed(detach), 'ERR_SIZES', '.data'],
  ['too few elements', () => ({ ...plain, data: new Float32Array(1) }), 'ERR_SIZES', '.data'],
  ['an object as data', () => ({ ...plain, data: {} }), 'ERR_DATA_TYPE', '.data'],
  ['elements of another type', () => ({ ...plain, data: new Int32Array(4) }), 'ERR_DATA_TYPE', '.data'],
  ['a type that is none', () => ({ ...plain, type: 'float' }), 'ERR_INVALID_ARGUMENT', '.type'],
  ['another type', () => new Tensor('int32', new Int32Array(4), [2, 2]), 'ERR_DATA_TYPE', ''],
  ['texts', () => new Tensor('string', ['a', 'b', 'c', 'd'], [2, 2]), 'ERR_DATA_TYPE', ''],
  ['sizes that are none', () => ({ ...plain, dims: [2, '2'] }), 'ERR_INVALID_ARGUMENT', '.dims'],
  ['a size that no tensor has', () => ({ ...plain, dims: [2 ** 31] }), 'ERR_INVALID_ARGUMENT', '.dims'],
  ['the largest size', () => ({ ...plain, dims: [2 ** 31 - 1] }), 'ERR_SIZES', '.data'],
  ['a million sizes', () => ({ ...plain, dims: new Array<number>(1e6).fill(1) }), 'ERR_INVALID_ARGUMENT', '.dims'],
  ['a location without WebGPU', () => ({ ...plain, location: 'gpu-buffer' }), 'ERR_INVALID_ARGUMENT', '.location'],
  ['an MLTensor that is none', () => ({ ...plain, location: 'ml-tensor', mlTensor: {} }), 'ERR_INVALID_ARGUMENT', '.mlTensor'],
  ['a tensor that was disposed of', disposed, 'ERR_DISPOSED', ''],
  ...['location', 'type', 'dims', 'data'].map(
    (name) => [`a getter of ${name} that throws`, () => throwing(name), 'ERR_INVALID_ARGUMENT', `.${name}`] as const,
  ),
];

describe.each(backends)('on %s', (backend) => {
  const device = deviceOn(backend);
  const create = (options: InferenceSession.SessionOptions = {}) =>
    InferenceSession.create(model.bytes, { device: device(), fallback: 'error', ...options });
  const given = (value: unknown) => ({ ids, mask: value }) as InferenceSession.FeedsType;

  test('inputs that are wrong', async () => {
    const [session, other] = [await create(), await create()];
    for (const [name, make, code, field] of wrong) {
      const error: unknown = await session.run(given(make())).catch((reason: unknown) => reason);
      expect(error, name).toMatchObject({ code, field: `feeds["mask"]${field}` });
    }
    await expect(session.run(given(undefined))).rejects.toMatchObject({ code: 'ERR_MISSING_BINDING' });
    await expect(session.run({ ...model.feeds, maks: disposed() })).rejects.toThrow("did you mean 'mask'");
    for (const feeds of [null, 1, [], revoked()])
      await expect(session.run(feeds as never)).rejects.toMatchObject({ code: 'ERR_INVALID_ARGUMENT', field: 'feeds' });
    // No session waits for them.
    await expectSame(session, model);
    await expectSame(other, model);
    await session.release();
    await other.release();
  });

  test('strings that are wrong', async () => {
    const graph = { inputs: '? x', outputs: '? y', nodes: [['Identity', 'x', 'y']] } as const;
    const strings = onnx.ModelProto.decode(smallModel(graph));
    const type = { tensorType: { elemType: 8, shape: { dim: [{ dimValue: 2 }] } } };
    for (const value of [...(strings.graph?.input ?? []), ...(strings.graph?.output ?? [])]) Object.assign(value, { type });
    const session = await InferenceSession.create(onnx.ModelProto.encode(strings).finish(), { backend: 'wasm' });
    const run = (data: unknown) => session.run({ x: { ...plain, type: 'string', dims: [2], data } } as never);
    expect((await run(['a', 'b']))['y']?.data).toEqual(['a', 'b']);
    const y = new Tensor('string', ['', ''], [2]);
    const filled = await session.run({ x: new Tensor('string', ['c', 'd'], [2]) }, { y });
    expect([filled['y'] === y, y.data]).toEqual([true, ['c', 'd']]);
    for (const [data, code, field] of [
      ['ab', 'ERR_INVALID_ARGUMENT', '.data'],
      [['a'], 'ERR_SIZES', '.data'],
      [['a', 1], 'ERR_DATA_TYPE', '.data[1]'],
    ] as const) {
      await expect(run(data)).rejects.toMatchObject({ code, field: `feeds["x"]${field}` });
    }
    await session.release();
  });

  test('inputs that change while the run waits', async () => {
    const session = await create();
    const shared = new Float32Array(growable(16, 32));
    const [written, resized, detached] = [0, 1, 2].map(() => changed((data) => data.set(maskData)));
    shared.set(maskData);
    const runs = [written, resized, detached, new Tensor('float32', shared, [2, 2])].map((tensor) => session.run(given(tensor)));
    written?.data.fill(NaN as never);
    resize((resized?.data as Float32Array<ArrayBuffer>).buffer, 0);
    detach(detached?.data as Float32Array<ArrayBuffer>);
    shared.fill(NaN);
    for (const run of runs) expect(distance(await read(await run), await expectedOf(model))).toBeLessThanOrEqual(model.tolerance);
    await session.release();
  });

  test('tensors of another copy of onnxruntime-common, and of another realm', async () => {
    const session = await create();
    const data: unknown = runInContext('Float32Array.from(numbers)', createRealm({ numbers: [...maskData] }));
    for (const tensor of [plain, { ...plain, data }, { ...plain, location: 'cpu-pinned' }, new Proxy(plain, {})]) {
      const results = await session.run(given(tensor));
      expect(distance(await read(results), await expectedOf(model))).toBeLessThanOrEqual(model.tolerance);
    }
    await session.release();
  });

  test('as many bytes as the sizes say', async () => {
    const nodes = [['Cast', 'x', 'y', { to: 6 }]] as const;
    const bytes = await InferenceSession.create(smallModel({ inputs: 'uint8 x [3]', outputs: 'int32 y [3]', nodes }), {
      device: device(),
    });
    const x = { ...plain, type: 'uint8', dims: [3], data: Uint8Array.of(1, 2, 200) };
    expect((await bytes.run({ x } as never))['y']?.data).toEqual(Int32Array.of(1, 2, 200));
    const short = { ...x, data: Uint8Array.of(1, 2) };
    await expect(bytes.run({ x: short } as never)).rejects.toMatchObject({ code: 'ERR_SIZES', field: 'feeds["x"].data' });
    await bytes.release();
  });

  test('outputs and options that are wrong', async () => {
    const session = await create();
    const run = (...rest: readonly unknown[]) => session.run(model.feeds, ...(rest as [never]));
    const y = (dims: readonly number[], data: object = new Float32Array(64)) => ({ y: { ...plain, dims, data } });
    const fetches: readonly (readonly [unknown, string, string])[] = [
      [null, 'ERR_INVALID_ARGUMENT', 'fetches'],
      [1, 'ERR_INVALID_ARGUMENT', 'fetches'],
      [[], 'ERR_INVALID_ARGUMENT', 'fetches'],
      [[1], 'ERR_INVALID_ARGUMENT', 'fetches'],
      [['z'], 'ERR_UNKNOWN_BINDING', 'fetches'],
      [{ y: null, z: null }, 'ERR_UNKNOWN_BINDING', 'fetches'],
      [{ y: disposed() }, 'ERR_DISPOSED', 'fetches["y"]'],
      [y([2, 2]), 'ERR_SIZES', 'fetches["y"].data'],
      [y([4, 1, 16]), 'ERR_SIZES', 'fetches["y"].dims'],
      [{ y: new Tensor('int32', new Int32Array(64), [2, 2, 16]) }, 'ERR_DATA_TYPE', 'fetches["y"]'],
    ];
    for (const [value, code, field] of fetches) await expect(run(value)).rejects.toMatchObject({ code, field });
    const throws = throwing('tag');
    for (const options of [1, null, [], throws, { tag: () => undefined }])
      await expect(run(['y'], options)).rejects.toMatchObject({ code: 'ERR_INVALID_ARGUMENT', field: 'options' });
    await expect(run(throws)).rejects.toMatchObject({ code: 'ERR_INVALID_ARGUMENT', field: 'options' });
    expect(Object.keys(await run(Object.freeze({ tag: 'a run' })))).toEqual(['y']);
    await expectSame(session, model);
    await session.release();
  });

  test('fills arrays that are given for outputs', async () => {
    const session = await create();
    const [first, second] = [0, 1].map(() => new Tensor('float32', new Float32Array(64), [2, 2, 16]));
    if (first === undefined || second === undefined) throw new Error('both are made');
    const run = session.run(model.feeds, { y: first });
    expect((await run)['y']).toBe(first);
    expect(distance(await read({ y: first }), await expectedOf(model))).toBeLessThanOrEqual(model.tolerance);
    const late = session.run(model.feeds, { y: second });
    detach(second.data as Float32Array<ArrayBuffer>);
    await expect(late).rejects.toMatchObject({ code: 'ERR_SIZES', field: 'fetches["y"].data' });
    await expectSame(session, model);
    await session.release();
  });

  test('an output on the device may be disposed of while runs that read it wait', async () => {
    const layer = unnamedDimensions(1, 2);
    const context = await ml.createContext(device());
    const first = await create({ device: undefined, context, preferredOutputLocation: 'ml-tensor' });
    const options = { context, fallback: 'error' } as const;
    const second = await InferenceSession.create(layer.bytes, options);
    const x = await context.createTensor({ dataType: 'float32', shape: [1, 2, 4], writable: true });
    context.writeTensor(x, (layer.feeds['x']?.data ?? []) as Float32Array<ArrayBuffer>);
    const input = Tensor.fromMLTensor(x, { dataType: 'float32', dims: [1, 2, 4] });
    const waits = second.run({ x: input });
    const { y } = await first.run(model.feeds);
    y?.dispose();
    await expect(first.run(given(y))).rejects.toMatchObject({ code: 'ERR_DISPOSED', field: 'feeds["mask"]' });
    expect(distance(await read(await waits), await expectedOf(layer))).toBeLessThanOrEqual(layer.tolerance);
    const late = second.run({ x: input });
    x.destroy();
    await expect(late).rejects.toMatchObject({ code: 'ERR_DISPOSED', field: 'feeds["x"]' });
    const other = await ml.createContext(await createDevice({ backend }));
    const foreign = await other.createTensor({ dataType: 'float32', shape: [1, 2, 4], writable: true });
    const fed = second.run({ x: Tensor.fromMLTensor(foreign, { dataType: 'float32', dims: [1, 2, 4] }) });
    await expect(fed).rejects.toMatchObject({ code: 'ERR_WRONG_DEVICE', field: 'feeds["x"]' });
    const lies = second.run({ x: Tensor.fromMLTensor(foreign, { dataType: 'float32', dims: [3, 1, 4] }) });
    await expect(lies).rejects.toMatchObject({ code: 'ERR_SIZES', field: 'feeds["x"].dims' });
    await expectSame(second, layer);
    await first.release();
    await second.release();
    other.destroy();
    context.destroy();
  });

  test('models in buffers that change after the call', async () => {
    const options = { device: device(), fallback: 'error' } as const;
    const { length } = model.bytes;
    const buffers = [resizable(length, length), new SharedArrayBuffer(length), new ArrayBuffer(length)];
    for (const buffer of buffers) {
      new Uint8Array(buffer).set(model.bytes);
      const creating = InferenceSession.create(new Uint8Array(buffer), options);
      new Uint8Array(buffer).fill(0xff);
      const session = await creating;
      if (buffer instanceof ArrayBuffer) structuredClone(buffer, { transfer: [buffer] });
      // Makes a graph now, because the sizes are known only now.
      await expectSame(session, model);
      await session.release();
    }
    const detached = new Uint8Array(model.bytes);
    structuredClone(detached.buffer, { transfer: [detached.buffer] });
    await expect(InferenceSession.create(detached, options)).rejects.toMatchObject({ code: 'ERR_INVALID_FILE' });
    const numbers: readonly (readonly [number, number, string])[] = [
      [-1, 1, 'byteOffset'],
      [0.5, 1, 'byteOffset'],
      [length + 1, 0, 'byteOffset'],
      [0, length + 1, 'byteLength'],
      [0, NaN, 'byteLength'],
    ];
    for (const [offset, count, field] of numbers) {
      const created = InferenceSession.create(new SharedArrayBuffer(length), offset, count, options);
      await expect(created).rejects.toMatchObject({ code: 'ERR_INVALID_ARGUMENT', field });
    }
    const proxy = new Proxy(new Uint8Array(4), {});
    await expect(InferenceSession.create(proxy, options)).rejects.toMatchObject({ code: 'ERR_INVALID_ARGUMENT', field: 'model' });
  });
});
