/** Valid calls of graphs. They succeed unless their device is gone or memory runs out. */
import type { CompiledGraph, GraphDescriptor, Tensor, Value } from 'node-directml';
import { bytesFor } from '../descriptors/dispatch-cases.js';
import type { Random } from '../harness/random.js';
import { anyOptions } from './actions.js';
import { any, onDevice, onLive, right, type Make, type Weighted } from './make.js';
import { addNode, bindGraph, constantsOf, dataSizeOf, MOST_RESULTS, pickOutputs } from './graphs.js';
import { WrongResult } from './wrong-result.js';
import type { HeldCompiledGraph, HeldGraph, World } from './world.js';

type Outputs = Readonly<Record<string, Value>>;

const createGraph = onDevice((owner, random, world) =>
  right('createGraph()', () => {
    const value = owner.device.createGraph();
    const own = { values: [], results: [], names: new Set<string>(), regions: new Set<string>(), isUncertain: false };
    world.keep(random, world.graphs, { value, owner, isGone: false, ...own });
  }),
);

const grow = onLive(
  'graphs',
  (held, random, world) => {
    const count = random.int(1, 6);
    return right(`graph: ${count} operators`, () => {
      let { isUncertain } = held;
      // If adding a node fails, an input may be left that no node uses.
      held.isUncertain = true;
      for (let i = 0; i < count; i++) isUncertain = !addNode(random, world, held) || isUncertain;
      held.isUncertain = isUncertain;
    });
  },
  ({ results }) => results.length < MOST_RESULTS,
);

/** A call that needs the outputs of a graph. */
function withOutputs(what: string, run: (random: Random, world: World, held: HeldGraph, outputs: Outputs) => unknown): Make {
  return onLive('graphs', (held, random, world) => {
    const outputs = pickOutputs(random, held);
    if (outputs === null) return null;
    const label = `graph of ${held.results.length} values: ${what}, ${Object.keys(outputs).length} outputs`;
    return (held.isUncertain ? any : right)(label, () => run(random, world, held, outputs));
  });
}

const compile = withOutputs('compile', async (random, world, held, outputs) => {
  const { constants } = held.value.toDescriptor(outputs);
  const value = await held.value.compile(outputs, anyOptions(random));
  const net = keepCompiled(random, world, held, value, constants);
  if (random.chance(0.5)) net.value.dispatch(bindGraph(random, world, net).all);
});

function keepCompiled(
  random: Random,
  world: World,
  { owner, regions }: HeldGraph,
  value: CompiledGraph,
  constants: GraphDescriptor['constants'] = {},
): HeldCompiledGraph {
  const sizes = Object.entries(constants).map(([name, desc]): [string, number] => [name, dataSizeOf(desc)]);
  const net = { value, owner, isGone: false, regions: new Set(regions), constants: new Map(sizes) };
  world.keep(random, world.compiledGraphs, net);
  return net;
}

/** The descriptor of a graph compiles to the same graph, also after a round trip through JSON. */
const compileAgain = withOutputs('toDescriptor, and compileGraph of it', async (random, world, held, outputs) => {
  const { owner, value: graph, regions } = held;
  const descriptor = JSON.parse(JSON.stringify(graph.toDescriptor(outputs))) as GraphDescriptor;
  const given = new Map<string, ArrayBuffer>();
  const all = new Map<string, ArrayBuffer>();
  for (const [name, desc] of Object.entries(descriptor.constants ?? {})) {
    const text = Object.hasOwn(desc, 'data') ? desc.data : undefined;
    const isGiven = text === undefined;
    const bytes = isGiven ? bytesFor(random, regions.has(name))(dataSizeOf(desc)) : Buffer.from(text, 'base64');
    all.set(name, new Uint8Array(bytes).buffer);
    if (isGiven) given.set(name, new Uint8Array(bytes).buffer);
  }
  const first = await graph.compile(outputs);
  const second = await owner.device.compileGraph(descriptor, { constants: Object.fromEntries(given) });
  const net = keepCompiled(random, world, held, second, descriptor.constants);
  if (given.size > 0) first.initialize(Object.fromEntries(all));
  await sameResults(random, world, first, net);
  first.dispose();
});

async function sameResults(random: Random, world: World, first: CompiledGraph, net: HeldCompiledGraph): Promise<void> {
  const { inputs } = bindGraph(random, world, net);
  // Both are recorded before another call can write to the inputs.
  const [expected, results] = await Promise.all([first.run(inputs), net.value.run(inputs)]);
  // DirectML leaves elements unchanged that an operator does not write, and a graph's inner tensors do not start as zeros.
  if (net.owner.backend !== 'reference') return;
  for (const [name, tensor] of Object.entries(expected)) {
    const [a, b] = await Promise.all([bytesOf(tensor), bytesOf(new Map(Object.entries(results)).get(name))]);
    if (a.compare(b) !== 0) throw new WrongResult(`output ${name} of the descriptor's graph differs`);
  }
}

async function bytesOf(tensor: Tensor | undefined): Promise<Buffer> {
  const { buffer, byteOffset, byteLength } = (await tensor?.read()) ?? new Uint8Array(0);
  return Buffer.from(buffer, byteOffset, byteLength);
}

const toMermaid = withOutputs('toMermaid', (_random, _world, { value }, outputs) => {
  if (!value.toMermaid(outputs).startsWith('flowchart TB\n')) throw new WrongResult('no flowchart');
});

function onCompiled(
  what: string,
  outcome: typeof right,
  run: (random: Random, world: World, held: HeldCompiledGraph) => unknown,
): Make {
  return onLive('compiledGraphs', (held, random, world) => outcome(`compiled graph: ${what}`, () => run(random, world, held)));
}

const dispatch = onCompiled('dispatch', right, (random, world, held) => {
  const { all, buffer } = bindGraph(random, world, held);
  for (let i = random.chance(0.1) ? random.int(2, 20) : 1; i > 0; i--) held.value.dispatch(all);
  return random.chance(0.2) ? buffer.read() : undefined;
});

// Success and an error are both correct, because any index may be out of range.
const dispatchChecked = onCompiled('dispatchChecked', any, (random, world, held) =>
  held.value.dispatchChecked(bindGraph(random, world, held).all),
);

const runGraph = onCompiled('run', right, async (random, world, held) => {
  const { value, owner } = held;
  const outputs = await value.run(bindGraph(random, world, held).inputs);
  for (const tensor of Object.values(outputs)) world.keep(random, world.tensors, { value: tensor, owner, isGone: false });
});

const createOutputs = onCompiled('createOutputs', right, (random, world, held) => {
  const outputs = held.value.createOutputs();
  held.value.dispatch({ ...bindGraph(random, world, held).inputs, ...outputs });
  if (Object.keys(outputs).join() !== Object.keys(held.value.outputs).join()) throw new WrongResult('other outputs');
});

const initialize = onCompiled('initialize', right, (random, _world, held) => held.value.initialize(constantsOf(random, held)));

export const rightGraphCalls: Weighted = [
  [25, createGraph],
  [70, grow],
  [60, compile],
  [20, compileAgain],
  [5, toMermaid],
  [60, dispatch],
  [20, dispatchChecked],
  [50, runGraph],
  [20, createOutputs],
  [20, initialize],
];
