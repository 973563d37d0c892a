/** Objects with far too many properties: names are refused before values are read, so that no call blocks for long. */
import { expect, test } from 'vitest';
import { createDevice, DirectMLError, type Device } from 'node-directml';
import { untyped } from '../../checks/malformed/objects.js';

const desc = { dataType: 'float32', sizes: [2] } as const;
const identity = { type: 'elementWiseIdentity', inputTensor: desc } as const;
const wholeGraph = {
  inputs: { x: desc },
  nodes: { copy: { type: 'elementWiseIdentity', inputTensor: 'x' } },
  outputs: { y: 'copy.outputTensor' },
} as const;

/** For each place that takes an object: a call with `given(base)`, which adds the properties to a valid object. */
async function callsOf(device: Device): Promise<Readonly<Record<string, (given: (base: object) => never) => unknown>>> {
  const tensor = device.createTensor(desc, [1, 2]);
  const operator = await device.compile(identity);
  const graph = device.createGraph();
  const x = graph.input('x', desc);
  const y = graph.add({ type: 'elementWiseIdentity', inputTensor: x }).outputTensor;
  const net = await graph.compile({ y });
  const node = wholeGraph.nodes.copy;
  return {
    createDevice: (given) => createDevice(given({ backend: 'reference' })),
    'a description': (given) => device.createTensor(given(desc)),
    'the options of a tensor': (given) => device.createTensor(desc, [1, 2], given({})),
    'the place of a tensor': (given) => device.createTensor(desc, given({ buffer: tensor.buffer })),
    'a part': (given) => tensor.read(given({})),
    'a view': (given) => tensor.view(given({})),
    resolve: (given) => device.resolve(given(identity)),
    compile: (given) => device.compile(given(identity)),
    'the options of compile': (given) => device.compile(identity, given({})),
    initializationInputs: (given) => device.compile(identity, { initializationInputs: given({}) }),
    run: (given) => device.run(given({ ...identity, inputTensor: tensor })),
    'a scale and bias': (given) => device.resolve({ ...identity, scaleBias: given({ scale: 1, bias: 0 }) }),
    bindings: (given) => operator.dispatch(given({ inputTensor: tensor })),
    'a range': (given) => operator.dispatch({ inputTensor: given({ buffer: tensor.buffer }), outputTensor: tensor }),
    'the inputs of a graph': (given) => net.run(given({ x: tensor })),
    'the new constants of a graph': (given) => net.initialize(given({})),
    'a node': (given) => graph.add(given({ ...identity, inputTensor: x })),
    'a node of no operator': (given) => graph.add(given({ ...identity, type: 'identity', inputTensor: x })),
    'an input of a graph': (given) => graph.input('other', given(desc)),
    'a view of a value': (given) => x.view(given({})),
    'a graph': (given) => device.compileGraph(given(wholeGraph)),
    'the inputs of a descriptor': (given) => device.compileGraph({ ...wholeGraph, inputs: given(wholeGraph.inputs) }),
    'the constants of a descriptor': (given) => device.compileGraph({ ...wholeGraph, constants: given({}) }),
    'a constant of a descriptor': (given) => device.compileGraph({ ...wholeGraph, constants: { c: given(desc) } }),
    'the nodes of a descriptor': (given) => device.compileGraph({ ...wholeGraph, nodes: given(wholeGraph.nodes) }),
    'a node of a descriptor': (given) => device.compileGraph({ ...wholeGraph, nodes: { copy: given(node) } }),
    'the outputs of a descriptor': (given) => device.compileGraph({ ...wholeGraph, outputs: given(wholeGraph.outputs) }),
    'a reference to a value': (given) =>
      device.compileGraph({ ...wholeGraph, nodes: { copy: { ...node, inputTensor: given({ value: 'x' }) } } }),
    'a scale and bias of a descriptor': (given) =>
      device.compileGraph({ ...wholeGraph, nodes: { copy: { ...node, scaleBias: given({ scale: 1, bias: 0 }) } } }),
    'an activation of a descriptor': (given) => {
      const gemm = { type: 'gemm', aTensor: 'x', bTensor: 'x', fusedActivation: given({ type: 'activationRelu' }) } as const;
      return device.compileGraph({ ...wholeGraph, nodes: { gemm } });
    },
    'the constants for a descriptor': (given) => device.compileGraph(wholeGraph, { constants: given({}) }),
    'the outputs of a graph': (given) => graph.compile(given({ y })),
  };
}

/** The places that take as many names as a graph may have values. */
const withNames = /^the (?:inputs|constants|nodes|outputs) of a (?:descriptor|graph)$/;

/** `given` adds `count` unknown properties to an object. `reads` returns how often they were read. */
function crowded(value: unknown, count: number): { readonly given: (base: object) => never; readonly reads: () => number } {
  let reads = 0;
  const property = {
    enumerable: true,
    get() {
      reads += 1;
      return value;
    },
  };
  const properties = Object.fromEntries(Array.from({ length: count }, (_, i) => [`unknown${i}`, property]));
  return { given: (base) => untyped(Object.defineProperties({ ...base }, properties)), reads: () => reads };
}

async function outcome(call: () => unknown): Promise<string> {
  try {
    await call();
    return 'accepted';
  } catch (error) {
    if (error instanceof DirectMLError) return error.code;
    throw error;
  }
}

test.each([
  ['unknown names', 1, 1],
  ['unknown names of undefined values', undefined, 1_000],
])('%s are refused after reading only a few of their values', async (_, value, most) => {
  using device = await createDevice({ backend: 'reference' });
  for (const [what, call] of Object.entries(await callsOf(device))) {
    const { given, reads } = crowded(value, withNames.test(what) ? 66_000 : 5_000);
    expect(await outcome(() => call(given)), what).toMatch(/^ERR_/);
    expect(reads(), what).toBeLessThanOrEqual(most);
  }
});

test('up to 1,000 properties that are undefined are ignored', async () => {
  using device = await createDevice({ backend: 'reference' });
  const few = Object.fromEntries(Array.from({ length: 1_000 }, (_, i) => [`unknown${i}`, undefined]));
  expect(device.resolve({ ...few, ...identity }).outputTensor.sizes).toEqual([2]);
  const nodes = { copy: { ...few, ...wholeGraph.nodes.copy } };
  expect(Object.keys((await device.compileGraph({ ...wholeGraph, nodes })).inputs)).toEqual(['x']);
  const oneMore = { ...few, another: undefined, ...identity };
  expect(await outcome(() => device.resolve(untyped(oneMore)))).toBe('ERR_UNKNOWN_FIELD');
});

test('a million names are refused within seconds, and long names without comparing them', async () => {
  using device = await createDevice({ backend: 'reference' });
  const million: Record<string, unknown> = {};
  for (let i = 0; i < 1e6; i++) million[`field_${i}`] = 1;
  const node = Object.assign(million, wholeGraph.nodes.copy);
  const begin = process.cpuUsage();
  expect(await outcome(() => device.compileGraph({ ...wholeGraph, nodes: { copy: untyped(node) } }))).toBe('ERR_UNKNOWN_FIELD');
  const inputs = Object.fromEntries(Array.from({ length: 20_000 }, (_, i) => [`${i}`.padEnd(1_000, 'n'), desc]));
  const misspelt = { copy: { ...wholeGraph.nodes.copy, inputTensor: 'nnnnnnnnnnnnnnnn' } };
  expect(await outcome(() => device.compileGraph({ ...wholeGraph, inputs, nodes: misspelt }))).toBe('ERR_INVALID_GRAPH');
  const { user, system } = process.cpuUsage(begin);
  expect((user + system) / 1e6).toBeLessThan(10);
});
