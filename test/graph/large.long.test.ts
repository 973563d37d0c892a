/**
 * Graphs with tens of thousands of nodes, inputs, constants or outputs: no call takes time that grows with the square of these
 * numbers, and none exhausts the stack. Calls that take less than a second may take five here, or fifteen by the clock.
 */
import { readFileSync } from 'node:fs';
import { createDevice, type Device, type Graph, type GraphDescriptor, type Value } from 'node-directml';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { lowerGraph } from '#lib/backends/directml/lower-graph.js';
import { GraphBuilder } from '#lib/graph/graph-builder.js';
import { caught, gist, rejected } from '../support/errors.js';
import { untyped } from '../../checks/malformed/objects.js';

const count = 20_000;
/** The limit of a call's processor time in milliseconds. */
const limit = 5_000;
/** Where the thread's own time is unknown. The tests of the other system may run at the same time. */
const elapsedLimit = 3 * limit;
const numbers = Array.from({ length: count }, (_, i) => i);
const float32 = (...sizes: number[]) => ({ dataType: 'float32', sizes }) as const;
const negate = (graph: Graph, inputTensor: Value) => graph.add({ type: 'elementWiseNegate', inputTensor }).outputTensor;

let device: Device;
beforeAll(async () => {
  device = await createDevice({ backend: 'reference' });
});
afterAll(() => device.dispose());

/** Measures processor time, because a busy machine makes the elapsed time arbitrary. */
async function timed<T>(call: () => T | Promise<T>): Promise<T> {
  const [thread, all, began] = [threadTime(), process.cpuUsage(), performance.now()];
  const result = await call();
  const { user, system } = process.cpuUsage(all);
  // The time of the process includes the tests of the other thread.
  if (thread === null) expect(Math.min((user + system) / 1_000, performance.now() - began)).toBeLessThan(elapsedLimit);
  else expect((threadTime() ?? 0) - thread).toBeLessThan(limit);
  return result;
}

/** The processor time of this thread so far, in milliseconds; null if the system does not tell. */
function threadTime(): number | null {
  if (process.platform !== 'linux') return null;
  return Number(readFileSync('/proc/thread-self/schedstat', 'utf8').split(' ')[0]) / 1e6;
}

function named<T>(prefix: string, of: (i: number) => T): Record<string, T> {
  return Object.fromEntries(numbers.map((i) => [`${prefix}${i}`, of(i)]));
}

/** Each node reads the one before it. */
function chain(order: readonly number[], first = 'x'): GraphDescriptor {
  const nodes = order.map((i) => [
    `n${i}`,
    { type: 'elementWiseNegate' as const, inputTensor: i === 0 ? first : `n${i - 1}.outputTensor` },
  ]);
  return { inputs: { x: float32(1) }, nodes: Object.fromEntries(nodes), outputs: { y: `n${count - 1}.outputTensor` } };
}

test('compiles a long chain in any order, and refuses it as a cycle', async () => {
  const net = await timed(() => device.compileGraph(chain(numbers)));
  const { y } = await timed(() => net.run({ x: device.createTensor(float32(1), [3]) }));
  expect(await y?.read()).toEqual(Float32Array.of(3));
  await timed(() => device.compileGraph(chain([...numbers].reverse())));
  const cycle = await timed(() => rejected(device.compileGraph(chain(numbers, `n${count - 1}.outputTensor`))));
  expect(cycle.message).toContain('the nodes form a cycle');
  const typo = { ...chain(numbers), outputs: { y: 'n12345.outputTensr' } };
  expect((await timed(() => rejected(device.compileGraph(typo)))).message).toContain(`did you mean 'n12345.outputTensor'`);
});

test('builds a long chain node by node', async () => {
  const graph = device.createGraph();
  const outputs = await timed(() => ({
    y: numbers.reduce<Value>((value) => negate(graph, value), graph.input('x', float32(1))),
  }));
  expect(Object.keys((await timed(() => graph.toDescriptor(outputs))).nodes)).toHaveLength(count);
  expect(await timed(() => graph.toMermaid(outputs))).toContain(`node${count - 1}`);
  await timed(() => graph.compile(outputs));
});

test('takes many inputs and outputs', async () => {
  const graph = device.createGraph();
  const inputs = await timed(() => named('i', (i) => graph.input(`i${i}`, float32(1))));
  const outputs = await timed(() => named('o', (i) => negate(graph, inputs[`i${i}`] ?? untyped<Value>(null))));
  const net = await timed(() => graph.compile(outputs));
  const tensor = device.createTensor(float32(1), [1]);
  const given = named('i', () => tensor);
  expect(Object.keys(await timed(() => net.run(given)))).toHaveLength(count);
  const created = await timed(() => net.createOutputs());
  await timed(() => net.dispatch({ ...given, ...created }));
  await timed(() => net.dispatchChecked({ ...given, ...created }));
  expect((await timed(() => caught(() => net.dispatch({ ...given, other: tensor })))).code).toBe('ERR_UNKNOWN_BINDING');
  await timed(() => graph.compile(named('copy', (i) => inputs[`i${i}`] ?? untyped<Value>(null))));
});

test('lets one node read many constants', async () => {
  const graph = device.createGraph();
  const inputTensors = await timed(() => numbers.map((i) => graph.constant(float32(1), [i])));
  const outputs = await timed(() => graph.add({ type: 'join', inputTensors, axis: 0 }));
  const net = await timed(() => graph.compile(outputs));
  const data = Object.fromEntries(inputTensors.map(({ name }, i) => [name, [i + 1]]));
  await timed(() => net.initialize(data));
  const { outputTensor } = await timed(() => net.run({}));
  expect(Array.from(await outputTensor.read(), Number).at(-1)).toBe(count);
  const descriptor = await timed(() => graph.toDescriptor(outputs));
  await timed(() => device.compileGraph(descriptor));
  const constants = Object.fromEntries(inputTensors.map(({ name }) => [name, float32(1)]));
  await timed(() => device.compileGraph({ ...descriptor, constants }, { constants: data }));
});

test('takes a node with many outputs', async () => {
  const graph = device.createGraph();
  const inputTensor = graph.input('x', float32(count));
  const { outputTensors } = await timed(() =>
    graph.add({ type: 'split', inputTensor, axis: 0, outputTensors: numbers.map(() => float32(1)) }),
  );
  const outputs = Object.fromEntries(outputTensors.map((value, i) => [`o${i}`, value]));
  const net = await timed(() => graph.compile(outputs));
  await timed(() => net.run({ x: device.createTensor(float32(count)) }));
  const descriptor = await timed(() => graph.toDescriptor(outputs));
  await timed(() => graph.toMermaid(outputs));
  await timed(() => device.compileGraph(descriptor));
});

test('lowers a large graph for DirectML', async () => {
  const builder = new GraphBuilder('6.4');
  const inputTensor = builder.input('x', float32(count)).reshape([1, count]);
  const whole = builder.add({ type: 'elementWiseNegate', inputTensor })['outputTensor'];
  const split = { type: 'split', inputTensor: whole, axis: 1, outputTensors: numbers.map(() => float32(1, 1)) };
  const parts = [builder.add(split)['outputTensors'] ?? []].flat();
  const weight = () =>
    builder.constant(undefined, float32(1, 1), () => ({ data: new Uint8Array(4), ownership: undefined, isShared: false }));
  const sums = parts.map((aTensor) => builder.add({ type: 'elementWiseAdd', aTensor, bTensor: weight() })['outputTensor']);
  const constants = numbers.map(weight);
  const joined = builder.add({ type: 'join', inputTensors: constants, axis: 1 })['outputTensor'];
  const graph = builder.resolve({ ...Object.fromEntries(sums.map((sum, i) => [`y${i}`, sum])), joined });
  const { native, hiddenInputs } = await timed(() => lowerGraph(graph));
  expect(native.nodes).toHaveLength(count + 3);
  expect(hiddenInputs).toHaveLength(2 * count);
});

test('refuses more edges, constants or inputs than a graph may have', async () => {
  const inputTensors = new Array(65_536).fill('x');
  const join = { type: 'join', inputTensors, axis: 0 };
  const x = float32(1);
  const joins = { inputs: { x }, nodes: named('n', () => join), outputs: { y: 'n0.outputTensor' } };
  const edges = await timed(() => rejected(device.compileGraph(untyped<GraphDescriptor>(joins))));
  expect(edges.message).toContain('expected at most 1048576 inputs of nodes');
  const graph = device.createGraph();
  const value = graph.input('x', x);
  const all = await timed(() => Array.from({ length: 65_535 }, (_, i) => graph.constant(x, [i])));
  expect(gist(caught(() => graph.constant(x, [1])))[0]).toBe('ERR_INVALID_GRAPH');
  expect(gist(caught(() => graph.input('z', x)))[0]).toBe('ERR_INVALID_GRAPH');
  negate(graph, value);
  const copies = Object.fromEntries(all.map((constant, i) => [`y${i}`, constant]));
  await timed(() => graph.toMermaid(copies));
  expect(gist(caught(() => graph.toMermaid({ ...copies, y: value, z: value })))).toEqual(['ERR_INVALID_GRAPH', 'outputs']);
});

const most = 65_536;
const fill = (graph: Graph) => {
  const kind = { valueDataType: 'float32', valueStart: 1, valueDelta: 1 } as const;
  return graph.add({ type: 'fillValueSequence', outputTensor: float32(1), ...kind }).outputTensor;
};

test('refuses more constants and sequences than a graph may have', async () => {
  const graph = device.createGraph();
  const constants = Array.from({ length: most - 2 }, (_, i) => graph.constant(float32(1), [i]));
  const inputTensors = [...constants, graph.input('x', float32(1)), fill(graph)];
  const y = graph.add({ type: 'join', inputTensors, axis: 0 }).outputTensor;
  const z = fill(graph);
  const error = await timed(() => rejected(graph.compile({ y, z })));
  expect(gist(error)).toEqual(['ERR_INVALID_GRAPH', 'outputs']);
  expect(error.message).toContain(`expected at most ${most} inputs, constants and sequences, given ${most + 1}`);
  // A sequence that no output needs does not count.
  expect((await timed(() => graph.toDescriptor({ y }))).outputs).toHaveProperty('y');
});

test('refuses more outputs than DirectML takes, counting those that the package adds', async () => {
  const builder = new GraphBuilder('6.4');
  const x = builder.input('x', float32(2, 4));
  const added = 1_000;
  // The package adds an output for each part, because a single node reads it.
  const parts = Array.from({ length: added }, () => {
    const inputTensor = builder.add({ type: 'tile', inputTensor: x, repeats: [1, 2] })['outputTensor'];
    return builder.add({ type: 'slice', inputTensor, offsets: [0, 0], sizes: [1, 8], strides: [1, 1] })['outputTensor'];
  });
  const joined = builder.add({ type: 'join', inputTensors: parts, axis: 0 })['outputTensor'];
  const outputs = (length: number) => Object.fromEntries(Array.from({ length }, (_, i) => [`y${i}`, joined]));
  await timed(() => lowerGraph(builder.resolve(outputs(most - added))));
  const error = await timed(() => caught(() => lowerGraph(builder.resolve(outputs(most - added + 1)))));
  expect(gist(error)).toEqual(['ERR_INVALID_GRAPH', 'outputs']);
  expect(error.message).toContain(`expected at most ${most}, given ${most + 1}`);
});

test('refuses more nodes than DirectML takes, counting those that the package adds', async () => {
  const builder = new GraphBuilder('6.4');
  let value: unknown = builder.input('x', float32(4));
  for (let i = 1; i < most; i++) value = builder.add({ type: 'elementWiseNegate', inputTensor: value })['outputTensor'];
  const quantizationTensors = [
    builder.constant(undefined, float32(1), () => ({ data: undefined, ownership: undefined, isShared: false })),
  ];
  const kind = { quantizationType: 'scale', quantizationTensors, outputTensor: { dataType: 'int4' } };
  const y = builder.add({ type: 'quantize', inputTensor: value, ...kind })['outputTensor'];
  await timed(() => lowerGraph(builder.resolve({ y })));
  const error = await timed(() => caught(() => lowerGraph(builder.resolve({ y, again: y }))));
  expect(gist(error)).toEqual(['ERR_INVALID_GRAPH', 'nodes']);
  expect(error.message).toContain(`expected at most ${most}, given ${most + 1}`);
});
