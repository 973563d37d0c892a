/** Random graphs of a few nodes, and the ways to break their edges. The addon or DirectML must refuse what is broken. */
import type { NativeGraphDesc, NativeOperatorDesc } from '../../binding.js';
import type { Random } from '../random.js';
import { add, identity, tensor } from './crash-boundary.js';

interface Kind {
  readonly describe: () => NativeOperatorDesc;
  /** The number of inputs that need an edge. */
  readonly inputs: number;
  readonly outputs: number;
}

/** All tensors have 16 bytes, so that any output can feed any input. */
const gemm: Kind = {
  describe: () => ({
    type: 54,
    aTensor: tensor(2),
    bTensor: tensor(2),
    cTensor: null,
    outputTensor: tensor(2),
    transA: 0,
    transB: 0,
    alpha: 1,
    beta: 0,
    fusedActivation: null,
  }),
  inputs: 2,
  outputs: 1,
};
const topK: Kind = {
  describe: () => ({
    type: 71,
    inputTensor: tensor(),
    outputValueTensor: tensor(),
    outputIndexTensor: { ...tensor(), dataType: 3 },
    axis: 3,
    k: 4,
  }),
  inputs: 1,
  outputs: 2,
};
const kinds: readonly Kind[] = [
  { describe: identity, inputs: 1, outputs: 1 },
  { describe: add, inputs: 2, outputs: 1 },
  gemm,
  topK,
];

/** A graph whose edges are lists of rows. */
export interface Rows {
  operators: NativeOperatorDesc[];
  nodes: number[];
  inputEdges: number[][];
  outputEdges: number[][];
  intermediateEdges: number[][];
  inputs: string[];
  outputs: string[];
}

const EDGES = ['inputEdges', 'outputEdges', 'intermediateEdges'] as const;
const OUT_OF_RANGE = [0, 1, 1_000, 0x7fff_ffff, 0xffff_ffff];

export function toDesc(graph: Rows): NativeGraphDesc {
  const flat = (rows: readonly (readonly number[])[]) => Uint32Array.from(rows.flat());
  return {
    operators: graph.operators,
    nodes: Uint32Array.from(graph.nodes),
    inputEdges: flat(graph.inputEdges),
    outputEdges: flat(graph.outputEdges),
    intermediateEdges: flat(graph.intermediateEdges),
    inputs: graph.inputs,
    outputs: graph.outputs,
  };
}

/** A well-formed graph of one to eight nodes. */
export function randomGraph(random: Random): Rows {
  const chosen = Array.from({ length: random.int(1, 8) }, () => random.pick(kinds));
  const graph: Rows = {
    operators: kinds.map(({ describe }) => describe()),
    nodes: chosen.map((kind) => kinds.indexOf(kind)),
    inputEdges: [],
    outputEdges: [],
    intermediateEdges: [],
    inputs: ['input 0'],
    outputs: [],
  };
  for (const [node, { inputs }] of chosen.entries()) {
    for (let input = 0; input < inputs; input++) {
      const from = node > 0 && random.chance(0.7) ? random.int(0, node - 1) : undefined;
      const outputs = from === undefined ? undefined : chosen[from]?.outputs;
      if (from === undefined || outputs === undefined) graph.inputEdges.push([inputOf(random, graph), node, input]);
      else graph.intermediateEdges.push([from, random.int(0, outputs - 1), node, input]);
    }
  }
  const read = new Set(graph.intermediateEdges.map(([from]) => from));
  for (const node of chosen.keys()) if (!read.has(node) || random.chance(0.2)) toOutput(graph, node);
  return graph;
}

/** The index of a graph input, which may be a new one. */
function inputOf(random: Random, graph: Rows): number {
  if (random.chance(0.5)) graph.inputs.push(`input ${graph.inputs.length}`);
  return random.int(0, graph.inputs.length - 1);
}

function toOutput(graph: Rows, node: number): void {
  graph.outputEdges.push([node, 0, graph.outputs.length]);
  graph.outputs.push(`output ${graph.outputs.length}`);
}

/** Adds a node and returns its index. */
function addNode(graph: Rows, operator: NativeOperatorDesc): number {
  graph.operators.push(operator);
  return graph.nodes.push(graph.operators.length - 1) - 1;
}

/** Takes away an edge that feeds an input of a node. Returns the node and its input. */
function cutInput(random: Random, graph: Rows): readonly [number, number] {
  const { inputEdges, intermediateEdges } = graph;
  const list =
    random.int(0, inputEdges.length + intermediateEdges.length - 1) < inputEdges.length ? inputEdges : intermediateEdges;
  const [row = []] = list.splice(random.int(0, list.length - 1), 1);
  const [node = 0, input = 0] = row.slice(-2);
  return [node, input];
}

/** The nodes that can be reached from a node, and the node itself. */
function reached(graph: Rows, from: number): number[] {
  const found = new Set([from]);
  for (const node of found) for (const [a = 0, , b = 0] of graph.intermediateEdges) if (a === node) found.add(b);
  return [...found];
}

/** By kind of edge and column, how many of what the column counts the graph has. No node has four inputs or outputs. */
function bounds(graph: Rows): Readonly<Record<(typeof EDGES)[number], readonly number[]>> {
  const [nodes, tensors] = [graph.nodes.length, 4];
  return {
    inputEdges: [graph.inputs.length, nodes, tensors],
    outputEdges: [nodes, tensors, graph.outputs.length],
    intermediateEdges: [nodes, tensors, nodes, tensors],
  };
}

function anyEdges(random: Random, graph: Rows) {
  return random.pick(EDGES.filter((name) => graph[name].length > 0));
}

/** Every graph that these make must be refused. */
export const edgeBreaks: readonly (readonly [string, (random: Random, graph: Rows) => void])[] = [
  [
    'an index out of range',
    (random, graph) => {
      const name = anyEdges(random, graph);
      const row = random.pick(graph[name]);
      const column = random.int(0, row.length - 1);
      row[column] = Math.min((bounds(graph)[name][column] ?? 0) + random.pick(OUT_OF_RANGE), 0xffff_ffff);
    },
  ],
  [
    'a node of no operator',
    (random, graph) => {
      const index = graph.operators.length + random.pick(OUT_OF_RANGE);
      graph.nodes[random.int(0, graph.nodes.length - 1)] = Math.min(index, 0xffff_ffff);
    },
  ],
  [
    'two edges into one input',
    (random, graph) => {
      const [node, input] = random.pick([...graph.inputEdges, ...graph.intermediateEdges]).slice(-2);
      graph.inputEdges.push([0, node ?? 0, input ?? 0]);
    },
  ],
  ['an edge twice', (random, graph) => repeat(random, graph, random.int(1, 3))],
  ['an edge very often', (random, graph) => repeat(random, graph, random.pick([1_000, 60_000, 300_000]))],
  [
    'two edges to one graph output',
    (random, graph) => {
      const [, , output = 0] = random.pick(graph.outputEdges);
      graph.outputEdges.push([random.int(0, graph.nodes.length - 1), 0, output]);
    },
  ],
  ['an input without an edge', (random, graph) => void cutInput(random, graph)],
  [
    'a self loop',
    (random, graph) => {
      const [node, input] = cutInput(random, graph);
      graph.intermediateEdges.push([node, 0, node, input]);
    },
  ],
  [
    'a cycle',
    (random, graph) => {
      const [node, input] = cutInput(random, graph);
      graph.intermediateEdges.push([random.pick(reached(graph, node)), 0, node, input]);
    },
  ],
  [
    'a long cycle',
    (random, graph) => {
      const [first, count] = [graph.nodes.length, random.pick([2, 100, 60_000])];
      for (let i = 0; i < count; i++) {
        graph.nodes.push(0);
        graph.intermediateEdges.push([first + i, 0, first + ((i + 1) % count), 0]);
      }
      if (random.chance(0.5)) toOutput(graph, first);
    },
  ],
  [
    'a dead end',
    (random, graph) => {
      const node = addNode(graph, identity());
      if (random.chance(0.5)) graph.inputEdges.push([0, node, 0]);
      else graph.intermediateEdges.push([0, 0, node, 0]);
    },
  ],
  ['nodes without edges', (random, graph) => graph.nodes.push(...new Array<number>(random.pick([1, 65_535 - 8])).fill(0))],
  [
    'an edge into an absent tensor',
    (_, graph) => {
      const node = addNode(graph, gemm.describe());
      graph.inputEdges.push([0, node, 0], [0, node, 1], [0, node, 2]);
      toOutput(graph, node);
    },
  ],
  [
    'an edge of two sizes in bytes',
    (_, graph) => {
      const larger = { ...tensor(), sizes: [1, 1, 1, 8], totalTensorSizeInBytes: 32 };
      const node = addNode(graph, { ...identity(), inputTensor: larger, outputTensor: larger });
      graph.intermediateEdges.push([0, 0, node, 0]);
      toOutput(graph, node);
    },
  ],
  [
    'a computed tensor that DirectML owns',
    (_, graph) => {
      const node = addNode(graph, identity(1));
      graph.intermediateEdges.push([0, 0, node, 0]);
      toOutput(graph, node);
    },
  ],
  [
    'an input that DirectML owns in one of two places',
    (random, graph) => {
      const [input = 0] = random.pick(graph.inputEdges);
      const node = addNode(graph, identity(1));
      graph.inputEdges.push([input, node, 0]);
      toOutput(graph, node);
    },
  ],
  ['no nodes', (_, graph) => (graph.nodes = [])],
  ['no outputs', (_, graph) => (graph.outputs = [])],
  ['no inputs', (_, graph) => (graph.inputs = [])],
];

function repeat(random: Random, graph: Rows, times: number): void {
  const name = anyEdges(random, graph);
  const row = random.pick(graph[name]);
  for (let i = 0; i < times; i++) graph[name].push(row);
}

/** A graph that these make may be well-formed. */
export const edgeChanges: readonly (readonly [string, (random: Random, graph: Rows) => void])[] = [
  [
    'edited numbers',
    (random, graph) => {
      for (let i = random.int(1, 4); i > 0; i--) {
        const row = random.chance(0.2) ? graph.nodes : random.pick(graph[anyEdges(random, graph)]);
        row[random.int(0, row.length - 1)] = random.int(0, 3);
      }
    },
  ],
  [
    'random edges',
    (random, graph) => {
      for (const name of EDGES) {
        const make = () => bounds(graph)[name].map((bound) => random.int(0, Math.max(0, bound === 4 ? 1 : bound - 1)));
        graph[name] = Array.from({ length: random.int(0, 2 * graph.nodes.length) }, make);
      }
    },
  ],
  ['edges of the other kind', (_, graph) => ([graph.inputEdges, graph.outputEdges] = [graph.outputEdges, graph.inputEdges])],
  ['no change', () => undefined],
];
