/** Lets our validation and the real DirectML judge graphs, and compares their verdicts. */
import { DirectMLError } from '#lib/errors.js';
import { lowerGraph } from '#lib/backends/directml/lower-graph.js';
import { GraphBuilder } from '#lib/graph/graph-builder.js';
import { toJsonValue } from '#lib/graph/json-values.js';
import { readDescriptor } from '#lib/graph/read-descriptor.js';
import type { ResolvedGraph } from '#lib/graph/resolved-graph.js';
import { highestFeatureLevel } from '#lib/schema/feature-level.js';
import { strictRuleOf, type StrictRule } from '#lib/validation/strict.js';
import { askDirectML, type Answer } from '../ask-directml.js';
import type { LooseGraph } from '../../graph/loose-graph.js';
import type { GraphCandidate, Outcome } from './candidate.js';
import { encodeGraph, type RawGraph } from './encode.js';
import { remediesOf } from './rewriting.js';

export interface JudgedGraph extends GraphCandidate {
  /** The error of our validation; null if it accepts the graph. */
  readonly ours: DirectMLError | null;
  /** About the graph as it is described. */
  readonly theirs: Answer;
  /** About the graph that the package makes of it; null if our validation refuses it. */
  readonly lowered: Answer | null;
  readonly outcome: Outcome;
  readonly strictRule?: StrictRule;
  /** What the package does to make DirectML accept the graph. */
  readonly rewriting?: string;
}

interface Verdict {
  readonly candidate: GraphCandidate;
  readonly ours: ResolvedGraph | DirectMLError;
  readonly raw: RawGraph;
  /** What DirectML is asked about the graph as it is described, and about the one that the package makes of it. */
  readonly questions: { readonly described: readonly object[]; readonly lowered: readonly object[] };
}

export async function judgeGraphs(
  candidates: readonly GraphCandidate[],
  progress: (done: number) => void = () => undefined,
): Promise<JudgedGraph[]> {
  const verdicts = candidates.map(ourVerdict);
  const questions = verdicts.flatMap(({ questions: { described, lowered } }, index) =>
    [...described, ...lowered].map((question) => ({ question, index })),
  );
  const answers = await askDirectML(
    questions.map(({ question }) => question),
    (done) => progress(questions[Math.min(done, questions.length - 1)]?.index ?? 0),
  );
  const judged = verdicts.map((verdict) => {
    const { described, lowered } = verdict.questions;
    const theirs = whole(answers.splice(0, described.length));
    const [aboutLowered = null] = answers.splice(0, lowered.length);
    return compare(verdict, theirs, aboutLowered);
  });
  await explainRewritings(judged);
  return judged;
}

function whole(answers: readonly Answer[]): Answer {
  return answers.find((answer) => answer !== 'ok') ?? 'ok';
}

/** Asks DirectML about the rewritten graphs again. One that no remedy makes right is a disagreement. */
async function explainRewritings(judged: JudgedGraph[]): Promise<void> {
  const asked = judged.flatMap((one, index) =>
    one.outcome === 'rewritten' && one.rewriting === undefined
      ? remediesOf(one.graph).map(({ cause, graph }) => ({ index, cause, raw: encodeGraph(graph) }))
      : [],
  );
  const questions = asked.map(({ raw }) => [...raw.sequences, raw.graph]);
  const answers = asked.length === 0 ? [] : await askDirectML(questions.flat());
  const causes = new Map<number, string>();
  for (const [i, { index, cause }] of asked.entries()) {
    const isRight = whole(answers.splice(0, questions[i]?.length)) === 'ok';
    if (isRight && !causes.has(index)) causes.set(index, cause);
  }
  for (const [index, one] of judged.entries()) {
    if (one.outcome !== 'rewritten' || one.rewriting !== undefined) continue;
    const rewriting = causes.get(index);
    judged[index] = rewriting === undefined ? { ...one, outcome: 'disagree' } : { ...one, rewriting };
  }
}

function ourVerdict(candidate: GraphCandidate): Verdict {
  const raw = encodeGraph(candidate.graph);
  const ours = resolve(candidate);
  const lowered = ours instanceof DirectMLError ? [] : [lowerGraph(ours).native];
  return { candidate, ours, raw, questions: { described: [...raw.sequences, raw.graph], lowered } };
}

function resolve({ graph, featureLevel }: GraphCandidate): ResolvedGraph | DirectMLError {
  try {
    const builder = new GraphBuilder(featureLevel);
    return builder.resolve(
      readDescriptor(builder, withoutHints(graph), () => undefined),
      'compileGraph',
    );
  } catch (error) {
    if (error instanceof DirectMLError) return error;
    throw error;
  }
}

function compare({ candidate, ours, raw }: Verdict, theirs: Answer, lowered: Answer | null): JudgedGraph {
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
