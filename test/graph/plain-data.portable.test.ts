/** Numbers in the descriptors of graphs, descriptors of all kinds of fields, and pictures of graphs. */
import { createDevice, type Device, type GraphDescriptor, type Value } from 'node-directml';
import { beforeAll, describe, expect, test } from 'vitest';
import { fromJsonText, fromJsonValue, toJsonValue } from '#lib/graph/json-values.js';
import { inOrder } from '#lib/graph/node-order.js';

const float32 = (...sizes: number[]) => ({ dataType: 'float32', sizes }) as const;
const place = { operator: 'compileGraph', field: 'nodes.x' };

let d: Device;

beforeAll(async () => {
  d = await createDevice({ backend: 'reference' });
});

describe('numbers that JSON lacks', () => {
  test('become texts, at any depth', () => {
    const given = { a: [1, -0, 0, NaN], b: { c: Infinity, d: -Infinity, e: 12n, f: -1.5 }, g: 'text', h: null, i: true };
    expect(toJsonValue(given)).toEqual({
      a: [1, '-0', 0, 'NaN'],
      b: { c: 'Infinity', d: '-Infinity', e: '12n', f: -1.5 },
      ...{ g: 'text', h: null, i: true },
    });
    expect(toJsonValue(undefined)).toBeUndefined();
  });

  test('are read from texts, and other texts stay', () => {
    const numbers = ['Infinity', '-Infinity', 'NaN', '-0', '12n', '-12n', '18446744073709551615n'];
    expect(numbers.map(fromJsonText)).toEqual([Infinity, -Infinity, NaN, -0, 12n, -12n, 18446744073709551615n]);
    const others = ['12', 'n', '1.5n', 'toString', '+1n', '1'.repeat(21) + 'n', '', ' 1n', 12, null, undefined];
    expect(others.map(fromJsonText)).toEqual(others);
  });

  test('are read only from the kinds of fields that have numbers', () => {
    const read = (kind: Parameters<typeof fromJsonValue>[0], value: unknown) => fromJsonValue(kind, value, place);
    expect(read('float', 'NaN')).toBe(NaN);
    expect(read('scalar', '3n')).toBe(3n);
    expect(read('floatArray', ['NaN', 1])).toEqual([NaN, 1]);
    expect(read('floatArray', 'NaN')).toBe('NaN');
    expect(read('floatArray', { 0: 'NaN' })).toEqual({ 0: 'NaN' });
    expect(read('uint', 'NaN')).toBe('NaN');
    expect(read('enum', 'Infinity')).toBe('Infinity');
    expect({ ...(read('scaleBias', { scale: '-0', bias: 'NaN' }) as object) }).toEqual({ scale: -0, bias: NaN });
    expect(read('scaleBias', 'NaN')).toBe('NaN');
    expect(read('scaleBias', ['NaN'])).toEqual(['NaN']);
    const relu = { type: 'activationLeakyRelu', alpha: '-0' };
    expect({ ...(read('operator', relu) as object) }).toEqual({ type: 'activationLeakyRelu', alpha: -0 });
    expect(read('operator', 'NaN')).toBe('NaN');
    expect(read('operator', null)).toBe(null);
    const [first, second] = read('operatorArray', [relu, 'NaN']) as readonly [object, string];
    expect([{ ...first }, second]).toEqual([{ type: 'activationLeakyRelu', alpha: -0 }, 'NaN']);
  });
});

describe('nodes in order', () => {
  const node = (name: string, ...reads: readonly string[]) => ({
    name,
    references: reads.map((read) => ({ name: read, layout: null, place: { ...place, field: `${name} reads ${read}` } })),
  });
  const sorted = (nodes: readonly ReturnType<typeof node>[], leaves: readonly string[] = []) =>
    inOrder(nodes, place, (name) => leaves.includes(name)).map(({ name }) => name);

  test('come after those that they read, each once', () => {
    expect(sorted([node('c', 'b.y', 'a.y'), node('b', 'a.y', 'a.z', 'x'), node('a', 'x')])).toEqual(['a', 'b', 'c']);
    expect(sorted([node('a'), node('b'), node('c')])).toEqual(['a', 'b', 'c']);
    expect(sorted([node('d', 'b.y', 'c.y'), node('c', 'a.y'), node('b', 'a.y'), node('a')])).toEqual(['a', 'c', 'b', 'd']);
  });

  test('leaves that are called like outputs are no nodes', () => {
    expect(sorted([node('a', 'b.y'), node('b')], ['b.y'])).toEqual(['a', 'b']);
    expect(sorted([node('a', 'a.y')], ['a.y'])).toEqual(['a']);
    expect(sorted([node('a', 'b'), node('b.c'), node('b', 'b.c.y')])).toEqual(['a', 'b.c', 'b']);
  });

  test('a cycle is an error at a node of it', () => {
    const message = (field: string, given: string) =>
      `compileGraph: ${field}: expected a value that does not depend on this node, given '${given}' (the nodes form a cycle)`;
    const error = (nodes: readonly ReturnType<typeof node>[]) => {
      try {
        return sorted(nodes).join();
      } catch (thrown) {
        return thrown instanceof Error ? thrown.message : '';
      }
    };
    expect(error([node('a', 'a.y')])).toBe(message('a reads a.y', 'a.y'));
    expect(error([node('a', 'b.y'), node('b', 'a.y')])).toBe(message('b reads a.y', 'a.y'));
    // The first one only reads a cycle.
    expect(error([node('a', 'x', 'b.y'), node('b', 'x', 'c.y'), node('c', 'b.y')])).toBe(message('c reads b.y', 'b.y'));
  });
});

describe('a descriptor', () => {
  test('has neither counts nor nulls, and has the layouts in which nodes read', () => {
    const g = d.createGraph();
    const x = g.input('x', { ...float32(2, 3), strides: [4, 1], totalTensorSizeInBytes: 64, guaranteedBaseOffsetAlignment: 16 });
    const w = g.constant(float32(1, 3), [1, 2, 3], { name: 'w', ownership: 'directml' });
    const sum = g.add({ type: 'elementWiseAdd1', aTensor: x, bTensor: w.broadcastTo([2, 3]) }, { name: 'sum' });
    const product = g.add(
      {
        ...{ type: 'gemm', aTensor: sum.outputTensor, bTensor: sum.outputTensor.transpose(), alpha: -0 },
        fusedActivation: { type: 'activationLeakyRelu', alpha: Infinity },
      },
      { name: 'product' },
    );
    expect(g.toDescriptor({ y: product.outputTensor, turned: product.outputTensor.transpose() })).toEqual({
      inputs: { x: { ...float32(2, 3), strides: [4, 1], totalTensorSizeInBytes: 64, guaranteedBaseOffsetAlignment: 16 } },
      constants: { w: { ...float32(1, 3), ownership: 'directml', data: 'AACAPwAAAEAAAEBA' } },
      nodes: {
        sum: {
          type: 'elementWiseAdd1',
          ...{ aTensor: 'x', bTensor: { value: 'w', sizes: [2, 3], strides: [0, 1] }, outputTensor: float32(2, 3) },
        },
        product: {
          ...{ type: 'gemm', aTensor: 'sum.outputTensor', outputTensor: float32(2, 2) },
          bTensor: { value: 'sum.outputTensor', sizes: [3, 2], strides: [1, 3] },
          ...{ transA: 'none', transB: 'none', alpha: '-0', beta: 1 },
          fusedActivation: { type: 'activationLeakyRelu', alpha: 'Infinity' },
        },
        elementWiseIdentity_0: {
          type: 'elementWiseIdentity',
          inputTensor: { value: 'product.outputTensor', sizes: [2, 2], strides: [1, 2] },
          outputTensor: float32(2, 2),
        },
      },
      outputs: { y: 'product.outputTensor', turned: 'elementWiseIdentity_0.outputTensor' },
    });
  });

  test('takes lists of values, lists of activations, and outputs in other layouts', async () => {
    const descriptor = {
      inputs: { x: float32(2), state: float32(1, 1, 1, 1), w: float32(1, 1, 1, 1) },
      nodes: {
        join: { type: 'join', inputTensors: ['x', { value: 'x', sizes: [2] }], axis: 0 },
        rnn: {
          ...{ type: 'rnn', inputTensor: 'state', weightTensor: 'w', recurrenceTensor: 'w', direction: 'forward' },
          outputSingleTensor: {},
          activationDescs: [{ type: 'activationLinear', alpha: 2, beta: 'Infinity' }],
        },
      },
      outputs: { y: { value: 'join.outputTensor', sizes: [2, 2], strides: [1, 2] }, h: 'rnn.outputSingleTensor' },
    } as unknown as GraphDescriptor<'y' | 'h'>;
    const net = await d.compileGraph(descriptor);
    const { y, h } = await net.run({
      x: d.tensor([1, 2]),
      state: d.tensor([[[[3]]]]),
      w: d.tensor([[[[5]]]]),
    });
    expect([await y.toArray(), await h.toArray()]).toEqual([
      [
        [1, 1],
        [2, 2],
      ],
      [[[[Infinity]]]],
    ]);
  });

  test('a value is viewed in its own sizes by default', () => {
    const x = d.createGraph().input('x', { ...float32(2, 3), strides: [1, 2] });
    const layoutOf = ({ sizes, strides }: Value) => [sizes, strides];
    expect(layoutOf(x.view({}))).toEqual([
      [2, 3],
      [1, 2],
    ]);
    expect(layoutOf(x.view({ sizes: [3, 2] }))).toEqual([[3, 2], null]);
    expect(layoutOf(x.view({ strides: [3, 1] }))).toEqual([
      [2, 3],
      [3, 1],
    ]);
    expect(layoutOf(x.view({ strides: null }))).toEqual([[2, 3], null]);
  });
});

test('a picture has each part once, and no characters that mean something', () => {
  const g = d.createGraph();
  const x = g.input('a "b" <c>', { ...float32(2, 2), strides: [1, 2] });
  const w = g.constant(float32(2, 2), [1, 2, 3, 4], { name: 'w#1' });
  const first = g.add({ type: 'elementWiseAdd', aTensor: x, bTensor: w });
  const second = g.add({ type: 'elementWiseAbs', inputTensor: first.outputTensor }, { name: 'elementWiseAbs' });
  const third = g.add({ type: 'elementWiseAbs', inputTensor: second.outputTensor }, { name: 'elementWiseAbs_x' });
  expect(g.toMermaid({ 'y.1': third.outputTensor, long: g.add({ type: 'elementWiseExp', inputTensor: w }).outputTensor })).toBe(
    `flowchart TB
  input0(["a #34;b#34; #60;c#62;"])
  constant0[("w#35;1")]
  node0["elementWiseAdd_0"]
  node1["elementWiseAbs"]
  node2["elementWiseAbs_x: elementWiseAbs"]
  node3["elementWiseExp_0"]
  output0(["y.1"])
  output1(["long"])
  input0 -->|"float32 [2, 2], strides [1, 2]"| node0
  constant0 -->|"float32 [2, 2]"| node0
  node0 -->|"float32 [2, 2]"| node1
  node1 -->|"float32 [2, 2]"| node2
  constant0 -->|"float32 [2, 2]"| node3
  node2 -->|"float32 [2, 2]"| output0
  node3 -->|"float32 [2, 2]"| output1
`,
  );
});
