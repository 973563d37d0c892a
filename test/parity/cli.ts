/**
 * `npm run parity -- [operator…] [--seed n] [--count n] [--descriptor json]`: random descriptors, half of them valid by
 * construction, half with one thing broken, judged by our validation and by the real DirectML. They must agree, but for
 * the rules that are stricter on purpose.
 */
import { parseArgs } from 'node:util';
import { readJson } from '../conformance/case.js';
import { isOperatorType } from '../conformance/cases/index.js';
import { Random } from '../random.js';
import type { Candidate, LooseDescriptor } from './candidate.js';
import { judge, type Judged } from './judge.js';
import { candidates } from './operators.js';
import { describe, isFailure, printOperator, printTotal } from './report.js';

const SHOWN = 40;

async function main(): Promise<number> {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      seed: { type: 'string' },
      count: { type: 'string' },
      show: { type: 'string' },
      descriptor: { type: 'string' },
    },
  });
  if (values.descriptor !== undefined) return judgeOne(values.descriptor);
  const seed = values.seed === undefined ? Math.floor(Math.random() * 0x7fffffff) : Number(values.seed);
  console.log(`seed ${seed}`);
  const names = positionals.length === 0 ? Object.keys(candidates) : positionals;
  const all: Judged[] = [];
  for (const name of names) {
    const generate = candidates[name];
    if (generate === undefined)
      throw new RangeError(`no operator "${name}"; there are: ${Object.keys(candidates).join(', ')}`);
    const count = Number(values.count ?? (name === 'scatterNd' ? 10_000 : 500));
    const judged = await judgeOperator(name, generate, Random.of(seed, name), count);
    printOperator(name, judged, Number(values.show ?? SHOWN));
    all.push(...judged);
  }
  printTotal(names.length, all);
  return all.some(isFailure) ? 1 : 0;
}

async function judgeOperator(
  name: string,
  generate: (random: Random) => Candidate,
  random: Random,
  count: number,
): Promise<Judged[]> {
  const asked = Array.from({ length: count }, () => generate(random));
  const judged = await judge(asked, (done) => {
    if (process.stdout.isTTY) process.stdout.write(`\r${name}: ${done} of ${count} `);
  });
  if (process.stdout.isTTY) process.stdout.write('\r\x1b[K');
  return judged;
}

async function judgeOne(json: string): Promise<number> {
  const descriptor = readJson(json);
  if (!isDescriptor(descriptor)) throw new TypeError('--descriptor takes a descriptor of a finished operator');
  const [judged] = await judge([{ rule: 'given', descriptor }], () => undefined);
  if (judged === undefined) return 1;
  console.log(describe(judged));
  return isFailure(judged) ? 1 : 0;
}

function isDescriptor(value: unknown): value is LooseDescriptor {
  return typeof value === 'object' && value !== null && 'type' in value && isOperatorType(String(value.type));
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
