/** Lets our validation and the real DirectML judge graphs, and compares their verdicts. */
import { DirectMLError } from '#lib/values/errors.js';
import { lowerGraph } from '#lib/backends/directml/lower-graph.js';
import { GraphBuilder } from '#lib/graph/graph-builder.js';
import { toJsonValue } from '#lib/graph/json-values.js';
import { readDescriptor } from '#lib/graph/read-descriptor.js';
import type { ResolvedGraph } from '#lib/graph/resolved-graph.js';
import { highestFeatureLevel } from '#lib/descriptors/feature-level.js';
import { strictRuleOf, type StrictRule } from '#lib/descriptors/strict.js';
import { askDirectML, type Answer } from '../ask-directml.js';
import { resultOf } from '../../descriptors/refusal.js';
import { withoutData } from '../../graphs/graph-case.js';
import type { LooseGraph } from '../../graphs/loose-graph.js';
import type { GraphCandidate, Outcome } from './candidate.js';
import { encodeGraph, type RawGraph } from './encode.js';
import { remediesOf } from './rewriting.js';

export interface JudgedGraph extends GraphCandidate {
  /** The error of our validation; null if it accepts the graph. */
  readonly ours: DirectMLError | null;
  /** DirectML's verdict on the graph as it is described. */
  readonly theirs: Answer;
  /** DirectML's verdict on the graph that the package makes of it; null if our validation refuses it. */
  readonly lowered: Answer | null;
  readonly outcome: Outcome;
  readonly strictRule?: StrictRule;
  /** The change with which the package makes DirectML accept the graph. */
  readonly rewriting?: string;
}

interface Verdict {
  readonly candidate: GraphCandidate;
  readonly ours: ResolvedGraph | DirectMLError;
  readonly raw: RawGraph;
}

export async function judgeGraphs(
  candidates: readonly GraphCandidate[],
  progress?: (done: number) => void,
): Promise<JudgedGraph[]> {
  const verdicts = candidates.map((candidate): Verdict => {
    return { candidate, ours: resultOf(() => resolve(candidate)), raw: encodeGraph(candidate.graph) };
  });
  const questions = verdicts.map(({ ours, raw }) => [
    ...partsOf(raw),
    ...(ours instanceof DirectMLError ? [] : [lowerGraph(ours).native]),
  ]);
  const answers = await askInGroups(questions, progress);
  return explained(verdicts.map((verdict, i) => compare(verdict, answers[i] ?? [])));
}

/** Asks DirectML all questions. Returns the answers in the groups of the questions. `progress` gets the number of a group. */
async function askInGroups(
  groups: readonly (readonly object[])[],
  progress: (group: number) => void = () => undefined,
): Promise<Answer[][]> {
  const numbers = groups.flatMap((group, number) => group.map(() => number));
  const answers = await askDirectML(groups.flat(), (done) => progress(numbers[done] ?? groups.length - 1));
  return groups.map(({ length }) => answers.splice(0, length));
}

/** The questions to DirectML about the graph as it is described. */
function partsOf({ sequences, graph }: RawGraph): object[] {
  return [...sequences, graph];
}

function whole(answers: readonly Answer[]): Answer {
  return answers.find((answer) => answer !== 'ok') ?? 'ok';
}

/** Asks DirectML again about rewritten graphs, with remedies. A graph that no remedy makes valid is a disagreement. */
async function explained(judged: readonly JudgedGraph[]): Promise<JudgedGraph[]> {
  const isUnexplained = ({ outcome, rewriting }: JudgedGraph) => outcome === 'rewritten' && rewriting === undefined;
  const remedies = judged.map((one) => (isUnexplained(one) ? remediesOf(one.graph) : []));
  const answers = await askInGroups(remedies.flat().map(({ graph }) => partsOf(encodeGraph(graph))));
  const right = new Set(remedies.flat().filter((_, i) => whole(answers[i] ?? []) === 'ok'));
  return judged.map((one, i) => {
    if (!isUnexplained(one)) return one;
    const rewriting = remedies[i]?.find((remedy) => right.has(remedy))?.cause;
    return rewriting === undefined ? { ...one, outcome: 'disagree' } : { ...one, rewriting };
  });
}

function resolve({ graph, featureLevel }: GraphCandidate): ResolvedGraph {
  const builder = new GraphBuilder(featureLevel);
  const outputs = readDescriptor(builder, withoutHints(graph), withoutData);
  return builder.resolve(outputs, 'compileGraph');
}

function compare({ candidate, ours, raw }: Verdict, answers: readonly Answer[]): JudgedGraph {
  const described = partsOf(raw).length;
  const theirs = whole(answers.slice(0, described));
  const lowered = answers[described] ?? null;
  const error = ours instanceof DirectMLError ? ours : null;
  const judged = { ...candidate, ours: error, theirs, lowered };
  const isAccepted = theirs === 'ok' && !raw.isInexpressible;
  // DirectML gives no answer, so a refusal of ours is not agreement.
  if (theirs === 'hang') return { ...judged, outcome: 'disagree' };
  if (ours instanceof DirectMLError) {
    if (ours.code === 'ERR_FEATURE_LEVEL' && candidate.featureLevel !== highestFeatureLevel)
      return { ...judged, outcome: 'older' };
    const strictRule = strictRuleOf(ours);
    if (!isAccepted) return { ...judged, outcome: 'invalid' };
    return strictRule === undefined ? { ...judged, outcome: 'disagree' } : { ...judged, outcome: 'stricter', strictRule };
  }
  if (lowered !== 'ok') return { ...judged, outcome: 'disagree' };
  if (isAccepted) return { ...judged, outcome: 'valid' };
  if (raw.hasDeadNodes) return { ...judged, outcome: 'pruned' };
  return { ...judged, outcome: 'rewritten', ...(raw.isInexpressible ? { rewriting: 'outputs that no node computes' } : {}) };
}

/** The graph as JSON has it, and without `as`, which only the graph for DirectML needs. */
function withoutHints(graph: LooseGraph): unknown {
  const text = JSON.stringify(toJsonValue(graph), (_key, value: unknown) =>
    typeof value === 'object' && value !== null && 'as' in value && 'value' in value ? value.value : value,
  );
  return JSON.parse(text);
}
