/** Graphs of a few nodes whose edges are wrong in some way. The addon or DirectML must refuse them. */
import type { NativeGraphDesc, NativeOperator } from '../../../binding.js';
import { referenceTo, setSlot, slotsOf, type LooseGraph } from '../../graphs/loose-graph.js';
import type { Random } from '../../harness/random.js';
import { isTensor, type LooseDescriptor, type LooseTensor } from '../../descriptors/candidate.js';
import { ranges, type Boundary, type Make } from './boundary.js';
import { asNative, encodeLoosely } from '../../descriptors/encode.js';
import { freshName, leavesOf, mend, outputsOf } from '../graphs/edit.js';
import { encodeGraph } from '../graphs/encode.js';
import { mutations } from '../graphs/mutations/index.js';

const line: LooseTensor = { dataType: 'float32', sizes: [1, 1, 1, 4] };
const square: LooseTensor = { dataType: 'float32', sizes: [1, 1, 2, 2] };
const indices: LooseTensor = { ...line, dataType: 'uint32' };
const identity: LooseDescriptor = { type: 'elementWiseIdentity', inputTensor: line, outputTensor: line };
const gemm: LooseDescriptor = { type: 'gemm', aTensor: square, bTensor: square, outputTensor: square, alpha: 1, beta: 0 };
/** All tensors have 16 bytes, so that any output can feed any input. */
const kinds: readonly LooseDescriptor[] = [
  identity,
  gemm,
  { type: 'elementWiseAdd', aTensor: line, bTensor: line, outputTensor: line },
  { type: 'topK', inputTensor: line, outputValueTensor: line, outputIndexTensor: indices, axis: 3, k: 4 },
];

/** The mutations after which DirectML must refuse the graph as it is described. */
const refused = mutations.filter(({ expected }) => expected.every((outcome) => outcome === 'invalid' || outcome === 'pruned'));

/** The number of columns of each kind of edges. */
const WIDTHS = { inputEdges: 3, outputEdges: 3, intermediateEdges: 4 } as const;
const EDGES = ['inputEdges', 'outputEdges', 'intermediateEdges'] as const;
type EdgeKind = (typeof EDGES)[number];

/** A malformed call of compileGraph or checkGraph. */
export const edges: Make = (random, at) => {
  const { label, graph, mayPass } = malformedGraph(random);
  if (random.chance(0.5)) return { label: `checkGraph: ${label}`, run: () => at.device.checkGraph(graph, 0), mayPass };
  const run = async () => use(graph, await at.device.compileGraph(graph, 0), at);
  return { label: `compileGraph: ${label}`, run, mayPass };
};

/** A graph, the change made to it, and whether it may be valid nevertheless. */
function malformedGraph(random: Random): { graph: NativeGraphDesc; label: string; mayPass: boolean } {
  const described = randomGraph(random);
  const mayPass = random.chance(0.3);
  if (!mayPass && random.chance(0.5)) {
    const order = random.distinct(refused.length, refused.length).flatMap((i) => refused[i] ?? []);
    const label = order.find(({ change }) => change(random, described) !== null)?.rule ?? '';
    return encodeGraph(described).isInexpressible ? malformedGraph(random) : { graph: natively(described), label, mayPass };
  }
  const graph = natively(described);
  const [label, edit] = random.pick(mayPass ? edits : breaks);
  edit(random, graph);
  return { graph, label, mayPass };
}

function natively(described: LooseGraph): NativeGraphDesc {
  const { graph } = encodeGraph(described);
  return { ...graph, operators: graph.operators.map(asNative) };
}

/** Dispatches a graph that was accepted. Its tensors have 16 bytes, and DirectML owns none of them. */
async function use(graph: NativeGraphDesc, compiled: NativeOperator, at: Boundary): Promise<void> {
  const column = (rows: Uint32Array, first: number) => new Set(rows.filter((_, i) => i % 3 === first));
  const [read, written] = [column(graph.inputEdges, 0), column(graph.outputEdges, 2)];
  const made = graph.outputs.map((_, i) => (written.has(i) ? at.device.createBuffer(16) : null));
  try {
    const inputs = graph.inputs.map((_, i) => (read.has(i) ? at.buffer : null));
    at.binding.dispatch(Float64Array.of(compiled.number, ...ranges(...inputs, ...made)));
    await at.device.idle();
  } catch (cause) {
    // This is not the error of a malformed value, because the graph was accepted.
    throw new Error(`an accepted graph cannot be dispatched: ${String(cause)}`, { cause });
  } finally {
    for (const buffer of made) buffer?.dispose();
    compiled.dispose();
  }
}

/** A right graph of one to eight nodes. */
function randomGraph(random: Random): LooseGraph {
  const graph: LooseGraph = { inputs: { x: { ...line } }, constants: {}, nodes: {}, outputs: {} };
  for (let left = random.int(1, 8); left > 0; left--) {
    const node = structuredClone(random.pick(kinds));
    const computed = outputsOf(graph);
    for (const slot of slotsOf(node, 'input')) {
      if (!isTensor(slot.value)) continue;
      if (random.chance(0.2)) graph.inputs[freshName(graph, 'x')] = { ...line };
      const given = computed.length > 0 && random.chance(0.7) ? computed : leavesOf(graph);
      setSlot(node, slot, referenceTo(random.pick(given), slot.value));
    }
    graph.nodes[freshName(graph, 'n')] = node;
  }
  for (const { name } of outputsOf(graph)) if (random.chance(0.2)) graph.outputs[freshName(graph, 'y')] = name;
  mend(graph);
  return graph;
}

function append(graph: NativeGraphDesc, list: 'nodes' | EdgeKind, numbers: readonly number[]): void {
  graph[list] = Uint32Array.from([...graph[list], ...numbers]);
}

/** Adds a node and returns its index. */
function addNode(graph: NativeGraphDesc, descriptor: LooseDescriptor): number {
  graph.operators = [...graph.operators, asNative(encodeLoosely(descriptor))];
  append(graph, 'nodes', [graph.operators.length - 1]);
  return graph.nodes.length - 1;
}

function toOutput(graph: NativeGraphDesc, node: number): void {
  append(graph, 'outputEdges', [node, 0, graph.outputs.length]);
  graph.outputs = [...graph.outputs, 'output'];
}

function anyEdges(random: Random, graph: NativeGraphDesc): EdgeKind {
  return random.pick(EDGES.filter((kind) => graph[kind].length > 0));
}

/** The index of the first number of any row. */
function anyRow(random: Random, graph: NativeGraphDesc, kind: EdgeKind): number {
  return WIDTHS[kind] * random.int(0, graph[kind].length / WIDTHS[kind] - 1);
}

/** The upper bound of each column of a kind of edges. No node has four inputs or outputs. */
function boundsOf({ nodes, inputs, outputs }: NativeGraphDesc, kind: EdgeKind): readonly number[] {
  const port = [nodes.length, 4];
  if (kind === 'intermediateEdges') return [...port, ...port];
  return kind === 'inputEdges' ? [inputs.length, ...port] : [...port, outputs.length];
}

function beyond(random: Random, bound: number): number {
  return Math.min(bound + random.pick([0, 1, 1_000, 0x7fff_ffff, 0xffff_ffff]), 0xffff_ffff);
}

function repeat(random: Random, graph: NativeGraphDesc, times: number): void {
  const kind = anyEdges(random, graph);
  const start = anyRow(random, graph, kind);
  const row = graph[kind].slice(start, start + WIDTHS[kind]);
  append(graph, kind, new Array<number[]>(times).fill([...row]).flat());
}

type Edit = readonly [label: string, edit: (random: Random, graph: NativeGraphDesc) => unknown];

/** Changes after which every graph must be refused. */
const breaks: readonly Edit[] = [
  [
    'an index out of range',
    (random, graph) => {
      const kind = anyEdges(random, graph);
      const place = random.int(0, graph[kind].length - 1);
      graph[kind][place] = beyond(random, boundsOf(graph, kind)[place % WIDTHS[kind]] ?? 0);
    },
  ],
  [
    'a node of no operator',
    (random, { nodes, operators }) => (nodes[random.int(0, nodes.length - 1)] = beyond(random, operators.length)),
  ],
  [
    'two edges into one input',
    (random, graph) => {
      const kind = graph.intermediateEdges.length > 0 && random.chance(0.5) ? 'intermediateEdges' : 'inputEdges';
      const end = anyRow(random, graph, kind) + WIDTHS[kind];
      append(graph, 'inputEdges', [0, ...graph[kind].slice(end - 2, end)]);
    },
  ],
  ['an edge twice', (random, graph) => repeat(random, graph, random.int(1, 3))],
  ['an edge very often', (random, graph) => repeat(random, graph, random.pick([1_000, 60_000, 300_000]))],
  [
    'two edges to one graph output',
    (random, graph) =>
      append(graph, 'outputEdges', [random.int(0, graph.nodes.length - 1), 0, random.int(0, graph.outputs.length - 1)]),
  ],
  [
    'a long cycle',
    (random, graph) => {
      const [first, count] = [addNode(graph, identity), random.pick([2, 100, 60_000])];
      append(graph, 'nodes', new Array<number>(count - 1).fill(graph.operators.length - 1));
      const cycle = Array.from({ length: count }, (_, i) => [first + i, 0, first + ((i + 1) % count), 0]);
      append(graph, 'intermediateEdges', cycle.flat());
      if (random.chance(0.5)) toOutput(graph, first);
    },
  ],
  ['nodes without edges', (random, graph) => append(graph, 'nodes', new Array<number>(random.pick([1, 65_535 - 8])).fill(0))],
  [
    'an edge into an absent tensor',
    (_, graph) => {
      const node = addNode(graph, gemm);
      append(graph, 'inputEdges', [0, node, 0, 0, node, 1, 0, node, 2]);
      toOutput(graph, node);
    },
  ],
  ['no nodes', (_, graph) => (graph.nodes = new Uint32Array(0))],
  ['no inputs', (_, graph) => (graph.inputs = [])],
];

/** Changes after which a graph may be valid. */
const edits: readonly Edit[] = [
  [
    'edited numbers',
    (random, graph) => {
      for (let left = random.int(1, 4); left > 0; left--) {
        const list = random.chance(0.2) ? graph.nodes : graph[anyEdges(random, graph)];
        list[random.int(0, list.length - 1)] = random.int(0, 3);
      }
    },
  ],
  [
    'random edges',
    (random, graph) => {
      for (const kind of EDGES) {
        const row = () => boundsOf(graph, kind).map((bound) => random.int(0, Math.max(0, bound === 4 ? 1 : bound - 1)));
        graph[kind] = Uint32Array.from(Array.from({ length: random.int(0, 2 * graph.nodes.length) }, row).flat());
      }
    },
  ],
  ['edges of the other kind', (_, graph) => ([graph.inputEdges, graph.outputEdges] = [graph.outputEdges, graph.inputEdges])],
  ['no change', () => undefined],
];
