/**
 * `npm run parity -- [operator] [--seed n] [--count n]`: random descriptors, valid and broken in one rule, judged by
 * our validation and by the real DirectML. They must agree, but for the rules that are stricter on purpose.
 */
import { parseArgs } from 'node:util';
import { DirectMLError } from '#lib/errors.js';
import { resolveDescriptor } from '#lib/validation/index.js';
import { Random } from '../random.js';
import type { Candidate } from './candidate.js';
import { askDirectML } from './child-protocol.js';
import { encodeLoosely } from './encode.js';
import { candidates } from './operators.js';
import { stricterOnPurpose } from './stricter.js';

const SHOWN = 40;

interface Row {
  agreeValid: number;
  agreeInvalid: number;
  disagree: number;
  stricter: number;
  deaths: number;
}

async function main(): Promise<number> {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: { seed: { type: 'string' }, count: { type: 'string' }, show: { type: 'string' } },
  });
  const seed = values.seed === undefined ? Math.floor(Math.random() * 0x7fffffff) : Number(values.seed);
  console.log(`seed ${seed}`);
  const names = positionals.length === 0 ? Object.keys(candidates) : positionals;
  let disagreements = 0;
  for (const name of names) {
    const generate = candidates[name];
    if (generate === undefined)
      throw new RangeError(`no operator "${name}"; there are: ${Object.keys(candidates).join(', ')}`);
    const count = Number(values.count ?? (name === 'scatterNd' ? 10_000 : 500));
    disagreements += await runOperator(name, generate, Random.of(seed, name), count, Number(values.show ?? SHOWN));
  }
  return disagreements === 0 ? 0 : 1;
}

async function runOperator(
  name: string,
  generate: (random: Random) => Candidate,
  random: Random,
  count: number,
  shown: number,
): Promise<number> {
  const asked = Array.from({ length: count }, () => generate(random));
  const theirs = await askDirectML(
    asked.map(({ descriptor }) => encodeLoosely(descriptor)),
    (done) => {
      if (process.stdout.isTTY) process.stdout.write(`\r${name}: ${done} of ${count} `);
    },
  );
  if (process.stdout.isTTY) process.stdout.write('\r\x1b[K');

  const rows = new Map<string, Row>();
  const stricter = new Map<string, number>();
  let disagreements = 0;
  let refusedValid = 0;
  for (const [i, { rule, descriptor }] of asked.entries()) {
    const row = rows.get(rule) ?? { agreeValid: 0, agreeInvalid: 0, disagree: 0, stricter: 0, deaths: 0 };
    rows.set(rule, row);
    const verdict = theirs[i] ?? 'no answer';
    const ours = judge(descriptor);
    if (verdict === 'death') row.deaths += 1;
    // What CreateOperator takes is valid, even where this Direct3D cannot compile it.
    const accepted = verdict === 'ok' || verdict.includes('CompileOperator');
    if (accepted === (ours === null)) {
      if (!accepted && rule === 'valid') {
        refusedValid += 1;
        if (refusedValid <= shown) {
          console.log(`\nvalid by construction, yet refused: ${ours?.message}\n  ${JSON.stringify(descriptor)}`);
        }
      }
      row[accepted ? 'agreeValid' : 'agreeInvalid'] += 1;
      continue;
    }
    const reason = accepted && ours !== null ? stricterOnPurpose(ours) : null;
    if (reason !== null) {
      row.stricter += 1;
      stricter.set(reason, (stricter.get(reason) ?? 0) + 1);
      continue;
    }
    row.disagree += 1;
    disagreements += 1;
    if (disagreements <= shown) {
      const said = ours === null ? 'valid' : `${ours.code} ${ours.message}`;
      console.log(`\n${rule}: ours: ${said}; DirectML: ${verdict}\n  ${JSON.stringify(descriptor, withBigInts)}`);
    }
  }
  print(name, count, rows, stricter, disagreements);
  return disagreements;
}

function judge(descriptor: unknown): DirectMLError | null {
  try {
    resolveDescriptor(descriptor, '6.4');
    return null;
  } catch (error) {
    if (error instanceof DirectMLError) return error;
    throw error;
  }
}

function print(
  name: string,
  count: number,
  rows: Map<string, Row>,
  stricter: Map<string, number>,
  disagreements: number,
): void {
  const columns = ['agreeValid', 'agreeInvalid', 'disagree', 'stricter', 'deaths'] as const;
  console.log(`\n${name}\n  ${'rule'.padEnd(38)}${columns.map((column) => column.padStart(13)).join('')}`);
  const total: Row = { agreeValid: 0, agreeInvalid: 0, disagree: 0, stricter: 0, deaths: 0 };
  for (const [rule, row] of [...rows].sort(([a], [b]) => a.localeCompare(b))) {
    console.log(`  ${rule.padEnd(38)}${columns.map((column) => String(row[column]).padStart(13)).join('')}`);
    for (const column of columns) total[column] += row[column];
  }
  for (const [reason, cases] of stricter) console.log(`  stricter on purpose: ${reason}: ${cases}`);
  console.log(
    `${name}: ${count} descriptors, ${total.agreeValid} valid and ${total.agreeInvalid} invalid on both sides, ` +
      `${total.stricter} stricter on purpose, ${total.deaths} deaths, ${disagreements} disagreements`,
  );
}

/** JSON has none. */
function withBigInts(_key: string, value: unknown): unknown {
  return typeof value === 'bigint' ? String(value) : value;
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
