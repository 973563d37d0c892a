/** Graph candidates: half of them right, half of them broken in one rule. */
import { highestFeatureLevel } from '#lib/schema/feature-level.js';
import { Random } from '../../random.js';
import type { GraphCandidate } from './candidate.js';
import { randomGraph } from './generate.js';

const MAX_NODES = 36;

/** The candidate with this number. It depends only on the number and the seed. */
export function graphCandidate(seed: number, index: number): GraphCandidate {
  const random = Random.of(seed, 'graph', index);
  // Small graphs are more frequent, because they show more if they fail.
  const graph = randomGraph(random, 1 + Math.floor(random.fraction() ** 2 * MAX_NODES));
  return { rule: 'valid', graph, featureLevel: highestFeatureLevel, expected: ['valid', 'rewritten'] };
}
