/** Prints the results of a parity run: a table per operator, the disagreements, and the totals. */
import { table } from '#lib/cli/layout.js';
import { strictRules, type StrictRule } from '#lib/descriptors/strict.js';
import { writeJson } from '../cases/case.js';
import { printFailures } from '../harness/report.js';
import type { Judged } from './judge.js';

const COLUMNS = ['valid', 'invalid', 'stricter', 'disagree', 'deaths'];

/** The columns that count a candidate. */
const columnsOf = ({ outcome, theirs }: Judged) => (theirs === 'death' ? [outcome, 'deaths'] : [outcome]);

/** Prints the failures, each with a command that asks again, then a summary. */
export function printOperator(name: string, judged: readonly Judged[], shown: number): void {
  printFailures(judged.filter(isFailure).map(describe), shown);
  console.log(`${name}: ${summary(judged)}`);
}

export function printTable(name: string, judged: readonly Judged[]): void {
  console.log(`\n${name}`);
  printRules(judged, COLUMNS, columnsOf);
}

/** Prints a table with the changes and the number of candidates in each column. */
export function printRules<One extends { readonly rule: string }>(
  judged: readonly One[],
  columns: readonly string[],
  columnsOf: (one: One) => readonly string[],
): void {
  const lines = [...new Set(judged.map((one) => one.rule))].sort().map((rule) => {
    const own = judged.filter((one) => one.rule === rule);
    return [rule, ...columns.map((column) => `${counter(own, columnsOf)(column)}`)];
  });
  console.log(table([['what was changed', ...columns], ...lines], 120));
}

/**
 * Prints the totals, in the last line.
 *
 * @param again The valid descriptors again, with their outputs or their defaults left out.
 */
export function printTotal(operators: number, judged: readonly Judged[], again: readonly Judged[] = []): void {
  const strict = printStrict(judged);
  const count = counter(judged, columnsOf);
  for (const rule of new Set(again.map((one) => one.rule))) {
    const own = again.filter((one) => one.rule === rule);
    console.log(`\n${rule} ${own.length}, of which DirectML refuses ${own.filter(isFailure).length}`);
  }
  console.log(
    `\noperators ${operators}, descriptors ${judged.length}, valid on both sides ${count('valid')}, invalid on both sides ` +
      `${count('invalid')}, deaths of DirectML ${count('deaths')}, ` +
      `disagreements ${[...judged, ...again].filter(isFailure).length}, stricter on purpose: ${strict}`,
  );
}

/** Prints the strict rules that refused something. Returns the number of refusals per rule. */
export function printStrict(judged: readonly { readonly strictRule?: StrictRule }[]): string {
  const strict = tally(judged.map(({ strictRule }) => strictRule));
  console.log('\nStricter on purpose:');
  for (const [rule] of strict) console.log(`  ${rule}: ${strictRules[rule]}`);
  return strict.length === 0 ? 'none' : listed(strict);
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
  const count = counter(judged, columnsOf);
  const strict = tally(judged.map(({ strictRule }) => strictRule));
  return (
    `${judged.length} descriptors, ${count('valid')} valid and ${count('invalid')} invalid on both sides, ` +
    `${count('stricter')} stricter on purpose${strict.length > 0 ? ` (${listed(strict)})` : ''}, ` +
    `${count('deaths')} deaths, ${count('disagree')} disagreements`
  );
}

/** Returns a function that counts the candidates in a column. */
export function counter<One>(judged: readonly One[], columnsOf: (one: One) => readonly string[]): (column: string) => number {
  const counted = judged.flatMap(columnsOf);
  return (column) => counted.filter((one) => one === column).length;
}

/** Counts each name, in alphabetical order; undefined ones are not counted. */
export function tally<Name extends string>(names: readonly (Name | undefined)[]): (readonly [Name, number])[] {
  const counts = new Map<Name, number>();
  for (const name of names) if (name !== undefined) counts.set(name, (counts.get(name) ?? 0) + 1);
  return [...counts].sort(([a], [b]) => a.localeCompare(b));
}

function listed(counts: readonly (readonly [string, number])[]): string {
  return counts.map(([name, count]) => `${name} ${count}`).join(', ');
}
