/** Graphs that the addon itself refuses, without our validation, because DirectML would crash the process or take minutes. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { loadAddon } from '#lib/backends/directml/addon.js';
import { encodeOperator } from '#lib/backends/directml/encode.js';
import { resolveDescriptor } from '#lib/operators/resolve.js';
import type { NativeDevice, NativeGraphDesc } from '../../binding.js';

const { binding, directory } = loadAddon();
let device: NativeDevice;

beforeAll(async () => {
  device = await binding.createDevice({ addonDirectory: directory });
});
afterAll(() => device.dispose());

const tensor = { dataType: 'float32', sizes: [4] };
const encoded = (descriptor: object) => encodeOperator(resolveDescriptor(descriptor, '6.4').descriptor);
const negate = encoded({ type: 'elementWiseNegate', inputTensor: tensor });
const sequence = encoded({
  type: 'fillValueSequence',
  outputTensor: tensor,
  valueDataType: 'float32',
  valueStart: 0,
  valueDelta: 1,
});
const names = (count: number) => Array.from({ length: count }, (_, i) => `tensor ${i}`);

/** A valid graph, which negates its input. */
const graph: NativeGraphDesc = {
  operators: [negate],
  nodes: Uint32Array.of(0),
  inputEdges: Uint32Array.of(0, 0, 0),
  outputEdges: Uint32Array.of(0, 0, 0),
  intermediateEdges: new Uint32Array(),
  inputs: ['input'],
  outputs: ['output'],
};

test('accepts a valid graph', async () => {
  device.checkGraph(graph, 0);
  (await device.compileGraph(graph, 0)).dispose();
});

test('accepts 65,536 inputs', () => {
  device.checkGraph({ ...graph, inputs: names(65_536) }, 0);
});

test.each<[string, Partial<NativeGraphDesc>, string]>([
  ['a FILL_VALUE_SEQUENCE node', { operators: [sequence], inputEdges: new Uint32Array(), inputs: [] }, 'operators[0].type'],
  [
    'a FILL_VALUE_SEQUENCE node that another node reads',
    {
      operators: [negate, sequence],
      nodes: Uint32Array.of(0, 1),
      inputEdges: new Uint32Array(),
      intermediateEdges: Uint32Array.of(1, 0, 0, 0),
      inputs: [],
    },
    'operators[1].type',
  ],
  ['FILL_VALUE_SEQUENCE without a node', { operators: [negate, sequence] }, 'operators[1].type'],
  ['65,537 inputs', { inputs: names(65_537) }, 'inputs'],
  ['65,537 outputs', { outputs: names(65_537) }, 'outputs'],
  ['65,537 operators', { operators: new Array<typeof negate>(65_537).fill(negate) }, 'operators'],
  ['65,537 nodes', { nodes: new Uint32Array(65_537) }, 'nodes'],
  ['1,048,577 input edges', { inputEdges: new Uint32Array(3 * 1_048_577) }, 'inputEdges'],
  ['1,048,577 output edges', { outputEdges: new Uint32Array(3 * 1_048_577) }, 'outputEdges'],
  ['1,048,577 intermediate edges', { intermediateEdges: new Uint32Array(4 * 1_048_577) }, 'intermediateEdges'],
  ['two edges to one graph output', { outputEdges: Uint32Array.of(0, 0, 0, 0, 0, 0) }, 'outputEdges'],
  ['a million edges to one graph output', { outputEdges: new Uint32Array(3 * 1_000_000) }, 'outputEdges'],
  ['a node without an operator', { nodes: Uint32Array.of(1) }, 'nodes'],
  ['an incomplete edge', { inputEdges: Uint32Array.of(0, 0, 0, 0) }, 'inputEdges'],
])('refuses %s', async (_, change, field) => {
  const wrong = { ...graph, ...change };
  const refusal = { name: 'Error', code: 'ERR_INVALID_DESCRIPTOR', field };
  await expect((async () => device.compileGraph(wrong, 0))()).rejects.toMatchObject(refusal);
  expect(() => device.checkGraph(wrong, 0)).toThrow(expect.objectContaining(refusal));
});
