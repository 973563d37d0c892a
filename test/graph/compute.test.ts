/** Graphs compute the same as their operators one by one, on each backend. */
import { describe, expect, test } from 'vitest';
import type { Graph, Tensor, Value } from 'node-directml';
import { backends, deviceOn } from '../support/devices.js';

const float32 = (...sizes: number[]) => ({ dataType: 'float32', sizes }) as const;
const numbers = async (tensor: Tensor) => Array.from(await tensor.read(), Number);
const add = (graph: Graph, aTensor: Value, bTensor: Value) =>
  graph.add({ type: 'elementWiseAdd', aTensor, bTensor }).outputTensor;
const negate = (graph: Graph, inputTensor: Value) => graph.add({ type: 'elementWiseNegate', inputTensor }).outputTensor;

describe.each(backends)('on %s', (backend) => {
  const device = deviceOn(backend);
  const tensor = (sizes: readonly number[], data: readonly number[]) => device().createTensor(float32(...sizes), data);

  test('runs operators in a row, with constants from data and from a tensor', async () => {
    const graph = device().createGraph();
    const image = graph.input('image', float32(1, 1, 3, 3));
    const filterTensor = graph.constant(float32(1, 1, 2, 2), [1, 0, 0, -1]);
    const biasTensor = graph.constant(tensor([1, 1, 1, 1], [5]));
    const sum = graph.add({ type: 'convolution', inputTensor: image, filterTensor, biasTensor });
    const { outputTensor: features } = graph.add({ type: 'activationRelu', inputTensor: sum.outputTensor });
    const net = await graph.compile({ features });
    expect(net.inputs).toMatchObject({ image: { dataType: 'float32', sizes: [1, 1, 3, 3] } });
    expect(net.outputs).toMatchObject({ features: { dataType: 'float32', sizes: [1, 1, 2, 2] } });
    const inputs = { image: tensor([1, 1, 3, 3], [1, 2, 3, 4, 5, 6, 7, 8, 19]) };
    const result = await net.run(inputs);
    expect(await numbers(result.features)).toEqual([1, 1, 1, 0]);
    const [outputs, others] = [net.createOutputs(), net.createOutputs()];
    net.dispatch({ ...inputs, ...outputs });
    inputs.image.write([0, 0, 0, 0, 0, 0, 0, 0, 0]);
    net.dispatch({ ...inputs, ...others });
    expect(await numbers(outputs.features)).toEqual([1, 1, 1, 0]);
    expect(await numbers(others.features)).toEqual([5, 5, 5, 5]);
  });

  test('lets several nodes read a value, and nodes read an output', async () => {
    const graph = device().createGraph();
    const x = graph.input('x', float32(2));
    const minus = negate(graph, x);
    const twice = add(graph, minus, minus);
    const back = add(graph, twice, x);
    const net = await graph.compile({ minus, twice, back, again: back });
    const outputs = await net.run({ x: tensor([2], [1, -2]) });
    expect(await numbers(outputs.minus)).toEqual([-1, 2]);
    expect(await numbers(outputs.twice)).toEqual([-2, 4]);
    expect(await numbers(outputs.back)).toEqual([-1, 2]);
    expect(await numbers(outputs.again)).toEqual([-1, 2]);
  });

  test('takes views as inputs of nodes', async () => {
    const graph = device().createGraph();
    const x = graph.input('x', float32(2, 3));
    const row = graph.constant(float32(3), [10, 20, 30]);
    const sum = add(graph, x, row.broadcastTo([2, 3]));
    const net = await graph.compile({ y: add(graph, sum.transpose(), x.reshape([3, 2])) });
    const { y } = await net.run({ x: tensor([2, 3], [1, 2, 3, 4, 5, 6]) });
    expect(await numbers(y)).toEqual([12, 16, 25, 29, 38, 42]);
  });

  test('takes inputs, constants and views as outputs', async () => {
    const graph = device().createGraph();
    const x = graph.input('x', float32(2, 2));
    const sum = add(graph, x, x);
    const constant = graph.constant(float32(2), [7, 8]);
    const net = await graph.compile({
      same: x,
      turned: sum.transpose(),
      flat: sum.reshape([4]),
      constant,
      wide: constant.broadcastTo([2, 2]),
    });
    const outputs = await net.run({ x: tensor([2, 2], [1, 2, 3, 4]) });
    expect(await numbers(outputs.same)).toEqual([1, 2, 3, 4]);
    expect(await numbers(outputs.turned)).toEqual([2, 6, 4, 8]);
    expect(outputs.flat.sizes).toEqual([4]);
    expect(await numbers(outputs.flat)).toEqual([2, 4, 6, 8]);
    expect(await numbers(outputs.constant)).toEqual([7, 8]);
    expect(await numbers(outputs.wide)).toEqual([7, 8, 7, 8]);
  });

  test('leaves out nodes that no output needs, with their inputs', async () => {
    const graph = device().createGraph();
    const [x, y] = [graph.input('x', float32(2)), graph.input('y', float32(2))];
    const needed = negate(graph, x);
    add(graph, needed, y);
    const net = await graph.compile({ needed });
    expect(Object.keys(net.inputs)).toEqual(['x']);
    expect(await numbers((await net.run({ x: tensor([2], [1, 2]) })).needed)).toEqual([-1, -2]);
  });

  test('takes a sequence of values as an input of nodes and as an output', async () => {
    const graph = device().createGraph();
    const x = graph.input('x', float32(4));
    const sequence = {
      type: 'fillValueSequence',
      valueDataType: 'float32',
      outputTensor: float32(4),
      valueStart: 1,
      valueDelta: 2,
    } as const;
    const { outputTensor: values } = graph.add(sequence);
    const net = await graph.compile({ values, sum: add(graph, x, values) });
    const outputs = await net.run({ x: tensor([4], [10, 10, 10, 10]) });
    expect(await numbers(outputs.values)).toEqual([1, 3, 5, 7]);
    expect(await numbers(outputs.sum)).toEqual([11, 13, 15, 17]);
  });

  test('gives both outputs of a recurrent layer whose sequence a node overwrites in place', async () => {
    const graph = device().createGraph();
    // DirectML's single output would be wrong with steps of 16 bytes.
    const layer = graph.add({
      type: 'rnn',
      inputTensor: graph.input('x', float32(1, 2, 1, 4)),
      weightTensor: graph.constant(float32(1, 1, 4, 4), [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1]),
      recurrenceTensor: graph.constant(float32(1, 1, 4, 4), [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1]),
      outputSequenceTensor: {},
      outputSingleTensor: {},
      activationDescs: [{ type: 'activationIdentity' }],
      direction: 'forward',
    });
    if (layer.outputSequenceTensor === undefined || layer.outputSingleTensor === undefined)
      throw new Error('both were asked for');
    const net = await graph.compile({ minus: negate(graph, layer.outputSequenceTensor), single: layer.outputSingleTensor });
    const outputs = await net.run({ x: tensor([1, 2, 1, 4], [1, 2, 3, 4, 5, 6, 7, 8]) });
    expect(await numbers(outputs.minus)).toEqual([-1, -2, -3, -4, -6, -8, -10, -12]);
    expect(await numbers(outputs.single)).toEqual([6, 8, 10, 12]);
  });

  test('stores a large constant once if several nodes read it', async () => {
    const size = 64 * 1024;
    const graph = device().createGraph();
    const x = graph.input('x', float32(size));
    const weight = graph.constant(float32(size), new Float32Array(size).fill(2));
    const net = await graph.compile({ y: add(graph, add(graph, x, weight), weight) });
    expect(net.memory.persistent + net.memory.constants + net.memory.shared).toBeLessThan(1.5 * 4 * size);
    const { y } = await net.run({ x: device().createTensor(float32(size), new Float32Array(size).fill(1)) });
    expect((await numbers(y)).every((value) => value === 5)).toBe(true);
  });

  test('uses other constants after they are initialized', async () => {
    const graph = device().createGraph();
    const x = graph.input('x', float32(2));
    const weight = graph.constant(float32(2), [1, 1], { name: 'weight' });
    const net = await graph.compile({ y: add(graph, x, weight) });
    const inputs = { x: tensor([2], [0, 5]) };
    const before = await net.run(inputs);
    net.initialize({ weight: [10, 20] });
    const after = await net.run(inputs);
    net.initialize({ weight: tensor([2], [100, 200]) });
    const last = await net.run(inputs);
    expect(await numbers(before.y)).toEqual([1, 6]);
    expect(await numbers(after.y)).toEqual([10, 25]);
    expect(await numbers(last.y)).toEqual([100, 205]);
  });

  test('keeps the values of a tensor that is written and disposed of after compilation', async () => {
    const size = 64 * 1024;
    const weight = device().createTensor(float32(size), new Float32Array(size).fill(2));
    const graph = device().createGraph();
    const x = graph.input('x', float32(size));
    const constant = graph.constant(weight, { ownership: 'directml' });
    const net = await graph.compile({ y: add(graph, add(graph, x, constant), constant) });
    weight.write(new Float32Array(size));
    weight.dispose();
    const { y } = await net.run({ x: device().createTensor(float32(size)) });
    expect((await numbers(y)).every((value) => value === 4)).toBe(true);
  });

  test('leaves the gaps of a strided output as they were', async () => {
    const graph = device().createGraph();
    const x = graph.input('x', float32(2, 2));
    const outputTensor = { ...float32(2, 2), strides: [3, 1] };
    const net = await graph.compile({ y: graph.add({ type: 'elementWiseNegate', inputTensor: x, outputTensor }).outputTensor });
    const y = device().createTensor(outputTensor, [9, 9, 9, 9, 9]);
    net.dispatch({ x: tensor([2, 2], [1, 2, 3, 4]), y });
    expect(await numbers(y)).toEqual([-1, -2, 9, -3, -4]);
  });

  test('computes with float16, and several graphs in flight', async () => {
    const graph = device().createGraph();
    const x = graph.input('x', { dataType: 'float16', sizes: [2] });
    const wide = graph.add({ type: 'cast', inputTensor: x, outputTensor: { dataType: 'float32' } }).outputTensor;
    const [net, other] = await Promise.all([graph.compile({ wide }), graph.compile({ minus: negate(graph, wide) })]);
    const inputs = { x: device().createTensor({ dataType: 'float16', sizes: [2] }, [0.5, 65504]) };
    const [first, second] = await Promise.all([net.run(inputs), other.run(inputs)]);
    expect(await numbers(first.wide)).toEqual([0.5, 65504]);
    expect(await numbers(second.minus)).toEqual([-0.5, -65504]);
  });
});
