/** The functions of operators: promises, numbers, broadcasting, graphs, and errors. */
import { createDevice, type Device, type Tensor } from 'node-directml';
import {
  activationRelu as relu,
  elementWiseAdd as add,
  elementWiseIf,
  elementWiseLogicalGreaterThan as greater,
  elementWiseMultiply as multiply,
  elementWisePow,
  elementWiseQuantizeLinear,
  elementWiseSubtract as subtract,
  argmax,
  convolution,
  fillValueConstant,
  gemm,
  join,
  multiheadAttention,
  split,
  topK,
} from 'node-directml/operators';
import { describe, expect, test } from 'vitest';
import { collected } from '../support/collected.js';
import { backends, deviceOn } from '../support/devices.js';
import { caught, gist, rejected } from '../support/errors.js';
import { untyped } from '../../checks/malformed/objects.js';

const floats = (device: Device, sizes: readonly number[], data?: readonly number[]) =>
  device.createTensor({ dataType: 'float32', sizes }, data ?? Array.from({ length: sizes.reduce((a, b) => a * b) }, (_, i) => i));
const numbersIn = async (tensor: Tensor | Promise<Tensor>) => Array.from(await (await tensor).read(), Number);

describe.each(backends)('on the %s backend', (backend) => {
  const device = deviceOn(backend);

  test('promises are inputs, also in options and in arrays', async () => {
    const a = floats(device(), [2, 2]);
    const promise = Promise.resolve(a);
    const { outputTensor } = await device().run({ type: 'gemm', aTensor: a, bTensor: a, cTensor: a });
    const expected = await numbersIn(outputTensor);
    expect(await numbersIn(relu(gemm(promise, a, { cTensor: promise })))).toEqual(expected);
    expect(await numbersIn(join([promise, a], { axis: 0 }))).toEqual([0, 1, 2, 3, 0, 1, 2, 3]);
    const mine = new Error('mine');
    await expect(add(Promise.reject(mine), Promise.reject(mine))).rejects.toBe(mine);
  });

  test('element-wise operators broadcast as NumPy does', async () => {
    const [column, row] = [floats(device(), [2, 1], [10, 20]), floats(device(), [3], [1, 2, 3])];
    const sum = await add(column, row);
    expect(sum.sizes).toEqual([2, 3]);
    expect(await numbersIn(sum)).toEqual([11, 12, 13, 21, 22, 23]);
    expect(await numbersIn(add(row, column))).toEqual([11, 12, 13, 21, 22, 23]);
    const isLarge = await greater(sum, floats(device(), [1, 1], [20]));
    expect(isLarge.dataType).toBe('uint8');
    expect(await numbersIn(elementWiseIf(isLarge, row, column))).toEqual([10, 10, 10, 1, 2, 3]);
  });

  test('a number stands for a tensor filled with it', async () => {
    const x = floats(device(), [2, 3]);
    expect(await numbersIn(multiply(x, 0.5))).toEqual([0, 0.5, 1, 1.5, 2, 2.5]);
    expect(await numbersIn(subtract(1, x))).toEqual([1, 0, -1, -2, -3, -4]);
    expect((await numbersIn(elementWisePow(x, 2))).map(Math.round)).toEqual([0, 1, 4, 9, 16, 25]);
    expect(await numbersIn(elementWiseIf(greater(x, 2), x, -0))).toEqual([-0, -0, -0, 3, 4, 5]);
    expect(await numbersIn(elementWiseIf(1, x, 7))).toEqual([0, 1, 2, 3, 4, 5]);
    const long = device().createTensor({ dataType: 'int64', sizes: [2] }, [1n, 2n]);
    expect(await numbersIn(add(long, 2n))).toEqual([3, 4]);
    const codes = await elementWiseQuantizeLinear(x, 0.5, { outputTensor: { dataType: 'uint8' } });
    expect(await numbersIn(codes)).toEqual([0, 2, 4, 6, 8, 10]);
    const before = device().memory().buffers;
    for (let i = 0; i < 20; i++) (await multiply(x, 0.5)).dispose();
    // Less if tensors of other tests are collected meanwhile.
    expect(device().memory().buffers).toBeLessThanOrEqual(before);
  });

  test('of many numbers, the first ones do not keep their memory', async () => {
    using other = await createDevice({ backend });
    const x = floats(other, [1]);
    const used = () => other.memory().buffers;
    const before = used();
    (await add(x, 0.5)).dispose();
    const each = used() - before;
    for (let number = 0; number < 2000; number++) (await add(x, number)).dispose();
    await collected(() => expect(used() - before).toBeLessThan(1500 * each));
    expect(await numbersIn(add(x, 0.5))).toEqual([0.5]);
  });

  test('the C of gemm broadcasts, and may be a number', async () => {
    const [a, b] = [floats(device(), [2, 2]), floats(device(), [3, 2])];
    const product = await numbersIn(gemm(a, b, { transB: 'transpose' }));
    const withBias = await numbersIn(gemm(a, b, { transB: 'transpose', cTensor: floats(device(), [3], [1, 2, 3]) }));
    expect(withBias).toEqual(product.map((number, i) => number + ([1, 2, 3][i % 3] ?? 0)));
    expect(await numbersIn(gemm(a, b, { transB: 'transpose', cTensor: 4 }))).toEqual(product.map((number) => number + 4));
  });

  test('the C of a product of batches broadcasts over all of them', async () => {
    const [a, b] = [floats(device(), [2, 3, 2, 2]), floats(device(), [2, 3, 2, 1])];
    const product = await numbersIn(gemm(a, b));
    const column = floats(device(), [2, 1], [100, 200]);
    const perBatch = floats(device(), [3, 1, 1], [10, 20, 30]);
    const sums = [gemm(a, b, { cTensor: 7 }), gemm(a, b, { cTensor: column }), gemm(a, b, { cTensor: perBatch })];
    expect((await sums[1])?.sizes).toEqual([2, 3, 2, 1]);
    expect(await Promise.all(sums.map(numbersIn))).toEqual([
      product.map((number) => number + 7),
      product.map((number, i) => number + (i % 2 === 0 ? 100 : 200)),
      product.map((number, i) => number + 10 * (Math.floor(i / 2) % 3) + 10),
    ]);
    const graph = device().createGraph();
    const [x, y] = [graph.input('x', a), graph.input('y', b)];
    const net = await graph.compile({ z: gemm(x, y, { cTensor: column }) });
    expect(await numbersIn((await net.run({ x: a, y: b })).z)).toEqual(await numbersIn(sums[1] ?? a));
  });

  test('nothing else broadcasts, and the error suggests the reshape', async () => {
    const image = floats(device(), [1, 2, 2, 2]);
    const filters = floats(device(), [2, 2, 1, 1]);
    const error = await rejected(convolution(image, filters, { biasTensor: floats(device(), [2]) }));
    expect(gist(error)).toEqual(['ERR_DIMENSION_COUNT', 'biasTensor.sizes']);
    expect(error.message).toContain('reshape([1, 2, 1, 1])');
    expect(gist(await rejected(add(floats(device(), [2, 3]), floats(device(), [4]))))).toEqual([
      'ERR_DIMENSION_COUNT',
      'bTensor.sizes',
    ]);
  });

  test('one output is returned as such, several by field name', async () => {
    const x = floats(device(), [2, 3]);
    expect((await argmax(x, { axes: [1] })).dataType).toBe('uint32');
    const { outputValueTensor, outputIndexTensor } = await topK(x, { k: 1 });
    expect([await numbersIn(outputValueTensor), await numbersIn(outputIndexTensor)]).toEqual([
      [2, 5],
      [2, 2],
    ]);
    const parts = await split(x, { axis: 0, outputTensors: [{ sizes: [1, 3] }, { sizes: [1, 3] }] });
    expect(await Promise.all(parts.map(numbersIn))).toEqual([
      [0, 1, 2],
      [3, 4, 5],
    ]);
    const into = floats(device(), [2, 3]);
    expect(await relu(x, { outputTensor: into })).toBe(into);
  });

  test('operators without input tensors take the device or a graph first', async () => {
    const options = { outputTensor: { dataType: 'int32', sizes: [2] }, value: 7 } as const;
    expect(await numbersIn(fillValueConstant(device(), options))).toEqual([7, 7]);
    const graph = device().createGraph();
    const net = await graph.compile({ y: fillValueConstant(graph, options) });
    expect(await numbersIn((await net.run({})).y)).toEqual([7, 7]);
    expect(gist(await rejected(fillValueConstant(untyped<Device>({}), options)))).toEqual(['ERR_INVALID_ARGUMENT', 'device']);
    const x = floats(device(), [1, 2, 4]);
    const { outputTensor } = await multiheadAttention({ queryTensor: x, keyTensor: x, valueTensor: x, headCount: 2 });
    expect(outputTensor.sizes).toEqual([1, 2, 4]);
  });

  test('with graph values, results are not promises; tensors and numbers become constants, each only once', async () => {
    const [given, weights] = [floats(device(), [2, 2]), floats(device(), [2, 2])];
    const graph = device().createGraph();
    const x = graph.input('x', given);
    const y = add(multiply(gemm(gemm(x, weights), weights, { cTensor: x }), 0.5), 0.5);
    expect(y.dataType).toBe('float32');
    const { constants = {} } = graph.toDescriptor({ y });
    expect(Object.keys(constants)).toEqual(['constant_0', 'constant_1']);
    const net = await graph.compile({ y });
    const eager = add(multiply(gemm(gemm(given, weights), weights, { cTensor: given }), 0.5), 0.5);
    expect(await numbersIn((await net.run({ x: given })).y)).toEqual(await numbersIn(eager));
    expect(gist(caught(() => gemm(x, untyped<Tensor>(Promise.resolve(weights)))))).toEqual(['ERR_INVALID_DESCRIPTOR', 'bTensor']);
  });

  test('errors about wrong arguments name the operator and contain the line of the caller', async () => {
    const x = floats(device(), [2, 2]);
    const calls: [() => unknown, readonly [string, string]][] = [
      [() => gemm(x, untyped<Tensor>(undefined)), ['ERR_MISSING_FIELD', 'bTensor']],
      [() => gemm(x, untyped<Tensor>(3)), ['ERR_INVALID_DESCRIPTOR', 'bTensor']],
      [() => add(1, untyped<Tensor>(2)), ['ERR_INVALID_DESCRIPTOR', 'aTensor']],
      [() => gemm(x, x, untyped<object>(x)), ['ERR_INVALID_ARGUMENT', 'options']],
      [() => gemm(x, x, untyped<object>({ bTensor: x })), ['ERR_INVALID_ARGUMENT', 'options.bTensor']],
      [() => gemm(x, x, untyped<object>({ transC: 1 })), ['ERR_UNKNOWN_FIELD', 'transC']],
      [() => Reflect.apply(gemm, undefined, [x, x, {}, {}]), ['ERR_INVALID_ARGUMENT', 'arguments[3]']],
      [() => add(device().createTensor({ dataType: 'uint8', sizes: [1] }), 256), ['ERR_OUT_OF_RANGE', 'bTensor']],
      [() => relu(untyped<Tensor>(topK(x, { k: 1 }))), ['ERR_INVALID_DESCRIPTOR', 'inputTensor']],
    ];
    for (const [wrong, expected] of calls) {
      const error = await rejected(Promise.resolve(wrong()));
      expect(gist(error), String(wrong)).toEqual(expected);
      expect(error.stack).toContain('functions.test');
    }
  });

  test('functions are refused inside device.record', () => {
    const x = floats(device(), [2]);
    expect(gist(caught(() => device().record(() => void add(x, 1).catch(() => undefined))))).toEqual([
      'ERR_NOT_RECORDABLE',
      undefined,
    ]);
  });
});
