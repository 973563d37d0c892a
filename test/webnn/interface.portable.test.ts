/** WebNN's objects behave like those of a browser: Web IDL's conversions, brands and properties. */
import { createRequire } from 'node:module';
import v8 from 'node:v8';
import { expect, test, vi } from 'vitest';
import { isOnCpu, softwareIn } from '#lib/webnn/opener.js';
import * as webnn from 'node-directml/webnn';
import { createML, install, MLContext, MLGraphBuilder, MLOperand, MLTensor, type MLTensorDescriptor } from 'node-directml/webnn';

const ml = createML({ backend: 'reference' });
const desc = { dataType: 'float32', shape: [2] } as const;
// Tests pass arguments that the types forbid.
const untyped = (value: object) => value as Record<string, (...args: unknown[]) => unknown>;

test('import and require give the same names and objects', () => {
  const required: unknown = createRequire(import.meta.url)('node-directml/webnn');
  expect({ ...webnn }).toEqual(required);
});

test('interface objects and prototypes have the properties that Web IDL defines', () => {
  expect(() => new (MLContext as unknown as new () => unknown)()).toThrow('Illegal constructor');
  expect(MLGraphBuilder).toHaveLength(1);
  expect(MLGraphBuilder.prototype.conv2d).toHaveLength(2);
  expect(Object.keys(MLTensor.prototype)).toEqual(['dataType', 'shape', 'readable', 'writable', 'constant', 'destroy']);
  expect(Object.prototype.toString.call(MLOperand.prototype)).toBe('[object MLOperand]');
  expect(() => untyped(MLTensor.prototype)['shape']).toThrow(TypeError);
});

test('operations that return promises reject instead of throwing', async () => {
  const { readTensor } = untyped(MLContext.prototype);
  await expect(readTensor?.call({})).rejects.toThrow(TypeError);
  await expect(untyped(ml)['createContext']?.({ powerPreference: 'most' })).rejects.toThrow('MLPowerPreference');
  await expect(untyped(ml)['createContext']?.(1)).rejects.toThrow(TypeError);
});

test('dictionaries ignore unknown members and convert the known ones', async () => {
  const context = await ml.createContext({ deviceType: 'gpu' });
  const given = { ...desc, shape: new Set(['2', 3.9]), usage: undefined, dimensions: [7], readable: 1 };
  const tensor = await context.createTensor(given as unknown as MLTensorDescriptor);
  expect(tensor).toMatchObject({ dataType: 'float32', shape: [2, 3], readable: true, writable: false, constant: false });
  expect(tensor.shape).toBe(tensor.shape);
  expect(Object.isFrozen(tensor.shape)).toBe(true);
  const create = untyped(context)['createTensor']?.bind(context);
  await expect(create?.({ ...desc, shape: [-1] })).rejects.toThrow('shape[0]');
  await expect(create?.({ ...desc, shape: [2n] })).rejects.toThrow(TypeError);
  await expect(create?.({ shape: [2] })).rejects.toThrow('dataType is required');
});

test('errors of an operator contain its name and label', async () => {
  const builder = new MLGraphBuilder(await ml.createContext());
  const a = builder.input('a', { dataType: 'float32', shape: [2, 3] });
  expect(() => builder.matmul(a, a, { label: 'head' })).toThrow('matmul [head]: the shapes [2, 3] and [2, 3] do not multiply.');
  expect(() => builder.relu(a, { label: 'evil\u202e' })).not.toThrow();
  expect(() => builder.softmax(a, 2, { label: 'evil\u202e' })).toThrow('softmax [evil\\u{202e}]');
  expect(() => untyped(builder)['add']?.(a)).toThrow('2 arguments required, but only 1 present');
  expect(() => untyped(builder)['add']?.(a, {})).toThrow(`parameter 2 ('b') is not of type 'MLOperand'`);
  const other = new MLGraphBuilder(await ml.createContext());
  expect(() => other.relu(a)).toThrow('another builder');
  await expect(builder.build({ a })).rejects.toThrow(`the output 'a' is an input`);
});

test('casts constants of numbers as the specification says', async () => {
  const context = await ml.createContext();
  const builder = new MLGraphBuilder(context);
  const cases = [
    ['int8', 300, 127],
    ['uint8', -3, 0],
    ['int32', 2.5, 2],
    ['uint32', 3.5, 4],
    ['int64', 2n ** 70n, 2n ** 63n - 1n],
    ['uint64', NaN, 0n],
    ['float32', 0.1, Math.fround(0.1)],
  ] as const;
  const outputs = Object.fromEntries(cases.map(([type, value]) => [type, builder.identity(builder.constant(type, value))]));
  const graph = await builder.build(outputs);
  const tensors = Object.fromEntries(
    await Promise.all(
      cases.map(async ([dataType]) => [dataType, await context.createTensor({ dataType, shape: [], readable: true })] as const),
    ),
  );
  context.dispatch(graph, {}, tensors);
  for (const [dataType, , expected] of cases) {
    const tensor = tensors[dataType];
    if (tensor !== undefined) expect([(await webnn.tensorOf(tensor).read())[0]]).toEqual([expected]);
  }
});

test('install sets the globals that libraries look for', () => {
  install(ml);
  expect(globalThis).toHaveProperty('navigator.ml', ml);
  expect(Reflect.get(globalThis, 'MLGraphBuilder')).toBe(MLGraphBuilder);
});

test('install stops V8 from optimizing wasm on Node.js 20 only, where onnxruntime would stall', () => {
  const flags: string[] = [];
  const { versions } = process;
  const set = vi.spyOn(v8, 'setFlagsFromString').mockImplementation((flag) => void flags.push(flag));
  const flagsOn = (node: string) => {
    Object.defineProperty(process, 'versions', { value: { ...versions, node }, configurable: true });
    install(ml);
    return flags.splice(0);
  };
  expect(flagsOn('20.20.2')).toEqual(['--liftoff-only']);
  for (const version of ['22.1.0', '24.0.0', '120.0.0']) expect(flagsOn(version)).toEqual([]);
  Object.defineProperty(process, 'versions', { value: versions, configurable: true });
  set.mockRestore();
});

test('opens the software adapter if the options ask for the processor', () => {
  const adapter = (name: string, isSoftware: boolean, d3d12FeatureLevel: string | null = '12_1') => {
    const memory = { dedicatedVideoMemory: 0, dedicatedSystemMemory: 0, sharedSystemMemory: 0 };
    return { ...memory, name, luid: `0-${name}`, vendorId: 1, deviceId: 1, isSoftware, d3d12FeatureLevel };
  };
  const all = [adapter('fast', false), adapter('slow', false), adapter('old', true, null), adapter('software', true)];
  expect(softwareIn(all)?.name).toBe('software');
  expect(softwareIn(all.slice(0, 3))).toBeUndefined();
  const isSoftware = (options: object) => isOnCpu({ accelerated: true, powerPreference: 'default', ...options });
  // Among the hardware adapters, createDevice chooses by Windows' order.
  expect(isSoftware({ powerPreference: 'low-power' })).toBe(false);
  expect(isSoftware({ deviceType: 'gpu', powerPreference: 'low-power' })).toBe(false);
  expect(isSoftware({ accelerated: false })).toBe(true);
  expect(isSoftware({ deviceType: 'cpu', powerPreference: 'low-power' })).toBe(true);
});

test('install defines GPUDevice as a class without instances, unless it exists already', () => {
  Reflect.deleteProperty(globalThis, 'GPUDevice');
  install(ml);
  const none = Reflect.get(globalThis, 'GPUDevice') as new () => object;
  expect(() => new none()).toThrow(TypeError);
  expect(ml instanceof none).toBe(false);
  class OwnDevice {}
  Reflect.set(globalThis, 'GPUDevice', OwnDevice);
  install(ml);
  expect(globalThis).toHaveProperty('GPUDevice', OwnDevice);
  Reflect.deleteProperty(globalThis, 'GPUDevice');
});
