/** Generates, judges and reports graphs. */
import { isFeatureLevel } from '#lib/schema/feature-level.js';
import { showProgress } from '../progress.js';
import { outcomes, type LooseGraph } from './candidate.js';
import { graphCandidate } from './candidates.js';
import { judgeGraphs, type JudgedGraph } from './judge.js';
import { describe, isFailure, printTotal } from './report.js';
import { shrunk } from './shrink.js';

export interface GraphRun {
  readonly seed: number;
  /** The number of the first graph. */
  readonly from: number;
  readonly count: number;
  /** The largest number of failures to print. */
  readonly shown: number;
}

/** Graphs per child process. Starting one takes seconds. */
const BATCH = 2_000;
/** The number of failures that are made smaller before they are printed. Each takes up to a minute. */
const SHRUNK = 3;

/** Returns the number of failures. */
export async function compareGraphs({ seed, from, count, shown }: GraphRun): Promise<number> {
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
      const small = failures > SHRUNK ? one : await shrunk(one);
      console.log(`\n--graphs --seed ${seed} --only ${first + i}: ${describe(small)}`);
    }
    all.push(...judged);
  }
  printTotal(all);
  return all.filter(isFailure).length;
}

/** Judges a graph that is given as JSON. Returns the number of failures. */
export async function compareGraph(json: string, featureLevel: string): Promise<number> {
  const given: unknown = JSON.parse(json);
  if (!isGraph(given)) throw new TypeError('--graph takes a GraphDescriptor');
  if (!isFeatureLevel(featureLevel)) throw new TypeError(`no feature level ${featureLevel}`);
  const graph = { ...given, inputs: given.inputs ?? {}, constants: given.constants ?? {} };
  const agreed = outcomes.filter((outcome) => outcome !== 'disagree');
  const judged = await judgeGraphs([{ rule: 'given', graph, featureLevel, expected: agreed }]);
  for (const one of judged) console.log(`${describe(one)}\n${one.outcome} ${one.strictRule ?? ''}`);
  return judged.filter(isFailure).length;
}

function isGraph(value: unknown): value is Partial<LooseGraph> & Pick<LooseGraph, 'nodes' | 'outputs'> {
  return typeof value === 'object' && value !== null && 'nodes' in value && 'outputs' in value;
}
