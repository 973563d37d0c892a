/** Invalid calls of graphs, of their values, and of compiled graphs. */
import { CompiledGraph, Graph, Value } from 'node-directml';
import { weird } from '../parity/crash-values.js';
import type { Random } from '../random.js';
import { smallTensor } from './actions.js';
import { any, pickDevice, pickLive, type Make } from './make.js';
import { hostileDescriptor, hostileOptions } from './graph-descriptors.js';
import { anyNode, bindGraph, freshName, pickOutputs } from './graphs.js';
import { spoil } from './hostile-actions.js';
import { anyObject, bytes, call, hostile, trapped } from './hostile.js';
import type { Action } from './tracker.js';
import type { Held, HeldGraph, World } from './world.js';

const compileDescriptor: Make = (random, world) => {
  const owner = pickDevice(random, world);
  if (owner === null) return null;
  const { device } = owner;
  const descriptor = hostileDescriptor(random, world);
  const options = random.chance(0.7) ? undefined : hostileOptions(random, world);
  return any('compileGraph(hostile)', () => call(device.compileGraph, device, [descriptor, options]));
};

/** A live graph; it may have an input that nothing uses from now on. */
function pickGraph(random: Random, world: World): HeldGraph | null {
  const held = pickLive(random, world.graphs);
  if (held !== null) held.isUncertain = true;
  return held;
}

/** A value of any graph, or something else. */
function anyValue(random: Random, world: World): unknown {
  const values = world.graphs.flatMap((held) => held.values);
  return values.length === 0 || random.chance(0.2) ? hostile(random, world) : random.pick(values);
}

/** An object whose getters do something to the graph that reads them. */
function meddling(random: Random, held: HeldGraph, object: object): object {
  const { value: graph, values, names } = held;
  const name = random.pick([...names, 'again']);
  const desc = { dataType: 'float32', sizes: [1] } as const;
  const meddle = random.pick<() => unknown>([
    () => graph.input(name, desc),
    () => graph.constant(desc, [1], { name }),
    () => graph.constant(desc, [1]),
    () => values[0] && graph.add({ type: 'elementWiseIdentity', inputTensor: values[0] }, { name }),
    () => values[0] && graph.toMermaid({ [name]: values[0] }),
  ]);
  const field = random.pick([...Object.keys(object), 'sizes']);
  const own: unknown = Reflect.get(object, field);
  const get = () => {
    meddle();
    return own;
  };
  return Object.defineProperty({ ...object }, field, { get, enumerable: true });
}

const buildCalls: Make = (random, world) => {
  const held = pickGraph(random, world);
  if (held === null) return null;
  const { value: graph } = held;
  const value = () => hostile(random, world);
  const some = (right: unknown) => (random.chance(0.5) ? right : value());
  const desc = () =>
    random.pick([
      () => trapped(random, world, smallTensor(random), ['strides', 'flags']),
      () => meddling(random, held, smallTensor(random)),
    ])();
  const name = () => some(freshName(random, held));
  const node = () => anyNode(random, world, held);
  const wrongNode = () => {
    const right = node();
    const field = random.pick(Object.keys(right));
    return {
      ...right,
      [field]: random.chance(0.7) ? anyValue(random, world) : { ...Object(Reflect.get(right, field)), sizes: value() },
    };
  };
  const one = { dataType: 'float32', sizes: [1] };
  return random.pick<() => Action>([
    () => any('graph.input(hostile)', () => call(graph.input, graph, [name(), some(smallTensor(random))])),
    () => any('graph.input(trapped)', () => call(graph.input, graph, [name(), desc()])),
    () => any('graph.constant(hostile)', () => call(graph.constant, graph, [some(smallTensor(random)), value(), value()])),
    () => any('graph.constant(hostile bytes)', () => call(graph.constant, graph, [smallTensor(random), bytes(random)])),
    () => any('graph.constant(trapped)', () => call(graph.constant, graph, [trapped(random, world, one, ['strides']), [1]])),
    () =>
      any('graph.constant(meddling)', () => call(graph.constant, graph, [meddling(random, held, one), [1], { name: name() }])),
    () => any('graph.constant(options)', () => call(graph.constant, graph, [one, [1], trapped(random, world, {}, ['name'])])),
    () => any('graph.constant(any object)', () => call(graph.constant, graph, [anyObject(random, world), { name: name() }])),
    () => any('graph.add(hostile)', () => call(graph.add, graph, [value(), some(undefined)])),
    () => any('graph.add(hostile values)', () => call(graph.add, graph, [wrongNode(), { name: some(undefined) }])),
    () => any('graph.add(hostile options)', () => call(graph.add, graph, [node(), some({ name: name() })])),
    () => any('graph.add(trapped)', () => call(graph.add, graph, [trapped(random, world, node(), ['type'])])),
    () => any('graph.add(meddling)', () => call(graph.add, graph, [meddling(random, held, node())])),
  ])();
};

const outputCalls: Make = (random, world) => {
  const held = pickLive(random, world.graphs);
  if (held === null) return null;
  const { value: graph } = held;
  const method = random.pick(['compile', 'toDescriptor', 'toMermaid'] as const);
  const right = pickOutputs(random, held) ?? {};
  const [name = 'y'] = Object.keys(right);
  const outputs = random.pick<() => unknown>([
    () => hostile(random, world),
    () => ({ ...right, [name]: anyValue(random, world) }),
    () => ({ ...right, [random.pick(['', 'x'.repeat(1_001), ...held.names])]: held.values[0] }),
    () => trapped(random, world, right, ['y']),
    () => meddling(random, held, right),
    () => right,
  ])();
  held.isUncertain = true;
  const options = random.chance(0.7) ? undefined : hostile(random, world);
  return any(`graph.${method}(hostile)`, () => call(graph[method], graph, [outputs, options]));
};

const valueCalls: Make = (random, world) => {
  const held = pickLive(random, world.graphs);
  const value = held === null || held.values.length === 0 ? null : random.pick(held.values);
  if (value === null) return null;
  const method = random.pick(['view', 'reshape', 'transpose', 'broadcastTo'] as const);
  const wrong = () => (random.chance(0.3) ? [random.int(0, 9), random.int(0, 2 ** 33)] : hostile(random, world));
  const layout = random.pick<() => unknown>([
    wrong,
    () => ({ sizes: wrong(), strides: wrong() }),
    () => ({ sizes: wrong() }),
    () => ({ strides: wrong() }),
    () => trapped(random, world, { sizes: value.sizes, strides: value.strides }, []),
  ])();
  return any(`value.${method}(hostile)`, () => call(value[method], value, [layout]));
};

const compiledCalls: Make = (random, world) => {
  const held = pickLive(random, world.compiledGraphs);
  if (held === null) return null;
  const { value: net, constants } = held;
  const method = random.pick(['dispatch', 'dispatchChecked', 'run', 'initialize'] as const);
  return any(`compiled graph: ${method}(hostile)`, () => {
    if (random.chance(0.2)) return call(net[method], net, [hostile(random, world)]);
    if (method === 'initialize') {
      const wrong = () => (random.chance(0.5) ? hostile(random, world) : bytes(random));
      const given = [...constants].map(([name, size]): [string, unknown] => [
        name,
        random.chance(0.5) ? random.bytes(size).slice().buffer : wrong(),
      ]);
      const data = Object.fromEntries(random.chance(0.2) ? [...given, ['other', wrong()]] : given);
      return call(net.initialize, net, [random.chance(0.3) ? trapped(random, world, data, []) : data]);
    }
    const { inputs, outputs } = bindGraph(random, world, held);
    return call(net[method], net, [spoil(random, world, method === 'run' ? inputs : { ...inputs, ...outputs })]);
  });
};

const otherDevice: Make = (random, world) => {
  const net = pickLive(random, world.compiledGraphs);
  const isForeign = ({ owner }: Held<unknown>) => owner !== net?.owner;
  const buffer = pickLive(random, world.buffers.filter(isForeign));
  if (net === null || buffer === null) return null;
  return {
    label: 'compiled graph: dispatch with a buffer of another device',
    outcome: 'refused',
    run() {
      const { inputs, outputs } = bindGraph(random, world, net);
      const [name = ''] = Object.keys(outputs);
      const wrong = Object.fromEntries([...Object.entries({ ...inputs, ...outputs }), [name, buffer.value]]);
      call(net.value.dispatch, net.value, [wrong]);
    },
  };
};

const constantOfAnotherDevice: Make = (random, world) => {
  const held = pickLive(random, world.graphs);
  const tensor = pickLive(
    random,
    world.tensors.filter(({ owner }) => owner !== held?.owner),
  );
  if (held === null || tensor === null) return null;
  const { value: graph } = held;
  const run = () => graph.compile({ y: graph.constant(tensor.value) });
  return { label: 'graph.compile with a tensor of another device', outcome: 'refused', run };
};

const otherGraph: Make = (random, world) => {
  const held = pickLive(random, world.graphs);
  const other = world.graphs.find((candidate) => candidate !== held && candidate.values.length > 0);
  const value = other?.values[0];
  if (held === null || value === undefined) return null;
  const { value: graph } = held;
  const run = random.pick<() => unknown>([
    () => graph.add({ type: 'elementWiseIdentity', inputTensor: value }),
    () => graph.compile({ 'of another graph': value }),
    () => graph.toDescriptor({ 'of another graph': value }),
  ]);
  return { label: 'a value of another graph', outcome: 'refused', run };
};

const METHODS: readonly (readonly [what: string, prototype: object, names: readonly string[]])[] = [
  ['Graph', Graph.prototype, ['input', 'constant', 'add', 'compile', 'toDescriptor', 'toMermaid']],
  ['Value', Value.prototype, ['view', 'reshape', 'transpose', 'broadcastTo']],
  ['CompiledGraph', CompiledGraph.prototype, ['run', 'createOutputs', 'initialize', 'dispatchChecked']],
];

/** JavaScript itself throws a TypeError if a method is called on an object of another class. */
const wrongReceiver: Make = (random, world) => {
  const [what, prototype, names] = random.pick(METHODS);
  const name = random.pick(names);
  const receiver = random.chance(0.5) ? anyObject(random, world) : weird(random);
  const isRight = typeof receiver === 'object' && receiver !== null && isOf(receiver, prototype);
  if (isRight) return null;
  const refused = (error: unknown) => {
    if (!(error instanceof TypeError)) throw error;
  };
  return any(`${what}.prototype.${name} of another object`, () => {
    try {
      const result = call(Reflect.get(prototype, name), receiver, [random.pick<unknown>([[1], {}, 'x']), [1]]);
      return result instanceof Promise ? result.catch(refused) : result;
    } catch (error) {
      refused(error);
      return undefined;
    }
  });
};

function isOf(object: object, prototype: object): boolean {
  try {
    return Object.prototype.isPrototypeOf.call(prototype, object);
  } catch {
    return false;
  }
}

export const hostileGraphCalls: readonly (readonly [weight: number, make: Make])[] = [
  [60, compileDescriptor],
  [50, buildCalls],
  [25, outputCalls],
  [15, valueCalls],
  [50, compiledCalls],
  [10, otherDevice],
  [10, otherGraph],
  [10, constantOfAnotherDevice],
  [8, wrongReceiver],
];
