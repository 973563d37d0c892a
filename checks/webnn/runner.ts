/** Draws and runs the cases of an operator, and reports the differences. */
import type { MLContext, MLOperandDataType, MLTensorLimits } from 'node-directml/webnn';
import { writeJson } from '../cases/case.js';
import { Random } from '../harness/random.js';
import { behindChains } from './draw/chains.js';
import { Drawing } from './draw/operands.js';
import { isFloatType } from './elements.js';
import type { CheckedOperator } from './operator.js';
import { expectationOf, runCases, type Expectation } from './run-case.js';
import type { DrawnCase, OperatorName, WebnnCase } from './webnn-case.js';

/** The number of cases in one graph. */
const casesTogether = 10;

export interface Backend {
  readonly name: 'directml' | 'reference';
  readonly context: MLContext;
}

interface Failure {
  readonly backend: Backend['name'];
  readonly message: string;
  readonly test: WebnnCase;
}

/** The outcome of an operator's cases. */
export type OperatorReport = ReturnType<typeof newReport>;

function newReport(operator: OperatorName) {
  return {
    operator,
    /** The number of cases that were run on each backend. */
    cases: 0,
    /** The largest deviation by backend and data type, in the metric of the operator's tolerance. */
    worst: new Map<string, number>(),
    /** Elements that are right only if subnormal float32 count as 0. */
    flushed: 0,
    failures: new Array<Failure>(),
  };
}

/** The cases whose first operand has a data type. */
export type Cases = readonly [dataType: MLOperandDataType, tests: readonly WebnnCase[]];

/** For each data type of the operator's first operand: all edges, and `cases` random cases per layout. */
export function* casesOf(
  backends: readonly Backend[],
  name: OperatorName,
  operator: CheckedOperator,
  { seed, cases }: { readonly seed: number; readonly cases: number },
): Generator<Cases> {
  const limits: Readonly<Record<string, unknown>> = { ...backends[0]?.context.opSupportLimits() };
  const [first] = Object.values(limits[name] as Readonly<Record<string, MLTensorLimits>>);
  const named = (test: DrawnCase): WebnnCase => ({ operator: name, ...test });
  for (const dataType of first?.dataTypes ?? []) {
    const drawn = operator.layouts.flatMap((layout) =>
      Array.from({ length: cases }, (_, number) => {
        const random = Random.of(seed, name, dataType, layout, number);
        const test = named(operator.draw(new Drawing(random, dataType, layout)));
        // Half of the cases have chains of views before their operands.
        return random.chance(0.5) ? behindChains(random, test) : test;
      }),
    );
    yield [dataType, [...(operator.edges?.(dataType) ?? []).map(named), ...drawn]];
  }
}

/** Runs the cases on each backend. */
export async function conform(
  backends: readonly Backend[],
  name: OperatorName,
  operator: CheckedOperator,
  cases: Iterable<Cases>,
): Promise<OperatorReport> {
  const report = newReport(name);
  for (const [dataType, tests] of cases) {
    report.cases += tests.length;
    for (let from = 0; from < tests.length; from += casesTogether) {
      const part = tests.slice(from, from + casesTogether).map((test) => expectationOf(operator, test));
      for (const backend of backends) report.failures.push(...(await failuresIn(report, backend, part, dataType)));
    }
  }
  return report;
}

async function failuresIn(
  report: OperatorReport,
  backend: Backend,
  part: readonly Expectation[],
  dataType: MLOperandDataType,
): Promise<readonly Failure[]> {
  const together = await runPart(report, backend, part, dataType);
  if (together.length === 0 || part.length === 1) return together;
  // Runs each case in a graph of its own. If all succeed there, the failure depends on the other cases in the graph.
  const alone: Failure[] = [];
  for (const one of part) alone.push(...(await runPart(report, backend, [one], dataType)));
  return alone.length > 0
    ? alone
    : together.map((failure) => ({ ...failure, message: `only beside others: ${failure.message}` }));
}

/** Runs the cases in one graph, and returns the failures. */
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

/** The command that runs the case again. */
export function commandOf({ test, backend }: Failure): string {
  return `npm run conformance -- --webnn --backend ${backend} --case '${writeJson(test)}'`;
}
