/**
 * `npm run coverage`: prints a line per operator of DirectML, and totals: whether the real DirectML compiles it, our rules check
 * it and the reference computes it, the result of a short conformance run, and whether omitted outputs of its cases are inferred.
 */
import { createDevice } from 'node-directml';
import { kernels } from '#lib/operators/generated/kernels.js';
import { operatorTable } from '#lib/descriptors/generated/table.js';
import { rules } from '#lib/operators/generated/rules.js';
import { counted } from '#lib/cli/layout.js';
import { failuresOf } from '../conformance/failures.js';
import { causesIn, onnxTotals } from '../conformance/print.js';
import { casesOf, conform, type Devices, type Failure, type Report } from '../conformance/runner.js';
import { askDirectML } from '../parity/ask-directml.js';
import { printFailures } from '../harness/report.js';
import { runTool, type Given, type Mode } from '../harness/tool.js';
import { encodeLoosely } from '../descriptors/encode.js';
import { minimalDescriptors } from '../cases/generated/minimal-descriptors.js';
import { describeInference, descriptorsOf, inferenceOf, isInferredFully, type Inference } from '../parity/inference.js';
import { behindReplacedShader } from '../parity/replaced-shader.js';

interface Row {
  readonly name: string;
  readonly described: boolean;
  /** `ok`, or DirectML's error. */
  readonly compiled: string;
  readonly validated: boolean;
  readonly reference: boolean;
  readonly report: Report;
  readonly inference: Inference;
}

const CASES = 132;
const SEED = 20260101;

const coverage: Mode = {
  summary: 'Lists which operators of DirectML are described, compiled, validated, computed and compared.',
  options: {
    seed: `what the cases are drawn from (default: ${SEED})`,
    cases: `how many cases of each operator (default: ${CASES})`,
    show: 'how many failures of each operator are printed at most (default: 20)',
  },
  run,
};

/** Returns the number of failures. */
async function run(given: Given): Promise<number> {
  const [seed, cases] = [given.numberOf('seed', SEED), given.numberOf('cases', CASES)];
  const descriptors = Object.values(minimalDescriptors);
  const verdicts = await askDirectML(descriptors.map((descriptor) => encodeLoosely({ ...descriptor })));
  const compilable = descriptors.filter((_, index) => verdicts[index] === 'ok');
  const replaced = await behindReplacedShader(compilable.map((descriptor) => ({ ...descriptor })));
  const devices: Devices = {
    directml: await createDevice({ backend: 'directml' }),
    reference: await createDevice({ backend: 'reference' }),
  };
  const rows: Row[] = [];
  for (const [index, { type: name }] of descriptors.entries()) {
    const row: Row = {
      name,
      compiled: verdicts[index] ?? 'no answer',
      described: Object.hasOwn(operatorTable, name),
      validated: Object.hasOwn(rules, name),
      reference: Object.hasOwn(kernels, name),
      report: await conform(devices, name, casesOf(name, seed, cases)),
      inference: inferenceOf(descriptorsOf(casesOf(name, seed, cases))),
    };
    console.log(line(row));
    const again = ({ index }: Failure) => `npm run conformance -- ${name} --seed ${seed} --from ${index} --cases 1`;
    printFailures(failuresOf(row.report, again), given.shown());
    for (const difference of row.inference.differences) console.log(`  inferred otherwise: ${difference}`);
    rows.push(row);
  }
  devices.directml.dispose();
  devices.reference.dispose();
  return printTotals(rows, replaced.size);
}

function line({ name, compiled, validated, reference, report, inference }: Row): string {
  const parts = [compiled === 'ok' ? 'compiled' : `not compiled: ${compiled}`];
  if (validated) parts.push('validated');
  if (reference) parts.push('reference');
  parts.push(counted(report.cases, 'case'), counted(report.failures.length, 'mismatch'), describeInference(inference));
  return `${name.padEnd(34)}${parts.join(', ')}`;
}

/** `replaced` is the number of operators that compile only with the sandbox's shader in place of DirectML's. */
function printTotals(rows: readonly Row[], replaced: number): number {
  const count = (holds: (row: Row) => boolean): string => `${rows.filter(holds).length}/${rows.length}`;
  const reports = rows.map(({ report }) => report);
  const sum = (figure: (report: Report) => number): number => reports.reduce((total, report) => total + figure(report), 0);
  const total = (figure: (inference: Inference) => number): number =>
    rows.reduce((all, { inference }) => all + figure(inference), 0);
  const differences = total((inference) => inference.differences.length);
  const mismatches = sum(({ failures }) => failures.length);
  const compiled = count((row) => row.compiled === 'ok');
  console.log(`
described ${count((row) => row.described)}
compiled by DirectML ${compiled} (${replaced} only behind the sandbox's replaced shader)
validated ${count((row) => row.validated)}
reference ${count((row) => row.reference)}
executed by DirectML ${count(({ report }) => report.equal > 0)}
operators with cases ${count(({ report }) => report.cases > 0)}
conformance cases ${sum(({ cases }) => cases)} (${sum(({ replacedShader }) => replacedShader)} with the sandbox's replaced shader)
mismatches ${mismatches}
outputs inferred fully ${count(({ inference }) => isInferredFully(inference))}
outputs inferred in cases ${total(({ cases }) => cases)}
outputs inferred otherwise ${differences}`);
  for (const [cause, cases] of causesIn(reports, 'unsupported')) console.log(`not runnable here: ${cases} cases, ${cause}`);
  for (const text of onnxTotals(reports)) console.log(text);
  return mismatches + differences + rows.filter((row) => row.compiled !== 'ok').length;
}

runTool({ name: 'coverage', modes: [coverage] });
