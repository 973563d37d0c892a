/** The names of values and nodes: any text is valid, and no two values have the same name, on each backend. */
import { describe, expect, test } from 'vitest';
import type { Graph, GraphDescriptor, Tensor, Value } from 'node-directml';
import { backends, deviceOn } from '../support/devices.js';
import { caught, gist } from '../support/errors.js';

const float32 = (...sizes: number[]) => ({ dataType: 'float32', sizes }) as const;
const numbers = async (tensor: Tensor | undefined) => Array.from((await tensor?.read()) ?? [], Number);
const negate = (graph: Graph, inputTensor: Value, name?: string) =>
  graph.add({ type: 'elementWiseNegate', inputTensor }, name === undefined ? {} : { name }).outputTensor;

describe.each(backends)('on %s', (backend) => {
  const device = deviceOn(backend);

  const oddNames = ['__proto__', 'constructor', 'then', 'toString', 'length', '0', 'a.b', '\0', '\ud800', 'x'.repeat(1_000)];
  test.each(oddNames.map((name) => [JSON.stringify(name).slice(0, 20), name] as const))(
    'takes the name %s like any other',
    async (_title, name) => {
      const own = <T>(value: T): Record<string, T> => Object.fromEntries([[name, value]]);
      const graph = device().createGraph();
      const sum = graph.add({
        type: 'elementWiseAdd',
        aTensor: graph.input(name, float32(1)),
        bTensor: graph.constant(float32(1), [2], { name: name.slice(0, 990) + ' constant' }),
      });
      const outputs = { y: negate(graph, sum.outputTensor, name.slice(0, 990) + ' node') };
      const net = await graph.compile(outputs);
      expect(Object.keys(net.inputs)).toEqual([name]);
      const x = device().createTensor(float32(1), [1]);
      expect(await numbers((await net.run(own(x))).y)).toEqual([-3]);
      const descriptor = JSON.parse(JSON.stringify(graph.toDescriptor(outputs))) as GraphDescriptor;
      const again = await device().compileGraph(descriptor);
      const { y } = await again.run(own(x));
      expect(await numbers(y)).toEqual([-3]);
      expect(graph.toMermaid(outputs)).toContain('flowchart');
      // The same text as the name of an output, a constant and a node.
      const other = device().createGraph();
      const named = negate(other, other.constant(float32(1), [5], { name: `${name}!`.slice(-999) }), name);
      const second = await other.compile(own(named));
      expect(await numbers((await second.run({}))[name])).toEqual([-5]);
      expect(await numbers(second.createOutputs()[name])).toEqual([0]);
      expect(gist(caught(() => other.constant(float32(1), [5], { name })))).toEqual(['ERR_INVALID_GRAPH', 'options.name']);
    },
  );

  test('refuses a name that an output of a node has, or would have', () => {
    const graph = device().createGraph();
    const x = graph.input('a.outputTensor', float32(1));
    const error = caught(() => negate(graph, x, 'a'));
    expect(gist(error)).toEqual(['ERR_INVALID_GRAPH', 'options.name']);
    expect(error.message).toContain(`the graph has 'a.outputTensor'`);
    negate(graph, x, 'b');
    expect(gist(caught(() => graph.input('b.outputTensor', float32(1))))).toEqual(['ERR_INVALID_GRAPH', 'name']);
    graph.input('elementWiseNegate_0.outputTensor', float32(1));
    expect(negate(graph, x).name).toBe('elementWiseNegate_1.outputTensor');
  });

  test('takes an input whose name resembles that of an output of the node that reads it', async () => {
    const graph = device().createGraph();
    const y = negate(graph, graph.input('a.x', float32(2)), 'a');
    const net = await device().compileGraph(graph.toDescriptor({ y }));
    const result = await net.run({ 'a.x': device().createTensor(float32(2), [1, 2]) });
    expect(await numbers(result.y)).toEqual([-1, -2]);
  });

  test('names copies the same, whatever was compiled before', () => {
    const graph = device().createGraph();
    const x = graph.input('x', float32(2));
    const once = graph.toDescriptor({ y: x, z: x });
    expect(Object.keys(once.nodes)).toEqual(['elementWiseIdentity_0', 'elementWiseIdentity_1']);
    expect(graph.toDescriptor({ y: x, z: x })).toEqual(once);
  });

  test('refuses a name that a getter takes meanwhile', () => {
    const graph = device().createGraph();
    const taking = (take: () => unknown) => ({
      ...float32(1),
      get sizes() {
        take();
        return [1];
      },
    });
    const again = taking(() => graph.input('x', float32(1)));
    expect(gist(caught(() => graph.input('x', again)))).toEqual(['ERR_INVALID_GRAPH', 'name']);
    const constant = taking(() => graph.constant(float32(1), [1], { name: 'w' }));
    expect(gist(caught(() => graph.constant(constant, [1], { name: 'w' })))).toEqual(['ERR_INVALID_GRAPH', 'options.name']);
  });
});
