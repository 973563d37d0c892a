/** Generates, judges and reports graphs. */
import { highestFeatureLevel, isFeatureLevel } from '#lib/descriptors/feature-level.js';
import { readJson } from '../../cases/case.js';
import { isGraph, type LooseGraph } from '../../graphs/loose-graph.js';
import { smallerGraphs } from '../../graphs/smaller-graphs.js';
import { showProgress } from '../../harness/report.js';
import { shrunk } from '../../harness/shrink.js';
import type { Given, Mode } from '../../harness/tool.js';
import { outcomes } from './candidate.js';
import { graphCandidate } from './candidates.js';
import { judgeGraphs, type JudgedGraph } from './judge.js';
import { describe, isFailure, printTotal } from './report.js';

const GRAPHS = 10_000;
export const graphs: Mode = {
  option: 'graphs',
  summary:
    'Our validation and DirectML judge random graphs, right ones and ones with one mistake. DirectML must also compile what the ' +
    'package makes of each right one. The first failures are made smaller.',
  options: {
    seed: '',
    cases: `how many graphs (default: ${GRAPHS})`,
    from: '',
    case: '',
    level: 'with --case: the feature level',
    show: '',
  },
  run(given) {
    const graph = given.caseOf(readGraph);
    return graph === undefined ? compareGraphs(given) : compareGraph(given, graph);
  },
};

/** Graphs per child process. Starting one takes seconds. */
const BATCH = 2_000;
/** The number of failures to shrink before they are printed. Shrinking one takes up to a minute. */
const SHRUNK = 3;

async function compareGraphs(given: Given): Promise<number> {
  const [seed, from, count] = [given.seed(), given.numberOf('from', 0), given.numberOf('cases', GRAPHS)];
  const shown = given.shown();
  console.log(`seed ${seed}`);
  const all: JudgedGraph[] = [];
  let failures = 0;
  for (let first = from; first < from + count; first += BATCH) {
    const numbers = Array.from({ length: Math.min(BATCH, from + count - first) }, (_, i) => first + i);
    const candidates = numbers.map((number) => graphCandidate(seed, number));
    const judged = await judgeGraphs(candidates, (done) => showProgress(`${all.length + done} of ${count} graphs`));
    showProgress('');
    for (const [i, one] of judged.entries()) {
      if (count === 1) console.log(describe(one));
      if (!isFailure(one) || ++failures > shown || count === 1) continue;
      const small = failures > SHRUNK ? one : await smallest(one);
      console.log(`\nnpm run parity -- --graphs --seed ${seed} --from ${first + i} --cases 1: ${describe(small)}`);
    }
    all.push(...judged);
  }
  printTotal(all);
  return all.filter(isFailure).length;
}

/** The graph with the fewest outputs and nodes that still fails in the same way. */
function smallest(failed: JudgedGraph): Promise<JudgedGraph> {
  const answers = ({ outcome, theirs, lowered, ours }: JudgedGraph) =>
    String([outcome, theirs, lowered, ours?.code, ours?.expected]);
  return shrunk(
    failed,
    ({ graph }) => smallerGraphs(graph).map((one) => ({ ...failed, graph: one })),
    async (candidates) => (await judgeGraphs(candidates)).find((one) => answers(one) === answers(failed)),
  );
}

function readGraph(json: string): LooseGraph {
  const read = readJson(json);
  if (!isGraph(read)) throw new TypeError('here it is a GraphDescriptor');
  return { inputs: {}, constants: {}, ...read };
}

async function compareGraph(given: Given, graph: LooseGraph): Promise<number> {
  const featureLevel = given.textOf('level') ?? highestFeatureLevel;
  if (!isFeatureLevel(featureLevel)) throw given.mistake(`there is no feature level ${featureLevel}`);
  const agreed = outcomes.filter((outcome) => outcome !== 'disagree');
  const judged = await judgeGraphs([{ rule: 'given', graph, featureLevel, expected: agreed }]);
  for (const one of judged) console.log(`${describe(one)}\n${one.outcome} ${one.strictRule ?? ''}`);
  return judged.filter(isFailure).length;
}
