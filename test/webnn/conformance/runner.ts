/** Draws and runs the cases of an operator, and says what differs. */
import type { MLContext, MLOperandDataType, MLTensorLimits } from 'node-directml/webnn';
import { writeJson } from '../../conformance/case.js';
import { Random } from '../../random.js';
import { behindChains } from './draw/chains.js';
import { Drawing } from './draw/operands.js';
import { isFloatType } from './elements.js';
import type { CheckedOperator } from './operator.js';
import { expectationOf, runCases, type Expectation } from './run-case.js';
import type { DrawnCase, OperatorName, WebnnCase } from './webnn-case.js';

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

/** `cases` are drawn for each data type and layout. */
export async function conformOperator(
  backends: readonly Backend[],
  name: OperatorName,
  operator: CheckedOperator,
  { seed, cases }: { readonly seed: number; readonly cases: number },
): Promise<OperatorReport> {
  const report = emptyReport(name);
  const named = (test: DrawnCase): WebnnCase => ({ operator: name, ...test });
  for (const dataType of dataTypesOf(backends, name)) {
    const tests = (operator.edges?.(dataType) ?? []).map(named);
    for (const layout of operator.layouts) {
      const drawn = Array.from({ length: cases }, (_, number) => {
        const random = Random.of(seed, name, dataType, layout, number);
        const test = operator.draw(new Drawing(random, dataType, layout));
        if (test === null) return null;
        // Half of the cases have chains of views before their operands.
        return random.chance(0.5) ? behindChains(random, named(test)) : named(test);
      }).filter((test) => test !== null);
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
function dataTypesOf(backends: readonly Backend[], name: OperatorName): readonly MLOperandDataType[] {
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
    const part = tests.slice(from, from + casesTogether).map((test) => expectationOf(operator, test));
    for (const backend of backends) {
      const together = await runPart(report, backend, part, dataType);
      if (together.length === 0 || part.length === 1) {
        report.failures.push(...together);
        continue;
      }
      // Each of the cases in a graph of its own. If all are right there, what failed needs the others beside it.
      const alone: Failure[] = [];
      for (const one of part) alone.push(...(await runPart(report, backend, [one], dataType)));
      const beside = together.map((failure) => ({ ...failure, message: `only beside others: ${failure.message}` }));
      report.failures.push(...(alone.length > 0 ? alone : beside));
    }
  }
}

/** Runs the cases in one graph, and returns what differs. */
async function runPart(
  report: OperatorReport,
  { name, context }: Backend,
  part: readonly Expectation[],
  dataType: MLOperandDataType,
): Promise<readonly Failure[]> {
  const failures: Failure[] = [];
  try {
    const tests = part.map(({ test }) => test);
    const results = await runCases(context, tests);
    for (const [i, { test, compare }] of part.entries()) {
      for (const { worst, flushed, mismatch } of compare(results[i] ?? [])) {
        report.flushed += flushed;
        const key = `${name} ${dataType}`;
        if (mismatch !== null) failures.push({ backend: name, message: mismatch, test });
        else if (isFloatType(dataType)) report.worst.set(key, Math.max(report.worst.get(key) ?? 0, worst));
      }
    }
    return failures;
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    return [...failures, ...part.map(({ test }) => ({ backend: name, message, test }))];
  }
}

/** Prints as a command that runs the case again. */
export function commandOf({ test, backend }: Failure): string {
  return `npm run conformance -- --webnn --backend ${backend} --case '${writeJson(test)}'`;
}
