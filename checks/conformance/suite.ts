/** The conformance cases for `npx node-directml conformance`. The build puts this file and all that it imports into one. */
import type { OperatorType } from 'node-directml';
import type { ConformanceSuite, SuiteFailure, SuiteReport } from '#lib/cli/conformance/suite.js';
import { readCase } from '../cases/case.js';
import { summary } from './print.js';
import { casesOf, conform, type Devices, type Failure, type Report } from './runner.js';

export const suite: ConformanceSuite = {
  async run(devices, operator, { seed, count, from = 0, progress }) {
    const report = await conform(devices, operator, casesOf(operator, seed, count, from), {
      expected: 'reference',
      progress: (current) => progress?.(current.cases, current.failures.length),
    });
    const told = reportOf(report, ({ index }) => from + index);
    return { ...told, failures: await withoutMetacommands(devices, operator, told.failures) };
  },

  async runCase(devices: Devices, json: string) {
    const test = readCase(json);
    const operator: OperatorType = test.descriptor.type;
    const report = reportOf(await conform(devices, operator, [test], { expected: 'reference' }), () => null);
    return { ...report, failures: await withoutMetacommands(devices, operator, report.failures) };
  },
};

/** Runs the first case that failed once more, without the driver's metacommands. */
async function withoutMetacommands(
  devices: Devices,
  operator: OperatorType,
  [first, ...others]: readonly SuiteFailure[],
): Promise<SuiteFailure[]> {
  if (first === undefined) return [];
  const test = readCase(first.json);
  const isLost = (await Promise.race([devices.directml.lost, Promise.resolve(null)])) !== null;
  if (isLost || test.flags?.disableMetacommands === true) return [first, ...others];
  const again = { ...test, flags: { ...test.flags, disableMetacommands: true } };
  const { failures } = await conform(devices, operator, [again]);
  return [{ ...first, equalWithoutMetacommands: failures.length === 0 }, ...others];
}

function reportOf(report: Report, numberOf: (failure: Failure) => number | null): SuiteReport {
  const { operator, cases, unsupported, failures } = report;
  return {
    operator,
    cases,
    unsupported,
    failures: failures.map((failure) => ({
      message: failure.message,
      json: failure.json,
      number: numberOf(failure),
      equalWithoutMetacommands: null,
    })),
    // ONNX counterparts matter only in the sandbox.
    summary: summary({ ...report, withoutOnnx: new Map() }),
  };
}
