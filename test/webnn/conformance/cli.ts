/**
 * `npm run conformance -- --webnn`: WebNN's operators on the real DirectML and on the reference backend, against formulas that were
 * written from the specification.
 */
import { counted } from '#lib/cli/layout.js';
import { createDevice } from 'node-directml';
import { ml } from 'node-directml/webnn';
import { operators, operatorNames } from './operators.js';
import type { CheckedOperator } from './operator.js';
import { commandOf, conformCase, conformOperator, leastCases, type Backend, type OperatorReport } from './runner.js';
import { readCase, type OperatorName } from './webnn-case.js';

export interface WebnnRun {
  /** All, if none is named. */
  readonly operators: readonly string[];
  readonly seed: number;
  /** For each data type and layout; undefined for the usual number. */
  readonly cases?: number | undefined;
  /** A single case as JSON. */
  readonly only?: string | undefined;
  readonly backend: string;
  readonly showsProgress: boolean;
}

const shownFailures = 5;

/** Prints a line for each operator, the failures and the totals. Returns true if nothing is wrong. */
export async function conformWebnn(run: WebnnRun): Promise<boolean> {
  const names = namesOf(run.operators);
  const devices = await Promise.all(backendsOf(run.backend).map((backend) => createDevice({ backend })));
  const backends = await Promise.all(
    devices.map(async (device): Promise<Backend> => ({ name: device.info.backend, context: await ml.createContext(device) })),
  );
  const reports: OperatorReport[] = [];
  const add = (report: OperatorReport) => {
    if (run.showsProgress) process.stdout.write('\r\x1b[K');
    reports.push(report);
    printReport(report);
  };
  if (run.only !== undefined) {
    const test = readCase(run.only);
    add(await conformCase(backends, operatorOf(test.operator), test));
  } else {
    for (const name of names) {
      if (run.showsProgress) process.stdout.write(name);
      const { seed, cases = leastCases } = run;
      add(await conformOperator(backends, name, operatorOf(name), { seed, cases }));
    }
  }
  for (const { context } of backends) context.destroy();
  for (const device of devices) device.dispose();
  const [cases, failures, missing] = [
    sum(reports, ({ cases }) => cases),
    sum(reports, ({ failures }) => failures.length),
    sum(reports, ({ missing }) => missing.length),
  ];
  console.log(
    `\n${counted(reports.length, 'operator')}, ${counted(cases, 'case')} on ${backends.map(({ name }) => name).join(' and ')}, ${counted(failures, 'mismatch')}`,
  );
  if (missing > 0) console.log(`${missing} data types or layouts have too few cases`);
  return failures + missing === 0;
}

function namesOf(given: readonly string[]): readonly OperatorName[] {
  const unknown = given.find((name) => !operatorNames.some((other) => other === name));
  if (unknown !== undefined) throw new RangeError(`no operator "${unknown}" of WebNN; there are: ${operatorNames.join(', ')}`);
  return operatorNames.filter((name) => given.length === 0 || given.includes(name));
}

function operatorOf(name: OperatorName): CheckedOperator {
  const operator = operators[name];
  if (operator === undefined) throw new RangeError(`no cases for ${name}`);
  return operator;
}

function backendsOf(text: string): readonly Backend['name'][] {
  if (text === 'both') return ['directml', 'reference'];
  if (text === 'directml' || text === 'reference') return [text];
  throw new RangeError(`--backend is both, directml or reference, not ${text}`);
}

function sum(reports: readonly OperatorReport[], count: (report: OperatorReport) => number): number {
  return reports.reduce((total, report) => total + count(report), 0);
}

function printReport(report: OperatorReport): void {
  const { operator, cases, worst, flushed, failures, missing } = report;
  const parts = [counted(cases, 'case', 5), counted(failures.length, 'mismatch')];
  parts.push(...[...worst].map(([key, value]) => `${key} ${Number(value.toPrecision(3))}`));
  if (flushed > 0) parts.push(`${flushed} subnormals as 0`);
  if (missing.length > 0) parts.push(`too few: ${missing.join(', ')}`);
  console.log(`${operator.padEnd(24)}${parts.join(', ')}`);
  for (const failure of failures.slice(0, shownFailures)) {
    console.log(`  ${failure.backend} ${failure.message}\n    ${commandOf(failure)}`);
  }
  if (failures.length > shownFailures) console.log(`  … and ${failures.length - shownFailures} more`);
}
