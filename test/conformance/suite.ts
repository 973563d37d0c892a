/** The conformance cases for `npx node-directml conformance`. The build puts this file and all that it imports into one. */
import type { OperatorType } from 'node-directml';
import type { ConformanceSuite, SuiteReport } from '#lib/cli/conformance/suite.js';
import { readCase } from './case.js';
import { summary } from './print.js';
import { casesOf, conform, type Devices, type Failure, type Report } from './runner.js';

export const suite: ConformanceSuite = {
  async run(devices, operator, { seed, count, only, progress }) {
    const cases = only === undefined ? casesOf(operator, seed, count) : casesOf(operator, seed, 1, only);
    const report = await conform(devices, operator, cases, {
      progress: (current) => progress?.(current.cases, current.failures.length),
    });
    return told(report, ({ index }) => (only ?? 0) + index);
  },

  async runCase(devices: Devices, json: string) {
    const test = readCase(json);
    const operator: OperatorType = test.descriptor.type;
    return told(await conform(devices, operator, [test]), () => null);
  },
};

function told(report: Report, numberOf: (failure: Failure) => number | null): SuiteReport {
  const { operator, cases, unsupported, failures } = report;
  return {
    operator,
    cases,
    unsupported,
    failures: failures.map((failure) => ({ message: failure.message, json: failure.json, number: numberOf(failure) })),
    // ONNX counterparts matter only in the sandbox.
    summary: summary({ ...report, withoutOnnx: new Map() }),
  };
}
