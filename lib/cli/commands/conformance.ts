/** `node-directml conformance`: runs the generated cases of this package's tests on the user's own adapter. */
import { createDevice, type OperatorType } from '../../index.js';
import { operatorTable } from '../../descriptors/generated/table.js';
import { isOperatorType } from '../../operators/resolve.js';
import { adapterNamed } from '../adapter-option.js';
import { backendNamed, type Backend } from '../backend-option.js';
import { UsageError, type Arguments, type Command } from '../command.js';
import { jsonReport, mismatchText, reportedCases, totals } from '../conformance/report.js';
import { loadSuite, watchLoss, type SuiteDevices, type SuiteReport } from '../conformance/suite.js';
import { runTogether, type TogetherReport } from '../conformance/together.js';
import { counted, hanging } from '../layout.js';
import { describeMachine } from '../machine.js';
import { operatorNamed } from '../operator-names.js';
import { readText } from '../read-text.js';
import { reportOption, writeReportFile } from '../report-file.js';
import { styled, type Terminal } from '../terminal.js';

/** For all operators together more than 20,000. */
const casesPerOperator = 120;
const maxSeed = 2 ** 31 - 1;

export const conformance: Command = {
  name: 'conformance',
  summary: 'Compares DirectML on this machine with the reference backend, in more than 20,000 generated cases',
  usage: '[OPERATOR ...]',
  maxPositionals: Object.keys(operatorTable).length,
  options: {
    adapter: { value: 'LUID', help: 'the adapter to run on, or its number in the list that node-directml adapters prints' },
    cases: { value: 'NUMBER', help: `how many cases of each operator (default: ${casesPerOperator})` },
    seed: { value: 'NUMBER', help: 'what the cases are drawn from: the same seed gives the same cases (default: 1)' },
    from: { value: 'NUMBER', help: 'the number of the first case (default: 0)', otherNames: ['--only'] },
    case: {
      value: 'CASE',
      help: 'only this case: the JSON that a mismatch prints, or the name of a file with it; - is the standard input',
    },
    report: reportOption('also write the result'),
    backend: { value: 'NAME', help: 'reference compares the reference with itself, to try the command without DirectML' },
  },
  help: [
    'Each case is a descriptor with data, by chance of any data type, dimension count and layout that the operator has. Both ' +
      'backends compute it, and every element is compared. What may differ, and why, is a part of each operator: ' +
      'exact for what only moves elements, a few units in the last place for arithmetic.',
    'A mismatch is printed as text to paste into an issue: github.com/node-directml/node-directml/issues. The exit code is 1 then. ' +
      'The text says whether the driver is at fault, and whether disableMetacommands avoids it.',
    'Without an operator, two devices then run cases at the same time: two of the adapter, and the adapter beside each other one.',
    '  node-directml conformance\n  node-directml conformance gemm convolution --cases 2000 --seed 5',
  ],
  async run(given, terminal) {
    const request = await requestOf(given, terminal);
    const began = performance.now();
    const open = opener(request);
    let devices = await open();
    const machine = await describeMachine(devices.directml);
    const isJson = given.has('json');
    if (!isJson) for (const line of machine.lines) terminal.out(styled(terminal, 'dim', line));
    const reports: SuiteReport[] = [];
    let together: readonly TogetherReport[] = [];
    try {
      if (request.json !== null) reports.push(await runFile(devices, request.json));
      else if (!isJson) terminal.out(styled(terminal, 'dim', `seed ${request.seed}\n`));
      for (const operator of request.json === null ? request.operators : []) {
        const report = await runOperator(devices, operator, request, terminal);
        reports.push(report);
        if (!isJson) printReport(terminal, report, reports, machine.lines, request.seed);
        // Everything that runs later on a lost device would fail too.
        if (devices.isLost()) {
          dispose(devices);
          devices = await open();
        }
      }
      if (request.isWhole) together = await runTogether(devices, request.seed, (text) => terminal.progress(text));
      terminal.progress(null);
    } finally {
      dispose(devices);
    }
    const isEqual = [...reports, ...together].every(({ failures }) => failures.length === 0);
    if (isJson) {
      const facts = { equal: isEqual, ...machine.facts, seed: request.seed };
      terminal.out(JSON.stringify({ ...facts, ...jsonReport(reports), together }));
    } else {
      const [only] = reports;
      if (request.json !== null && only !== undefined) printReport(terminal, only, reports, machine.lines, request.seed);
      for (const pair of together) printTogether(terminal, pair, machine.lines, request.seed);
      terminal.out(`\n${totals(reports, performance.now() - began)}`);
    }
    const file = given.valueOf('report');
    if (file !== undefined)
      writeReportFile(file, [{ ...machine.facts, conformance: reportedCases(reports, together, request.seed) }]);
    return isEqual ? 0 : 1;
  },
};

interface Request {
  readonly operators: readonly OperatorType[];
  readonly backend: Backend;
  readonly adapter: string | undefined;
  readonly count: number;
  readonly seed: number;
  /** The number of the first case. */
  readonly from: number;
  /** A case that was given. */
  readonly json: string | null;
  /** True if nothing was named: then two devices also work at the same time. */
  readonly isWhole: boolean;
}

async function requestOf(given: Arguments, terminal: Terminal): Promise<Request> {
  const named = [...new Set(given.positionals.map((name) => operatorNamed(name, terminal)))];
  const backend = backendNamed(given.valueOf('backend')) ?? 'directml';
  const single = given.valueOf('case');
  if (single !== undefined && named.length > 0) throw new UsageError('--case has its operator: name none');
  const seed = given.numberOf('seed', 0, 1);
  if (seed > maxSeed) throw new UsageError(`--seed is at most ${maxSeed}`);
  return {
    operators: named.length > 0 ? named : Object.keys(operatorTable).filter(isOperatorType),
    backend,
    adapter: backend === 'reference' ? undefined : await adapterNamed(given.valueOf('adapter')),
    count: given.numberOf('cases', 1, casesPerOperator),
    seed,
    from: given.numberOf('from', 0, 0),
    json: single === undefined ? null : await readCase(single),
    isWhole: single === undefined && named.length === 0,
  };
}

/** The line with the case in the text, or in the file of this name, which may have all that a mismatch prints. */
async function readCase(text: string): Promise<string> {
  if (text.startsWith('{')) return text;
  const lines = (await readText('conformance', text)).split(/\r?\n/);
  return lines.find((line) => line.trimStart().startsWith('{"descriptor"')) ?? lines.join('\n');
}

function opener({ backend, adapter }: Request): () => Promise<SuiteDevices & { isLost(): boolean }> {
  return async () => {
    const directml = await createDevice({ backend, adapter });
    return { directml, reference: await createDevice({ backend: 'reference' }), isLost: watchLoss(directml) };
  };
}

function dispose({ directml, reference }: SuiteDevices): void {
  directml.dispose();
  reference.dispose();
}

async function runFile(devices: SuiteDevices, json: string): Promise<SuiteReport> {
  const suite = loadSuite();
  try {
    return await suite.runCase(devices, json);
  } catch (error) {
    if (error instanceof SyntaxError || error instanceof TypeError) throw new UsageError(`--case: ${error.message}`);
    throw error;
  }
}

async function runOperator(
  devices: SuiteDevices,
  operator: OperatorType,
  { count, seed, from, operators }: Request,
  terminal: Terminal,
): Promise<SuiteReport> {
  const place = `${operators.indexOf(operator) + 1} of ${operators.length}`;
  const progress = (cases: number, failures: number) =>
    terminal.progress(`${operator} (${place}): ${cases} of ${count} cases, ${failures} mismatches`);
  progress(0, 0);
  const report = await loadSuite().run(devices, operator, { seed, count, from, progress });
  terminal.progress(null);
  return report;
}

/** One line for the operator; the first mismatch of the run also in full. */
function printReport(
  terminal: Terminal,
  report: SuiteReport,
  reports: readonly SuiteReport[],
  machine: readonly string[],
  seed: number,
): void {
  const [failure] = report.failures;
  const mark = markOf(terminal, report);
  terminal.out(hanging(`${mark} `, report.summary, Math.max(terminal.width, report.summary.length + 6)));
  if (failure === undefined) return;
  const isFirst = reports.every((other) => other === report || other.failures.length === 0);
  terminal.out(isFirst ? mismatchText(report.operator, failure, machine, seed) : `      ${failure.message.split('\n')[0] ?? ''}`);
}

/** One line for two devices, and their first mismatch. */
function printTogether(terminal: Terminal, report: TogetherReport, machine: readonly string[], seed: number): void {
  const { names, cases, failures } = report;
  const counts = `${counted(cases, 'case')}, ${counted(failures.length, 'mismatch')}`;
  const [first, second] = names;
  const where = first === second ? `two devices of ${first}` : `devices of ${first} and ${second}`;
  terminal.out(hanging(`${markOf(terminal, report)} `, `${where} at the same time: ${counts}`, terminal.width));
  const [failure] = failures;
  if (failure !== undefined) terminal.out(mismatchText(failure.operator, failure, machine, seed));
}

function markOf(terminal: Terminal, { failures }: { readonly failures: readonly unknown[] }): string {
  return failures.length === 0 ? styled(terminal, 'green', 'ok   ') : styled(terminal, 'red', 'WRONG');
}
