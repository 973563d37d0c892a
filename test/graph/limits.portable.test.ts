/** The limits of graphs, at them and one above. */
import { createDevice, type GraphDescriptor, type Value } from 'node-directml';
import { beforeEach, describe, expect, test } from 'vitest';
import { highestFeatureLevel } from '#lib/descriptors/feature-level.js';
import { GraphBuilder } from '#lib/graph/graph-builder.js';
import { refuseLarge } from '#lib/graph/size-check.js';
import { refusalOf } from '../support/refusals.js';

const most = 65_536;
const float32 = { dataType: 'float32', sizes: [1] } as const;

describe('a builder', () => {
  let builder: GraphBuilder;
  let x: Value;

  beforeEach(() => {
    builder = new GraphBuilder(highestFeatureLevel);
    x = builder.input('x', float32);
  });

  const constant = () => builder.constant(undefined, float32, () => ({ data: undefined, ownership: undefined, isShared: false }));
  const refused = (call: () => unknown, message: string) =>
    expect(call).toThrow(expect.objectContaining({ code: 'ERR_INVALID_GRAPH', message }));

  test('takes so many inputs and constants', () => {
    for (let i = 2; i < most; i++) constant();
    builder.input('last', float32);
    refused(
      () => builder.input('y', float32),
      'graph.input: descriptor: expected at most 65536 inputs and constants, given more',
    );
    refused(constant, 'graph.constant: descriptor: expected at most 65536 inputs and constants, given more');
  });

  test('takes so many nodes, all of which may be outputs', () => {
    const add = () => builder.add({ type: 'elementWiseAbs', inputTensor: x })['outputTensor'] as Value;
    const nodes = Array.from({ length: most }, add);
    refused(add, 'elementWiseAbs: descriptor: expected at most 65536 nodes, given more');
    const outputs = (values: readonly Value[]) => Object.fromEntries(values.map((value, i) => [`y${i}`, value]));
    expect(builder.resolve(outputs(nodes)).nodes).toHaveLength(most);
    refused(() => builder.resolve(outputs([...nodes, x])), 'graph.compile: outputs: expected at most 65536 outputs, given 65537');
  });
});

describe('what the outputs need', () => {
  const place = { operator: 'graph.compile', field: 'outputs' };
  const parts = (inputs: number, constants: number, types: readonly string[]) => {
    const nodes = types.map((type) => ({ operator: { descriptor: { type } } }));
    // only the lengths and the types count
    return { inputs: new Array(inputs), constants: new Array(constants), nodes, outputs: [] } as never;
  };
  const sequences = (count: number) => new Array<string>(count).fill('fillValueSequence');

  test('may be so much', () => {
    expect(() => refuseLarge(parts(most, 0, []), place)).not.toThrow();
    expect(() => refuseLarge(parts(most - 3, 1, [...sequences(2), 'elementWiseAbs']), place)).not.toThrow();
    expect(() => refuseLarge(parts(0, 0, sequences(most)), place)).not.toThrow();
  });

  test.each([
    [
      'nodes',
      parts(0, 0, new Array<string>(most + 1).fill('cast')),
      'nodes',
      'an output that is an input, a constant or a view needs a node',
    ],
    ['inputs', parts(most + 1, 0, []), 'inputs, constants and sequences', 'a fillValueSequence becomes a constant'],
    ['constants', parts(1, most, []), 'inputs, constants and sequences', 'a fillValueSequence becomes a constant'],
    ['sequences', parts(most - 1, 1, sequences(1)), 'inputs, constants and sequences', 'a fillValueSequence becomes a constant'],
  ])('is refused with one too many of the %s', (_title, graph, what, why) => {
    const message = `graph.compile: outputs: expected at most 65536 ${what}, given 65537 (${why})`;
    expect(() => refuseLarge(graph, place)).toThrow(expect.objectContaining({ code: 'ERR_INVALID_GRAPH', message }));
  });
});

test.each(['inputs', 'constants', 'nodes', 'outputs'] as const)('a descriptor has at most so many %s', async (part) => {
  const device = await createDevice({ backend: 'reference' });
  const good = {
    inputs: { x: float32 },
    nodes: { y: { type: 'elementWiseAbs', inputTensor: 'x' } },
    outputs: { y: 'y.outputTensor' },
  };
  const many = Object.fromEntries(Array.from({ length: most + 1 }, (_, i) => [`n${i}`, null]));
  const program = () => device.compileGraph({ ...good, [part]: many } as unknown as GraphDescriptor);
  expect(await refusalOf(program)).toBe(`ERR_INVALID_GRAPH compileGraph: ${part}: expected at most 65536 ${part}, given 65537`);
  device.dispose();
});
