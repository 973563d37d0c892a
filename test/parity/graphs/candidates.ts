/** Graph candidates: half of them right, half of them changed in one way that breaks a rule. */
import { featureLevels, highestFeatureLevel, reaches } from '#lib/schema/feature-level.js';
import { Random } from '../../random.js';
import { brokenReferences } from './broken-references.js';
import { brokenStructure } from './broken-structure.js';
import { brokenTensors, wrongOperator } from './broken-tensors.js';
import type { GraphCandidate, GraphMutation, LooseGraph } from './candidate.js';
import { randomGraph } from './generate.js';
import { largeGraph } from './large.js';

const MAX_NODES = 36;
/** The share of graphs with thousands of nodes. Each takes about as long as a hundred others. */
const LARGE = 1 / 400;
const mutations = [...brokenReferences, ...brokenStructure, ...brokenTensors];

/** The candidate with this number. It depends only on the number and the seed. */
export function graphCandidate(seed: number, index: number): GraphCandidate {
  const random = Random.of(seed, 'graph', index);
  const graph = sizedGraph(random);
  if (index % 2 === 0) return { rule: 'valid', graph, featureLevel: highestFeatureLevel, expected: ['valid', 'rewritten'] };
  if (random.chance(0.05)) return older(random, graph);
  return broken(random, graph, random.chance(0.15) ? wrongOperator : random.pick(mutations));
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
function broken(random: Random, graph: LooseGraph, { rule, expected, change }: GraphMutation): GraphCandidate {
  for (let changed = structuredClone(graph); ; changed = sizedGraph(random)) {
    const mistake = change(random, changed);
    if (mistake === null) continue;
    return {
      rule,
      graph: changed,
      featureLevel: highestFeatureLevel,
      expected,
      mistake: mistake === 'changed' ? undefined : mistake,
    };
  }
}

function sizedGraph(random: Random): LooseGraph {
  if (random.chance(LARGE)) return largeGraph(random);
  // Small graphs are more frequent, because they show more if they fail.
  return randomGraph(random, 1 + Math.floor(random.fraction() ** 2 * MAX_NODES));
}
