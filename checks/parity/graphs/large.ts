/** Valid graphs with thousands of nodes: deep chains, parallel chains, wide fans, and trees. */
import { nameIn, readersIn, type LooseGraph } from '../../graphs/loose-graph.js';
import type { Random } from '../../harness/random.js';
import type { LooseTensor } from '../../descriptors/candidate.js';

const FEWEST = 1_000;
const MOST = 4_000;

const unary = ['elementWiseNegate', 'elementWiseAbs', 'elementWiseSign', 'activationRelu', 'elementWiseIdentity'] as const;
const binary = ['elementWiseAdd', 'elementWiseSubtract', 'elementWiseMultiply', 'elementWiseMax'] as const;

export function largeGraph(random: Random): LooseGraph {
  const tensor: LooseTensor = { dataType: random.pick(['float32', 'float16']), sizes: [1, random.int(1, 8)] };
  const count = random.int(FEWEST, MOST);
  const nodes = Array.from({ length: count }, (_, i) => `n${i}`);
  const nameOf = (i: number) => (i < 0 ? 'x' : `n${i}.outputTensor`);
  const readBy = readings(random, count);
  const graph: LooseGraph = { inputs: { x: tensor }, constants: {}, nodes: {}, outputs: {} };
  for (const [i, node] of nodes.entries()) {
    const [a = -1, b] = readBy(i);
    const outputTensor = structuredClone(tensor);
    graph.nodes[node] =
      b === undefined
        ? { type: random.pick(unary), inputTensor: nameOf(a), outputTensor }
        : { type: random.pick(binary), aTensor: nameOf(a), bTensor: nameOf(b), outputTensor };
  }
  const read = new Set(readersIn(graph).map(({ reference }) => nameIn(reference)));
  for (const i of nodes.keys()) if (!read.has(nameOf(i))) graph.outputs[`y${i}`] = nameOf(i);
  return graph;
}

/** Returns a function that maps the number of a node to one or two earlier nodes that it reads; a negative number is the input. */
function readings(random: Random, count: number): (i: number) => readonly number[] {
  const chains = random.pick([1, random.int(2, 40)]);
  const leaves = Math.floor(count / 2) + 1;
  return random.pick<(i: number) => readonly number[]>([
    // Each node reads the one before it in its chain; some also read the input, or the same node twice.
    (i) => (random.chance(0.7) ? [i - chains] : [i - chains, random.pick([-1, i - chains])]),
    // All nodes read the first one, and all are outputs.
    (i) => [Math.min(i, 1) - 1],
    // All nodes read the input, and pairs of them are joined until one is left.
    (i) => (i < leaves ? [-1] : [2 * (i - leaves), 2 * (i - leaves) + 1]),
  ]);
}
