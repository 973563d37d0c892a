/** The ranges that a dispatch may bind, on each backend: alignment, size, and no overlap of outputs. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createDevice, type Bindings, type CompiledOperator, type Device } from 'node-directml';
import { backends } from '../../support/devices.js';
import { caught, gist } from '../../support/errors.js';
import { untyped } from '../../../checks/malformed/objects.js';

const float32 = (...sizes: number[]) => ({ dataType: 'float32', sizes }) as const;
const split = { type: 'split', inputTensor: float32(8), outputTensors: [float32(4), float32(4)], axis: 0 } as const;
const join = { type: 'join', inputTensors: [float32(16), float32(4)], outputTensor: float32(20), axis: 0 } as const;

describe.each(backends)('on %s', (backend) => {
  let device: Device;
  let halves: CompiledOperator;
  let joined: CompiledOperator;

  beforeAll(async () => {
    device = await createDevice({ backend });
    halves = await device.compile(split);
    joined = await device.compile(join);
  });

  afterAll(() => device.dispose());

  /** Dispatches with an input of 32 bytes and outputs of 16 bytes each, given by their offsets in one buffer. */
  const halve = (input: number, ...outputs: number[]) => {
    const buffer = device.createBuffer(128);
    halves.dispatch({ inputTensor: { buffer, offset: input }, outputTensors: outputs.map((offset) => ({ buffer, offset })) });
  };

  test.each([
    [0, 32, 48],
    [0, 48, 32],
    [32, 0, 16],
    [16, 0, 48],
    [96, 64, 80],
  ])('ranges that lie side by side are bound: %i, %i, %i', (input, ...outputs) => {
    halve(input, ...outputs);
  });

  test('leading dimensions of size 1 make no difference, and other ones do', () => {
    const bind = (sizes: number[]) =>
      joined.dispatch({ ...joinedTo(), inputTensors: [device.createTensor(float32(...sizes)), four] });
    const four = device.createTensor(float32(4));
    const joinedTo = () => ({ outputTensor: device.createTensor(float32(20)) });
    bind([1, 1, 16]);
    expect(gist(caught(() => bind([2, 16])))).toEqual(['ERR_SIZES', 'inputTensors[0].sizes']);
    expect(gist(caught(() => bind([2, 8])))).toEqual(['ERR_SIZES', 'inputTensors[0].sizes']);
  });

  test.each([
    [0, 16, 48, 'outputTensors[0]', 'inputTensor'],
    [16, 0, 32, 'outputTensors[1]', 'inputTensor'],
    [64, 0, 0, 'outputTensors[0]', 'outputTensors[1]'],
    [64, 80, 0, 'outputTensors[0]', 'inputTensor'],
    [64, 0, 64, 'outputTensors[1]', 'inputTensor'],
  ])('ranges that overlap are refused: %i, %i, %i', (input, first, second, field, other) => {
    const why = other === 'inputTensor' ? 'no output of split can be computed in place' : 'two outputs never share bytes';
    expect(caught(() => halve(input, first, second))).toMatchObject({
      code: 'ERR_ALIASED_BINDING',
      message: `split: ${field}: expected bytes of its own, given bytes that are bound to ${other} too (${why})`,
    });
  });

  test('inputs may share bytes; the input that ends last decides whether the output overlaps', async () => {
    const buffer = device.createBuffer(256);
    const inputTensors = [
      { buffer, offset: 0 },
      { buffer, offset: 16 },
    ];
    joined.dispatch({ inputTensors, outputTensor: { buffer, offset: 64 } });
    expect(gist(caught(() => joined.dispatch({ inputTensors, outputTensor: { buffer, offset: 48 } })))).toEqual([
      'ERR_ALIASED_BINDING',
      'outputTensor',
    ]);
  });

  test('equal offsets in different buffers do not overlap', () => {
    const [a, b, c] = [device.createBuffer(32), device.createBuffer(16), device.createBuffer(16)];
    halves.dispatch({ inputTensor: a, outputTensors: [b, c] });
  });

  test('a tensor uses only as much of a larger range as it needs', async () => {
    const buffer = device.createBuffer(64);
    buffer.write(Float32Array.of(1, 2, 3, 4, 5, 6, 7, 8), 32);
    halves.dispatch({
      inputTensor: { buffer, offset: 32 },
      outputTensors: [
        { buffer, size: 64 },
        { buffer, offset: 16, size: 16 },
      ],
    });
    expect([...new Float32Array(await buffer.read(0, 32))]).toEqual([1, 2, 3, 4, 5, 6, 7, 8]);
  });

  test('an offset must be a multiple of guaranteedBaseOffsetAlignment', async () => {
    const aligned = { ...float32(4), guaranteedBaseOffsetAlignment: 64 };
    using identity = await device.compile({ type: 'elementWiseIdentity', inputTensor: aligned, outputTensor: float32(4) });
    const [buffer, output] = [device.createBuffer(256), device.createTensor(float32(4))];
    identity.dispatch({ inputTensor: { buffer, offset: 64 }, outputTensor: output });
    expect(caught(() => identity.dispatch({ inputTensor: { buffer, offset: 32 }, outputTensor: output }))).toMatchObject({
      code: 'ERR_BINDING_RANGE',
      field: 'inputTensor.offset',
      expected: 'a multiple of 64',
    });
  });

  test('a tensor whose size is not a multiple of 4 bytes needs no more than its own bytes', async () => {
    const odd = { dataType: 'uint8', sizes: [5], totalTensorSizeInBytes: 9 } as const;
    using identity = await device.compile({ type: 'elementWiseIdentity', inputTensor: odd, outputTensor: odd });
    using whole = device.createTensor(odd, Uint8Array.of(1, 2, 3, 4, 5));
    expect([whole.totalTensorSizeInBytes, whole.buffer.sizeInBytes]).toEqual([9, 12]);
    const buffer = device.createBuffer(41);
    using output = device.createTensor(odd, { buffer, offset: 32 });
    identity.dispatch({ inputTensor: whole, outputTensor: output });
    expect([...(await output.read())]).toEqual([1, 2, 3, 4, 5]);
    const bind = (size: number) => identity.dispatch({ inputTensor: whole, outputTensor: { buffer, size } });
    bind(9);
    expect(caught(() => bind(8))).toMatchObject({ code: 'ERR_BINDING_RANGE', expected: 'at least 9 bytes', given: '8' });
    expect(gist(caught(() => device.createTensor(odd, { buffer: device.createBuffer(8) })))).toEqual([
      'ERR_BINDING_RANGE',
      'buffer',
    ]);
  });

  test.each<[name: string, bindings: (tensor: Bindings) => unknown, code: string, field: string]>([
    ['no array', ({ inputTensor }) => inputTensor, 'ERR_INVALID_ARGUMENT', 'outputTensors'],
    ['too few', ({ inputTensor }) => [inputTensor], 'ERR_MISSING_BINDING', 'outputTensors'],
    ['too many', ({ inputTensor }) => [inputTensor, inputTensor, inputTensor], 'ERR_UNKNOWN_BINDING', 'outputTensors'],
    ['a hole', () => Array(2), 'ERR_MISSING_BINDING', 'outputTensors[0]'],
    ['null', ({ inputTensor }) => [inputTensor, null], 'ERR_MISSING_BINDING', 'outputTensors[1]'],
    ['nothing', () => undefined, 'ERR_MISSING_BINDING', 'outputTensors'],
    ['null instead of an array', () => null, 'ERR_MISSING_BINDING', 'outputTensors'],
    ['an array in an array', () => [[], []], 'ERR_INVALID_ARGUMENT', 'outputTensors[0]'],
    [
      'a misspelt offset',
      () => [{ buffer: device.createBuffer(64), ofset: 16 }, null],
      'ERR_INVALID_ARGUMENT',
      'outputTensors[0].ofset',
    ],
    [
      'a fraction as size',
      () => [{ buffer: device.createBuffer(64), size: 16.5 }, null],
      'ERR_BINDING_RANGE',
      'outputTensors[0].size',
    ],
    [
      'a text as offset',
      () => [{ buffer: device.createBuffer(64), offset: '16' }, null],
      'ERR_BINDING_RANGE',
      'outputTensors[0].offset',
    ],
    [
      'null as offset',
      () => [{ buffer: device.createBuffer(64), offset: null }, null],
      'ERR_BINDING_RANGE',
      'outputTensors[0].offset',
    ],
    [
      'an offset past the end',
      () => [{ buffer: device.createBuffer(64), offset: 128 }, device.createBuffer(16)],
      'ERR_BINDING_RANGE',
      'outputTensors[0]',
    ],
    [
      'an offset at the end',
      () => [{ buffer: device.createBuffer(64), offset: 64 }, device.createBuffer(16)],
      'ERR_BINDING_RANGE',
      'outputTensors[0]',
    ],
  ])('a binding for several tensors is refused: %s', (_, outputTensors, code, field) => {
    const bindings = { inputTensor: device.createTensor(float32(8)) };
    const error = caught(() => halves.dispatch(untyped({ ...bindings, outputTensors: outputTensors(bindings) })));
    expect(gist(error)).toEqual([code, field]);
  });

  test('a tensor that the descriptor omits has no binding', async () => {
    const side = float32(1, 1, 2, 2);
    const product = { type: 'gemm', aTensor: side, bTensor: side, outputTensor: side } as const;
    using gemm = await device.compile({ ...product, transA: 'none', transB: 'none', alpha: 1, beta: 0 });
    const [a, b, outputTensor] = [1, 2, 0].map((value) => device.createTensor(side, new Float32Array(4).fill(value)));
    if (a === undefined || b === undefined || outputTensor === undefined) throw new Error('no tensors');
    for (const cTensor of [undefined, null]) gemm.dispatch({ aTensor: a, bTensor: b, outputTensor, cTensor });
    expect([...(await outputTensor.read())]).toEqual([4, 4, 4, 4]);
    expect(caught(() => gemm.dispatch({ aTensor: a, bTensor: b, outputTensor, cTensor: a })).message).toBe(
      'gemm: cTensor: expected no binding, for the descriptor has no such tensor, given a tensor',
    );
  });

  test('owned tensors of a tensor array are omitted from its binding', async () => {
    const owned = { ...float32(4), flags: 'ownedByDml' as const };
    const descriptor = { type: 'join', inputTensors: [owned, owned], outputTensor: float32(8), axis: 0 } as const;
    const weights = [1, 2].map((value) => device.createTensor(float32(4), new Float32Array(4).fill(value)));
    using operator = await device.compile(descriptor, { initializationInputs: { inputTensors: weights } });
    const outputTensor = device.createTensor(float32(8));
    for (const inputTensors of [undefined, null, [null, null]]) operator.dispatch({ inputTensors, outputTensor });
    expect(gist(caught(() => operator.dispatch({ inputTensors: [], outputTensor })))).toEqual([
      'ERR_MISSING_BINDING',
      'inputTensors',
    ]);
    expect([...(await outputTensor.read())]).toEqual([1, 1, 1, 1, 2, 2, 2, 2]);
  });
});

test('tens of thousands of outputs in one buffer are checked without delay', async () => {
  using device = await createDevice({ backend: 'reference' });
  const count = 60_000;
  const outputTensors = new Array<{ dataType: 'uint8'; sizes: [1] }>(count).fill({ dataType: 'uint8', sizes: [1] });
  using operator = await device.compile({
    type: 'split',
    inputTensor: { dataType: 'uint8', sizes: [count] },
    outputTensors,
    axis: 0,
  });
  const buffer = device.createBuffer(16 * count);
  const places = outputTensors.map((_, i) => ({ buffer, offset: 16 * (count - 1 - i) }));
  const inputTensor = device.createBuffer(count);
  const began = performance.now();
  operator.dispatch({ inputTensor, outputTensors: places });
  places[count - 1] = { buffer, offset: 16 };
  expect(gist(caught(() => operator.dispatch({ inputTensor, outputTensors: places })))).toEqual([
    'ERR_ALIASED_BINDING',
    'outputTensors[59998]',
  ]);
  // Comparing every pair would take a minute.
  expect(performance.now() - began).toBeLessThan(10_000);
});
