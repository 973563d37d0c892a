/** What the functions of operators refuse, beside sizes that do not fit: the code and the whole message of each error. */
import { createDevice, type Device, type Tensor, type Value } from 'node-directml';
import * as operators from 'node-directml/operators';
import { beforeAll, describe, expect, test } from 'vitest';
import { refusalOf, type Loose } from '../support/refusals.js';

/** The functions with arguments of any type. */
const o = operators as unknown as Loose<typeof operators>;
const float32 = (...sizes: number[]) => ({ dataType: 'float32', sizes }) as const;

interface Scene {
  readonly d: Device;
  /** [2, 3] */
  readonly x: Tensor;
  /** [3] */
  readonly v: Tensor;
  readonly bytes: Tensor;
  /** Of a graph, [2, 3] and [2]. */
  readonly value: Value;
  readonly pair: Value;
  /** Of the same graph, [2]: a constant without a name, one with a name, and the result of a node. */
  readonly unnamed: Value;
  readonly named: Value;
  readonly made: Value;
}

let scene: Scene;

beforeAll(async () => {
  const d = await createDevice({ backend: 'reference' });
  const g = d.createGraph();
  const pair = g.input('pair', float32(2));
  scene = {
    ...{ d, x: d.createTensor(float32(2, 3)), v: d.createTensor(float32(3)), pair },
    bytes: d.createTensor({ dataType: 'uint8', sizes: [2] }),
    value: g.input('x', float32(2, 3)),
    unnamed: g.constant(float32(2), [1, 2]),
    named: g.constant(float32(2), [1, 2], { name: 'layers.3.bias' }),
    made: operators.activationRelu(pair),
  };
});

const clipFields = '{ outputTensor, scaleBias, min, max }';
const noMatch =
  'ERR_DIMENSION_COUNT elementWiseAdd: bTensor.sizes: expected sizes that broadcast with [2, 3] of aTensor, given [2] (from the \
last one on, sizes must be equal or 1: 2 is not 3; bTensor.reshape([2, 1]) would fit)';

type Program = (scene: Scene) => unknown;

const refusals: Readonly<Record<string, Readonly<Record<string, Program>>>> = {
  'the inputs': {
    'ERR_MISSING_FIELD elementWiseAdd: aTensor: expected a tensor, given nothing': () => o.elementWiseAdd(),
    'ERR_MISSING_FIELD elementWiseAdd: bTensor: expected a tensor, given nothing': ({ x }) => o.elementWiseAdd(x),
    'ERR_INVALID_DESCRIPTOR elementWiseAdd: aTensor: expected a tensor, given 1 (device.createTensor({ dataType, sizes }, data) \
makes a tensor of numbers)': () => o.elementWiseAdd(1, 2),
    "ERR_INVALID_DESCRIPTOR elementWiseAdd: bTensor: expected a tensor, given '3'": ({ x }) => o.elementWiseAdd(x, '3'),
    'ERR_INVALID_DESCRIPTOR elementWiseIf: aTensor: expected a tensor, given 1 (device.createTensor({ dataType, sizes }, data) \
makes a tensor of numbers)': ({ bytes }) => o.elementWiseIf(bytes, 1, 2),
    'ERR_INVALID_DESCRIPTOR gemm: bTensor: expected a tensor, given 5 (device.createTensor({ dataType, sizes }, data) makes a \
tensor of numbers)': ({ x }) => o.gemm(x, 5),
    'ERR_INVALID_DESCRIPTOR join: inputTensors: expected an array of tensors, given a tensor': ({ x }) =>
      o.join(Promise.resolve(x), { axis: 0 }),
    'ERR_OUT_OF_RANGE elementWiseAdd: bTensor: expected a whole number from 0 to 255, given -1': ({ bytes }) =>
      o.elementWiseAdd(bytes, -1),
  },
  'the number of arguments': {
    'ERR_INVALID_ARGUMENT elementWiseAdd: arguments[3]: expected no more arguments, given 4': ({ x, v }) =>
      o.elementWiseAdd(x, v, {}, 4),
    'ERR_INVALID_ARGUMENT fillValueConstant: arguments[2]: expected no more arguments, given 4': ({ d }) =>
      o.fillValueConstant(d, {}, 4),
    'ERR_INVALID_ARGUMENT fillValueConstant: device: expected a device or a graph, given nothing': () => o.fillValueConstant(),
    'ERR_INVALID_ARGUMENT fillValueConstant: device: expected a device or a graph, given an object': () =>
      o.fillValueConstant({}),
  },
  'the options': {
    'ERR_INVALID_ARGUMENT elementWiseAdd: options.aTensor: expected nothing, given a tensor (its place is argument 1)': ({
      x,
      v,
    }) => o.elementWiseAdd(x, v, { aTensor: x }),
    'ERR_INVALID_ARGUMENT elementWiseAdd: options.bTensor: expected nothing, given a tensor (its place is argument 2)': ({
      x,
      v,
    }) => o.elementWiseAdd(x, v, { bTensor: x }),
    "ERR_INVALID_ARGUMENT elementWiseAdd: options.type: expected nothing, given 'cast' (the function has it)": ({ x, v }) =>
      o.elementWiseAdd(x, v, { type: 'cast' }),
    "ERR_INVALID_ARGUMENT fillValueConstant: options.type: expected nothing, given 'cast' (the function has it)": ({ d }) =>
      o.fillValueConstant(d, { type: 'cast' }),
  },
  'what is no options': {
    "ERR_INVALID_ARGUMENT cast: options: expected an object with the other fields { outputTensor }, given 'int3'": ({ x }) =>
      o.cast(x, 'int3'),
    'ERR_INVALID_ARGUMENT join: options: expected an object with the other fields { outputTensor, axis }, given an array of 1 \
number': ({ x }) => o.join([x, x], [1]),
    'ERR_INVALID_ARGUMENT activationRelu: options: expected an object with the other fields { outputTensor }, given 5': ({ x }) =>
      o.activationRelu(x, 5),
    [`ERR_INVALID_ARGUMENT elementWiseClip: options: expected an object with the other fields ${clipFields}, given 1 (did you \
mean { min: 1 } or { max: 1 }?)`]: ({ x }) => o.elementWiseClip(x, 1),
    [`ERR_INVALID_ARGUMENT elementWiseClip: options: expected an object with the other fields ${clipFields}, given 1n (did you \
mean { min: 1n } or { max: 1n }?)`]: ({ x }) => o.elementWiseClip(x, 1n),
    [`ERR_INVALID_ARGUMENT elementWiseClip: options: expected an object with the other fields ${clipFields}, given true`]: ({
      x,
    }) => o.elementWiseClip(x, true),
    'ERR_INVALID_ARGUMENT slice1: options: expected an object with the other fields { outputTensor, inputWindowOffsets, \
inputWindowSizes, inputWindowStrides }, given an array of 2 numbers (did you mean { inputWindowOffsets } or { inputWindowSizes \
}?)': ({ x }) => o.slice1(x, [0, 0]),
    'ERR_INVALID_ARGUMENT slice1: options: expected an object with the other fields { outputTensor, inputWindowOffsets, \
inputWindowSizes, inputWindowStrides }, given 1 (did you mean { inputWindowOffsets: [1] } or { inputWindowSizes: [1] }?)': ({
      x,
    }) => o.slice1(x, 1),
    'ERR_INVALID_ARGUMENT topK1: options: expected an object with the other fields { outputValueTensor, outputIndexTensor, axis, \
k, axisDirection }, given 2 (did you mean { k: 2 }?)': ({ x }) => o.topK1(x, 2),
    'ERR_INVALID_ARGUMENT averagePooling: options: expected an object with the other fields { outputTensor, strides, windowSize, \
startPadding, endPadding, includePadding }, given 2 (did you mean { strides: [2] } or { windowSize: [2] }?)': ({ x }) =>
      o.averagePooling(x, 2),
  },
  'sizes of values with names': {
    [`${noMatch} (aTensor is 'x')`]: ({ value, unnamed }) => o.elementWiseAdd(value, unnamed),
    [`${noMatch} (aTensor is 'x', bTensor is 'layers.3.bias')`]: ({ value, named }) => o.elementWiseAdd(value, named),
    [`${noMatch} (aTensor is 'x', bTensor is 'bias')`]: ({ d, value }) =>
      o.elementWiseAdd(value, d.tensor([1, 2], { label: 'bias' })),
    [noMatch]: ({ x, d }) => o.elementWiseAdd(x, d.tensor([1, 2], { label: 'bias' })),
  },
  'the C of a product': {
    'ERR_SIZES gemm: cTensor.sizes: expected sizes that repeat to [2, 2] of the product, given [3, 2]': ({ d, x }) =>
      o.gemm(x, d.createTensor(float32(3, 2)), { cTensor: d.createTensor(float32(3, 2)) }),
    'ERR_DIMENSION_COUNT gemm: cTensor.sizes: expected sizes that repeat to [2, 4] of the product, given [5]': ({ d, x }) =>
      o.gemm(x, d.createTensor(float32(4, 3)), { cTensor: d.createTensor(float32(5)), transB: 'transpose' }),
    'ERR_DIMENSION_COUNT gemm: cTensor.sizes: expected sizes that repeat to [3, 4] of the product, given [5]': ({ d, x }) =>
      o.gemm(x, d.createTensor(float32(2, 4)), { cTensor: d.createTensor(float32(5)), transA: 'transpose' }),
    'ERR_SIZES gemm: bTensor.sizes: expected [6, 3, 4], given [7, 3, 4] (to multiply aTensor by)': ({ d }) =>
      o.gemm(d.createTensor(float32(6, 2, 3)), d.createTensor(float32(7, 3, 4)), { cTensor: d.createTensor(float32(5)) }),
  },
};

describe.each(Object.entries(refusals))('%s', (_name, programs) => {
  test.each(Object.entries(programs))('%s', async (message, program) => {
    expect(await refusalOf(() => program(scene))).toBe(message);
  });
});

test('a promise that fails passes its error on', async () => {
  const own = new Error('own');
  await expect(o.elementWiseAdd(scene.x, Promise.reject(own))).rejects.toBe(own);
});

test('promises may give numbers, and promises are awaited in arrays', async () => {
  const { d } = scene;
  const sum = await operators.elementWiseAdd(d.tensor([1, 2]), Promise.resolve(d.tensor([3])));
  expect(await sum.toArray()).toEqual([4, 5]);
  const joined = await operators.join([Promise.resolve(d.tensor([1])), d.tensor([2])], { axis: 0 });
  expect(await joined.toArray()).toEqual([1, 2]);
});

test('numbers get the data type of a tensor that supports the same ones', async () => {
  const { d } = scene;
  const half = d.tensor([1, -2], { dataType: 'float16' });
  const quantized = (await o.elementWiseQuantizeLinear(half, 0.5, { outputTensor: { dataType: 'int8' } })) as Tensor;
  expect(await quantized.read()).toEqual(Int8Array.of(2, -4));
  const floats = (await o.elementWiseDequantizeLinear(d.tensor([1, 255], { dataType: 'uint8' }), 0.5, {})) as Tensor;
  expect([floats.dataType, await floats.toArray()]).toEqual(['float32', [0.5, 127.5]]);
  const sum = await operators.elementWiseAdd(half, 0.5);
  expect([sum.dataType, await sum.toArray()]).toEqual(['float16', [1.5, -1.5]]);
});

test('the C of a product of matrices that are transposed may repeat', async () => {
  const { d } = scene;
  const [a, b] = [d.tensor([[1, 2]]), d.tensor([[3], [4], [5]])];
  const c = d.tensor([10, 20, 30]);
  const product = await operators.gemm(a, b, { cTensor: c, transA: 'transpose', transB: 'transpose' });
  expect(await product.toArray()).toEqual([
    [13, 24, 35],
    [16, 28, 40],
  ]);
});
