/** Valid calls of graphs. They succeed unless their device is gone or memory runs out. */
import type { CompiledGraph, ExecutionOptions, GraphDescriptor, Tensor, Value } from 'node-directml';
import type { Random } from '../random.js';
import { pickDevice, pickLive, type Make } from './make.js';
import { addNode, bindGraph, dataSizeOf, MOST_RESULTS, pickOutputs, someBytes } from './graphs.js';
import { WrongResult, type Action } from './tracker.js';
import type { HeldCompiledGraph, HeldGraph, World } from './world.js';

type Outputs = Readonly<Record<string, Value>>;

const createGraph: Make = (random, world) => {
  const owner = pickDevice(random, world);
  return (
    owner && {
      label: 'createGraph()',
      outcome: 'succeeds',
      run() {
        const value = owner.device.createGraph();
        const own = { values: [], results: [], names: new Set<string>(), regions: new Set<string>(), isUncertain: false };
        world.keep(random, world.graphs, { value, owner, isGone: false, ...own });
      },
    }
  );
};

const grow: Make = (random, world) => {
  const held = pickLive(
    random,
    world.graphs.filter(({ results }) => results.length < MOST_RESULTS),
  );
  if (held === null) return null;
  const count = random.int(1, 6);
  return {
    label: `graph: ${count} operators`,
    outcome: 'succeeds',
    run() {
      let { isUncertain } = held;
      // In case of an error: an input may be left that nothing uses.
      held.isUncertain = true;
      for (let i = 0; i < count; i++) isUncertain = !addNode(random, world, held) || isUncertain;
      held.isUncertain = isUncertain;
    },
  };
};

/** Makes a call that needs the outputs of a graph. */
const withOutputs = (
  what: string,
  weight: (held: HeldGraph) => Action['outcome'],
  run: (random: Random, world: World, held: HeldGraph, outputs: Outputs) => unknown,
): Make => {
  return (random, world) => {
    const held = pickLive(random, world.graphs);
    const outputs = held === null ? null : pickOutputs(random, held);
    if (held === null || outputs === null) return null;
    const label = `graph of ${held.results.length} values: ${what}, ${Object.keys(outputs).length} outputs`;
    return { label, outcome: weight(held), run: () => run(random, world, held, outputs) };
  };
};

const certain = ({ isUncertain }: HeldGraph) => (isUncertain ? 'any' : 'succeeds');

const compile = withOutputs('compile', certain, async (random, world, held, outputs) => {
  const names = ['disableMetacommands', 'descriptorsVolatile'] as const;
  const options: ExecutionOptions = Object.fromEntries(names.filter(() => random.chance(0.1)).map((name) => [name, true]));
  const { constants } = held.value.toDescriptor(outputs);
  const value = await held.value.compile(outputs, options);
  const net = keepCompiled(random, world, held, value, constants);
  if (random.chance(0.5)) net.value.dispatch(allOf(bindGraph(random, world, net)));
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

function allOf({ inputs, outputs }: ReturnType<typeof bindGraph>) {
  return { ...inputs, ...outputs };
}

/** The descriptor of a graph gives the same graph, also after it was JSON. */
const compileAgain = withOutputs('toDescriptor, and compileGraph of it', certain, async (random, world, held, outputs) => {
  const { owner, value: graph, regions } = held;
  const descriptor = JSON.parse(JSON.stringify(graph.toDescriptor(outputs))) as GraphDescriptor;
  const given = new Map<string, ArrayBuffer>();
  const all = new Map<string, ArrayBuffer>();
  for (const [name, desc] of Object.entries(descriptor.constants ?? {})) {
    const text = Object.hasOwn(desc, 'data') ? desc.data : undefined;
    const isGiven = text === undefined;
    const bytes = isGiven ? someBytes(random, dataSizeOf(desc), regions.has(name)) : Buffer.from(text, 'base64');
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
  // DirectML leaves what an operator does not write to as it was, and a graph's inner tensors are not zero.
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

const toMermaid = withOutputs('toMermaid', certain, (_random, _world, { value }, outputs) => {
  if (!value.toMermaid(outputs).startsWith('flowchart TB\n')) throw new WrongResult('no flowchart');
});

const onCompiled = (
  what: string,
  outcome: Action['outcome'],
  run: (random: Random, world: World, held: HeldCompiledGraph) => unknown,
): Make => {
  return (random, world) => {
    const held = pickLive(random, world.compiledGraphs);
    return held && { label: `compiled graph: ${what}`, outcome, run: () => run(random, world, held) };
  };
};

const dispatch = onCompiled('dispatch', 'succeeds', (random, world, held) => {
  const bound = bindGraph(random, world, held);
  for (let i = random.chance(0.1) ? random.int(2, 20) : 1; i > 0; i--) held.value.dispatch(allOf(bound));
  return random.chance(0.2) ? bound.buffer.read() : undefined;
});

// Both outcomes are right, because any index may be out of range.
const dispatchChecked = onCompiled('dispatchChecked', 'any', (random, world, held) =>
  held.value.dispatchChecked(allOf(bindGraph(random, world, held))),
);

const runGraph = onCompiled('run', 'succeeds', async (random, world, held) => {
  const { value, owner } = held;
  const outputs = await value.run(bindGraph(random, world, held).inputs);
  for (const tensor of Object.values(outputs)) world.keep(random, world.tensors, { value: tensor, owner, isGone: false });
});

const createOutputs = onCompiled('createOutputs', 'succeeds', (random, world, held) => {
  const outputs = held.value.createOutputs();
  held.value.dispatch({ ...bindGraph(random, world, held).inputs, ...outputs });
  if (Object.keys(outputs).join() !== Object.keys(held.value.outputs).join()) throw new WrongResult('other outputs');
});

const initialize = onCompiled('initialize', 'succeeds', (random, _world, { value, constants, regions }) => {
  const data = [...constants].map(([name, size]): [string, ArrayBuffer] => [
    name,
    someBytes(random, size, regions.has(name)).slice().buffer,
  ]);
  value.initialize(Object.fromEntries(data));
});

export const rightGraphCalls: readonly (readonly [weight: number, make: Make])[] = [
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
