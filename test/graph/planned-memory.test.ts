/** Graphs that DirectML would refuse as they are, because of how it plans their memory, give the right results on each backend. */
import { describe, expect, test } from 'vitest';
import type { Graph, Tensor, Value } from 'node-directml';
import {
  activationSigmoid as sigmoid,
  elementWiseAdd as add,
  elementWiseIdentity as identity,
  elementWiseMultiply as multiply,
  gemm,
} from 'node-directml/operators';
import { backends, deviceOn } from '../support/devices.js';

const float32 = (...sizes: number[]) => ({ dataType: 'float32', sizes }) as const;
const numbers = async (tensor: Tensor) => Array.from(await tensor.read(), Number);
const upTo = (count: number) => Array.from({ length: count }, (_, i) => i);

/** The negative of a row of the doubled elements. */
const negatedRow = (row: number) => upTo(8).map((i) => -2 * (8 * row + i));

const negate = (graph: Graph, inputTensor: Value) => graph.add({ type: 'elementWiseNegate', inputTensor }).outputTensor;

function rows(graph: Graph, inputTensor: Value, first: number, count: number): Value {
  const inputWindowSizes = [count, ...inputTensor.sizes.slice(1)];
  return graph.add({ type: 'slice1', inputTensor, inputWindowOffsets: [first, 0], inputWindowSizes }).outputTensor;
}

describe.each(backends)('on %s', (backend) => {
  const device = deviceOn(backend);

  /** Doubles 4 × 8 elements, which count from 0, and resolves to the result of `more` for them. */
  async function made(more: (doubled: Value, graph: Graph) => Value) {
    const graph = device().createGraph();
    const x = graph.input('x', float32(4, 8));
    const { outputTensor } = graph.add({ type: 'elementWiseAdd', aTensor: x, bTensor: x });
    const net = await graph.compile({ y: more(outputTensor, graph) });
    const { y } = await net.run({ x: device().createTensor(float32(4, 8), upTo(32)) });
    return numbers(y);
  }

  test('computes a part that is overwritten on the way to an output', async () => {
    expect(await made((doubled, graph) => negate(graph, rows(graph, doubled, 1, 1)))).toEqual(negatedRow(1));
  });

  test('computes a part that is overwritten inside the graph', async () => {
    const sum = await made((doubled, graph) => {
      const inputTensor = negate(graph, rows(graph, doubled, 2, 2));
      return graph.add({ type: 'reduce', function: 'sum', axes: [0, 1], inputTensor }).outputTensor;
    });
    expect(sum).toEqual([[...negatedRow(2), ...negatedRow(3)].reduce((all, value) => all + value)]);
  });

  test('computes a part of a part, both of which are overwritten', async () => {
    const part = await made((doubled, graph) => negate(graph, rows(graph, negate(graph, rows(graph, doubled, 1, 3)), 1, 1)));
    expect(part).toEqual(negatedRow(2).map((value) => -value));
  });

  test.each([0, 1])('computes one of two parts: number %i', async (which) => {
    const part = await made((doubled, graph) => {
      const inputTensor = doubled.reshape([1, 1, 4, 8]);
      const outputTensors = [float32(1, 1, 1, 8), float32(1, 1, 3, 8)];
      return negate(graph, graph.add({ type: 'split', axis: 2, inputTensor, outputTensors }).outputTensors[which] ?? doubled);
    });
    expect(part).toEqual(which === 0 ? negatedRow(0) : [1, 2, 3].flatMap(negatedRow));
  });

  test.each([0, 1])('combines the parts of a split with what DirectML computes together with them: number %i', async (which) => {
    const graph = device().createGraph();
    const x = graph.input('x', float32(1, 1, 2, 2));
    const outputTensors = [float32(1, 1, 1, 2), float32(1, 1, 1, 2)];
    const { outputTensors: parts } = graph.add({ type: 'split', axis: 2, inputTensor: x, outputTensors });
    const [part = x, other = x] = which === 0 ? parts : parts.toReversed();
    const net = await graph.compile({
      sum: add(part, gemm(other, x)),
      copied: add(gemm(other, x), identity(part)),
      gated: multiply(part, sigmoid(identity(other))),
    });
    const outputs = await net.run({ x: device().createTensor(float32(1, 1, 2, 2), [1, 2, 3, 5]) });
    const [sum, gated] =
      which === 0
        ? [
            [1 + 18, 2 + 31],
            [1, 2],
          ]
        : [
            [3 + 7, 5 + 12],
            [3, 5],
          ];
    const rates = (which === 0 ? [3, 5] : [1, 2]).map((rate) => 1 / (1 + Math.exp(-rate)));
    expect([await numbers(outputs.sum), await numbers(outputs.copied)]).toEqual([sum, sum]);
    for (const [i, value] of (await numbers(outputs.gated)).entries()) {
      expect(value).toBeCloseTo((gated[i] ?? NaN) * (rates[i] ?? NaN), 5);
    }
  });

  test('copies with another order of dimensions and with gaps', async () => {
    const turned = await made((doubled, graph) => {
      const { outputTensor } = graph.add({
        type: 'elementWiseIdentity',
        inputTensor: doubled.transpose(),
        outputTensor: { strides: [6, 1] },
      });
      return negate(graph, outputTensor.view({ sizes: [8, 4], strides: [6, 1] }));
    });
    expect(turned).toEqual(upTo(8).flatMap((column) => upTo(4).map((row) => -2 * (8 * row + column))));
  });

  const data = [-8, -7, -6, -5, -4, -3, -2, -1, 0, 1, 2, 3, 4, 5, 6, 7];

  test('gives a 4-bit value as two outputs and to a node', async () => {
    const graph = device().createGraph();
    const x = graph.input('x', float32(16));
    const one = graph.constant(float32(1), [1]);
    const parameters = { quantizationType: 'scale', quantizationTensors: [one] } as const;
    const { outputTensor: quantized } = graph.add({
      type: 'quantize',
      inputTensor: x,
      ...parameters,
      outputTensor: { dataType: 'int4' },
    });
    const { outputTensor: back } = graph.add({ type: 'dequantize', inputTensor: quantized, ...parameters });
    const net = await graph.compile({ quantized, again: quantized, back });
    const outputs = await net.run({ x: device().createTensor(float32(16), data) });
    expect(await numbers(outputs.again)).toEqual(await numbers(outputs.quantized));
    expect(await numbers(outputs.back)).toEqual(data);
  });

  test('makes a 4-bit tensor from one with interleaved channels', async () => {
    const graph = device().createGraph();
    const x = graph.input('x', { ...float32(4, 4, 1), strides: [1, 4, 1] });
    const one = graph.constant(float32(1, 1, 1), [1]);
    const parameters = { quantizationType: 'scale', quantizationTensors: [one] } as const;
    const { outputTensor } = graph.add({
      type: 'quantize',
      inputTensor: x,
      ...parameters,
      outputTensor: { dataType: 'int4' },
    });
    const net = await graph.compile({
      y: graph.add({ type: 'dequantize', inputTensor: outputTensor, ...parameters }).outputTensor,
    });
    const { y } = await net.run({ x: device().createTensor({ ...float32(4, 4, 1), strides: [1, 4, 1] }, data) });
    expect(await numbers(y)).toEqual(data.map((_, i) => data[Math.floor(i / 4) + 4 * (i % 4)]));
    // As an output of the graph it has two elements in each byte.
    const quantized = await graph.compile({ y: outputTensor });
    const { y: packed } = await quantized.run({ x: device().createTensor({ ...float32(4, 4, 1), strides: [1, 4, 1] }, data) });
    const nibbles = (await numbers(packed)).flatMap((byte) => [(byte << 28) >> 28, (byte << 24) >> 28]);
    expect([packed.dataType, packed.sizes, nibbles]).toEqual(['int4', [4, 4, 1], await numbers(y)]);
  });

  test('takes a 4-bit input if the result has interleaved channels', async () => {
    const graph = device().createGraph();
    const inputTensor = graph.input('x', { dataType: 'int4', sizes: [4, 4, 1] });
    const quantizationTensors = [graph.constant(float32(1, 1, 1), [1])];
    const outputTensor = { strides: [1, 4, 1] };
    const y = graph.add({ type: 'dequantize', inputTensor, quantizationType: 'scale', quantizationTensors, outputTensor });
    const net = await graph.compile({ y: y.outputTensor });
    const { y: result } = await net.run({ x: device().createTensor({ dataType: 'int4', sizes: [4, 4, 1] }, data) });
    expect([result.strides, await numbers(result)]).toEqual([
      [1, 4, 1],
      data.map((_, i) => data[Math.floor(i / 4) + 4 * (i % 4)]),
    ]);
  });
});
