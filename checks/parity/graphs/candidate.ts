/** A graph that both our validation and DirectML judge, and the ways to break one. */
import type { ErrorCode } from '#lib/values/errors.js';
import type { FeatureLevel } from '#lib/tensors/generated/enums.js';
import type { LooseGraph } from '../../graphs/loose-graph.js';
import type { Random } from '../../harness/random.js';

/**
 * `valid` and `invalid`: both sides agree. `stricter`: DirectML accepts a graph that a named rule of ours refuses. `pruned` and
 * `rewritten`: DirectML refuses the graph as it is described, but accepts the graph that the package makes of it. `older`: the
 * graph needs a higher feature level than the given one, which this DirectML cannot judge.
 */
export const outcomes = ['valid', 'invalid', 'stricter', 'pruned', 'rewritten', 'older', 'disagree'] as const;
export type Outcome = (typeof outcomes)[number];

export interface GraphCandidate {
  /** The name of the change. */
  readonly rule: string;
  readonly graph: LooseGraph;
  readonly featureLevel: FeatureLevel;
  /** The correct outcomes, which never include `disagree`. */
  readonly expected: readonly Outcome[];
  /** The code and field that our error must have, if the change leaves no doubt. */
  readonly mistake?: Mistake | undefined;
}

export interface Mistake {
  readonly code: ErrorCode;
  /** The path of the field, or its beginning. */
  readonly field: string;
}

/** The result of a change: a mistake that our error must name; another change; or null if the change was not possible. */
type Change = Mistake | 'changed' | null;

/** A change of a graph that is right. */
export interface GraphMutation {
  readonly rule: string;
  readonly expected: readonly Outcome[];
  readonly change: (random: Random, graph: LooseGraph) => Change;
}

/** Changes one of the parts that `find` returns. */
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

/** For changes that are possible in every graph. */
export function anyGraph(graph: LooseGraph): readonly LooseGraph[] {
  return [graph];
}
