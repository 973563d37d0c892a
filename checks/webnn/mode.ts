/**
 * `npm run conformance -- --webnn`: WebNN's operators on the real DirectML and on the reference backend, against formulas that were
 * written from the specification.
 */
import { counted } from '#lib/cli/layout.js';
import { createDevice } from 'node-directml';
import { ml } from 'node-directml/webnn';
import { sum } from 'simple-statistics';
import { figure } from '../conformance/print.js';
import { printFailures, showProgress } from '../harness/report.js';
import type { Mode } from '../harness/tool.js';
import { operators, operatorNames } from './operators.js';
import { casesOf, commandOf, conform, type Backend, type Cases, type OperatorReport } from './runner.js';
import { readCase } from './webnn-case.js';

const CASES = 30;

export const webnn: Mode = {
  option: 'webnn',
  summary:
    "Runs WebNN's operators on DirectML and on the reference backend, and compares them with formulas that were written from the " +
    'specification. A name is that of an operator of WebNN.',
  names: operatorNames,
  options: {
    seed: '',
    cases: `how many cases of each data type and layout (default: ${CASES})`,
    case: '',
    show: 'how many failures of each operator are printed at most (default: 20)',
    backend: 'both, directml or reference (default: both)',
  },
  async run(given) {
    const backend = given.choiceOf('backend', ['both', 'directml', 'reference']);
    const [single, seed, cases] = [given.caseOf(readCase), given.seed(), given.numberOf('cases', CASES)];
    console.log(`seed ${seed}\n`);
    const names = backend === 'both' ? (['directml', 'reference'] as const) : [backend];
    const devices = await Promise.all(names.map((name) => createDevice({ backend: name })));
    const backends = await Promise.all(
      devices.map(async (device): Promise<Backend> => ({ name: device.info.backend, context: await ml.createContext(device) })),
    );
    const reports: OperatorReport[] = [];
    for (const name of single === undefined ? operatorNames.filter((name) => given.names.includes(name)) : [single.operator]) {
      const operator = operators[name];
      if (operator === undefined) throw given.mistake(`there are no cases for ${name}`);
      showProgress(name);
      const drawn: Iterable<Cases> =
        single === undefined ? casesOf(backends, name, operator, { seed, cases }) : [['float32', [single]]];
      const report = await conform(backends, name, operator, drawn);
      showProgress('');
      reports.push(report);
      printReport(report, given.shown());
    }
    for (const { context } of backends) context.destroy();
    for (const device of devices) device.dispose();
    return printTotals(reports, names);
  },
};

/** Returns the number of failures. */
function printTotals(reports: readonly OperatorReport[], backends: readonly string[]): number {
  const failures = sum(reports.map((report) => report.failures.length));
  const cases = sum(reports.map((report) => report.cases));
  const where = `${counted(cases, 'case')} on ${backends.join(' and ')}`;
  console.log(`\n${counted(reports.length, 'operator')}, ${where}, ${counted(failures, 'mismatch')}`);
  return failures;
}

function printReport(report: OperatorReport, shown: number): void {
  const { operator, cases, worst, flushed, failures } = report;
  const parts = [counted(cases, 'case', 5), counted(failures.length, 'mismatch')];
  parts.push(...[...worst].map(([key, value]) => `${key} ${figure(value)}`));
  if (flushed > 0) parts.push(`${flushed} subnormals as 0`);
  console.log(`${operator.padEnd(24)}${parts.join(', ')}`);
  printFailures(
    failures.map((failure) => `  ${failure.backend} ${failure.message}\n    ${commandOf(failure)}`),
    shown,
  );
}
