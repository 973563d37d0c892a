/** Descriptors of graphs with malformed parts. */
import type { Random } from '../harness/random.js';
import { NAMES, withProperty } from './malformed/values.js';
import { anyDescriptor } from './operators.js';
import type { LooseGraph } from '../graphs/loose-graph.js';
import type { LooseTensor } from '../descriptors/candidate.js';
import { mutations } from '../parity/graphs/mutations/index.js';

type Part = Record<string, unknown>;

/** A descriptor whose parts may be changed. */
interface Loose {
  inputs: Part;
  constants: Part;
  nodes: Part;
  outputs: Part;
}

const PARTS = ['inputs', 'constants', 'nodes', 'outputs'] as const;
const float32 = (...sizes: number[]): LooseTensor => ({ dataType: 'float32', sizes });
const MANY_NODES = 2_000;

/** A graph that compiles and has most of the features of a descriptor. */
function right(): LooseGraph {
  return {
    inputs: { x: float32(2, 3) },
    constants: { w: { ...float32(3), data: 'AACAPwAAAEAAAEBA' } },
    nodes: {
      a: { type: 'elementWiseClip', inputTensor: 'x', min: '-Infinity', max: 1, scaleBias: { scale: 2, bias: '-0' } },
      b: { type: 'elementWiseAdd', aTensor: 'a.outputTensor', bTensor: { value: 'w', sizes: [2, 3], strides: [0, 1] } },
      c: { type: 'join', inputTensors: ['a.outputTensor', 'b.outputTensor'], axis: 0, outputTensor: float32(4, 3) },
      d: { type: 'gemm', aTensor: 'x', bTensor: 'x', transB: 'transpose', fusedActivation: { type: 'activationRelu' } },
    },
    outputs: { y: 'c.outputTensor', z: { value: 'd.outputTensor', sizes: [4] } },
  };
}

/** A graph of many nodes. One node may have an unknown operator, and the first may read the last node's output. */
function manyNodes(random: Random, descriptor: Loose): void {
  const last = `n${MANY_NODES - 1}.outputTensor`;
  const first = random.chance(0.3) ? last : 'x';
  const nodes = Array.from({ length: MANY_NODES }, (_, i) => {
    const type = random.chance(1 / MANY_NODES) ? 'elementWiseNegat' : 'elementWiseNegate';
    return [`n${i}`, { type, inputTensor: i === 0 ? first : `n${i - 1}.outputTensor` }];
  });
  Object.assign(descriptor, { nodes: Object.fromEntries(nodes), outputs: { last } });
}

/** Text that is not base64, or is base64 of other data. */
const BAD_TEXTS = ['', '=', 'A', 'AA==', 'AAAA\n', 'AACAPwAAAEAAAEBA====', 'A'.repeat(1_000_000), '\0', '_-_-', 'x'.repeat(16)];

/** Changes within the four parts of a graph. */
const changes: readonly ((random: Random, graph: Loose) => unknown)[] = [
  (random, graph) => {
    const part = random.pick(PARTS);
    graph[part] = withProperty(graph[part], random.pick(NAMES), { value: random.pick(NAMES) });
  },
  // Moves a value to another name.
  (random, graph) => {
    const part = random.pick(PARTS);
    const { [random.pick([...Object.keys(graph[part]), ''])]: value, ...others } = graph[part];
    graph[part] = withProperty(others, random.pick(NAMES), { value });
  },
  // Adds any operator, mostly with missing inputs.
  (random, graph) => {
    const node = { ...anyDescriptor(random), [random.pick(['inputTensor', 'aTensor'])]: 'x' };
    graph.nodes = withProperty(graph.nodes, random.pick(NAMES), { value: node });
  },
  manyNodes,
  (random, graph) => (graph.constants = { w: { ...float32(3), data: random.pick(BAD_TEXTS) } }),
];

/** Arguments of compileGraph, mostly with an invalid graph. */
export function malformedDescriptor(random: Random): unknown[] {
  const graph = right();
  if (random.chance(0.5)) random.pick(mutations).change(random, graph);
  for (let i = random.int(0, 2); i > 0; i--) random.pick(changes)(random, graph);
  const options = { constants: { w: [1, 2, 3] }, disableMetacommands: true };
  return random.chance(0.7) ? [graph] : [graph, options];
}
