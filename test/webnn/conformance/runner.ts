/** Draws and runs the cases of an operator, and says what differs. */
import type { MLContext, MLOperandDataType, MLTensorLimits } from 'node-directml/webnn';
import { writeJson } from '../../conformance/case.js';
import { Random } from '../../random.js';
import { behindChains } from './draw/chains.js';
import { isFloatType } from './elements.js';
import type { CheckedOperator } from './operator.js';
import { Expectation, runCases } from './run-case.js';
import type { OperatorName, WebnnCase } from './webnn-case.js';

/** As many cases as each data type and layout has to have. */
export const leastCases = 30;
/** Cases in one graph. */
const casesTogether = 10;

export interface Backend {
  readonly name: 'directml' | 'reference';
  readonly context: MLContext;
}

export interface Failure {
  readonly backend: Backend['name'];
  readonly message: string;
  readonly test: WebnnCase;
}

export interface OperatorReport {
  readonly operator: OperatorName;
  /** On each backend. */
  cases: number;
  /** The largest deviation by backend and data type, in the metric of the operator's tolerance. */
  readonly worst: Map<string, number>;
  /** Elements that are right only if subnormal float32 count as 0. */
  flushed: number;
  readonly failures: Failure[];
  /** Data types and layouts with too few cases. */
  readonly missing: string[];
}

export interface Plan {
  readonly seed: number;
  /** For each data type and layout. */
  readonly cases: number;
}

export async function conformOperator(
  backends: readonly Backend[],
  name: OperatorName,
  operator: CheckedOperator,
  { seed, cases }: Plan,
): Promise<OperatorReport> {
  const report = emptyReport(name);
  for (const dataType of dataTypesOf(backends, name)) {
    const tests = [...(operator.edges?.(dataType) ?? [])];
    for (const layout of operator.layouts) {
      const random = (number: number) => Random.of(seed, name, dataType, layout, number);
      const drawn = Array.from({ length: cases }, (_, i) => drawCase(operator, random(i), dataType, layout)).filter(
        (test) => test !== null,
      );
      if (drawn.length > 0 && drawn.length < Math.min(cases, leastCases)) {
        report.missing.push(`${dataType} ${layout}: ${drawn.length}`);
      }
      tests.push(...drawn);
    }
    if (tests.length === 0) report.missing.push(dataType);
    await runAll(report, backends, operator, tests, dataType);
  }
  return report;
}

/** Half of the cases have chains of views before their operands. */
function drawCase(operator: CheckedOperator, random: Random, dataType: MLOperandDataType, layout: string): WebnnCase | null {
  const test = operator.draw(random, dataType, layout);
  return test !== null && random.chance(0.5) ? behindChains(random, test) : test;
}

/** A single case. */
export async function conformCase(
  backends: readonly Backend[],
  operator: CheckedOperator,
  test: WebnnCase,
): Promise<OperatorReport> {
  const report = emptyReport(test.operator);
  await runAll(report, backends, operator, [test], 'float32');
  return report;
}

function emptyReport(operator: OperatorName): OperatorReport {
  return { operator, cases: 0, worst: new Map(), flushed: 0, failures: [], missing: [] };
}

/** The data types that the first operand of the operator may have. */
export function dataTypesOf(backends: readonly Backend[], name: OperatorName): readonly MLOperandDataType[] {
  const limits: Readonly<Record<string, unknown>> = { ...backends[0]?.context.opSupportLimits() };
  const [first] = Object.values(limits[name] as Readonly<Record<string, MLTensorLimits>>);
  return first?.dataTypes ?? [];
}

async function runAll(
  report: OperatorReport,
  backends: readonly Backend[],
  operator: CheckedOperator,
  tests: readonly WebnnCase[],
  dataType: MLOperandDataType,
): Promise<void> {
  report.cases += tests.length;
  for (let from = 0; from < tests.length; from += casesTogether) {
    const part = tests.slice(from, from + casesTogether).map((test) => ({ test, expectation: new Expectation(operator, test) }));
    for (const backend of backends) {
      const before = report.failures.length;
      await runPart(report, backend, part, dataType);
      if (report.failures.length === before || part.length === 1) continue;
      await runAlone(report, backend, part, before, dataType);
    }
  }
}

interface Expected {
  readonly test: WebnnCase;
  readonly expectation: Expectation;
}

/** Runs each of the cases in a graph of its own. If all are right there, what failed needs the others beside it. */
async function runAlone(
  report: OperatorReport,
  backend: Backend,
  part: readonly Expected[],
  before: number,
  dataType: MLOperandDataType,
): Promise<void> {
  const together = report.failures.splice(before);
  for (const one of part) await runPart(report, backend, [one], dataType);
  if (report.failures.length > before) return;
  report.failures.push(...together.map((failure) => ({ ...failure, message: `only beside others: ${failure.message}` })));
}

async function runPart(
  report: OperatorReport,
  backend: Backend,
  part: readonly Expected[],
  dataType: MLOperandDataType,
): Promise<void> {
  try {
    const results = await runCases(
      backend.context,
      part.map(({ test }) => test),
    );
    for (const [i, { test, expectation }] of part.entries()) {
      for (const { worst, flushed, mismatch } of expectation.compare(results[i] ?? [])) {
        report.flushed += flushed;
        const key = `${backend.name} ${dataType}`;
        if (mismatch !== null) report.failures.push({ backend: backend.name, message: mismatch, test });
        else if (isFloatType(dataType)) report.worst.set(key, Math.max(report.worst.get(key) ?? 0, worst));
      }
    }
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    for (const { test } of part) report.failures.push({ backend: backend.name, message, test });
  }
}

/** Prints as a command that runs the case again. */
export function commandOf({ test, backend }: Failure): string {
  return `npm run conformance -- --webnn --backend ${backend} --case '${writeJson(test)}'`;
}
