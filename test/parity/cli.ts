/**
 * `npm run parity -- [operator…] [--seed n] [--count n] [--show n] [--descriptor json]`: our validation and the real DirectML
 * judge random descriptors, half of them valid by construction, half with one mutation. Both must agree, except for the rules
 * that are stricter on purpose. DirectML must also accept the valid descriptors with the outputs that validation infers.
 *
 * `npm run parity -- --stored`: the descriptors in `test/verdicts/stored`.
 *
 * `npm run parity -- --crash [--seed n] [--count n] [--only i] [--verbose]`: malformed values at the native boundary.
 *
 * `npm run parity -- --dispatch [operator…] [--seed n] [--count n] [--only i]`: dispatches valid descriptors with extreme
 * numbers and any data.
 *
 * `npm run parity -- --graphs [--seed n] [--count n] [--only i] [--show n]`, `npm run parity -- --graph json [--level n]`: graphs,
 * right ones and ones that are broken in one rule. DirectML must also compile each graph that the package makes of a right one.
 */
import { parseArgs } from 'node:util';
import { highestFeatureLevel } from '#lib/schema/feature-level.js';
import { isOperatorType } from '#lib/validation/index.js';
import { readJson } from '../conformance/case.js';
import { operatorTypes } from '../operators/cases.js';
import type { LooseDescriptor } from './candidate.js';
import { compareOperators } from './compare-operators.js';
import { runCrash } from './crash.js';
import { runDispatches } from './dispatch.js';
import { compareGraph, compareGraphs } from './graphs/run.js';
import { judge } from './judge.js';
import { readVerdicts } from '../verdicts/verdict.js';
import { candidates } from './operators.js';
import { describe, isFailure, printTotal } from './report.js';

const CRASH_VALUES = 20_000;
/** Dispatches per operator. */
const DISPATCHES = 60;
const GRAPHS = 10_000;
const SHOWN = 40;

/** Returns the number of failures. */
async function main(): Promise<number> {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      seed: { type: 'string' },
      count: { type: 'string' },
      show: { type: 'string' },
      descriptor: { type: 'string' },
      stored: { type: 'boolean', default: false },
      crash: { type: 'boolean', default: false },
      dispatch: { type: 'boolean', default: false },
      graphs: { type: 'boolean', default: false },
      graph: { type: 'string' },
      level: { type: 'string', default: highestFeatureLevel },
      only: { type: 'string' },
      verbose: { type: 'boolean', default: false },
    },
  });
  if (values.descriptor !== undefined) return judgeOne(values.descriptor);
  if (values.graph !== undefined) return compareGraph(values.graph, values.level);
  if (values.stored) return judgeStored();
  const seed = values.seed === undefined ? Math.floor(Math.random() * 0x7fffffff) : Number(values.seed);
  const count = values.count === undefined ? undefined : Number(values.count);
  console.log(`seed ${seed}`);
  if (values.crash) {
    return values.only === undefined
      ? runCrash(seed, 0, count ?? CRASH_VALUES, values.verbose)
      : runCrash(seed, Number(values.only), 1, values.verbose);
  }
  if (values.dispatch) {
    const operators = positionals.length === 0 ? operatorTypes : positionals.filter(isOperatorType);
    const [from, cases] = values.only === undefined ? [0, count ?? DISPATCHES] : [Number(values.only), 1];
    return runDispatches({ operators, seed, from, count: cases });
  }
  if (values.graphs) {
    const [from, graphs] = values.only === undefined ? [0, count ?? GRAPHS] : [Number(values.only), 1];
    return compareGraphs({ seed, from, count: graphs, shown: Number(values.show ?? SHOWN) });
  }
  return compareOperators({
    names: positionals.length === 0 ? Object.keys(candidates) : positionals,
    seed,
    count,
    shown: Number(values.show ?? SHOWN),
    tables: positionals.length > 0,
  });
}

async function judgeStored(): Promise<number> {
  const stored = operatorTypes.flatMap(readVerdicts);
  const judged = await judge(stored.map(({ descriptor, verdict }) => ({ rule: `open: ${verdict}`, descriptor })));
  for (const one of judged.filter(isFailure)) console.log(`\n${describe(one)}`);
  printTotal(operatorTypes.length, judged);
  return judged.filter(isFailure).length;
}

async function judgeOne(json: string): Promise<number> {
  const descriptor = readJson(json);
  if (!isDescriptor(descriptor)) throw new TypeError('--descriptor takes a descriptor of an operator');
  const judged = await judge([{ rule: 'given', descriptor }]);
  for (const one of judged) console.log(`${describe(one)}\n${one.outcome} ${one.strictRule ?? ''}`);
  return judged.filter(isFailure).length;
}

function isDescriptor(value: unknown): value is LooseDescriptor {
  return typeof value === 'object' && value !== null && 'type' in value && isOperatorType(String(value.type));
}

main().then(
  (failures) => {
    process.exitCode = failures === 0 ? 0 : 1;
  },
  (error: unknown) => {
    console.error(error);
    process.exitCode = 2;
  },
);
