/** Invalid calls of graphs, of their values, and of compiled graphs. */
import { CompiledGraph, Graph, Value } from 'node-directml';
import { weird } from '../parity/crash-values.js';
import type { Random } from '../random.js';
import { smallTensor } from './actions.js';
import { any, onDevice, onLive, pickLive, refused, type Make, type Weighted } from './make.js';
import { hostileDescriptor, hostileOptions } from './graph-descriptors.js';
import { anyNode, bindGraph, freshName, pickOutputs } from './graphs.js';
import { spoil } from './hostile-actions.js';
import { anyObject, bytes, call, hostile, trapped } from './hostile.js';
import { isA } from './tracker.js';
import type { Held, HeldGraph, World } from './world.js';

const compileDescriptor = onDevice(({ device }, random, world) => {
  const descriptor = hostileDescriptor(random, world);
  const options = random.chance(0.7) ? undefined : hostileOptions(random, world);
  return any('compileGraph(hostile)', () => call(device.compileGraph, device, [descriptor, options]));
});

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

const buildCalls = onLive('graphs', (held, random, world) => {
  const { value: graph } = held;
  const { input, constant, add } = graph;
  // It may have an input that nothing uses from now on.
  held.isUncertain = true;
  const springing = (object: object, names: readonly string[]) => trapped(random, world, object, names);
  const value = () => hostile(random, world);
  const some = (right: unknown) => (random.chance(0.5) ? right : value());
  const small = () => smallTensor(random);
  const desc = () => random.pick([() => springing(small(), ['strides', 'flags']), () => meddling(random, held, small())])();
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
  const [label, method, given] = random.pick<readonly [string, object, () => readonly unknown[]]>([
    ['graph.input(hostile)', input, () => [name(), some(small())]],
    ['graph.input(trapped)', input, () => [name(), desc()]],
    ['graph.constant(hostile)', constant, () => [some(small()), value(), value()]],
    ['graph.constant(hostile bytes)', constant, () => [small(), bytes(random)]],
    ['graph.constant(trapped)', constant, () => [springing(one, ['strides']), [1]]],
    ['graph.constant(meddling)', constant, () => [meddling(random, held, one), [1], { name: name() }]],
    ['graph.constant(options)', constant, () => [one, [1], springing({}, ['name'])]],
    ['graph.constant(any object)', constant, () => [anyObject(random, world), { name: name() }]],
    ['graph.add(hostile)', add, () => [value(), some(undefined)]],
    ['graph.add(hostile values)', add, () => [wrongNode(), { name: some(undefined) }]],
    ['graph.add(hostile options)', add, () => [node(), some({ name: name() })]],
    ['graph.add(trapped)', add, () => [springing(node(), ['type'])]],
    ['graph.add(meddling)', add, () => [meddling(random, held, node())]],
  ]);
  return any(label, () => call(method, graph, given()));
});

const outputCalls = onLive('graphs', (held, random, world) => {
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
});

const valueCalls = onLive('graphs', ({ values }, random, world) => {
  if (values.length === 0) return null;
  const value = random.pick(values);
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
});

const compiledCalls = onLive('compiledGraphs', (held, random, world) => {
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
    const { inputs, all } = bindGraph(random, world, held);
    return call(net[method], net, [spoil(random, world, method === 'run' ? inputs : all)]);
  });
});

const otherDevice = onLive('compiledGraphs', (net, random, world) => {
  const isForeign = ({ owner }: Held<unknown>) => owner !== net.owner;
  const buffer = pickLive(random, world.buffers.filter(isForeign))?.value;
  if (buffer === undefined) return null;
  return refused('compiled graph: dispatch with a buffer of another device', () => {
    const { outputs, all } = bindGraph(random, world, net);
    const [name = ''] = Object.keys(outputs);
    net.value.dispatch({ ...all, [name]: buffer });
  });
});

const constantOfAnotherDevice = onLive('graphs', ({ value: graph, owner }, random, world) => {
  const isForeign = (held: Held<unknown>) => held.owner !== owner;
  const tensor = pickLive(random, world.tensors.filter(isForeign))?.value;
  if (tensor === undefined) return null;
  return refused('graph.compile with a tensor of another device', () => graph.compile({ y: graph.constant(tensor) }));
});

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

const METHODS = [
  [Graph, ['input', 'constant', 'add', 'compile', 'toDescriptor', 'toMermaid']],
  [Value, ['view', 'reshape', 'transpose', 'broadcastTo']],
  [CompiledGraph, ['run', 'createOutputs', 'initialize', 'dispatchChecked']],
] as const;

/** JavaScript itself throws a TypeError if a method is called on an object of another class. */
const wrongReceiver: Make = (random, world) => {
  const [type, names] = random.pick(METHODS);
  const name = random.pick<string>(names);
  const receiver = random.chance(0.5) ? anyObject(random, world) : weird(random);
  if (typeof receiver === 'object' && isA<object>(type, receiver)) return null;
  return any(`${type.name}.prototype.${name} of another object`, async () => {
    try {
      await call(Reflect.get(type.prototype, name), receiver, [random.pick<unknown>([[1], {}, 'x']), [1]]);
    } catch (error) {
      if (!(error instanceof TypeError)) throw error;
    }
  });
};

export const hostileGraphCalls: Weighted = [
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
