/** Devices, buffers, tensors and operators, and every wrong use of them, on each backend. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createDevice, type Bindings, type CompiledOperator, type Device, type DirectMLBuffer, type Tensor } from 'node-directml';
import { backends } from '../support/devices.js';
import { caught, gist, rejected } from '../support/errors.js';
import { untyped } from '../../checks/malformed/objects.js';
import { example, example4d, exampleIndices, exampleInput, exampleOutput, exampleUpdates } from '../support/scatter-nd.js';

describe.each(backends)('on %s', (backend) => {
  let device: Device;
  let other: Device;
  let scatter: CompiledOperator;
  let input: Tensor<'float32'>;
  let indices: Tensor<'uint32'>;
  let updates: Tensor<'float32'>;
  let output: Tensor<'float32'>;
  const bindings = () => ({ inputTensor: input, indicesTensor: indices, updatesTensor: updates, outputTensor: output });

  beforeAll(async () => {
    device = await createDevice({ backend });
    other = await createDevice({ backend });
    scatter = await device.compile(example);
    input = device.createTensor({ dataType: 'float32', sizes: [8] }, Float32Array.from(exampleInput));
    indices = device.createTensor({ dataType: 'uint32', sizes: [4, 1] }, Uint32Array.from(exampleIndices));
    updates = device.createTensor({ dataType: 'float32', sizes: [4] }, Float32Array.from(exampleUpdates));
    output = device.createTensor({ dataType: 'float32', sizes: [8] });
  });

  afterAll(async () => {
    await device[Symbol.asyncDispose]();
    other.dispose();
  });

  test('computes the example of the specification', async () => {
    scatter.dispatch(bindings());
    expect([...(await output.read())]).toEqual(exampleOutput);
    expect(scatter.descriptor).toMatchObject(example);
  });

  test('the end of a using block disposes of an operator, a graph, a tensor and a buffer', async () => {
    const desc = { dataType: 'float32', sizes: [1] } as const;
    const ended = async () => {
      using tensor = device.createTensor(desc);
      using buffer = device.createBuffer(4);
      using operator = await device.compile({ type: 'elementWiseNegate', inputTensor: desc });
      const graph = device.createGraph();
      const { outputTensor: y } = graph.add({ type: 'elementWiseNegate', inputTensor: graph.input('x', desc) });
      using net = await graph.compile({ y });
      operator.dispatch({ inputTensor: tensor, outputTensor: device.createTensor(desc) });
      return { tensor, buffer, operator, net };
    };
    const { tensor, buffer, operator, net } = await ended();
    const [x, y] = [device.createTensor(desc), device.createTensor(desc)];
    expect(caught(() => operator.dispatch({ inputTensor: x, outputTensor: y })).code).toBe('ERR_DISPOSED');
    expect(caught(() => net.dispatch({ x, y })).code).toBe('ERR_DISPOSED');
    expect((await rejected(tensor.read())).code).toBe('ERR_DISPOSED');
    expect((await rejected(buffer.read())).code).toBe('ERR_DISPOSED');
    expect(await x.read()).toEqual(Float32Array.of(0));
  });

  test('a device of an older feature level compiles only descriptors of that level', async () => {
    using old = await createDevice({ backend, featureLevel: '2.1' });
    expect(old.featureLevel).toBe('2.1');
    expect((await old.compile(example4d)).type).toBe('scatterNd');
    expect(gist(await rejected(old.compile(example)))).toEqual(['ERR_FEATURE_LEVEL', 'inputTensor.sizes']);
  });

  test('buffers and ranges are bound, also side by side in one buffer', async () => {
    const shared = device.createBuffer(256);
    shared.write(Float32Array.from(exampleInput), 64);
    const out = { buffer: shared, offset: 128, size: 32 };
    scatter.dispatch({ ...bindings(), inputTensor: { buffer: shared, offset: 64 }, outputTensor: out });
    expect([...new Float32Array(await shared.read(128, 32))]).toEqual(exampleOutput);
  });

  test('every wrong binding is refused', () => {
    const bind = (change: object) => gist(caught(() => scatter.dispatch({ ...bindings(), ...change })));
    const small = device.createBuffer(16);
    const gone = device.createBuffer(32);
    gone.dispose();
    const range = (buffer: DirectMLBuffer, offset: unknown, size?: unknown) => ({ inputTensor: { buffer, offset, size } });
    expect(bind({ inputTensor: undefined })).toEqual(['ERR_MISSING_BINDING', 'inputTensor']);
    expect(bind({ inputTensor: null })).toEqual(['ERR_MISSING_BINDING', 'inputTensor']);
    expect(bind({ input })).toEqual(['ERR_UNKNOWN_BINDING', 'input']);
    expect(bind({ inputTensor: new Float32Array(8) })).toEqual(['ERR_INVALID_ARGUMENT', 'inputTensor']);
    expect(bind({ inputTensor: small })).toEqual(['ERR_BINDING_RANGE', 'inputTensor']);
    expect(bind({ inputTensor: updates })).toEqual(['ERR_SIZES', 'inputTensor.sizes']);
    expect(bind({ inputTensor: indices })).toEqual(['ERR_DATA_TYPE', 'inputTensor.dataType']);
    expect(bind({ inputTensor: other.createBuffer(32) })).toEqual(['ERR_WRONG_DEVICE', 'inputTensor']);
    expect(bind({ inputTensor: gone })).toEqual(['ERR_DISPOSED', 'inputTensor']);
    expect(bind({ inputTensor: output })).toEqual(['ERR_ALIASED_BINDING', 'outputTensor']);
    expect(bind({ outputTensor: updates.buffer })).toEqual(['ERR_BINDING_RANGE', 'outputTensor']);
    const big = device.createBuffer(64);
    expect(bind(range(big, 8))).toEqual(['ERR_BINDING_RANGE', 'inputTensor.offset']);
    expect(bind(range(big, 48))).toEqual(['ERR_BINDING_RANGE', 'inputTensor']);
    expect(bind(range(big, 16, 64))).toEqual(['ERR_BINDING_RANGE', 'inputTensor']);
    expect(bind(range(big, 0, 28))).toEqual(['ERR_BINDING_RANGE', 'inputTensor']);
    expect(bind(range(big, -16))).toEqual(['ERR_BINDING_RANGE', 'inputTensor.offset']);
    expect(bind(range(big, NaN))).toEqual(['ERR_BINDING_RANGE', 'inputTensor.offset']);
    expect(bind({ ...range(big, 0), outputTensor: { buffer: big, offset: 16 } })).toEqual([
      'ERR_ALIASED_BINDING',
      'outputTensor',
    ]);
    // @ts-expect-error: bindings are an object
    expect(gist(caught(() => scatter.dispatch(null)))).toEqual(['ERR_INVALID_ARGUMENT', 'bindings']);
  });

  test('the checked mode names the first bad index', async () => {
    const bad = device.createTensor({ dataType: 'uint32', sizes: [4, 1] }, Uint32Array.of(4, 3, 8, 9));
    const error = await rejected(scatter.dispatchChecked({ ...bindings(), indicesTensor: bad }));
    expect(error).toMatchObject({ code: 'ERR_INDEX_OUT_OF_RANGE', field: 'indicesTensor[2, 0]', given: '8', expected: '0 to 7' });
    await scatter.dispatchChecked(bindings());
    expect([...(await output.read())]).toEqual(exampleOutput);
  });

  test('operators with equal descriptors share the compiled operator, which lives until the last is disposed of', async () => {
    const [first, second] = await Promise.all([device.compile(example), device.compile({ ...example })]);
    first.dispose();
    first.dispose();
    expect(caught(() => first.dispatch(bindings())).code).toBe('ERR_DISPOSED');
    second.dispatch(bindings());
    expect([...(await output.read())]).toEqual(exampleOutput);
    second.dispose();
  });

  test.each([
    ['float64', Float64Array.of(1.5, -2, 3)],
    ['float32', Float32Array.of(1.5, -2, 3)],
    ['int64', BigInt64Array.of(1n, -2n, 3n)],
    ['int32', Int32Array.of(1, -2, 3)],
    ['int16', Int16Array.of(1, -2, 3)],
    ['int8', Int8Array.of(1, -2, 3)],
    ['uint64', BigUint64Array.of(1n, 2n ** 64n - 1n, 3n)],
    ['uint32', Uint32Array.of(1, 2 ** 32 - 1, 3)],
    ['uint16', Uint16Array.of(1, 65535, 3)],
    ['uint8', Uint8Array.of(1, 255, 3)],
    ['uint4', Uint8Array.of(0x21, 0x03)],
  ] as const)('a tensor of %s goes there and back', async (dataType, data) => {
    const tensor = device.createTensor({ dataType, sizes: [3] }, data.buffer);
    expect(await tensor.read()).toEqual(data);
    tensor.dispose();
  });

  test('a Uint8ClampedArray is accepted as uint8', async () => {
    using tensor = device.createTensor({ dataType: 'uint8', sizes: [2] });
    tensor.write(untyped(Uint8ClampedArray.of(7, 255)));
    expect(await tensor.read()).toEqual(Uint8Array.of(7, 255));
  });

  test('a tensor that is created in the memory of another one shares its bytes', async () => {
    const buffer = device.createBuffer(64);
    using first = device.createTensor({ dataType: 'float32', sizes: [4] }, { buffer, offset: 32 });
    using second = device.createTensor({ dataType: 'int32', sizes: [2, 2] }, { buffer: first.buffer, offset: first.offset });
    expect([second.buffer, second.offset]).toEqual([buffer, 32]);
    first.write(Float32Array.of(1, 0, -2, 0));
    expect(await second.read()).toEqual(Int32Array.of(0x3f800000, 0, -0x40000000, 0));
    second.dispose();
    expect([...(await first.read())]).toEqual([1, 0, -2, 0]);
    const { buffer: foreign } = first;
    expect(gist(caught(() => other.createTensor({ dataType: 'int32', sizes: [1] }, { buffer: foreign })))).toEqual([
      'ERR_WRONG_DEVICE',
      'buffer',
    ]);
  });

  test('an offset of -0 bytes counts as 0', () => {
    const buffer = device.createBuffer(16);
    expect(device.createTensor({ dataType: 'int32', sizes: [1] }, { buffer, offset: -0 }).offset).toBe(0);
  });

  test('a device has all data types and the highest feature level', () => {
    const all = 'float16,float32,float64,int16,int32,int4,int64,int8,uint16,uint32,uint4,uint64,uint8';
    expect([...device.info.tensorDataTypes].sort().join()).toBe(all);
    expect(device.info).toMatchObject({ backend, featureLevel: '6.4' });
    expect(device.featureLevel).toBe('6.4');
  });

  test('reads and writes the data of float16 and of strided tensors in memory layout', async () => {
    const half = device.createTensor({ dataType: 'float16', sizes: [2] }, Uint16Array.of(0x3c00, 0xc000));
    const read = await half.read();
    const hasFloat16Array = 'Float16Array' in globalThis;
    expect([...Array.from(read)]).toEqual(hasFloat16Array ? [1, -2] : [0x3c00, 0xc000]);
    const strided = device.createTensor({ dataType: 'int32', sizes: [2, 2], strides: [3, 1] }, Int32Array.of(1, 2, 9, 3, 4));
    expect(await strided.read()).toEqual(Int32Array.of(1, 2, 9, 3, 4));
    expect(gist(caught(() => strided.write(Int32Array.of(1, 2, 3, 4))))).toEqual(['ERR_SIZES', 'data']);
    // @ts-expect-error: another typed array
    expect(gist(caught(() => strided.write(new Float32Array(5))))).toEqual(['ERR_DATA_TYPE', 'data']);
  });

  test('wrong arguments are refused, each with its code', async () => {
    for (const size of [0, -1, 1.5, NaN, '16', 2 ** 60]) {
      // @ts-expect-error: one is a string
      expect(gist(caught(() => device.createBuffer(size)))).toEqual(['ERR_INVALID_ARGUMENT', 'sizeInBytes']);
    }
    expect(caught(() => device.createBuffer(2 ** 50)).code).toBe('ERR_OUT_OF_MEMORY');
    const buffer = device.createBuffer(16, { label: 'weights' });
    expect(caught(() => buffer.write(new Uint8Array(8), 12))).toMatchObject({ code: 'ERR_OUT_OF_RANGE' });
    expect(caught(() => buffer.write(new Uint8Array(8), 12)).message).toContain(`'weights'`);
    expect((await rejected(buffer.read(16, 4))).code).toBe('ERR_OUT_OF_RANGE');
    expect((await rejected(buffer.read(-4))).code).toBe('ERR_INVALID_ARGUMENT');
    // @ts-expect-error: no bytes
    expect(caught(() => buffer.write([1, 2])).code).toBe('ERR_INVALID_ARGUMENT');
    // @ts-expect-error: misspelt
    expect(gist(await rejected(device.compile(example, { disableMetaCommands: true })))[0]).toBe('ERR_INVALID_ARGUMENT');
    // @ts-expect-error: null is no description
    expect(caught(() => device.createTensor(null)).code).toBe('ERR_INVALID_DESCRIPTOR');
  });

  test('a tensor that DirectML owns is bound in compile() and cannot be bound later', async () => {
    const owned = { ...example, inputTensor: { ...example.inputTensor, flags: 'ownedByDml' as const } };
    const weights = device.createTensor({ dataType: 'float32', sizes: [8] }, new Float32Array(8).fill(1));
    const ones = await device.compile(owned, { initializationInputs: { inputTensor: weights } });
    weights.write(new Float32Array(8).fill(2));
    const twos = await device.compile(owned, { initializationInputs: { inputTensor: weights } });
    await device.idle();
    weights.dispose();

    const { inputTensor: _owned, ...others } = bindings();
    const untouched = async (operator: CompiledOperator) => {
      operator.dispatch(others);
      return (await output.read())[0];
    };
    expect(await untouched(ones)).toBe(1);
    expect(await untouched(twos)).toBe(2);
    expect(caught(() => ones.dispatch(bindings()))).toMatchObject({
      code: 'ERR_UNKNOWN_BINDING',
      message: 'scatterNd: inputTensor: expected no binding, for DirectML owns the tensor since compile(), given a tensor',
    });

    const compile = async (initializationInputs: Bindings) =>
      gist(await rejected(device.compile(owned, { initializationInputs })));
    expect(await compile({})).toEqual(['ERR_MISSING_BINDING', 'inputTensor']);
    expect(await compile({ inputTensor: indices })).toEqual(['ERR_DATA_TYPE', 'inputTensor.dataType']);
    expect(await compile({ inputTensor: input, updatesTensor: updates })).toEqual(['ERR_UNKNOWN_BINDING', 'updatesTensor']);
    expect(await compile({ inputTensor: weights })).toEqual(['ERR_DISPOSED', 'inputTensor']);
    expect(gist(await rejected(device.compile(owned)))).toEqual(['ERR_MISSING_BINDING', 'inputTensor']);
  });

  test('after dispose() every call throws ERR_DISPOSED, and lost resolves', async () => {
    const short = await createDevice({ backend });
    const buffer = short.createBuffer(16);
    const tensor = short.createTensor({ dataType: 'float32', sizes: [4] });
    const operator = await short.compile(example);
    short.dispose();
    short.dispose();
    expect(await short.lost).toMatchObject({ reason: 'destroyed' });
    const calls = [
      () => short.createBuffer(16),
      () => short.createTensor({ dataType: 'float32', sizes: [4] }),
      () => short.submit(),
      () => buffer.write(new Uint8Array(4)),
      () => tensor.write(new Float32Array(4)),
      () => operator.dispatch(bindings()),
    ];
    for (const call of calls) expect(caught(call).code).toBe('ERR_DISPOSED');
    const promises = [short.idle(), short.compile(example), buffer.read(), tensor.read(), operator.dispatchChecked(bindings())];
    for (const { code } of await Promise.all(promises.map((promise) => rejected(promise)))) expect(code).toBe('ERR_DISPOSED');
    for (const disposable of [buffer, tensor, operator]) disposable.dispose();
  });
});

test('createDevice names the option that is wrong', async () => {
  const refused = async (options: object) => gist(await rejected(createDevice(options)));
  expect(await refused({ backend: 'cuda' })).toEqual(['ERR_INVALID_ARGUMENT', 'options.backend']);
  expect(await refused({ featureLevel: '9.9' })).toEqual(['ERR_INVALID_ARGUMENT', 'options.featureLevel']);
  expect(await refused({ debugLayer: true })).toEqual(['ERR_INVALID_ARGUMENT', 'options.debugLayer']);
  expect(await refused({ debug: 1 })).toEqual(['ERR_INVALID_ARGUMENT', 'options.debug']);
  expect(await refused({ backend: 'reference', adapter: '00000000-00000001' })).toEqual([
    'ERR_INVALID_ARGUMENT',
    'options.adapter',
  ]);
  expect(await refused({ backend: 'directml', adapter: 7 })).toEqual(['ERR_INVALID_ARGUMENT', 'options.adapter']);
});
