/** What sessions refuse: the code and the whole message. */
import { onnx } from 'onnx-proto';
import { beforeAll, describe, expect, test } from 'vitest';
import { InferenceSession, Tensor } from 'node-directml/onnxruntime';
import { smallModel } from '../../checks/networks/small-model.js';
import { untyped } from '../../checks/malformed/objects.js';
import { deviceOn } from '../support/devices.js';
import { refusalOf } from '../support/refusals.js';

const bytes = smallModel({ inputs: 'float32 x [2]', outputs: 'float32 y [2]', nodes: [['Neg', 'x', 'y']] });
const buffer = new Uint8Array(bytes).buffer;
const size = buffer.byteLength;
const dynamic = onnx.ModelProto.encode({
  ...{ irVersion: 10, opsetImport: [{ domain: '', version: 21 }] },
  graph: {
    name: 'dynamic',
    node: [{ opType: 'Neg', input: ['x'], output: ['y'] }],
    input: [{ name: 'x', type: { tensorType: { elemType: 1, shape: { dim: [{ dimParam: 'rows' }, {}] } } } }],
    output: [{ name: 'y', type: { tensorType: { elemType: 1 } } }],
  },
}).finish();
const device = deviceOn('reference');

describe('InferenceSession.create', () => {
  const create = (...args: readonly unknown[]) =>
    (InferenceSession.create as unknown as (...args: readonly unknown[]) => Promise<InferenceSession>)(...args);
  const reference = { backend: 'reference' };

  test.each<[string, readonly unknown[]]>([
    ['model: expected a path, a URL of a file, a Uint8Array or an ArrayBuffer, given 5', [5]],
    ['model: expected a path, a URL of a file, a Uint8Array or an ArrayBuffer, given a Float32Array', [new Float32Array(2)]],
    ["model: expected a URL of a file, given 'http://host/m.onnx'", [new URL('http://host/m.onnx')]],
    [`byteOffset: expected at most ${size}, given ${size + 1}`, [buffer, size + 1]],
    [`byteLength: expected at most ${size - 2}, given ${size - 1}`, [buffer, 2, size - 1]],
    ['byteOffset: expected a whole number from 0 on, given -1', [buffer, -1]],
    ["options: expected an object, given 'x'", [bytes, 'x']],
    ["options.backend: expected 'directml' or 'reference' or 'wasm', given 'cuda'", [bytes, { backend: 'cuda' }]],
    ['options.externalData: expected an array of files, given 5', [bytes, { externalData: 5 }]],
    ['options.externalData[0]: expected an object, given 5', [bytes, { externalData: [5] }]],
    ['options.externalData[0].path: expected the name of a file in the model, given 5', [bytes, { externalData: [{ path: 5 }] }]],
    [
      'options.externalData[0].data: expected a Uint8Array or a path, given 5',
      [bytes, { externalData: [{ path: 'w', data: 5 }] }],
    ],
    ['options.sizes: expected an array of objects, given 5', [bytes, { sizes: 5 }]],
    ['options.sizes[1]: expected an object, given 5', [dynamic, { ...reference, sizes: [{}, 5] }]],
    [
      "options.sizes[0]: expected one of rows, x[1], given 'row' (did you mean 'rows'?)",
      [dynamic, { ...reference, sizes: [{ row: 2, 'x[1]': 3 }] }],
    ],
    ['options.sizes[0].rows: expected a whole number from 0 on, given 1.5', [dynamic, { ...reference, sizes: [{ rows: 1.5 }] }]],
    [
      "options.sizes[0]: expected no name: the model has no dynamic dimensions, given 'x'",
      [bytes, { ...reference, sizes: [{ x: 2 }] }],
    ],
    ['options.maxGraphs: expected a whole number from 1 on, given 0', [bytes, { maxGraphs: 0 }]],
    ['options.maxGraphs: expected a whole number from 1 on, given 1.5', [bytes, { maxGraphs: 1.5 }]],
    ["options.fallback: expected 'warn' or 'allow' or 'error' or 'wasm', given 'x'", [bytes, { fallback: 'x' }]],
    ["options.sums: expected 'float32' or 'float16', given 'x'", [bytes, { sums: 'x' }]],
    ['options.device: expected a device, given 5', [bytes, { device: 5 }]],
    ['options.context: expected an MLContext of this package, given 5', [bytes, { context: 5 }]],
    ["options.noAdapter: expected 'reference' or 'wasm', given 'x'", [bytes, { noAdapter: 'x' }]],
  ])('%s', async (expected, args) => {
    expect(await refusalOf(() => create(...args))).toBe(`ERR_INVALID_ARGUMENT InferenceSession.create: ${expected}`);
  });

  test('an adapter that is none', async () => {
    expect(await refusalOf(() => create(bytes, { adapter: 7.5 }))).toBe(
      'ERR_NO_ADAPTER InferenceSession.create: options.adapter: expected an index or a luid of listAdapters(), or nothing, given 7.5',
    );
  });

  test.each([{ rows: 2, 'x[1]': 3 }, { rows: 0, 'x[1]': 1 }, {}])('takes the sizes %j', async (sizes) => {
    const session = await create(dynamic, { ...reference, sizes: [sizes] });
    await session.release();
  });
});

describe('session.run', () => {
  let session: InferenceSession;
  beforeAll(async () => void (session = await InferenceSession.create(bytes, { backend: 'reference' })));
  const run = (...args: readonly unknown[]) =>
    (session.run as unknown as (...args: readonly unknown[]) => Promise<unknown>)(...args);
  const x = new Tensor('float32', Float32Array.of(1, 2), [2]);
  const plain = { type: 'float32', dims: [2], data: Float32Array.of(1, 2), location: 'cpu' };
  const onDevice = (mlTensor: unknown) => ({ ...plain, location: 'ml-tensor', mlTensor });

  test.each<[string, () => readonly unknown[]]>([
    ['ERR_INVALID_ARGUMENT feeds: expected an object with a tensor for each input, given 5', () => [5]],
    ['ERR_INVALID_ARGUMENT feeds: expected an object with a tensor for each input, given an empty array', () => [[]]],
    ['ERR_MISSING_BINDING feeds["x"]: expected a tensor, given nothing', () => [{}]],
    ["ERR_UNKNOWN_BINDING feeds: expected one of x, given 'z'", () => [{ x, z: x }]],
    ['ERR_INVALID_ARGUMENT feeds["x"]: expected a tensor, given 5', () => [{ x: 5 }]],
    [
      "ERR_INVALID_ARGUMENT feeds[\"x\"].location: expected 'cpu' or 'ml-tensor', given 'gpu'",
      () => [{ x: { ...plain, location: 'gpu' } }],
    ],
    [
      'ERR_INVALID_ARGUMENT feeds["x"].type: expected the data type of a tensor, given \'floats\'',
      () => [{ x: { ...plain, type: 'floats' } }],
    ],
    [
      'ERR_INVALID_ARGUMENT feeds["x"].dims: expected an array of at most 64 sizes, given 5',
      () => [{ x: { ...plain, dims: 5 } }],
    ],
    [
      'ERR_INVALID_ARGUMENT feeds["x"].dims: expected an array of at most 64 sizes, given an array of 1 number',
      () => [{ x: { ...plain, dims: [-1] } }],
    ],
    ['ERR_SIZES feeds["x"].data: expected 3 elements for the sizes [3], given 2', () => [{ x: { ...plain, dims: [3] } }]],
    ['ERR_SIZES feeds["x"]: expected sizes [2], given [3]', () => [{ x: new Tensor('float32', new Float32Array(3), [3]) }]],
    [
      'ERR_DIMENSION_COUNT feeds["x"]: expected sizes [2], given [1, 2]',
      () => [{ x: new Tensor('float32', new Float32Array(2), [1, 2]) }],
    ],
    [
      'ERR_DATA_TYPE feeds["x"].data: expected a Float32Array, given an array of 2 numbers',
      () => [{ x: { ...plain, data: [1, 2] } }],
    ],
    [
      'ERR_DATA_TYPE feeds["x"]: expected a tensor of type float32, given type int32',
      () => [{ x: new Tensor('int32', Int32Array.of(1, 2), [2]) }],
    ],
    ['ERR_DISPOSED feeds["x"]: the tensor was disposed of.', () => [{ x: { ...plain, location: 'none' } }]],
    [
      'ERR_INVALID_ARGUMENT feeds["x"].mlTensor: expected a tensor or an MLTensor of this package, given 5',
      () => [{ x: onDevice(5) }],
    ],
    [
      'ERR_DATA_TYPE feeds["x"].type: expected int32, as its tensor on the device, given float32',
      () => [{ x: onDevice(device().tensor([1, 2], { dataType: 'int32' })) }],
    ],
    ['ERR_SIZES feeds["x"].dims: expected the elements of [3], given [2]', () => [{ x: onDevice(device().tensor([1, 2, 3])) }]],
    [
      'ERR_WRONG_DEVICE feeds["x"]: expected a tensor of the session\'s device, given one of another device',
      () => [{ x: onDevice(device().tensor([1, 2])) }],
    ],
    [
      'ERR_INVALID_ARGUMENT fetches: expected names of outputs, an object with tensors for outputs, or options, given 5',
      () => [{ x }, 5],
    ],
    ['ERR_INVALID_ARGUMENT fetches: expected one of y, given no name', () => [{ x }, []]],
    ["ERR_UNKNOWN_BINDING fetches: expected one of y, given 'z'", () => [{ x }, ['z']]],
    ["ERR_UNKNOWN_BINDING fetches: expected one of y, given 'z'", () => [{ x }, { y: null, z: x }]],
    ['ERR_INVALID_ARGUMENT fetches: expected names of outputs, given 5', () => [{ x }, [5]]],
    [
      'ERR_DATA_TYPE fetches["y"]: expected a tensor of type float32, given type int32',
      () => [{ x }, { y: new Tensor('int32', new Int32Array(2), [2]) }],
    ],
    [
      'ERR_SIZES fetches["y"].dims: expected [2], given [3]',
      () => [{ x }, { y: new Tensor('float32', new Float32Array(3), [3]) }],
    ],
    ['ERR_INVALID_ARGUMENT options: expected an object, given 5', () => [{ x }, ['y'], 5]],
  ])('%s', async (expected, args) => {
    expect((await refusalOf(() => run(...args()))).replace('session.run: ', '')).toBe(expected);
  });

  test('after the release', async () => {
    const gone = await InferenceSession.create(bytes, { backend: 'reference' });
    await gone.release();
    expect(await refusalOf(() => gone.run({ x }))).toBe('ERR_DISPOSED session.run: the session was released.');
    await gone.release();
  });

  test('strings, where an input has numbers', async () => {
    const strings = untyped<Tensor>(new Tensor('string', ['a', 'b'], [2]));
    expect(await refusalOf(() => session.run({ x: strings }))).toBe(
      'ERR_DATA_TYPE session.run: feeds["x"]: expected a tensor of type float32, given type string',
    );
  });
});
