/** Graphs as plain data: they survive a round trip through JSON, and compute the same afterwards, on each backend. */
import { describe, expect, test } from 'vitest';
import type { Graph, GraphDescriptor, Tensor, Value } from 'node-directml';
import { backends, deviceOn } from '../support/devices.js';
import { rejected } from '../support/errors.js';

const float32 = (...sizes: number[]) => ({ dataType: 'float32', sizes }) as const;
const numbers = async (tensor: Tensor) => Array.from(await tensor.read(), Number);
const throughJson = (descriptor: GraphDescriptor): GraphDescriptor => JSON.parse(JSON.stringify(descriptor)) as GraphDescriptor;

describe.each(backends)('on %s', (backend) => {
  const device = deviceOn(backend);

  test('names the nodes of a cycle, and not the nodes before or after it', async () => {
    const add = (aTensor: string, bTensor: string) => ({ type: 'elementWiseAdd', aTensor, bTensor }) as const;
    const nodes = {
      last: add('x', 'one.outputTensor'),
      one: add('first.outputTensor', 'two.outputTensor'),
      two: add('one.outputTensor', 'x'),
      first: add('x', 'x'),
    };
    const error = await rejected(
      device().compileGraph({ inputs: { x: float32(1) }, nodes, outputs: { y: 'last.outputTensor' } }),
    );
    expect(error.message).toMatch(/nodes\.(one\.bTensor|two\.aTensor)\b.*the nodes form a cycle/);
  });

  /** A graph with views, several outputs, and numbers that JSON lacks. */
  function build(weights: (graph: Graph) => Value) {
    const graph = device().createGraph();
    const x = graph.input('x', float32(2, 3));
    const clipped = graph.add({ type: 'elementWiseClip', inputTensor: x, min: -Infinity, max: 4 }, { name: 'clip' }).outputTensor;
    const sum = graph.add({ type: 'elementWiseAdd', aTensor: clipped, bTensor: weights(graph).broadcastTo([2, 3]) }).outputTensor;
    const [left, right] = graph.add({
      type: 'split',
      inputTensor: sum,
      axis: 1,
      outputTensors: [{ sizes: [2, 1] }, { sizes: [2, 2] }],
    }).outputTensors;
    if (left === undefined || right === undefined) throw new Error('a split has two parts here');
    return { graph, outputs: { left, right: right.transpose() } };
  }

  async function run(descriptor: GraphDescriptor, constants?: Readonly<Record<string, Tensor>>) {
    const net = await device().compileGraph(descriptor, constants === undefined ? {} : { constants });
    const { left, right } = await net.run({ x: device().createTensor(float32(2, 3), [1, 2, 3, 4, 5, 6]) });
    if (left === undefined || right === undefined) throw new Error('both are outputs');
    return [await numbers(left), await numbers(right)];
  }

  test('keeps constants from data', async () => {
    const { graph, outputs } = build((into) => into.constant(float32(3), [10, 20, 30], { name: 'w' }));
    const descriptor = throughJson(graph.toDescriptor(outputs));
    expect(descriptor.nodes['clip']).toMatchObject({ type: 'elementWiseClip', inputTensor: 'x', min: '-Infinity', max: 4 });
    expect(descriptor.outputs['left']).toBe('split_0.outputTensors[0]');
    expect(await run(descriptor)).toEqual([
      [11, 14],
      [22, 24, 33, 34],
    ]);
  });

  test('leaves out constants that are tensors, which compileGraph is given again', async () => {
    const weights = device().createTensor(float32(3), [1, 2, 3]);
    const { graph, outputs } = build((into) => into.constant(weights, { name: 'w' }));
    const descriptor = throughJson(graph.toDescriptor(outputs));
    expect(descriptor.constants).toEqual({ w: float32(3) });
    expect(await run(descriptor, { w: weights })).toEqual([
      [2, 5],
      [4, 6, 6, 7],
    ]);
  });

  test('is equal and computes the same after a round trip through JSON', async () => {
    const { graph, outputs } = build((into) => into.constant(float32(3), [1, 2, 3]));
    const once = graph.toDescriptor(outputs);
    const x = { inputs: once.inputs, constants: once.constants };
    expect(throughJson(once)).toEqual(once);
    expect(Object.keys(x.inputs ?? {})).toEqual(['x']);
    expect(await run(once)).toEqual(await run(throughJson(once)));
  });

  test('takes nodes in any order, names with dots, and numbers that JSON lacks', async () => {
    const descriptor: GraphDescriptor = {
      inputs: { 'layer.1/x': { dataType: 'int64', sizes: [2] } },
      nodes: {
        'b.2': { type: 'elementWiseAdd', aTensor: 'a.1.outputTensor', bTensor: 'fill.outputTensor' },
        'a.1': { type: 'elementWiseIdentity', inputTensor: 'layer.1/x' },
        fill: {
          type: 'fillValueConstant',
          outputTensor: { dataType: 'int64', sizes: [2] },
          valueDataType: 'int64',
          value: '9007199254740993n',
        },
      },
      outputs: { 'layer.2/y': 'b.2.outputTensor' },
    };
    const net = await device().compileGraph(descriptor);
    const x = device().createTensor({ dataType: 'int64', sizes: [2] }, [1n, 2n]);
    const { 'layer.2/y': y } = await net.run({ 'layer.1/x': x });
    expect(await y?.read()).toEqual(BigInt64Array.of(9007199254740994n, 9007199254740995n));
  });

  test('takes numbers that JSON lacks, in arrays and in objects', async () => {
    const graph = device().createGraph();
    const x = graph.input('x', float32(1, 3, 1, 1));
    const bias = [-0, Infinity, NaN];
    const y = graph.add(
      { type: 'valueScale2d', inputTensor: x, scale: 1, channelCount: 3, bias },
      { name: 'scaled' },
    ).outputTensor;
    const { outputTensor: z } = graph.add(
      { type: 'elementWiseAbs', inputTensor: y, scaleBias: { scale: 1, bias: Infinity } },
      { name: 'shifted' },
    );
    const descriptor = throughJson(graph.toDescriptor({ y, z }));
    expect(descriptor.nodes['shifted']).toMatchObject({ scaleBias: { scale: 1, bias: 'Infinity' } });
    expect(descriptor.nodes['scaled']).toMatchObject({ bias: ['-0', 'Infinity', 'NaN'] });
    const net = await device().compileGraph(descriptor);
    const outputs = await net.run({ x: device().createTensor(float32(1, 3, 1, 1), [1, 1, 1]) });
    expect(outputs['y'] && (await numbers(outputs['y']))).toEqual([1, Infinity, NaN]);
  });

  test('takes a constant whose name begins like that of the node that reads it', async () => {
    const graph = device().createGraph();
    const bTensor = graph.constant(float32(2), [10, 20], { name: 'stem.weight' });
    const { outputTensor: y } = graph.add(
      { type: 'elementWiseAdd', aTensor: graph.input('x', float32(2)), bTensor },
      { name: 'stem' },
    );
    const net = await device().compileGraph(throughJson(graph.toDescriptor({ y })));
    const { y: result } = await net.run({ x: device().createTensor(float32(2), [1, 2]) });
    expect(result && (await numbers(result))).toEqual([11, 22]);
  });

  test('is drawn with operators, data types and sizes', () => {
    const { graph, outputs } = build((into) => into.constant(float32(3), [1, 2, 3], { name: 'w' }));
    const lines = graph
      .toMermaid(outputs)
      .split('\n')
      .map((line) => line.trim());
    expect(lines[0]).toBe('flowchart TB');
    expect(lines).toContain('input0(["x"])');
    expect(lines).toContain('constant0[("w")]');
    expect(lines).toContain('node0["clip: elementWiseClip"]');
    expect(lines).toContain('input0 -->|"float32 [2, 3]"| node0');
    expect(lines).toContain('constant0 -->|"float32 [2, 3], strides [0, 1]"| node1');
  });
});
