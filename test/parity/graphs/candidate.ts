/** A graph that both our validation and DirectML judge, and the ways to break one. */
import type { ErrorCode } from '#lib/errors.js';
import type { FeatureLevel } from '#lib/schema/generated/enums.js';
import type { LooseGraph } from '../../graph/loose-graph.js';
import type { Random } from '../../random.js';

/**
 * `valid` and `invalid`: on both sides. `stricter`: DirectML accepts what a named rule of ours refuses. `pruned` and
 * `rewritten`: DirectML refuses the graph as it is described, but accepts the one that the package makes of it. `older`: the
 * graph needs a higher feature level than it was given, which cannot be asked of this DirectML.
 */
export const outcomes = ['valid', 'invalid', 'stricter', 'pruned', 'rewritten', 'older', 'disagree'] as const;
export type Outcome = (typeof outcomes)[number];

export interface GraphCandidate {
  /** What was changed. */
  readonly rule: string;
  readonly graph: LooseGraph;
  readonly featureLevel: FeatureLevel;
  /** The outcomes that are right. `disagree` never is. */
  readonly expected: readonly Outcome[];
  /** What our error has to say, if the change leaves no doubt. */
  readonly mistake?: Mistake | undefined;
}

export interface Mistake {
  readonly code: ErrorCode;
  /** The path of the field, or its beginning. */
  readonly field: string;
}

/** What a change did: a mistake that our error has to name, something else, or nothing, if it was not possible. */
type Change = Mistake | 'changed' | null;

/** A change of a graph that is right. */
export interface GraphMutation {
  readonly rule: string;
  readonly expected: readonly Outcome[];
  readonly change: (random: Random, graph: LooseGraph) => Change;
}

/** Changes one of what `find` finds in a graph. */
export function mutation<Found>(
  rule: string,
  expected: readonly Outcome[],
  find: (graph: LooseGraph) => readonly Found[],
  change: (found: Found, random: Random, graph: LooseGraph) => Change,
): GraphMutation {
  return {
    rule,
    expected,
    change(random, graph) {
      const found = find(graph);
      return found.length === 0 ? null : change(random.pick(found), random, graph);
    },
  };
}

/** For changes that need nothing of the graph. */
export function anyGraph(graph: LooseGraph): readonly LooseGraph[] {
  return [graph];
}
