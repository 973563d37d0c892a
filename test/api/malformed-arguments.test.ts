/** Arguments are read once, and only their own properties count, even those of malformed objects; on each backend. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  createDevice,
  DirectMLBuffer,
  Tensor,
  type CompiledOperator,
  type DirectMLError,
  type Device,
  type ScatterNdDescriptor,
} from 'node-directml';
import { backends } from '../support/devices.js';
import { caught, gist, rejected } from '../support/errors.js';
import { bare, counted, inherited, polluted, revoked, throwing, thrown, untyped } from '../../checks/malformed/objects.js';
import { example, exampleIndices, exampleInput, exampleOutput, exampleUpdates } from '../support/scatter-nd.js';

const float32 = (...sizes: number[]) => ({ dataType: 'float32', sizes }) as const;

describe.each(backends)('on %s', (backend) => {
  let device: Device;
  let scatter: CompiledOperator;
  let input: Tensor<'float32'>;
  let output: Tensor<'float32'>;
  let all: { inputTensor: Tensor; indicesTensor: Tensor; updatesTensor: Tensor; outputTensor: Tensor };

  beforeAll(async () => {
    device = await createDevice({ backend });
    scatter = await device.compile(example);
    input = device.createTensor(float32(8), Float32Array.from(exampleInput));
    output = device.createTensor(float32(8));
    const indicesTensor = device.createTensor({ dataType: 'uint32', sizes: [4, 1] }, Uint32Array.from(exampleIndices));
    const updatesTensor = device.createTensor(float32(4), Float32Array.from(exampleUpdates));
    all = { inputTensor: input, indicesTensor, updatesTensor, outputTensor: output };
  });

  afterAll(() => device.dispose());

  const scattered = async () => [...(await output.read())];

  test.each([
    { backend: 'cuda' },
    { adapter: '7fffffff-12345678', luid: '7fffffff-12345678' },
    { featureLevel: '9.9' },
    { debug: 1 },
    { powerPreference: 'low-power', lowPower: true, gpuTimeout: 1, memoryLimit: 1 },
    { directmlPath: '\\\\host\\share\\evil.dll', addonDirectory: '\\\\host\\share', addonPath: '\\\\host\\share\\evil.node' },
  ])('createDevice() takes nothing from Object.prototype: %j', async (properties) => {
    const infoOf = async () => {
      using other = await createDevice('backend' in properties ? {} : { backend });
      return other.info;
    };
    expect(await polluted(properties, infoOf)).toEqual(await infoOf());
  });

  test.each([
    { strides: [0, 0], flags: 'ownedByDml', totalTensorSizeInBytes: 1, guaranteedBaseOffsetAlignment: 3, dimensionCount: 7 },
    { allowHalfPrecisionComputation: 1, disableMetacommands: 1, initializationInputs: 7 },
    { offset: 7, size: 3, buffer: 1, label: 7 },
    { type: 'gather', dataType: 'int8', sizes: [3], fields: {}, fusedActivation: 7 },
    { toJSON: () => 'the same' },
  ])('no other call takes anything from Object.prototype: %j', async (properties) => {
    const result = await polluted(properties, async () => {
      using operator = await device.compile({ ...example }, {});
      using memory = device.createBuffer(256, {});
      using placed = device.createTensor(float32(8), { buffer: memory, offset: 128 });
      expect([placed.offset, placed.strides, placed.totalTensorSizeInBytes, memory.label]).toEqual([128, null, 32, '']);
      operator.dispatch({ ...all, outputTensor: { buffer: memory } });
      return [...new Float32Array(await memory.read(0, 32))];
    });
    expect(result).toEqual(exampleOutput);
  });

  test('setters and getters on Object.prototype do not affect the properties of an error', async () => {
    const names = ['name', 'operator', 'field', 'expected', 'given', 'cause', 'get', 'set', 'value', 'return'];
    const error = () => caught(() => device.createTensor(untyped({ dataType: 'float32', sizes: [-1] })));
    const own = (made: object) => JSON.stringify({ ...made, name: Reflect.get(made, 'name') });
    const expected = own(error());
    for (const name of names) {
      const seen: unknown[] = [];
      const property = { get: () => undefined, set: (value: unknown) => void seen.push(value), configurable: true };
      Object.defineProperty(Object.prototype, name, Object.setPrototypeOf(property, null));
      let made: DirectMLError;
      try {
        made = error();
      } finally {
        Reflect.deleteProperty(Object.prototype, name);
      }
      expect([name, own(made), seen]).toEqual([name, expected, []]);
    }
    const value = await polluted({ return: 7 }, async () => own(error()));
    expect(value).toBe(expected);
  });

  test('Object.prototype does not supply a missing field or binding', async () => {
    const { inputTensor, ...others } = example;
    const error = await polluted({ inputTensor }, async () => rejected(device.compile(untyped<never>(others))));
    expect(gist(error)).toEqual(['ERR_MISSING_FIELD', 'inputTensor']);
    const { outputTensor, ...rest } = all;
    const unbound = await polluted({ outputTensor }, async () => caught(() => scatter.dispatch(rest)));
    expect(gist(unbound)).toEqual(['ERR_MISSING_BINDING', 'outputTensor']);
    const typeless = await polluted({ type: 'scatterNd' }, async () => {
      const { type: _type, ...fields } = example;
      return rejected(device.compile(untyped<never>(fields)));
    });
    expect(gist(typeless)).toEqual(['ERR_UNKNOWN_OPERATOR', 'type']);
    const hole = await polluted({ 1: 8 }, async () =>
      caught(() => device.createTensor({ dataType: 'float32', sizes: Array(2) })),
    );
    expect(gist(hole)).toEqual(['ERR_INVALID_DESCRIPTOR', 'sizes[0]']);
  });

  test('inherited properties are refused, not ignored', async () => {
    class Description {
      readonly dataType = 'float32';
      readonly sizes = [2, 2];
      get strides() {
        return [4, 1];
      }
    }
    const text = 'createTensor: strides: expected a property of the object itself, given one that it inherits';
    expect(caught(() => device.createTensor(new Description()))).toMatchObject({ code: 'ERR_INVALID_DESCRIPTOR', message: text });
    expect(gist(caught(() => device.createTensor(inherited(float32(2)))))).toEqual(['ERR_INVALID_DESCRIPTOR', 'dataType']);
    expect(gist(await rejected(device.compile(inherited(example))))).toEqual(['ERR_INVALID_DESCRIPTOR', 'type']);
    expect(gist(await rejected(createDevice(inherited({ backend }))))).toEqual(['ERR_INVALID_ARGUMENT', 'options.backend']);
    expect(gist(caught(() => scatter.dispatch(inherited(all))))).toEqual(['ERR_INVALID_ARGUMENT', 'inputTensor']);
    const range = inherited({ buffer: input.buffer });
    expect(gist(caught(() => scatter.dispatch({ ...all, inputTensor: range })))).toEqual([
      'ERR_INVALID_ARGUMENT',
      'inputTensor.buffer',
    ]);
  });

  test('an object with only the prototype of a tensor or a buffer is refused', () => {
    const fakes = [
      Object.create(Tensor.prototype),
      Object.create(DirectMLBuffer.prototype),
      { buffer: Object.create(DirectMLBuffer.prototype) },
    ];
    for (const inputTensor of fakes) {
      expect(gist(caught(() => scatter.dispatch({ ...all, inputTensor })))).toEqual(['ERR_INVALID_ARGUMENT', 'inputTensor']);
      expect(caught(() => device.createTensor(float32(8), inputTensor)).code).toBe('ERR_INVALID_ARGUMENT');
    }
  });

  test.each([
    { sizes: [3], dataType: 'int8', dimensionCount: 7, why: 'nobody said so' },
    { value: 7, outputTensor: 7, inputTensor: 7, type: 'gather' },
  ])('run(), which infers its outputs, takes nothing from Object.prototype: %j', async (properties) => {
    const run = async () => {
      const { outputTensor } = await device.run({ type: 'elementWiseNegate', inputTensor: input });
      return [outputTensor.sizes, ...Array.from(await outputTensor.read(), Number)];
    };
    const expected = [[8], ...exampleInput.map((value) => -value)];
    // The second time, the operator is already compiled.
    for (let i = 0; i < 2; i++) expect(await polluted(properties, run)).toEqual(expected);
  });

  test('objects without a prototype are accepted', async () => {
    using operator = await device.compile(bare({ ...example, inputTensor: bare(example.inputTensor) }), bare({}));
    using memory = device.createBuffer(64, bare({ label: 'bare' }));
    using placed = device.createTensor(bare(float32(8)), bare({ buffer: memory, offset: 32 }));
    operator.dispatch(bare({ ...all, outputTensor: bare({ buffer: memory, offset: 32 }) }));
    expect([...(await placed.read())]).toEqual(exampleOutput);
    (await createDevice(bare({ backend }))).dispose();
  });

  test('every property is read once', async () => {
    const once = (reads: Map<PropertyKey, number>, ...names: string[]) => {
      for (const name of names) expect([name, reads.get(name)]).toEqual([name, 1]);
      expect([...reads.values()].every((count) => count === 1)).toBe(true);
    };
    const desc = counted({
      ...example.inputTensor,
      strides: [8, 1],
      flags: 'none' as const,
      totalTensorSizeInBytes: 32,
      guaranteedBaseOffsetAlignment: 16,
      dimensionCount: 2,
    });
    const descriptor = counted<ScatterNdDescriptor>({ ...example, inputTensor: desc.proxy });
    const options = counted({ disableMetacommands: false, initializationInputs: {} });
    using operator = await device.compile(descriptor.proxy, options.proxy);
    once(descriptor.reads, 'type', 'inputTensor', 'inputDimensionCount');
    once(desc.reads, 'dataType', 'sizes', 'strides', 'flags', 'totalTensorSizeInBytes', 'dimensionCount');
    once(options.reads, 'disableMetacommands', 'initializationInputs');

    const [own, place, sizes] = [counted({ ...float32(8) }), counted({ buffer: input.buffer, offset: 0 }), counted([8])];
    device.createTensor({ ...own.proxy }, place.proxy);
    device.createTensor({ dataType: 'float32', sizes: sizes.proxy });
    once(place.reads, 'buffer', 'offset');
    once(sizes.reads, 'length', '0');
    const again = counted({ ...float32(8) });
    expect(device.createTensor(again.proxy).dataType).toBe('float32');
    once(again.reads, 'dataType', 'sizes');

    const range = counted({ buffer: input.buffer, offset: 0, size: 32 });
    const bindings = counted({ ...all, inputTensor: range.proxy });
    operator.dispatch(bindings.proxy);
    once(range.reads, 'buffer', 'offset', 'size');
    once(bindings.reads, ...Object.keys(all));
    const checked = counted({ ...all });
    await operator.dispatchChecked(checked.proxy);
    once(checked.reads, ...Object.keys(all));
    expect(await scattered()).toEqual(exampleOutput);

    const device2 = counted({ backend, featureLevel: '5.0' as const, debug: false });
    (await createDevice(device2.proxy)).dispose();
    once(device2.reads, 'backend', 'featureLevel', 'debug');
  });

  test('an error thrown while an argument is read becomes the cause of a typed error', async () => {
    const place = { buffer: input.buffer, offset: 0 };
    const refused: [call: () => unknown, code: string, field: string][] = [
      [() => createDevice(throwing({ backend }, 'backend')), 'ERR_INVALID_ARGUMENT', 'options.backend'],
      [() => device.compile(throwing(example, 'type')), 'ERR_INVALID_DESCRIPTOR', 'type'],
      [() => device.compile(throwing(example, 'updatesTensor')), 'ERR_INVALID_DESCRIPTOR', 'updatesTensor'],
      [
        () => device.compile(example, throwing({ disableMetacommands: true }, 'disableMetacommands')),
        'ERR_INVALID_ARGUMENT',
        'options.disableMetacommands',
      ],
      [() => device.createBuffer(16, throwing({ label: '' }, 'label')), 'ERR_INVALID_ARGUMENT', 'options.label'],
      [() => device.createTensor(throwing(float32(8), 'dataType')), 'ERR_INVALID_DESCRIPTOR', 'dataType'],
      [() => device.createTensor(throwing(float32(8), 'sizes')), 'ERR_INVALID_DESCRIPTOR', 'sizes'],
      [() => device.createTensor(float32(8), throwing(place, 'offset')), 'ERR_INVALID_ARGUMENT', 'offset'],
      [() => scatter.dispatch(throwing(all, 'outputTensor')), 'ERR_INVALID_ARGUMENT', 'outputTensor'],
      [() => scatter.dispatchChecked(throwing(all, 'outputTensor')), 'ERR_INVALID_ARGUMENT', 'outputTensor'],
      [() => scatter.dispatch({ ...all, inputTensor: throwing(place, 'buffer') }), 'ERR_INVALID_ARGUMENT', 'inputTensor.buffer'],
      [() => scatter.dispatch({ ...all, inputTensor: throwing(place, 'offset') }), 'ERR_INVALID_ARGUMENT', 'inputTensor.offset'],
    ];
    for (const [call, code, field] of refused) {
      const error = await rejected((async () => call())());
      expect(gist(error)).toEqual([code, field]);
      expect(error.cause).toBe(thrown);
      expect(error.message).toContain('expected a readable value, given an error while reading it');
    }
  });

  test('a revoked proxy as any argument gives a typed error', async () => {
    const calls: (() => unknown)[] = [
      () => createDevice(revoked({ backend })),
      () => createDevice({ backend, adapter: untyped(revoked({})) }),
      () => createDevice({ backend, debug: untyped(revoked({})) }),
      () => device.compile(revoked(example)),
      () => device.compile({ ...example, inputTensor: revoked(example.inputTensor) }),
      () => device.compile({ ...example, inputTensor: { dataType: 'float32', sizes: revoked([1]) } }),
      () => device.compile(example, revoked({})),
      () => device.compile(example, { initializationInputs: revoked({}) }),
      () => device.createBuffer(16, revoked({})),
      () => device.createBuffer(untyped(revoked({}))),
      () => device.createTensor(revoked(float32(8))),
      () => device.createTensor(float32(8), untyped(revoked({}))),
      () => device.createTensor(float32(8), { buffer: revoked(input.buffer) }),
      () => scatter.dispatch(revoked(all)),
      () => scatter.dispatchChecked(revoked(all)),
      () => scatter.dispatch({ ...all, inputTensor: revoked(input) }),
      () => scatter.dispatch({ ...all, inputTensor: { buffer: revoked(input.buffer) } }),
      () => scatter.dispatch({ ...all, inputTensor: revoked([]) }),
      () => input.write(untyped(revoked({}))),
      () => input.buffer.write(untyped(revoked({}))),
      () => input.buffer.write(new Uint8Array(4), untyped(revoked({}))),
      () => input.buffer.read(untyped(revoked({}))),
    ];
    for (const call of calls)
      expect((await rejected((async () => call())())).code).toMatch(/^ERR_INVALID_(ARGUMENT|DESCRIPTOR)$/);
  });

  test('a getter that disposes of an object that was read before leads to a typed error', async () => {
    const gone = device.createTensor(float32(8));
    const bindings = { inputTensor: gone, indicesTensor: all.indicesTensor, updatesTensor: all.updatesTensor };
    const disposing = {
      ...bindings,
      get outputTensor() {
        gone.dispose();
        return output;
      },
    };
    expect(gist(caught(() => scatter.dispatch(disposing)))).toEqual(['ERR_DISPOSED', 'inputTensor']);
    const operator = await device.compile(example);
    const ending = {
      ...all,
      get outputTensor() {
        operator.dispose();
        return output;
      },
    };
    expect(caught(() => operator.dispatch(ending))).toMatchObject({ code: 'ERR_DISPOSED', operator: 'scatterNd' });
  });
});
