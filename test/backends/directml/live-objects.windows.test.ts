/** The addon counts its native objects: there are only as many as the package's objects use. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createDevice, type CompileOptions, type Device, type OperatorDescriptor } from 'node-directml';
import { loadAddon } from '#lib/backends/directml/addon.js';
import { caught, rejected } from '../../support/errors.js';
import { untyped } from '../../../checks/malformed/objects.js';

let device: Device;

beforeAll(async () => {
  device = await createDevice({ backend: 'directml' });
});

afterAll(() => device.dispose());

const live = () => {
  const { devices, buffers, operators } = loadAddon().binding.liveObjects();
  return { devices, buffers, operators };
};

const side = (size = 4) => ({ dataType: 'float32', sizes: [size] }) as const;
const linear = (alpha: number, size = 4): OperatorDescriptor => ({
  type: 'activationLinear',
  inputTensor: side(size),
  outputTensor: side(size),
  alpha,
  beta: 0,
});

test('compiling an operator again shares the native operator, which lives until its last user is disposed of', async () => {
  const before = live();
  const [first, second, third] = await Promise.all([
    device.compile(linear(1)),
    device.compile(linear(1)),
    device.compile(linear(1)),
  ]);
  const later = await device.compile({ ...linear(1) });
  expect(live()).toEqual({ ...before, operators: before.operators + 1 });
  for (const user of [first, second, third]) user.dispose();
  first.dispose();
  expect(live()).toEqual({ ...before, operators: before.operators + 1 });
  const [inputTensor, outputTensor] = [device.createTensor(side(), Float32Array.of(1, 2, 3, 4)), device.createTensor(side())];
  later.dispatch({ inputTensor, outputTensor });
  expect([...(await outputTensor.read())]).toEqual([1, 2, 3, 4]);
  for (const object of [later, inputTensor, outputTensor]) object.dispose();
  expect(live()).toEqual(before);
  const again = await device.compile(linear(1));
  expect(live().operators).toBe(before.operators + 1);
  again.dispose();
  expect(live()).toEqual(before);
});

test('descriptors or options with any difference are compiled separately', async () => {
  const fill = (value: bigint): OperatorDescriptor => ({
    type: 'fillValueConstant',
    outputTensor: { dataType: 'int64', sizes: [1] },
    valueDataType: 'int64',
    value,
  });
  const elu = (change: object): OperatorDescriptor => ({
    type: 'activationElu',
    inputTensor: { ...side(), ...change },
    outputTensor: side(),
    alpha: 1,
  });
  const all: [descriptor: OperatorDescriptor, options?: CompileOptions][] = [
    [linear(1)],
    [linear(2)],
    [linear(0)],
    [linear(-0)],
    [linear(NaN)],
    [linear(Infinity)],
    [linear(-Infinity)],
    [linear(1, 5)],
    [elu({})],
    [elu({ strides: [1] })],
    [elu({ strides: [0] })],
    [elu({ totalTensorSizeInBytes: 32 })],
    [fill(2n ** 60n)],
    [fill(2n ** 60n + 1n)],
    [linear(1), { disableMetacommands: true }],
    [linear(1), { allowHalfPrecisionComputation: true }],
  ];
  const before = live();
  // A program may define toJSON() on bigints, which must not make different keys equal.
  Object.defineProperty(BigInt.prototype, 'toJSON', { configurable: true, value: () => 7 });
  const operators = await Promise.all(all.map((call) => device.compile(...call)));
  const twice = await Promise.all(all.map((call) => device.compile(...call)));
  Reflect.deleteProperty(BigInt.prototype, 'toJSON');
  expect(live().operators).toBe(before.operators + all.length);
  for (const operator of operators) operator.dispose();
  expect(live().operators).toBe(before.operators + all.length);
  for (const operator of twice) operator.dispose();
  expect(live()).toEqual(before);
});

test('an operator with a tensor that DirectML owns is never shared', async () => {
  const before = live();
  const descriptor: OperatorDescriptor = {
    type: 'activationLinear',
    inputTensor: { ...side(), flags: 'ownedByDml' },
    outputTensor: side(),
    alpha: 1,
    beta: 0,
  };
  const inputTensor = device.createTensor(side());
  const operators = [
    await device.compile(descriptor, { initializationInputs: { inputTensor } }),
    await device.compile(descriptor, { initializationInputs: { inputTensor } }),
  ];
  expect(live().operators).toBe(before.operators + 2);
  for (const object of [...operators, inputTensor]) object.dispose();
  expect(live()).toEqual(before);
});

test('the end of a using block releases an operator, a tensor, a buffer and a device', async () => {
  const before = live();
  {
    using other = await createDevice({ backend: 'directml' });
    using operator = await other.compile(linear(3));
    using tensor = other.createTensor(side());
    using buffer = other.createBuffer(16);
    expect(live()).toEqual({ devices: before.devices + 1, buffers: before.buffers + 2, operators: before.operators + 1 });
    expect([operator.type, tensor.offset, buffer.sizeInBytes]).toEqual(['activationLinear', 0, 16]);
  }
  expect(live()).toEqual(before);
});

test('refused calls leave no live objects', async () => {
  const before = live();
  expect(caught(() => device.createTensor(side(), new Float32Array(3))).code).toBe('ERR_SIZES');
  expect(caught(() => device.createTensor(side(), untyped(new Int8Array(16)))).code).toBe('ERR_DATA_TYPE');
  expect((await rejected(device.compile(linear(1), { initializationInputs: { inputTensor: untyped(1) } }))).code).toBe(
    'ERR_UNKNOWN_BINDING',
  );
  expect((await rejected(createDevice({ backend: 'directml', adapter: '7fffffff-12345678' }))).code).toBe('ERR_NO_ADAPTER');
  expect(live()).toEqual(before);
});

test('a device below the requested feature level is closed again', async () => {
  const before = live();
  const { featureLevel } = device.info;
  expect(featureLevel).toBe('6.4');
  using older = await createDevice({ backend: 'directml', featureLevel: '1.0' });
  expect([older.featureLevel, older.info.featureLevel]).toEqual(['1.0', '6.4']);
  older.dispose();
  expect(live()).toEqual(before);
});

test('the checked mode frees its copy of the indices', async () => {
  const before = live();
  const uint32 = { dataType: 'uint32', sizes: [4] } as const;
  using gather = await device.compile({
    type: 'gather',
    inputTensor: uint32,
    indicesTensor: uint32,
    outputTensor: uint32,
    axis: 0,
    indexDimensions: 1,
  });
  using inputTensor = device.createTensor(uint32, Uint32Array.of(5, 6, 7, 8));
  using indicesTensor = device.createTensor(uint32, Uint32Array.of(3, 2, 1, 0));
  using outputTensor = device.createTensor(uint32);
  const promise = gather.dispatchChecked({ inputTensor, indicesTensor, outputTensor });
  indicesTensor.write(new Uint32Array(4));
  await promise;
  expect(live()).toEqual({ ...before, buffers: before.buffers + 3, operators: before.operators + 1 });
  expect([...(await outputTensor.read())]).toEqual([8, 7, 6, 5]);
  indicesTensor.write(Uint32Array.of(0, 1, 2, 4));
  expect((await rejected(gather.dispatchChecked({ inputTensor, indicesTensor, outputTensor }))).code).toBe(
    'ERR_INDEX_OUT_OF_RANGE',
  );
  expect(live().buffers).toBe(before.buffers + 3);
});

test('objects that are disposed of between recording and execution are still used', async () => {
  const before = live();
  const inputTensor = device.createTensor(side(), Float32Array.of(1, 2, 3, 4));
  const [middle, outputTensor] = [device.createTensor(side()), device.createTensor(side())];
  const [twice, thrice] = [await device.compile(linear(2)), await device.compile(linear(3))];
  twice.dispatch({ inputTensor, outputTensor: middle });
  thrice.dispatch({ inputTensor: middle, outputTensor });
  for (const object of [twice, thrice, inputTensor, middle]) object.dispose();
  expect([...(await outputTensor.read())]).toEqual([6, 12, 18, 24]);
  outputTensor.dispose();
  expect(live()).toEqual(before);
});

test('an operator and its device that are disposed of together leave no objects', async () => {
  const before = live();
  const other = await createDevice({ backend: 'directml' });
  const operator = await other.compile(linear(4));
  operator.dispose();
  other.dispose();
  operator.dispose();
  const late = await createDevice({ backend: 'directml' });
  const compiling = late.compile(linear(4));
  late.dispose();
  expect((await rejected(compiling)).code).toBe('ERR_DISPOSED');
  expect(live()).toEqual(before);
});
