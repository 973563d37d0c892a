/** Invalid calls of graphs, of their values, and of compiled graphs. */
import { instead, onRead } from '../../malformed/arguments.js';
import type { Random } from '../../harness/random.js';
import { onDevice, onLive, refused, withForeign, type Weighted } from '../make.js';
import { malformedDescriptor } from '../graph-descriptors.js';
import { anyNode, bindGraph, constantsOf, freshName, pickOutputs } from '../graphs.js';
import { anySize, bytes, TENSOR, viewsOf } from './actions.js';
import { malformedCall, type Own } from './values.js';
import type { HeldGraph, World } from '../world.js';

const compileDescriptor = onDevice(({ device }, random, world) =>
  malformedCall(random, world, 'device', device, { compileGraph: () => malformedDescriptor(random) }),
);

/** Values of any graph, and getters that change the graph that reads them. */
function meddling(random: Random, world: World, { value: graph, values, names }: HeldGraph): Own {
  const name = random.pick([...names, 'again']);
  const desc = { dataType: 'float32', sizes: [1] } as const;
  const meddle = random.pick<() => unknown>([
    () => graph.input(name, desc),
    () => graph.constant(desc, [1], { name }),
    () => graph.constant(desc, [1]),
    () => values[0] && graph.add({ type: 'elementWiseIdentity', inputTensor: values[0] }, { name }),
    () => values[0] && graph.toMermaid({ [name]: values[0] }),
  ]);
  const all = world.graphs.flatMap((held) => held.values);
  const anyValue = instead('any value', () => (all.length === 0 ? {} : random.pick(all)));
  return () => [onRead('meddles', meddle), anyValue];
}

const buildCalls = onLive('graphs', (held, random, world) => {
  // An input may be left that no node uses.
  held.isUncertain = true;
  const name = () => freshName(random, held);
  const rights = {
    input: () => [name(), TENSOR],
    constant: () => [TENSOR, random.pick([bytes(), [...bytes()]]), { name: name() }],
    add: () => [anyNode(random, world, held), { name: name() }],
  };
  return malformedCall(random, world, 'graph', held.value, rights, meddling(random, world, held));
});

const outputCalls = onLive('graphs', (held, random, world) => {
  const outputs = new Map<string, unknown>(Object.entries(pickOutputs(random, held) ?? {}));
  // The name of the output may be that of an input.
  if (random.chance(0.2)) outputs.set(random.pick(['y', ...held.names]), held.values[0]);
  held.isUncertain = true;
  const right = () => [Object.fromEntries(outputs), { disableMetacommands: true }];
  const rights = { compile: right, toDescriptor: right, toMermaid: right };
  return malformedCall(random, world, 'graph', held.value, rights, meddling(random, world, held));
});

const valueCalls = onLive('graphs', ({ values }, random, world) => {
  if (values.length === 0) return null;
  const value = random.pick(values);
  return malformedCall(random, world, 'value', value, viewsOf(value), anySize);
});

const compiledCalls = onLive('compiledGraphs', (held, random, world) => {
  const all = () => [bindGraph(random, world, held).all];
  return malformedCall(random, world, 'compiled graph', held.value, {
    dispatch: all,
    dispatchChecked: all,
    run: () => [bindGraph(random, world, held).inputs],
    createOutputs: () => [undefined],
    initialize: () => [constantsOf(random, held)],
  });
});

const otherDevice = withForeign('compiledGraphs', 'buffers', 'graph dispatch', (net, buffer, random, world) => {
  const { outputs, all } = bindGraph(random, world, net);
  const [name = ''] = Object.keys(outputs);
  net.value.dispatch({ ...all, [name]: buffer });
});

const constantOfAnotherDevice = withForeign('graphs', 'tensors', 'graph.compile', ({ value: graph }, tensor) =>
  graph.compile({ y: graph.constant(tensor) }),
);

const otherGraph = onLive('graphs', (held, random, world) => {
  const { value: graph } = held;
  const value = world.graphs.find(({ values }) => values !== held.values && values.length > 0)?.values[0];
  if (value === undefined) return null;
  const run = random.pick<() => unknown>([
    () => graph.add({ type: 'elementWiseIdentity', inputTensor: value }),
    () => graph.compile({ 'of another graph': value }),
    () => graph.toDescriptor({ 'of another graph': value }),
  ]);
  return refused('a value of another graph', run);
});

export const malformedGraphCalls: Weighted = [
  [60, compileDescriptor],
  [50, buildCalls],
  [25, outputCalls],
  [15, valueCalls],
  [50, compiledCalls],
  [10, otherDevice],
  [10, otherGraph],
  [10, constantOfAnotherDevice],
];
