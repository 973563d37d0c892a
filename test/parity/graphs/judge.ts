/** Lets our validation and the real DirectML judge graphs, and compares their verdicts. */
import { DirectMLError } from '#lib/errors.js';
import { lowerGraph } from '#lib/backends/directml/lower-graph.js';
import { overwrittenParts } from '#lib/backends/directml/overwritten-parts.js';
import { GraphBuilder } from '#lib/graph/graph-builder.js';
import { readDescriptor } from '#lib/graph/read-descriptor.js';
import type { ResolvedGraph } from '#lib/graph/resolved-graph.js';
import { highestFeatureLevel } from '#lib/schema/feature-level.js';
import { strictRuleOf, type StrictRule } from '#lib/validation/strict.js';
import { tensorsOf, type LooseDescriptor } from '../candidate.js';
import { askDirectML, type Answer } from '../child-protocol.js';
import { isReference, nameIn, type GraphCandidate, type LooseGraph, type Outcome } from './candidate.js';
import { encodeGraph, type RawGraph } from './encode.js';
import { recurrent } from './generate.js';
import { isFourBit } from './layouts.js';
import { slotsOf, type Slot } from './values.js';

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
  readonly ours: DirectMLError | null;
  readonly raw: RawGraph;
  /** What DirectML is asked about the graph as it is described. */
  readonly questions: readonly object[];
  /** Null if our validation refuses the graph. */
  readonly resolved: ResolvedGraph | null;
}

export async function judgeGraphs(
  candidates: readonly GraphCandidate[],
  progress: (done: number) => void = () => undefined,
): Promise<JudgedGraph[]> {
  const verdicts = candidates.map(ourVerdict);
  const questions = verdicts.flatMap((verdict, index) =>
    [...verdict.questions, ...(verdict.resolved === null ? [] : [lowerGraph(verdict.resolved).native])].map((question) => ({
      question,
      index,
    })),
  );
  const answers = await askDirectML(
    questions.map(({ question }) => question),
    { progress: (done) => progress(questions[Math.min(done, questions.length - 1)]?.index ?? 0) },
  );
  return verdicts.map((verdict) => {
    const own = answers.splice(0, verdict.questions.length);
    const theirs = own.find((answer) => answer !== 'ok') ?? 'ok';
    const lowered = verdict.resolved === null ? null : (answers.shift() ?? 'no answer');
    return compare(verdict, theirs, lowered);
  });
}

function ourVerdict(candidate: GraphCandidate): Verdict {
  const raw = encodeGraph(candidate.graph);
  const questions = [...raw.sequences, raw.graph];
  const resolved = resolve(candidate);
  if (resolved instanceof DirectMLError) return { candidate, ours: resolved, raw, questions, resolved: null };
  return { candidate, ours: null, raw, questions, resolved };
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

function compare(verdict: Verdict, theirs: Answer, lowered: Answer | null): JudgedGraph {
  const { candidate, ours, raw } = verdict;
  const judged = { ...candidate, ours, theirs, lowered };
  const isAccepted = theirs === 'ok' && !raw.isInexpressible;
  if (theirs === 'hang' || (ours === null && lowered !== 'ok')) return { ...judged, outcome: 'disagree' };
  if (ours === null) {
    if (isAccepted) return { ...judged, outcome: 'valid' };
    if (raw.hasDeadNodes) return { ...judged, outcome: 'pruned' };
    const rewriting = rewritingOf(verdict);
    return rewriting === undefined ? { ...judged, outcome: 'disagree' } : { ...judged, outcome: 'rewritten', rewriting };
  }
  if (ours.code === 'ERR_FEATURE_LEVEL' && candidate.featureLevel !== highestFeatureLevel) return { ...judged, outcome: 'older' };
  if (!isAccepted) return { ...judged, outcome: 'invalid' };
  const strictRule = strictRuleOf(ours);
  return strictRule === undefined ? { ...judged, outcome: 'disagree' } : { ...judged, outcome: 'stricter', strictRule };
}

/** What the package does so that DirectML accepts a graph that it would refuse; undefined if there is nothing that explains it. */
function rewritingOf({ candidate: { graph }, raw, resolved }: Verdict): string | undefined {
  if (raw.isInexpressible) return 'an output that no node computes';
  const nodes = Object.values(graph.nodes);
  const isOwned = ({ value }: Slot) => isReference(value) && graph.constants[nameIn(value)]?.flags === 'ownedByDml';
  const isRecurrent = ({ type }: LooseDescriptor) => recurrent.includes(type);
  if (nodes.filter(isRecurrent).some((node) => slotsOf(node).some(isOwned))) return 'constants of recurrent operators';
  if (resolved !== null && overwrittenParts(resolved).size > 0) return 'parts that are overwritten';
  const hasFourBits = nodes.some((node) => tensorsOf(node, 'output').some(isFourBit) || node.type === 'dequantize');
  return hasFourBits ? '4-bit tensors' : undefined;
}

/** The graph without `as`, which only the graph for DirectML needs. */
function withoutHints(graph: LooseGraph): unknown {
  const text = JSON.stringify(graph, (_key, value: unknown) =>
    typeof value === 'object' && value !== null && 'as' in value && 'value' in value ? value.value : value,
  );
  return JSON.parse(text);
}
