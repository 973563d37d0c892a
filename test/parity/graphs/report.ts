/** Prints the results of a run with graphs: a table of what was changed, the failures, and the totals. */
import { highestFeatureLevel } from '#lib/schema/feature-level.js';
import { strictRules } from '#lib/validation/strict.js';
import { writeJson } from '../../conformance/case.js';
import { outcomes, type Outcome } from './candidate.js';
import type { JudgedGraph } from './judge.js';

const COLUMNS = [...outcomes, 'deaths', 'lowered'] as const;
const WIDTH = 52;

/** True unless the outcome is one that the candidate expects, and our error names the mistake. */
export function isFailure(judged: JudgedGraph): boolean {
  return !judged.expected.includes(judged.outcome) || isMisnamed(judged);
}

function isMisnamed({ mistake, ours }: JudgedGraph): boolean {
  if (mistake === undefined) return false;
  return ours?.code !== mistake.code || ours.field?.startsWith(mistake.field) !== true;
}

/** What both sides say, and a command that asks again. */
export function describe({ rule, ours, theirs, lowered, outcome, expected, mistake, graph, featureLevel }: JudgedGraph): string {
  const named = mistake === undefined ? '' : `, ${mistake.code} at ${mistake.field}`;
  const said = ours === null ? `valid, and the graph that it makes: ${lowered}` : `${ours.code} ${ours.message}`;
  const level = featureLevel === highestFeatureLevel ? '' : ` --level ${featureLevel}`;
  return (
    `${rule}: ${outcome}, expected ${expected.join(' or ')}${named}\n  ours: ${said}\n  DirectML: ${theirs}\n` +
    `  npm run parity -- --graphs --case '${writeJson(graph)}'${level}`
  );
}

/** The last line has the totals. */
export function printTotal(judged: readonly JudgedGraph[]): void {
  printTable(judged);
  const strict = tally(judged.map(({ strictRule }) => strictRule));
  console.log('\nStricter on purpose:');
  for (const [rule] of strict) console.log(`  ${rule}: ${strictRules[rule]}`);
  console.log('\nRewritten, because DirectML refuses the graph as it is described:');
  for (const [cause, count] of tally(judged.map(({ rewriting }) => rewriting))) console.log(`  ${cause}: ${count}`);
  const lowered = judged.filter((one) => one.lowered !== null);
  const { valid, invalid, pruned, rewritten, older } = countsOf(judged);
  const rules = strict.map(([rule, count]) => `${rule} ${count}`).join(', ');
  console.log(
    `\ngraphs ${judged.length}, valid on both sides ${valid}, invalid on both sides ${invalid}, pruned ${pruned}, ` +
      `rewritten ${rewritten}, for a higher feature level ${older}, ` +
      `deaths of DirectML ${judged.filter(killed).length}, disagreements ${judged.filter(isFailure).length}, ` +
      `made for DirectML ${lowered.length}, of which it refuses ${lowered.filter((one) => one.lowered !== 'ok').length}, ` +
      `stricter on purpose: ${rules === '' ? 'none' : rules}`,
  );
}

function printTable(judged: readonly JudgedGraph[]): void {
  console.log(`\n${'what was changed'.padEnd(WIDTH)}${COLUMNS.map((column) => column.padStart(10)).join('')}`);
  for (const rule of [...new Set(judged.map((one) => one.rule))].sort()) {
    const own = judged.filter((one) => one.rule === rule);
    const counts = {
      ...countsOf(own),
      deaths: own.filter(killed).length,
      lowered: own.filter(({ lowered }) => lowered === 'ok').length,
    };
    console.log(`${rule.padEnd(WIDTH)}${COLUMNS.map((column) => String(counts[column]).padStart(10)).join('')}`);
  }
}

function killed({ theirs, lowered }: JudgedGraph): boolean {
  return theirs === 'death' || lowered === 'death';
}

function countsOf(judged: readonly JudgedGraph[]): Record<Outcome, number> {
  const counts: Record<Outcome, number> = {
    valid: 0,
    invalid: 0,
    stricter: 0,
    pruned: 0,
    rewritten: 0,
    older: 0,
    disagree: 0,
  };
  for (const { outcome } of judged) counts[outcome] += 1;
  return counts;
}

/** How often there is each value; those that are undefined are not counted. */
function tally<T extends string>(values: readonly (T | undefined)[]): (readonly [T, number])[] {
  const counts = new Map<T, number>();
  for (const value of values) if (value !== undefined) counts.set(value, (counts.get(value) ?? 0) + 1);
  return [...counts].sort(([a], [b]) => a.localeCompare(b));
}
