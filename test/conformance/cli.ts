/**
 * `npm run conformance -- [operator…] [--seed n] [--cases n] [--case json]` runs generated cases of the named operators (of
 * all, if none is named) on the real DirectML and on the reference backend, and compares them element by element. A case
 * depends only on the seed, its operator and its number. `--table` also prints the data types and dimension counts that were
 * covered; so does naming a single operator. `--tolerances` prints the tolerance of each operator and the reason for it.
 * `--graphs` runs random graphs of operators instead (test/graph); `--cases` is their number, `--from` the number of the first
 * one, and `--graph` takes a single graph as JSON, or the file that has it.
 * `--webnn` runs WebNN's operators instead (test/webnn/conformance), against formulas: `--cases` is their number for each data type
 * and layout, `--backend` is both, directml or reference.
 * `--onnxruntime` compares all cases that ONNX can express with onnxruntime's CPU provider, not only those that the sandbox
 * cannot run as they are. `--reference` compares the reference with itself.
 */
import { parseArgs } from 'node:util';
import { createDevice, type OperatorType } from 'node-directml';
import { isOperatorType } from '#lib/validation/index.js';
import { conformGraphs } from '../graph/conformance.js';
import { conformWebnn } from '../webnn/conformance/cli.js';
import { readCase } from './case.js';
import { operatorTypes } from '../operators/cases.js';
import { coverageTable, printFailures, summary, tolerancesOf, tolerancesTitle, totals } from './print.js';
import { casesOf, conform, type Report } from './runner.js';

/** ScatterND: nine rounds through the 11 value types × 4 index types × 8 dimension counts. */
const CASES: Readonly<Partial<Record<OperatorType, number>>> = {
  scatterNd: 3168,
  gather: 704,
  gatherNd1: 704,
  cast: 484,
};
const GRAPHS = 4000;
/** In the sandbox stdout is a file that is copied to the terminal, so an environment variable says whether there is one. */
const ON_TERMINAL = process.stdout.isTTY || process.env['NODE_DIRECTML_TERMINAL'] !== undefined;

async function main(): Promise<number> {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      seed: { type: 'string' },
      cases: { type: 'string' },
      case: { type: 'string' },
      graphs: { type: 'boolean', default: false },
      graph: { type: 'string' },
      webnn: { type: 'boolean', default: false },
      backend: { type: 'string', default: 'both' },
      from: { type: 'string', default: '0' },
      table: { type: 'boolean', default: false },
      tolerances: { type: 'boolean', default: false },
      reference: { type: 'boolean', default: false },
      onnxruntime: { type: 'boolean', default: false },
    },
  });
  const seed = values.seed === undefined ? Math.floor(Math.random() * 0x7fffffff) : Number(values.seed);
  if (values.graphs) {
    const { graph = null, cases, from } = values;
    const count = graph === null ? Number(cases ?? GRAPHS) : 1;
    console.log(`seed ${seed}\n`);
    return (await conformGraphs({ seed, count, from: Number(from), graph, showsProgress: ON_TERMINAL })) ? 0 : 1;
  }
  if (values.webnn) {
    const { backend, case: only } = values;
    const cases = values.cases === undefined ? undefined : Number(values.cases);
    console.log(`seed ${seed}\n`);
    return (await conformWebnn({ operators: positionals, seed, cases, only, backend, showsProgress: ON_TERMINAL })) ? 0 : 1;
  }
  const single = values.case === undefined ? null : readCase(values.case);
  const operators = single === null ? operatorsOf(positionals) : [single.descriptor.type];
  if (values.tolerances) {
    console.log(tolerancesTitle);
    for (const operator of operators) console.log(tolerancesOf(operator));
    return 0;
  }
  const reference = await createDevice({ backend: 'reference' });
  // `--reference` tries the cases on machines without DirectML.
  const directml = values.reference ? reference : await createDevice({ backend: 'directml' });
  const { adapter, directmlVersion, featureLevel } = directml.info;
  console.log(`DirectML ${directmlVersion ?? '(none)'}, feature level ${featureLevel}, ${adapter?.name ?? 'reference backend'}`);
  console.log(`seed ${seed}\n`);

  const reports: Report[] = [];
  for (const operator of operators) {
    const count = values.cases === undefined ? (CASES[operator] ?? 352) : Number(values.cases);
    const cases = single === null ? casesOf(operator, seed, count) : [single];
    const report = await conform({ directml, reference }, operator, cases, {
      onnxruntime: values.onnxruntime,
      progress: ({ cases: done, failures }) => {
        if (ON_TERMINAL && done % 50 === 0)
          process.stdout.write(`\r${operator}: ${done} of ${count}, ${failures.length} mismatches `);
      },
    });
    if (ON_TERMINAL) process.stdout.write('\r\x1b[K');
    console.log(summary(report));
    printFailures(report);
    if (values.table || operators.length === 1) console.log(coverageTable(report));
    reports.push(report);
  }
  directml.dispose();
  reference.dispose();
  console.log(`\n${totals(reports)}`);
  return reports.every(({ failures }) => failures.length === 0) ? 0 : 1;
}

function operatorsOf(names: readonly string[]): OperatorType[] {
  const unknown = names.find((name) => !isOperatorType(name));
  if (unknown !== undefined) throw new RangeError(`no operator "${unknown}"; there are: ${operatorTypes.join(', ')}`);
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
