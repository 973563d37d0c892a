/**
 * Values inside a graph that DirectML could place in the memory of others, or replace by the tensor of another node. On each
 * backend, every value is right.
 */
import { describe, expect, test } from 'vitest';
import type { Graph, Tensor, Value } from 'node-directml';
import { backends, deviceOn } from '../support/devices.js';

const float32 = (...sizes: number[]) => ({ dataType: 'float32', sizes }) as const;
const numbers = async (tensor: Tensor) => Array.from(await tensor.read(), Number);
const negate = (graph: Graph, inputTensor: Value) => graph.add({ type: 'elementWiseNegate', inputTensor }).outputTensor;
const identity = (graph: Graph, inputTensor: Value) => graph.add({ type: 'elementWiseIdentity', inputTensor }).outputTensor;
const join = (graph: Graph, ...inputTensors: Value[]) => graph.add({ type: 'join', inputTensors, axis: 0 }).outputTensor;
const sums = (graph: Graph, inputTensor: Value) =>
  graph.add({ type: 'cumulativeSummation', inputTensor, axis: 0, axisDirection: 'increasing', hasExclusiveSum: false })
    .outputTensor;
const part = (graph: Graph, inputTensor: Value, first: number, count: number) =>
  graph.add({ type: 'slice', inputTensor, offsets: [first], sizes: [count], strides: [1] }).outputTensor;

const COUNT = 16;
const ones = new Array<number>(COUNT).fill(1);
const upwards = ones.map((_, i) => i + 1);

describe.each(backends)('on %s', (backend) => {
  const device = deviceOn(backend);

  /** Runs a graph with one input, of 1 to 16. */
  async function outputsOf(build: (graph: Graph, x: Value) => Record<string, Value>): Promise<Record<string, number[]>> {
    const graph = device().createGraph();
    const x = graph.input('x', float32(COUNT));
    const compiled = await graph.compile(build(graph, x));
    const outputs = await compiled.run({ x: device().createTensor(float32(COUNT), upwards) });
    const read = Object.entries(outputs).map(async ([name, tensor]) => [name, await numbers(tensor)] as const);
    return Object.fromEntries(await Promise.all(read));
  }

  test.each<[string, (graph: Graph, joined: Value) => Value, number]>([
    ['a function of each element', negate, 1],
    ['sums along the axis', (graph, joined) => part(graph, sums(graph, joined), 0, 1), -1],
    ['a function behind an identity', (graph, joined) => negate(graph, identity(graph, joined)), 1],
  ])('a value stays as it is when its join is overwritten by %s', async (_what, use, first) => {
    const { y, z, a } = await outputsOf((graph, x) => {
      const value = negate(graph, x);
      const others = graph.constant(float32(COUNT), ones);
      return { y: use(graph, join(graph, value, others)), z: negate(graph, value), a: value };
    });
    expect(y?.[0]).toBe(first);
    expect(z).toEqual(upwards);
    expect(a).toEqual(upwards.map((x) => -x));
  });

  test('a value stays as it is when a join of its join is overwritten', async () => {
    const { y, z } = await outputsOf((graph, x) => {
      const value = negate(graph, x);
      const inner = join(graph, identity(graph, value), sums(graph, x));
      return { y: negate(graph, join(graph, inner, sums(graph, value))), z: negate(graph, value) };
    });
    expect(y?.slice(0, COUNT)).toEqual(upwards);
    expect(z).toEqual(upwards);
  });

  test.each<[string, (graph: Graph, value: Value) => Value]>([
    ['slice', (graph, value) => part(graph, value, 4, 8)],
    ['slice behind an identity', (graph, value) => part(graph, identity(graph, value), 4, 8)],
    [
      'slice1',
      (graph, inputTensor) => {
        const window = { inputWindowOffsets: [4], inputWindowSizes: [8], inputWindowStrides: [1] };
        return graph.add({ type: 'slice1', inputTensor, ...window }).outputTensor;
      },
    ],
    [
      'split',
      (graph, inputTensor) => {
        const outputTensors = [float32(4), float32(8), float32(4)];
        return graph.add({ type: 'split', inputTensor, axis: 0, outputTensors }).outputTensors[1] ?? inputTensor;
      },
    ],
  ])('a part of a value can be overwritten: %s', async (_what, take) => {
    const outputs = await outputsOf((graph, x) => ({ y: negate(graph, take(graph, negate(graph, x))) }));
    expect(outputs['y']).toEqual(upwards.slice(4, 12));
  });

  test.each<[string, (graph: Graph, x: Value) => Value]>([
    ['an input', (_graph, x) => x],
    ['a constant', (graph) => graph.constant(float32(COUNT), upwards)],
    ['an identity of an input', identity],
    [
      'a sequence',
      (graph) =>
        graph.add({
          type: 'fillValueSequence',
          outputTensor: float32(COUNT),
          valueDataType: 'float32',
          valueStart: 1,
          valueDelta: 1,
        }).outputTensor,
    ],
  ])('%s as an output is copied whole, though a node reads only a part of it', async (_what, take) => {
    const outputs = await outputsOf((graph, x) => {
      const value = take(graph, x);
      return { copy: value, ends: negate(graph, value.view({ sizes: [2], strides: [COUNT - 1] })), other: negate(graph, x) };
    });
    expect(outputs['copy']).toEqual(upwards);
    expect(outputs['ends']).toEqual([-1, -COUNT]);
  });

  test('an identity writes into a tensor with gaps', async () => {
    const outputs = await outputsOf((graph, x) => {
      const inputTensor = negate(graph, x).reshape([COUNT, 1]);
      const outputTensor = { ...float32(COUNT, 1), strides: [2, 1] };
      const spread = graph.add({ type: 'elementWiseIdentity', inputTensor, outputTensor }).outputTensor;
      return { y: graph.add({ type: 'elementWiseNegate', inputTensor: spread, outputTensor: float32(COUNT, 1) }).outputTensor };
    });
    expect(outputs['y']).toEqual(upwards);
  });

  test('a sequence as an output keeps its strides', async () => {
    const graph = device().createGraph();
    const outputTensor = { ...float32(2, 2), strides: [1, 2] };
    const fields = { valueDataType: 'float32', valueStart: 1, valueDelta: 1 } as const;
    const sequence = graph.add({ type: 'fillValueSequence', outputTensor, ...fields }).outputTensor;
    const { y } = await (await graph.compile({ y: sequence })).run({});
    expect(y.strides).toEqual([1, 2]);
    expect(await numbers(y)).toEqual([1, 3, 2, 4]);
  });
});
