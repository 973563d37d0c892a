/** Malformed graphs for compileGraph and checkGraph. */
import type { NativeGraphDesc, NativeOperator } from '../../binding.js';
import type { Random } from '../random.js';
import { call, isForFlag, marshal, ranges, sampleRanges, sampleGraph, type Boundary, type Make } from './crash-boundary.js';
import { brokenDescriptor, describe } from './crash-descriptors.js';
import { EDGES, strangeGraph, WIDTHS } from './crash-graph-edges.js';
import { detached, hostileProxy, resizable, resized, revoked, springing, throwing, weird, weirdBut } from './crash-values.js';

const FILL_VALUE_SEQUENCE = 104;
/** The limits of native/addon/graph_reader.cpp. */
const MAX_NODES = 65_536;
const MAX_NAMES = 65_536;
const MAX_EDGES = 1_048_576;

const NUMBERS = ['nodes', 'inputEdges', 'outputEdges', 'intermediateEdges'] as const;
const LISTS = ['operators', 'inputs', 'outputs'] as const;
const KEYS = ['operators', ...NUMBERS, 'inputs', 'outputs'] as const;

const methods = ['compileGraph', 'checkGraph'];

type Break = (random: Random, graph: NativeGraphDesc, at: Boundary) => unknown;

/** Every value that these make must be refused. */
const shapeBreaks: readonly (readonly [string, Break])[] = [
  ['a weird value', replaced(KEYS, weird)],
  ['a weird graph', weird],
  ['a hostile proxy', hostileProxy],
  ['a revoked proxy', (_, graph) => revoked(graph)],
  ['a missing field', replaced(KEYS, () => undefined)],
  ['a list in a proxy', replaced(KEYS, (_, list) => new Proxy(list, {}))],
  ['a list in a hostile proxy', replaced(KEYS, hostileProxy)],
  ['a list in a revoked proxy', replaced(KEYS, (_, list) => revoked(list))],
  ['a list of another prototype', replaced(KEYS, (_, list) => Object.create(list))],
  ['a getter that throws', (random, graph) => Object.defineProperty(graph, random.pick(KEYS), throwing(random))],
  [
    'an element of another type',
    replaced(LISTS, (random, _, { operators }) => [weirdBut(random, (value) => typeof value !== 'string'), ...operators]),
  ],
  ['an element that throws', replaced(LISTS, (random, list) => Object.defineProperty([list], 0, throwing(random)))],
  [
    'an element that empties its list',
    replaced(LISTS, (random, _, { operators }) => {
      const list: unknown[] = [0, 1];
      const get = () => {
        list.length = 0;
        return random.pick<unknown>(['name', operators[0] ?? 0]);
      };
      return Object.defineProperty(list, 0, { get, configurable: true });
    }),
  ],
  ['numbers of another type', replaced(NUMBERS, otherNumbers)],
  [
    'numbers without memory',
    replaced(NUMBERS, (random) =>
      random.pick([
        () => detached(new Uint32Array(12)),
        () => resized(resizable(48, 64), 24, (memory) => new Uint32Array(memory, 0, 12)),
      ])(),
    ),
  ],
  [
    'numbers that detach when others are read',
    (random, graph) => {
      const later = Uint32Array.from(graph.intermediateEdges);
      const key = random.pick(['operators', 'nodes', 'inputEdges'] as const);
      return springing({ ...graph, intermediateEdges: later }, key, () => detached(later));
    },
  ],
  [
    'an incomplete row',
    replaced(EDGES, (random, _list, _graph, kind) => {
      const row = WIDTHS[kind];
      return new Uint32Array(row * random.pick([0, 1, 1_000, MAX_EDGES]) + random.int(1, row - 1));
    }),
  ],
  [
    'too many rows',
    replaced(NUMBERS, (random, _list, _graph, kind) => {
      const [row, most] = kind === 'nodes' ? [1, MAX_NODES] : [WIDTHS[kind], MAX_EDGES];
      return new Uint32Array(row * (most + random.pick([1, 2, most])));
    }),
  ],
  [
    'too many names',
    replaced(['inputs', 'outputs'], (random) => {
      const list: unknown[] = new Array(random.pick([MAX_NAMES + 1, 70_000, 2 ** 31, 2 ** 32 - 1]));
      return list.length < 2 ** 20 ? list.fill('name') : list;
    }),
  ],
  [
    'too many operators',
    (random, graph) => ({ ...graph, operators: new Array(random.pick([65_537, 2 ** 32 - 1])), nodes: Uint32Array.of(65_536) }),
  ],
  [
    'the graph in itself',
    (random, graph) => Object.assign(graph, { [random.pick(KEYS)]: random.pick<unknown>([graph, [graph]]) }),
  ],
  [
    'a sequence',
    (random, graph, { rows }) => {
      const row = rows.find(({ type }) => type === FILL_VALUE_SEQUENCE);
      if (row === undefined) throw new Error('the table has no FILL_VALUE_SEQUENCE');
      const sequence = describe(random, row);
      const unused = random.chance(0.5);
      const operators = unused ? [...graph.operators, sequence] : graph.operators.map(() => sequence);
      return { ...graph, operators };
    },
  ],
];

/** The graph with another value for one of the keys. */
function replaced<K extends keyof NativeGraphDesc>(
  keys: readonly K[],
  make: (random: Random, value: NativeGraphDesc[K], graph: NativeGraphDesc, key: K) => unknown,
): Break {
  return (random, graph) => {
    const key = random.pick(keys);
    return { ...graph, [key]: make(random, graph[key], graph, key) };
  };
}

/** The same numbers in something that is no Uint32Array. */
function otherNumbers(random: Random, numbers: Uint32Array): unknown {
  const others: readonly (() => unknown)[] = [
    () => [...numbers],
    () => Int32Array.from(numbers),
    () => Float32Array.from(numbers),
    () => new Uint8Array(numbers.buffer),
    () => new Uint8ClampedArray(numbers.buffer),
    () => BigUint64Array.from([...numbers].map(BigInt)),
    () => new DataView(numbers.buffer),
    () => numbers.buffer,
    () => Object.setPrototypeOf(new Uint16Array(numbers.length), Uint32Array.prototype),
    () => Object.setPrototypeOf({ length: numbers.length }, Uint32Array.prototype),
  ];
  return random.pick(others)();
}

const shape: Make = (random, at) => {
  const [label, apply] = random.pick(shapeBreaks);
  const method = random.pick(methods);
  const graph = apply(random, sampleGraph(), at);
  const args = [graph, 0, sampleRanges(at).initialization];
  return { label: `${method}: ${label}`, run: () => call(at.device, method, at.device, args) };
};

/** Never reaches DirectML. */
const operator: Make = (random, { rows, device }) => {
  const method = random.pick(methods);
  const graph = { ...sampleGraph(), nodes: Uint32Array.of(0, 0) };
  const run = () => marshal(device, method, graph);
  const { label, descriptor } = brokenDescriptor(random, rows, run);
  Object.assign(graph, { operators: random.chance(0.5) ? [descriptor] : [...graph.operators, descriptor] });
  return { label: `${method} ${label}`, run, skip: isForFlag };
};

const edges: Make = (random, at) => {
  const { label, graph, mayPass } = strangeGraph(random);
  const method = random.pick(methods);
  const run =
    method === 'compileGraph'
      ? async () => use(graph, await at.device.compileGraph(graph, 0), at)
      : () => at.device.checkGraph(graph, 0);
  return { label: `${method}: ${label}`, run, mayPass };
};

/** Dispatches a graph that was accepted. Its tensors have 16 bytes, and DirectML owns none of them. */
async function use(graph: NativeGraphDesc, compiled: NativeOperator, at: Boundary): Promise<void> {
  const column = (rows: Uint32Array, first: number) => new Set(rows.filter((_, i) => i % 3 === first));
  const [read, written] = [column(graph.inputEdges, 0), column(graph.outputEdges, 2)];
  const made = graph.outputs.map((_, i) => (written.has(i) ? at.device.createBuffer(16) : null));
  try {
    const inputs = graph.inputs.map((_, i) => (read.has(i) ? at.buffer : null));
    at.device.dispatch(compiled, ranges(...inputs, ...made));
    await at.device.idle();
  } catch (cause) {
    // This is no error of the value: it was accepted.
    throw new Error(`an accepted graph cannot be dispatched: ${String(cause)}`, { cause });
  } finally {
    for (const buffer of made) buffer?.dispose();
    compiled.dispose();
  }
}

/** A malformed call of compileGraph or checkGraph. */
export const graphs: Make = (random, at) => random.pick([shape, shape, edges, edges, edges, operator])(random, at);
