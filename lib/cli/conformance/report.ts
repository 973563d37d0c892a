/** What a conformance run prints: a mismatch to paste, the totals. */
import { counted } from '../layout.js';
import type { SuiteFailure, SuiteReport } from './suite.js';
import type { TogetherReport } from './together.js';

/** A longer case is only named by its seed and number. */
const maxCaseLength = 20_000;

export function mismatchText(operator: string, failure: SuiteFailure, machine: readonly string[], seed: number): string {
  const { message, number, json } = failure;
  const command = `npx node-directml conformance ${operator} --seed ${seed} --from ${number ?? 0} --cases 1`;
  return [
    '',
    '----- to paste into an issue: https://github.com/node-directml/node-directml/issues -----',
    ...machine,
    `${operator}: ${message}`,
    ...workaround(failure),
    ...(number === null ? [] : [command]),
    ...(json.length > maxCaseLength ? [] : [json]),
    '-----',
    '',
  ].join('\n');
}

/** Tells whether the driver's own shaders are the cause, and then how to do without them. */
function workaround({ equalWithoutMetacommands }: SuiteFailure): string[] {
  if (equalWithoutMetacommands === null) return [];
  return equalWithoutMetacommands
    ? ["equal without the driver's metacommands: compile with { disableMetacommands: true } until the driver is mended"]
    : ["wrong also with disableMetacommands: the cause is not one of the driver's metacommands"];
}

export function totals(reports: readonly SuiteReport[], milliseconds: number): string {
  const sum = (count: (report: SuiteReport) => number) => reports.reduce((total, report) => total + count(report), 0);
  const mismatches = sum(({ failures }) => failures.length);
  const lines = [
    `${counted(reports.length, 'operator')}, ${counted(
      sum(({ cases }) => cases),
      'case',
    )}, ${counted(mismatches, 'mismatch')} (${(milliseconds / 1000).toFixed(0)} s)`,
  ];
  for (const { operator, unsupported } of reports) {
    for (const [cause, count] of unsupported) lines.push(`${operator}: ${counted(count, 'case')} not runnable here: ${cause}`);
  }
  const wrong = reports.filter(({ failures }) => failures.length > 0);
  if (wrong.length > 0)
    lines.push(`wrong: ${wrong.map(({ operator, failures }) => `${operator} (${failures.length})`).join(', ')}`);
  return lines.join('\n');
}

/** What a report has of the cases: the operators that were not equal in all of them, or that did not run, by their name. */
export function reportedCases(reports: readonly SuiteReport[], together: readonly TogetherReport[], seed: number): object {
  const exceptions = reports
    .map(({ operator, cases, failures: [first, ...others], unsupported }) => ({
      operator,
      cases,
      mismatches: first === undefined ? 0 : others.length + 1,
      unsupported: [...unsupported.values()].reduce((sum, count) => sum + count, 0),
      first: first === undefined ? null : { number: first.number, message: first.message.split('\n')[0] },
    }))
    .filter(({ mismatches, unsupported }) => mismatches + unsupported > 0);
  const sum = (count: (one: (typeof exceptions)[number]) => number) => exceptions.reduce((total, one) => total + count(one), 0);
  return {
    seed,
    operators: reports.length,
    cases: reports.reduce((total, { cases }) => total + cases, 0),
    mismatches: sum(({ mismatches }) => mismatches),
    unsupported: sum(({ unsupported }) => unsupported),
    exceptions,
    together: together.map(({ names, cases, failures }) => ({ names, cases, mismatches: failures.length })),
  };
}

const maxFailures = 20;

export function jsonReport(reports: readonly SuiteReport[]): object {
  return {
    cases: reports.reduce((total, { cases }) => total + cases, 0),
    mismatches: reports.reduce((total, { failures }) => total + failures.length, 0),
    operators: reports.map(({ operator, cases, failures, unsupported, summary }) => ({
      operator,
      cases,
      mismatches: failures.length,
      summary: summary.slice(operator.length).trimStart(),
      unsupported: Object.fromEntries(unsupported),
      failures: failures.slice(0, maxFailures),
    })),
  };
}
