/** Prints the results of a parity run: a table per operator, the disagreements, and the totals. */
import { strictRules, type StrictRule } from '#lib/validation/strict.js';
import { writeJson } from '../conformance/case.js';
import { printFailures } from '../harness/report.js';
import type { Judged } from './judge.js';

const OUTCOMES = ['valid', 'invalid', 'stricter', 'disagree'] as const;
const COLUMNS = [...OUTCOMES, 'deaths'] as const;
type Counts = Record<(typeof COLUMNS)[number], number>;

/** Prints the failures, each with a command that asks again, then a summary. */
export function printOperator(name: string, judged: readonly Judged[], shown: number): void {
  printFailures(judged.filter(isFailure).map(describe), shown);
  console.log(`${name}: ${summary(judged)}`);
}

export function printTable(name: string, judged: readonly Judged[]): void {
  console.log(`\n${name}\n  ${'what was changed'.padEnd(44)}${COLUMNS.map((column) => column.padStart(9)).join('')}`);
  for (const rule of [...new Set(judged.map((one) => one.rule))].sort()) {
    const counts = countsOf(judged.filter((one) => one.rule === rule));
    console.log(`  ${rule.padEnd(44)}${COLUMNS.map((column) => String(counts[column]).padStart(9)).join('')}`);
  }
}

/**
 * Prints the totals, in the last line.
 *
 * @param again The valid descriptors again, with their outputs or their defaults left out.
 */
export function printTotal(operators: number, judged: readonly Judged[], again: readonly Judged[] = []): void {
  const strict = strictCounts(judged);
  console.log('\nStricter on purpose:');
  for (const [rule] of strict) console.log(`  ${rule}: ${strictRules[rule]}`);
  const rules = strict.map(([rule, count]) => `${rule} ${count}`).join(', ');
  const { valid, invalid, deaths } = countsOf(judged);
  const refused = again.filter(isFailure).length;
  for (const rule of new Set(again.map((one) => one.rule))) {
    const own = again.filter((one) => one.rule === rule);
    console.log(`\n${rule} ${own.length}, of which DirectML refuses ${own.filter(isFailure).length}`);
  }
  console.log(
    `\noperators ${operators}, descriptors ${judged.length}, valid on both sides ${valid}, invalid on both sides ` +
      `${invalid}, deaths of DirectML ${deaths}, disagreements ${judged.filter(isFailure).length + refused}, ` +
      `stricter on purpose: ${rules === '' ? 'none' : rules}`,
  );
}

/**
 * True for a disagreement, and for a descriptor that is valid by construction but refused. If DirectML refuses it, too, the
 * generator is wrong; otherwise one of our strict rules refuses too much.
 */
export function isFailure({ rule, outcome }: Judged): boolean {
  return outcome === 'disagree' || (rule.startsWith('valid') && outcome !== 'valid');
}

export function describe({ rule, ours, theirs, descriptor }: Judged): string {
  const said = ours === null ? 'valid' : `${ours.code} ${ours.message}`;
  return `${rule}: ours: ${said}; DirectML: ${theirs}\n  npm run parity -- --case '${writeJson(descriptor)}'`;
}

function summary(judged: readonly Judged[]): string {
  const { valid, invalid, stricter, disagree, deaths } = countsOf(judged);
  const strict = strictCounts(judged).map(([rule, count]) => `${rule} ${count}`);
  return (
    `${judged.length} descriptors, ${valid} valid and ${invalid} invalid on both sides, ` +
    `${stricter} stricter on purpose${strict.length > 0 ? ` (${strict.join(', ')})` : ''}, ` +
    `${deaths} deaths, ${disagree} disagreements`
  );
}

function strictCounts(judged: readonly Judged[]): (readonly [StrictRule, number])[] {
  const counts = new Map<StrictRule, number>();
  for (const { strictRule } of judged) {
    if (strictRule !== undefined) counts.set(strictRule, (counts.get(strictRule) ?? 0) + 1);
  }
  return [...counts].sort(([a], [b]) => a.localeCompare(b));
}

function countsOf(judged: readonly Judged[]): Counts {
  const counts: Counts = { valid: 0, invalid: 0, stricter: 0, disagree: 0, deaths: 0 };
  for (const { outcome, theirs } of judged) {
    counts[outcome] += 1;
    if (theirs === 'death') counts.deaths += 1;
  }
  return counts;
}
