/** Two calls of compile share an operator only if every field and every option is equal. The last user disposes of it. */
import { describe, expect, test } from 'vitest';
import { cacheKey, OperatorCache } from '#lib/api/operators/operator-cache.js';
import { resolveDescriptor } from '#lib/operators/resolve.js';
import { backends, deviceOn } from '../../support/devices.js';
import { example } from '../../support/scatter-nd.js';

const side = { dataType: 'float32', sizes: [1, 1, 2, 2] };
const linear = { type: 'activationLinear', inputTensor: side, outputTensor: side, alpha: 1, beta: 1 };
const gemm = {
  type: 'gemm',
  aTensor: side,
  bTensor: side,
  outputTensor: side,
  transA: 'none',
  transB: 'none',
  alpha: 1,
  beta: 0,
};
const fill = { type: 'fillValueConstant', outputTensor: { dataType: 'int64', sizes: [1] }, valueDataType: 'int64', value: 0n };
const slice = {
  type: 'slice1',
  inputTensor: side,
  outputTensor: side,
  inputWindowOffsets: [0, 0, 0, 0],
  inputWindowSizes: [1, 1, 2, 2],
  inputWindowStrides: [1, 1, 1, 1],
};
const flags = { allowHalfPrecisionComputation: false, disableMetacommands: false };

test('descriptors that differ in anything have different keys', () => {
  const descriptors = [
    example,
    {
      ...example,
      inputTensor: { ...example.inputTensor, dataType: 'float16' },
      updatesTensor: { ...example.updatesTensor, dataType: 'float16' },
      outputTensor: { ...example.outputTensor, dataType: 'float16' },
    },
    ...[0, -0, 1, -1, 11, NaN, Infinity, -Infinity].flatMap((alpha) => [
      { ...linear, alpha },
      { ...gemm, alpha },
    ]),
    { ...linear, alpha: 1, beta: 11 },
    { ...linear, inputTensor: { ...side, strides: [4, 4, 2, 1] } },
    { ...linear, inputTensor: { ...side, strides: [4, 4, 2, 0] } },
    { ...linear, inputTensor: { ...side, totalTensorSizeInBytes: 32 } },
    { ...linear, inputTensor: { ...side, guaranteedBaseOffsetAlignment: 32 } },
    { ...linear, inputTensor: { ...side, flags: 'ownedByDml' } },
    { ...gemm, transA: 'transpose' },
    { ...gemm, cTensor: side },
    { ...gemm, fusedActivation: { type: 'activationRelu' } },
    { ...gemm, fusedActivation: { type: 'activationLinear', alpha: 1, beta: 2 } },
    { ...gemm, fusedActivation: { type: 'activationLinear', alpha: 2, beta: 1 } },
    ...[0n, 1n, -1n, 2n ** 60n, 2n ** 60n + 1n].map((value) => ({ ...fill, value })),
    slice,
    {
      ...slice,
      inputWindowStrides: [1, 1, 1, 2],
      inputWindowSizes: [1, 1, 2, 1],
      outputTensor: { ...side, sizes: [1, 1, 2, 1] },
    },
    {
      ...slice,
      inputWindowStrides: [1, 1, 2, 1],
      inputWindowSizes: [1, 1, 1, 2],
      outputTensor: { ...side, sizes: [1, 1, 1, 2] },
    },
  ];
  const keys = descriptors.map((descriptor) => cacheKey(resolveDescriptor(descriptor, '6.4').descriptor, flags));
  expect(new Set(keys).size).toBe(keys.length);
  expect(cacheKey(resolveDescriptor(example, '6.4').descriptor, { ...flags, disableMetacommands: true })).not.toBe(keys[0]);
  expect(cacheKey(resolveDescriptor(example, '6.4').descriptor, { ...flags, allowHalfPrecisionComputation: true })).not.toBe(
    keys[0],
  );
});

test('equivalent descriptors have the same key', () => {
  const key = (descriptor: object) => cacheKey(resolveDescriptor(descriptor, '6.4').descriptor, flags);
  expect(key({ ...example })).toBe(key(example));
  expect(key(Object.fromEntries(Object.entries(example).reverse()))).toBe(key(example));
  expect(
    key({ ...linear, inputTensor: { ...side, strides: null, flags: 'none', dimensionCount: 4, totalTensorSizeInBytes: 16 } }),
  ).toBe(key(linear));
  expect(key({ ...gemm, cTensor: null, fusedActivation: undefined })).toBe(key(gemm));
  expect(key({ ...fill, value: 5 })).toBe(key({ ...fill, value: 5n }));
});

describe.each(backends)('on %s', (backend) => {
  const device = deviceOn(backend);

  test('an operator computes after equal ones were disposed of, and after those that come later', async () => {
    const negate = { type: 'elementWiseNegate', inputTensor: { dataType: 'float32', sizes: [2] } } as const;
    const compile = () => device().compile(negate);
    const inputTensor = device().createTensor(negate.inputTensor, [1, 2]);
    const outputTensor = device().createTensor(negate.inputTensor);
    const computes = async ({ dispatch }: { dispatch: () => void }) => {
      outputTensor.write([0, 0]);
      dispatch();
      return [...(await outputTensor.read())];
    };
    const [first, second, third] = await Promise.all([compile(), compile(), compile()]);
    const last = await compile();
    for (const gone of [first, third, first, second]) {
      gone.dispose();
      expect(await computes({ dispatch: () => last.dispatch({ inputTensor, outputTensor }) })).toEqual([-1, -2]);
    }
    last.dispose();
    const again = await compile();
    expect(await computes({ dispatch: () => again.dispatch({ inputTensor, outputTensor }) })).toEqual([-1, -2]);
    again.dispose();
  });
});

test('the last of several users disposes of an operator, once', async () => {
  const cache = new OperatorCache();
  const disposed: number[] = [];
  let compiled = 0;
  const compile = async () => {
    const number = ++compiled;
    await Promise.resolve();
    return { dispose: () => void disposed.push(number) };
  };
  const acquire = () => cache.acquire('gemm', compile);
  const handles = await Promise.all([acquire(), acquire(), acquire()]);
  expect([compiled, cache.size]).toEqual([1, 1]);
  for (const [i, handle] of handles.entries()) {
    expect([disposed, cache.size]).toEqual([[], 1]);
    handle.release();
    handle.release();
    expect(disposed).toEqual(i < 2 ? [] : [1]);
  }
  expect(cache.size).toBe(0);
  const before = await acquire();
  // The device has ended, and with it the operator: what was compiled since then is another one.
  cache.clear();
  const next = await acquire();
  before.release();
  expect([compiled, disposed, cache.size]).toEqual([3, [1], 1]);
  next.release();
  expect([disposed, cache.size]).toEqual([[1, 3], 0]);
});

test('an operator that does not compile is forgotten, for all who wait for it', async () => {
  const cache = new OperatorCache();
  const failure = new Error('no memory');
  const acquire = () => cache.acquire('gemm', () => Promise.reject(failure));
  for (const result of await Promise.allSettled([acquire(), acquire()])) expect(result).toMatchObject({ reason: failure });
  expect(cache.size).toBe(0);
  await cache.acquire('gemm', () => Promise.resolve({ dispose: () => undefined }));
  expect(cache.size).toBe(1);
});
