/** Whole messages about what a program gives to sessions. */
import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { onnx } from 'onnx-proto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createDevice, type Device } from 'node-directml';
import { InferenceSession, Tensor } from 'node-directml/onnxruntime';
import { smallModel } from '../../checks/networks/small-model.js';
import { refusalOf } from '../support/refusals.js';

function value(name: string): onnx.IValueInfoProto {
  const dim = [{ dimParam: 'n' }, { dimValue: 2 }];
  return { name, type: { tensorType: { elemType: onnx.TensorProto.DataType.FLOAT, shape: { dim } } } };
}
const graph = {
  name: 'two outputs',
  node: [
    { opType: 'Neg', input: ['x'], output: ['y'] },
    { opType: 'Abs', input: ['x'], output: ['z'] },
  ],
  input: [value('x')],
  output: [value('y'), value('z')],
};
const model = onnx.ModelProto.encode({ irVersion: 10, opsetImport: [{ domain: '', version: 21 }], graph }).finish();

let device: Device;
let session: InferenceSession;
beforeAll(async () => {
  device = await createDevice({ backend: 'reference', thread: 'caller' });
  session = await InferenceSession.create(model, { device });
});
afterAll(async () => {
  await session.release();
  device.dispose();
});

const wrong = 'ERR_INVALID_ARGUMENT';
const create = InferenceSession.create.bind(InferenceSession) as unknown as (
  ...given: readonly unknown[]
) => Promise<InferenceSession>;
const run = (...given: readonly unknown[]) =>
  (session.run.bind(session) as (...args: readonly unknown[]) => Promise<object>)(...given);
const x = (more: object = {}) => ({ type: 'float32', dims: [1, 2], data: Float32Array.of(1, -2), location: 'cpu', ...more });
const onDevice = (more: object = {}, sizes = [1, 2], of = device) =>
  x({ location: 'ml-tensor', mlTensor: of.createTensor({ dataType: 'float32', sizes }, [1, -2]), ...more });

describe('options', () => {
  test.each<[unknown, string]>([
    [{ backend: 'cuda' }, "options.backend: expected 'directml' or 'reference' or 'wasm', given 'cuda'"],
    [{ powerPreference: 'x' }, "options.powerPreference: expected 'high-performance' or 'low-power', given 'x'"],
    [{ noAdapter: 'directml' }, "options.noAdapter: expected 'reference' or 'wasm', given 'directml'"],
    [{ fallback: 'x' }, "options.fallback: expected 'warn' or 'allow' or 'error' or 'wasm', given 'x'"],
    [{ gpuTimeout: 1 }, 'options.gpuTimeout: expected true or false, given 1'],
    [{ memoryLimit: 0 }, 'options.memoryLimit: expected a whole number from 1 on, given 0'],
    [{ memoryLimit: 1.5 }, 'options.memoryLimit: expected a whole number from 1 on, given 1.5'],
    [{ maxGraphs: 0 }, 'options.maxGraphs: expected a whole number from 1 on, given 0'],
    [{ maxGraphs: 1.5 }, 'options.maxGraphs: expected a whole number from 1 on, given 1.5'],
    [{ sizes: 3 }, 'options.sizes: expected an array of objects, given 3'],
    [{ sums: 'x' }, "options.sums: expected 'float32' or 'float16', given 'x'"],
    [{ device: {} }, 'options.device: expected a device, given an object'],
    [{ context: {} }, 'options.context: expected an MLContext of this package, given an object'],
    [{ externalData: 3 }, 'options.externalData: expected an array of files, given 3'],
    [{ externalData: [3] }, 'options.externalData[0]: expected an object, given 3'],
    [
      { externalData: [{ data: Uint8Array.of(1) }] },
      'options.externalData[0].path: expected the name of a file in the model, given nothing',
    ],
    [
      {
        externalData: [
          { path: 'a', data: Uint8Array.of(1) },
          { path: 'b', data: 3 },
        ],
      },
      'options.externalData[1].data: expected a Uint8Array or a path, given 3',
    ],
    ['x', "options: expected an object, given 'x'"],
  ])('%j', async (options, message) => {
    expect(await refusalOf(() => create(model, options))).toBe(`${wrong} InferenceSession.create: ${message}`);
  });

  test('that are the least allowed', async () => {
    const made = await create(model, { device, maxGraphs: 1, memoryLimit: 1, gpuTimeout: false });
    expect(made.outputNames).toEqual(['y', 'z']);
    await made.release();
  });
});

describe('models', () => {
  const buffer = new ArrayBuffer(10);

  test.each<[string, readonly unknown[], string]>([
    ['a number', [3], 'model: expected a path, a URL of a file, a Uint8Array or an ArrayBuffer, given 3'],
    ['a URL of a server', [new URL('http://x/y')], "model: expected a URL of a file, given 'http://x/y'"],
    ['an offset beyond the end', [buffer, 11], 'byteOffset: expected at most 10, given 11'],
    ['a length beyond the end', [buffer, 4, 7], 'byteLength: expected at most 6, given 7'],
  ])('%s', async (_, given, message) => {
    expect(await refusalOf(() => create(...given, { device }))).toBe(`${wrong} InferenceSession.create: ${message}`);
  });

  test('lie in a part of a buffer', async () => {
    const whole = new Uint8Array(model.length + 7);
    whole.set(model, 4);
    const made = await create(whole.buffer, 4, model.length, { device });
    expect(made.inputNames).toEqual(['x']);
    await made.release();
    const end = await create(whole.buffer.slice(0, -3), 4, { device });
    expect(end.inputNames).toEqual(['x']);
    await end.release();
  });

  test('have a path that is a URL', async () => {
    const path = resolve('/none.onnx');
    const { href } = pathToFileURL(path);
    for (const url of [href, href.replace('file', 'FILE'), new URL(href)]) {
      expect(await refusalOf(() => create(url, { device }))).toBe(
        `ERR_INVALID_FILE InferenceSession.create: ${path}: expected a file that can be read, given ENOENT: no such file or directory, stat '${path}'`,
      );
    }
  });
});

describe('inputs', () => {
  const sizes = 'ERR_INVALID_ARGUMENT session.run: feeds["x"].dims: expected an array of at most 64 sizes, given';

  test.each<[string, () => unknown, string]>([
    ['null', () => null, `${wrong} session.run: feeds: expected an object with a tensor for each input, given null`],
    ['an array', () => [], `${wrong} session.run: feeds: expected an object with a tensor for each input, given an empty array`],
    ['nothing', () => ({}), 'ERR_MISSING_BINDING session.run: feeds["x"]: expected a tensor, given nothing'],
    ['a number', () => ({ x: 1 }), `${wrong} session.run: feeds["x"]: expected a tensor, given 1`],
    ['an object', () => ({ x: {} }), `${wrong} session.run: feeds["x"]: expected a tensor, given an object`],
    ['another name', () => ({ x: x(), xx: x() }), "ERR_UNKNOWN_BINDING session.run: feeds: expected one of x, given 'xx'"],
    [
      'another place',
      () => ({ x: x({ location: 'gpu-buffer' }) }),
      `${wrong} session.run: feeds["x"].location: expected 'cpu' or 'ml-tensor', given 'gpu-buffer'`,
    ],
    ['no place', () => ({ x: x({ location: 'none' }) }), 'ERR_DISPOSED session.run: feeds["x"]: the tensor was disposed of.'],
    [
      'another type',
      () => ({ x: x({ type: 'float' }) }),
      `${wrong} session.run: feeds["x"].type: expected the data type of a tensor, given 'float'`,
    ],
    ['65 sizes', () => ({ x: x({ dims: new Array<number>(65).fill(1) }) }), `${sizes} an array of 65 numbers`],
    ['a negative size', () => ({ x: x({ dims: [-1] }) }), `${sizes} an array of 1 number`],
    ['a size of 2^31', () => ({ x: x({ dims: [2 ** 31] }) }), `${sizes} an array of 1 number`],
    [
      'an array of numbers',
      () => ({ x: x({ data: [1, 2] }) }),
      'ERR_DATA_TYPE session.run: feeds["x"].data: expected a Float32Array, given an array of 2 numbers',
    ],
    [
      'too few elements',
      () => ({ x: x({ data: new Float32Array(1) }) }),
      'ERR_SIZES session.run: feeds["x"].data: expected 2 elements for the sizes [1, 2], given 1',
    ],
    [
      'integers',
      () => ({ x: new Tensor('int32', new Int32Array(2), [1, 2]) }),
      'ERR_DATA_TYPE session.run: feeds["x"]: expected a tensor of type float32, given type int32',
    ],
    [
      'another rank',
      () => ({ x: x({ dims: [2] }) }),
      'ERR_DIMENSION_COUNT session.run: feeds["x"]: expected sizes [n, 2], given [2]',
    ],
    ['other sizes', () => ({ x: x({ dims: [2, 1] }) }), 'ERR_SIZES session.run: feeds["x"]: expected sizes [n, 2], given [2, 1]'],
    [
      'an object on the device',
      () => ({ x: x({ location: 'ml-tensor', mlTensor: {} }) }),
      `${wrong} session.run: feeds["x"].mlTensor: expected a tensor or an MLTensor of this package, given an object`,
    ],
    [
      'more elements than on the device',
      () => ({ x: onDevice({ dims: [2, 2] }) }),
      'ERR_SIZES session.run: feeds["x"].dims: expected the elements of [1, 2], given [2, 2]',
    ],
    [
      'another type than on the device',
      () => ({ x: onDevice({ type: 'int32' }) }),
      'ERR_DATA_TYPE session.run: feeds["x"].type: expected float32, as its tensor on the device, given int32',
    ],
  ])('%s', async (_, feeds, message) => expect(await refusalOf(() => run(feeds()))).toBe(message));

  test('of another device, and after the end of the session', async () => {
    using other = await createDevice({ backend: 'reference', thread: 'caller' });
    expect(await refusalOf(() => run({ x: onDevice({}, [1, 2], other) }))).toBe(
      'ERR_WRONG_DEVICE session.run: feeds["x"]: expected a tensor of the session\'s device, given one of another device',
    );
    const ended = await create(model, { device });
    await ended.release();
    expect(await refusalOf(() => ended.run({ x: x() as never }))).toBe('ERR_DISPOSED session.run: the session was released.');
  });

  test('on the device may have other dimensions, and undefined is no name', async () => {
    for (const feeds of [{ x: onDevice() }, { x: onDevice({}, [2]) }, { x: x(), xx: undefined }]) {
      const { y } = (await run(feeds)) as Record<string, Tensor>;
      expect([y?.dims, y?.data]).toEqual([[1, 2], Float32Array.of(-1, 2)]);
    }
  });
});

describe('outputs', () => {
  test.each<[string, readonly unknown[], string]>([
    [
      'a number',
      [1],
      `${wrong} session.run: fetches: expected names of outputs, an object with tensors for outputs, or options, given 1`,
    ],
    ['no name', [[]], `${wrong} session.run: fetches: expected one of y, z, given no name`],
    ['a number as a name', [[1]], `${wrong} session.run: fetches: expected names of outputs, given 1`],
    ['another name', [['w']], "ERR_UNKNOWN_BINDING session.run: fetches: expected one of y, z, given 'w'"],
    [
      'another name beside one',
      [{ y: null, w: null }],
      "ERR_UNKNOWN_BINDING session.run: fetches: expected one of y, z, given 'w'",
    ],
    ['other sizes', [{ y: x({ dims: [2, 1] }) }], 'ERR_SIZES session.run: fetches["y"].dims: expected [1, 2], given [2, 1]'],
    [
      'other elements',
      [{ y: x({ data: new Float32Array(3) }) }],
      'ERR_SIZES session.run: fetches["y"].data: expected 2 elements for the sizes [1, 2], given 3',
    ],
    ['options that are a number', [['y'], 3], `${wrong} session.run: options: expected an object, given 3`],
  ])('%s', async (_, rest, message) => expect(await refusalOf(() => run({ x: x() }, ...rest))).toBe(message));

  test.each<[readonly unknown[], string[]]>([
    [[], ['y', 'z']],
    [[{ tag: 'a run' }], ['y', 'z']],
    [
      [undefined, { tag: 'a run' }],
      ['y', 'z'],
    ],
    [[['z', 'y']], ['z', 'y']],
    [[['y'], { tag: 'a run' }], ['y']],
    [[{ z: null }], ['z']],
  ])('%j gives %j', async (rest, names) => expect(Object.keys(await run({ x: x() }, ...rest))).toEqual(names));
});

describe('the option sizes', () => {
  const fixed = smallModel({ inputs: 'float32 x [2]', outputs: 'float32 y [2]', nodes: [['Neg', 'x', 'y']] });

  test.each<[object, Uint8Array, string]>([
    [{ sizes: [{}, 5] }, model, '[1]: expected an object, given 5'],
    [{ sizes: [{ n: 2, m: 2 }] }, model, "[0]: expected one of n, given 'm'"],
    [{ sizes: [{ n: 1.5 }] }, model, '[0].n: expected a whole number from 0 on, given 1.5'],
    [{ sizes: [{ x: 2 }] }, fixed, "[0]: expected no name: the model has no dynamic dimensions, given 'x'"],
  ])('%j', async (options, bytes, message) => {
    const error = await refusalOf(() => create(bytes, { device, ...options }));
    expect(error).toBe(`${wrong} InferenceSession.create: options.sizes${message}`);
  });

  test.each([{ n: 2 }, { n: 0 }, {}])('takes %j', async (sizes) => {
    const made = await create(model, { device, sizes: [sizes] });
    await made.release();
  });
});

test('an adapter that is none, and a session that was released', async () => {
  expect(await refusalOf(() => create(model, { adapter: 7.5 }))).toMatch(
    /^ERR_NO_ADAPTER InferenceSession\.create: options\.adapter: expected an index or a luid of listAdapters\(\), or .*, given 7\.5$/,
  );
  const gone = await create(model, { device });
  await gone.release();
  expect(await refusalOf(() => gone.run({ x: new Tensor('float32', new Float32Array(2), [1, 2]) }))).toBe(
    'ERR_DISPOSED session.run: the session was released.',
  );
  await gone.release();
});
