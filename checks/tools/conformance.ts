/**
 * `npm run conformance`: DirectML's results against the reference's. A case depends only on the seed, its operator and its
 * number.
 */
import { createDevice, type OperatorType } from 'node-directml';
import { isOperatorType } from '#lib/operators/resolve.js';
import { graphs } from '../graphs/conformance.js';
import { printFailures, showProgress } from '../harness/report.js';
import { runTool, type Given, type Mode } from '../harness/tool.js';
import { operatorTypes } from '../operators/cases.js';
import { examples } from '../conformance/examples.js';
import { webnn } from '../webnn/mode.js';
import { readCase } from '../cases/case.js';
import { failuresOf, smallestFailure } from '../conformance/failures.js';
import { coverageTable, summary, tolerancesOf, tolerancesTitle, totals } from '../conformance/print.js';
import { casesOf, conform, type Failure, type Report } from '../conformance/runner.js';

/** ScatterND: nine rounds through the 11 value types × 4 index types × 8 dimension counts. */
const CASES: Readonly<Partial<Record<OperatorType, number>>> = { scatterNd: 3168, gather: 704, gatherNd1: 704, cast: 484 };

const operators: Mode = {
  summary:
    'Runs generated cases of the named operators (of all, if none is named) on the real DirectML and on the reference backend, ' +
    'and compares every element.',
  names: operatorTypes,
  options: {
    seed: '',
    cases: 'how many cases of each operator (default: 352, a few have more)',
    from: '',
    case: '',
    show: 'how many failures of each operator are printed at most (default: 20)',
    backend: 'reference runs only the reference, on any system; --onnxruntime compares it',
    table: 'also prints which data types and dimension counts were covered; so does naming a single operator',
    onnxruntime: '',
  },
  async run(given) {
    const single = given.caseOf(readCase);
    const chosen = single === undefined ? given.names.filter(isOperatorType) : [single.descriptor.type];
    const seed = given.seed();
    const reference = await createDevice({ backend: 'reference', thread: 'caller' });
    const isAlone = given.choiceOf('backend', ['directml', 'reference']) === 'reference';
    const directml = isAlone ? reference : await createDevice({ backend: 'directml' });
    const devices = { directml, reference };
    const onnxruntime = given.has('onnxruntime');
    const { adapter, directmlVersion, featureLevel } = directml.info;
    console.log(
      `DirectML ${directmlVersion ?? '(none)'}, feature level ${featureLevel}, ${adapter?.name ?? 'reference backend'}`,
    );
    console.log(`seed ${seed}\n`);
    if (isAlone && !onnxruntime) console.log('Nothing to compare the reference with: --onnxruntime does.\n');

    const reports: Report[] = [];
    for (const operator of chosen) {
      const from = given.numberOf('from', 0);
      const cases = single === undefined ? casesOf(operator, seed, countOf(given, operator), from) : [single];
      const report = await conform(devices, operator, cases, {
        onnxruntime,
        progress({ cases: done, failures }) {
          if (done % 50 === 0)
            showProgress(`${operator}: ${done} of ${countOf(given, operator)}, ${failures.length} mismatches `);
        },
      });
      showProgress('');
      console.log(summary(report));
      const range = (index: number) => `${operator} --seed ${seed} --from ${from + index} --cases 1`;
      const again = ({ index, json }: Failure) => command(given, single === undefined ? range(index) : caseOption(json));
      printFailures(failuresOf(report, again), given.shown());
      // Last, because it may crash DirectML.
      const smallest = await smallestFailure(devices, report, { onnxruntime });
      if (smallest !== null)
        console.log(`\nThe first one, made smaller: ${smallest.message}\n  ${command(given, caseOption(smallest.json))}\n`);
      if (given.has('table') || chosen.length === 1) console.log(coverageTable(report));
      reports.push(report);
    }
    directml.dispose();
    reference.dispose();
    console.log(`\n${totals(reports)}`);
    return reports.reduce((sum, { failures }) => sum + failures.length, 0);
  },
};

/** The command of a run with the same comparison. */
function command(given: Given, what: string): string {
  return `npm run conformance -- ${what}${given.repeated('backend', 'onnxruntime')}`;
}

function caseOption(json: string): string {
  return `--case '${json}'`;
}

function countOf(given: Given, operator: OperatorType): number {
  return given.numberOf('cases', CASES[operator] ?? 352);
}

const tolerances: Mode = {
  option: 'tolerances',
  summary: 'Prints how far DirectML may be from the reference, and why.',
  names: operatorTypes,
  options: {},
  async run({ names }) {
    console.log(tolerancesTitle);
    for (const operator of names.filter(isOperatorType)) console.log(tolerancesOf(operator));
    return 0;
  },
};

runTool({ name: 'conformance', modes: [operators, graphs, webnn, examples, tolerances] });
