/**
 * `npm run conformance -- [operator…] [--seed n] [--cases n] [--case json]`: generated cases of the named operators
 * (all without a name) on the real DirectML and on the reference backend, compared byte for byte.
 */
import { parseArgs } from 'node:util';
import { createDevice } from 'node-directml';
import type { FinishedOperatorType } from '#lib/schema/generated/finished.js';
import { readCase, type ConformanceCase } from './case.js';
import { isOperatorType, operatorTypes } from './cases/index.js';
import { casesOf, conform, type Devices, type Report } from './runner.js';

/** ScatterND: nine rounds through the 11 value types × 4 index types × 8 dimension counts. */
const CASES: Readonly<Partial<Record<FinishedOperatorType, number>>> = {
  scatterNd: 3168,
  gather: 704,
  gatherNd1: 704,
  cast: 484,
};
const SHOWN_FAILURES = 20;

async function main(): Promise<number> {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      seed: { type: 'string' },
      cases: { type: 'string' },
      case: { type: 'string' },
      reference: { type: 'boolean', default: false },
    },
  });
  const seed = values.seed === undefined ? Math.floor(Math.random() * 0x7fffffff) : Number(values.seed);
  const single = values.case === undefined ? null : readCase(values.case);
  const operators = single === null ? operatorsOf(positionals) : [single.descriptor.type];
  const reference = await createDevice({ backend: 'reference' });
  // `--reference` compares the reference with itself: it tries the cases where there is no DirectML.
  const directml = values.reference ? reference : await createDevice({ backend: 'directml' });
  const { adapter, directmlVersion, featureLevel } = directml.info;
  console.log(
    `DirectML ${directmlVersion ?? '(none)'}, feature level ${featureLevel}, ${adapter?.name ?? 'reference backend'}`,
  );
  console.log(`seed ${seed}`);

  const reports: Report[] = [];
  for (const operator of operators) {
    const count = values.cases === undefined ? (CASES[operator] ?? 352) : Number(values.cases);
    reports.push(await runOperator({ directml, reference }, operator, seed, count, single));
  }
  directml.dispose();
  reference.dispose();

  console.log('');
  let failed = 0;
  for (const report of reports) {
    failed += report.failures.length;
    console.log(summary(report));
  }
  return failed === 0 ? 0 : 1;
}

async function runOperator(
  devices: Devices,
  operator: FinishedOperatorType,
  seed: number,
  count: number,
  single: ConformanceCase | null,
): Promise<Report> {
  const cases = single === null ? casesOf(operator, seed, count) : [single];
  const report = await conform(devices, operator, cases, ({ cases: done, failures }) => {
    if (process.stdout.isTTY && done % 50 === 0)
      process.stdout.write(`\r${operator}: ${done}, ${failures.length} mismatches `);
  });
  if (process.stdout.isTTY) process.stdout.write('\r\x1b[K');
  for (const { message, json } of report.failures.slice(0, SHOWN_FAILURES)) {
    console.log(`\n${operator}: ${message}\n  npm run conformance -- --case '${json}'`);
  }
  if (report.failures.length > SHOWN_FAILURES)
    console.log(`\n… and ${report.failures.length - SHOWN_FAILURES} more`);
  printCoverage(report);
  return report;
}

function printCoverage({ operator, coverage }: Report): void {
  console.log(`\n${operator}: cases by data types and dimension count`);
  const ranks = ['1', '2', '3', '4', '5', '6', '7', '8'];
  console.log(`  ${'types'.padEnd(24)}${ranks.map((rank) => rank.padStart(5)).join('')}`);
  for (const [types, row] of [...coverage].sort(([a], [b]) => a.localeCompare(b))) {
    console.log(
      `  ${types.padEnd(24)}${ranks.map((rank) => String(row.get(rank) ?? '·').padStart(5)).join('')}`,
    );
  }
}

function summary(report: Report): string {
  const { operator, cases, equal, replacedShader, unsupported, failures } = report;
  const parts = [`${cases} cases`, `${equal} equal`, `${failures.length} mismatches`];
  if (replacedShader > 0)
    parts.push(`${replacedShader} of the equal ones with one shader replaced by the sandbox`);
  for (const [cause, count] of unsupported) parts.push(`${count} not runnable here: ${cause}`);
  return `${operator}: ${parts.join(', ')}`;
}

function operatorsOf(names: readonly string[]): FinishedOperatorType[] {
  const unknown = names.find((name) => !isOperatorType(name));
  if (unknown !== undefined)
    throw new RangeError(`no operator "${unknown}"; there are: ${operatorTypes.join(', ')}`);
  return names.length === 0 ? [...operatorTypes] : names.filter(isOperatorType);
}

main().then(
  (code) => {
    process.exitCode = code;
  },
  (error: unknown) => {
    console.error(error);
    process.exitCode = 2;
  },
);
