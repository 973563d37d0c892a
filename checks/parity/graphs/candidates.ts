/** Graph candidates: half of them right, half of them changed in one way that breaks a rule. */
import { featureLevels, highestFeatureLevel, reaches } from '#lib/descriptors/feature-level.js';
import { judged } from '../../graphs/draw-case.js';
import { GraphWriter } from '../../graphs/graph-writer.js';
import { nameIn, readersIn, valuesOf, type LooseGraph } from '../../graphs/loose-graph.js';
import { addOutputs, grow } from '../../graphs/random-graph.js';
import { Random } from '../../harness/random.js';
import { leastBytes, recurrent } from '../../descriptors/candidate.js';
import { wrongOperator } from './mutations/tensors.js';
import type { GraphCandidate, GraphMutation } from './candidate.js';
import { addCopy } from './edit.js';
import { largeGraph } from './large.js';
import { mutations } from './mutations/index.js';

const MAX_NODES = 36;
/** The share of graphs with thousands of nodes. Each takes about as long as a hundred others. */
const LARGE = 1 / 400;

/** The candidate with this number. It depends only on the number and the seed. */
export function graphCandidate(seed: number, index: number): GraphCandidate {
  const random = Random.of(seed, 'graph', index);
  const graph = sizedGraph(random);
  if (index % 2 === 0) return { rule: 'valid', graph, featureLevel: highestFeatureLevel, expected: ['valid', 'rewritten'] };
  if (random.chance(0.05)) return older(random, graph);
  return changed(random, graph, random.chance(0.15) ? wrongOperator : random.pick(mutations));
}

function older(random: Random, graph: LooseGraph): GraphCandidate {
  const featureLevel = random.pick(featureLevels);
  if (!reaches(featureLevel, '2.1')) {
    const mistake = { code: 'ERR_FEATURE_LEVEL', field: 'featureLevel' } as const;
    return { rule: 'a feature level without graphs', graph, featureLevel, expected: ['older'], mistake };
  }
  return { rule: 'another feature level', graph, featureLevel, expected: ['older', 'valid', 'rewritten'] };
}

/** The graph after the mutation, or another graph if this one has nothing to change in this way. */
function changed(random: Random, graph: LooseGraph, { rule, expected, change }: GraphMutation): GraphCandidate {
  for (let changed = structuredClone(graph); ; changed = sizedGraph(random)) {
    const mistake = change(random, changed);
    if (mistake === null) continue;
    const named = mistake === 'changed' ? undefined : mistake;
    return { rule, graph: changed, featureLevel: highestFeatureLevel, expected, mistake: named };
  }
}

function sizedGraph(random: Random): LooseGraph {
  if (random.chance(LARGE)) return largeGraph(random);
  // Small graphs are more frequent, because their failures are easier to understand.
  const writer = new GraphWriter(random, MAX_NODES, judged);
  grow(writer, 1 + Math.floor(random.fraction() ** 2 * MAX_NODES));
  addOutputs(writer);
  copySequences(writer.graph);
  describeLeaves(random, writer.graph);
  return writer.graph;
}

/** DirectML has no edge from a sequence to an output, so outputs get a copy. Only a mutation makes such an edge. */
function copySequences(graph: LooseGraph): void {
  const values = valuesOf(graph);
  for (const [output, reference] of Object.entries(graph.outputs)) {
    const value = values.get(nameIn(reference));
    if (value !== undefined && graph.nodes[value.node ?? '']?.type === 'fillValueSequence') {
      graph.outputs[output] = addCopy(graph, value).name;
    }
  }
}

/** Pads and aligns some inputs and constants, and lets DirectML own constants. */
function describeLeaves(random: Random, graph: LooseGraph): void {
  const readers = readersIn(graph).filter(({ descriptor }) => recurrent.includes(descriptor.type));
  const notOwned = new Set(readers.map(({ reference }) => nameIn(reference)));
  for (const [name, tensor] of [...Object.entries(graph.inputs), ...Object.entries(graph.constants)]) {
    if (random.chance(0.15)) tensor.totalTensorSizeInBytes = leastBytes(tensor) + random.int(1, 16);
    if (random.chance(0.1)) tensor.guaranteedBaseOffsetAlignment = random.pick([16, 32, 64, 256]);
    if (name in graph.constants && !notOwned.has(name) && random.chance(0.5)) tensor.flags = 'ownedByDml';
  }
  for (const constant of Object.values(graph.constants)) delete constant.data;
}
