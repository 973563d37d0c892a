/** Prints the reports of a conformance run: a line per operator, the totals, the coverage, the table of tolerances. */
import type { OperatorType } from 'node-directml';
import type { Report } from './runner.js';
import { counted, table } from '#lib/cli/layout.js';
import { TOLERANCES } from '../operators/tolerances.js';
import { isExact, type ToleranceRow } from '../tolerance/row.js';

/** One line: the operator's cases, and per data type the largest error in ULP with its tolerance. */
export function summary(report: Report): string {
  const { operator, cases, uncompared, inPlace, enlarged, replacedShader, unsupported, failures } = report;
  const parts = [counted(cases, 'case', 5)];
  if (uncompared < cases) parts.push(counted(failures.length, 'mismatch'), worstOf(report));
  if (uncompared > 0) parts.push(uncompared === cases ? 'compared with nothing' : `${uncompared} compared with nothing`);
  if (inPlace > 0) parts.push(`${inPlace} in place too, ${enlarged} of these large`);
  if (replacedShader > 0) parts.push(`${replacedShader} with one shader replaced by the sandbox`);
  for (const [cause, count] of unsupported) parts.push(`${count} not runnable here: ${cause}`);
  const withoutOnnx = sum([...report.withoutOnnx.values()]);
  if (report.equalToOnnx + withoutOnnx > 0)
    parts.push(`${report.equalToOnnx} equal to onnxruntime's, ${withoutOnnx} not in ONNX`);
  return `${operator.padEnd(36)}${parts.join(', ')}`;
}

/** The largest error, what is allowed for that element, and the largest share of its tolerance that any element used. */
function worstOf({ worst }: Report): string {
  if (worst.size === 0) return 'bit for bit';
  return [...worst]
    .sort(([a], [b]) => b.localeCompare(a))
    .map(([dataType, { ulp, allowed, share }]) => {
      if (ulp === 0) return `${dataType} 0 ULP`;
      return `${dataType} worst ${figure(ulp)} of ${figure(allowed)} ULP (at most ${(share * 100).toFixed(0)}% used)`;
    })
    .join(', ');
}

export function totals(reports: readonly Report[]): string {
  const cases = sum(reports.map((report) => report.cases));
  const failures = sum(reports.map((report) => report.failures.length));
  const replaced = sum(reports.map((report) => report.replacedShader));
  const uncompared = sum(reports.map((report) => report.uncompared));
  const lines = [`${counted(reports.length, 'operator')}, ${counted(cases, 'case')}, ${counted(failures, 'mismatch')}`];
  if (uncompared > 0) lines.push(`${uncompared} of the cases compared with nothing`);
  if (replaced > 0) lines.push(`${replaced} of the cases with one shader replaced by the sandbox`);
  for (const [cause, count] of causesIn(reports, 'unsupported')) lines.push(`${count} of the cases not runnable here: ${cause}`);
  lines.push(...onnxTotals(reports));
  return lines.join('\n');
}

/** The number of cases by cause, over all reports, the most frequent cause first. */
export function causesIn(reports: readonly Report[], kind: 'unsupported' | 'withoutOnnx'): [string, number][] {
  const causes = new Map<string, number>();
  for (const report of reports) {
    for (const [cause, count] of report[kind]) causes.set(cause, (causes.get(cause) ?? 0) + count);
  }
  return [...causes].sort(([, a], [, b]) => b - a);
}

/** Lines about the cases that only onnxruntime could check independently; none if there are no such cases. */
export function onnxTotals(reports: readonly Report[]): string[] {
  const equal = sum(reports.map(({ equalToOnnx }) => equalToOnnx));
  const without = causesIn(reports, 'withoutOnnx');
  const count = sum(without.map(([, cases]) => cases));
  if (equal + count === 0) return [];
  return [
    `onnxruntime's CPU provider has the same for ${equal} of ${equal + count} such cases`,
    ...without.map(([cause, cases]) => `  not in ONNX: ${cases} ${cause}`),
  ];
}

export function coverageTable({ coverage }: Report): string {
  const ranks = ['1', '2', '3', '4', '5', '6', '7', '8'];
  const rows = [...coverage].sort(([a], [b]) => a.localeCompare(b));
  const lines = rows.map(([types, row]) => [types, ...ranks.map((rank) => String(row.get(rank) ?? '·'))]);
  return table([['types', ...ranks], ...lines], 120);
}

export const tolerancesTitle =
  'How far a float32 result may be from the infinitely precise one. Half an ULP comes to that where the reference is\n' +
  'rounded too, and for float16, which is computed as float32 and then cut off, one of its own. Integers: 0.\n';

/** A line for each row of the operator's tolerance: what it allows, and why. */
export function tolerancesOf(operator: OperatorType): string {
  const own = TOLERANCES[operator];
  const rows = 'rows' in own ? Object.entries(own.rows) : ([['', own]] as const);
  return rows.map(([name, row]) => `${`${operator} ${name}`.padEnd(44)} ${allowance(row)}`).join('\n');
}

function allowance(row: ToleranceRow): string {
  if (isExact(row)) return row.byValue === true ? '0 ULP, any NaN, either zero' : '0 ULP';
  const { ulp, perTerm, growth, magnitude, narrowed, reason } = row;
  const parts = ulp === 0 && perTerm !== undefined ? [] : [`${figure(ulp)} ULP`];
  if (perTerm !== undefined) parts.push(`${perTerm} ULP per term`);
  if (growth !== undefined) parts.push(growth.text);
  const least = typeof magnitude === 'number' ? figure(magnitude) : magnitude?.text;
  const unit = least === undefined ? '' : `, units of at least ${least}`;
  const half = narrowed === undefined ? '' : `, float16 ${narrowed}·2⁻¹⁰ more`;
  return `${parts.join(' + ')}${unit}${half}: ${reason}`;
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0);
}

export function figure(value: number): string {
  return String(Number(value.toPrecision(3)));
}
