/** Prints the results of a run with graphs: a table of what was changed, the failures, and the totals. */
import { highestFeatureLevel } from '#lib/descriptors/feature-level.js';
import { writeJson } from '../../cases/case.js';
import { counter, printRules, printStrict, tally } from '../report.js';
import { outcomes } from './candidate.js';
import type { JudgedGraph } from './judge.js';

/** The columns of the table that count a graph. */
function columnsOf({ outcome, theirs, lowered }: JudgedGraph): string[] {
  const isDeath = theirs === 'death' || lowered === 'death';
  return [outcome, ...(isDeath ? ['deaths'] : []), ...(lowered === 'ok' ? ['lowered'] : [])];
}

/** False if the candidate expects the outcome, and our error names the mistake. */
export function isFailure(judged: JudgedGraph): boolean {
  return !judged.expected.includes(judged.outcome) || isMisnamed(judged);
}

function isMisnamed({ mistake, ours }: JudgedGraph): boolean {
  if (mistake === undefined) return false;
  return ours?.code !== mistake.code || ours.field?.startsWith(mistake.field) !== true;
}

/** Both verdicts, and a command that repeats the comparison. */
export function describe({ rule, ours, theirs, lowered, outcome, expected, mistake, graph, featureLevel }: JudgedGraph): string {
  const named = mistake === undefined ? '' : `, ${mistake.code} at ${mistake.field}`;
  const said = ours === null ? `valid, and the graph that it makes: ${lowered}` : `${ours.code} ${ours.message}`;
  const level = featureLevel === highestFeatureLevel ? '' : ` --level ${featureLevel}`;
  return (
    `${rule}: ${outcome}, expected ${expected.join(' or ')}${named}\n  ours: ${said}\n  DirectML: ${theirs}\n` +
    `  npm run parity -- --graphs --case '${writeJson(graph)}'${level}`
  );
}

/** Prints the totals in the last line. */
export function printTotal(judged: readonly JudgedGraph[]): void {
  console.log();
  printRules(judged, [...outcomes, 'deaths', 'lowered'], columnsOf);
  const strict = printStrict(judged);
  console.log('\nRewritten, because DirectML refuses the graph as it is described:');
  for (const [cause, count] of tally(judged.map(({ rewriting }) => rewriting))) console.log(`  ${cause}: ${count}`);
  const count = counter(judged, columnsOf);
  const made = judged.filter(({ lowered }) => lowered !== null).length;
  console.log(
    `\ngraphs ${judged.length}, valid on both sides ${count('valid')}, invalid on both sides ${count('invalid')}, ` +
      `pruned ${count('pruned')}, rewritten ${count('rewritten')}, for a higher feature level ${count('older')}, ` +
      `deaths of DirectML ${count('deaths')}, disagreements ${judged.filter(isFailure).length}, ` +
      `made for DirectML ${made}, of which it refuses ${made - count('lowered')}, stricter on purpose: ${strict}`,
  );
}
