/**
 * A graph that both our validation and DirectML judge: a `GraphDescriptor`. It may be wrong in any way, so its types promise
 * little.
 */
import type { ErrorCode } from '#lib/errors.js';
import type { FeatureLevel } from '#lib/schema/generated/enums.js';
import type { Random } from '../../random.js';
import type { LooseDescriptor, LooseTensor } from '../candidate.js';

export interface LooseGraph {
  inputs: Record<string, LooseTensor>;
  constants: Record<string, LooseTensor>;
  nodes: Record<string, LooseDescriptor>;
  outputs: Record<string, Reference>;
}

/** The name of a value, or the name with what its reader says about the value. */
export type Reference = string | View;

/** Our validation takes only `value`, `sizes` and `strides`. DirectML lets a reader describe a value in any way. */
export interface View extends Partial<LooseTensor> {
  value: string;
  /** For a name without a value: the tensor that the reader describes. Our validation does not see it. */
  as?: LooseTensor | undefined;
}

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

/** A change of a graph that is right. `change` returns null if the graph has nothing to change in this way. */
export interface GraphMutation {
  readonly rule: string;
  readonly expected: readonly Outcome[];
  readonly change: (random: Random, graph: LooseGraph) => Mistake | 'changed' | null;
}

export function isReference(value: unknown): value is Reference {
  return typeof value === 'string' || (typeof value === 'object' && value !== null && 'value' in value);
}

export function nameIn(reference: Reference): string {
  return typeof reference === 'string' ? reference : reference.value;
}
