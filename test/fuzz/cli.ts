/**
 * `npm run fuzz -- [--calls n] [--seed n] [--from n] [--workers n] [--node 20|22|24|all] [--show n]`: random valid and invalid
 * calls of the public API, on devices that may end at any moment. Only the package's own errors may be thrown, every promise
 * must settle, and nothing may leak.
 */
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { showProgress } from '../parity/progress.js';
import { ROOT } from '../parity/watched-child.js';
import { Report } from './report.js';
import { runSegment, type Trouble } from './segment.js';

/** The calls in a round. Each round has its own devices. */
const PER_ROUND = 2_000;
const CALLS = 20_000;
/** The number of child processes at a time. */
const WORKERS = 2;
const SHOWN = 40;
const OWN_NODE = process.versions.node.split('.')[0] ?? '';
const FOLDER = join(ROOT, 'build', 'fuzz', `${process.pid}`);

interface Run {
  readonly seed: number;
  readonly from: number;
  readonly calls: number;
  readonly workers: number;
  readonly shown: number;
}

/** Returns the number of failures. */
async function main(): Promise<number> {
  const { values } = parseArgs({
    options: {
      calls: { type: 'string', default: String(CALLS) },
      seed: { type: 'string', default: String(Math.floor(Math.random() * 0x7fffffff)) },
      from: { type: 'string', default: '0' },
      workers: { type: 'string', default: String(WORKERS) },
      node: { type: 'string', default: OWN_NODE },
      show: { type: 'string', default: String(SHOWN) },
    },
  });
  const [seed, from, calls, workers, shown] = [
    whole('seed', values.seed),
    whole('from', values.from),
    whole('calls', values.calls),
    whole('workers', values.workers),
    whole('show', values.show),
  ];
  const rows: Record<string, unknown> = {};
  let failures = 0;
  for (const version of versionsOf(values.node)) {
    const began = Date.now();
    const report = await runAll(version, { seed, from, calls, workers, shown });
    failures += report.failures;
    rows[`node ${version}`] = { ...report.row(), seconds: Math.round((Date.now() - began) / 1000) };
  }
  rmSync(FOLDER, { recursive: true, force: true });
  print(rows);
  console.log(`seed ${seed}, failures ${failures}`);
  return failures;
}

async function runAll(version: string, { seed, from, calls, workers, shown }: Run): Promise<Report> {
  const report = new Report();
  let told = 0;
  const tell = (trouble: Trouble) => {
    report.addTrouble(trouble);
    if (++told > shown) return;
    showProgress('');
    const first = trouble.index < 0 ? from : trouble.index - ((trouble.index - from) % PER_ROUND);
    const again = `npm run fuzz -- --seed ${seed} --from ${first} --calls ${Math.max(1, trouble.index + 1 - first)}`;
    console.log(`${again} --workers 1 --node ${version}\n  ${trouble.kind}, call ${trouble.index}: ${trouble.text}`);
  };
  // The workers share whole rounds evenly.
  const rounds = Math.ceil(calls / PER_ROUND);
  const processes = Math.max(1, Math.min(workers, rounds));
  const edge = (i: number) => from + Math.min(calls, Math.floor((rounds * i) / processes) * PER_ROUND);
  const segments = Array.from({ length: processes }, (_, i) => ({ from: edge(i), to: edge(i + 1) }));
  await Promise.all(
    segments.map((segment, i) =>
      runSegment(
        { ...segment, seed, perRound: PER_ROUND, node: `node${version}`, folder: join(FOLDER, `${version}-${i}`) },
        {
          onCalls(count) {
            report.calls += count;
            showProgress(`node ${version}: ${report.calls} of ${calls} calls`);
          },
          onTrouble: tell,
          onRound: (result, child) => report.addRound(result, `${i}-${child}`),
        },
      ),
    ),
  );
  showProgress('');
  return report;
}

function versionsOf(text: string): string[] {
  const versions = text === 'all' ? ['20', '22', '24'] : [text];
  if (process.platform === 'win32' && versions.some((version) => version !== OWN_NODE)) {
    throw new Error(`On Windows the Node.js that runs this is tried, which is ${OWN_NODE}: run the command with the other one.`);
  }
  if (!versions.every((version) => ['20', '22', '24', OWN_NODE].includes(version))) {
    throw new Error(`--node takes 20, 22, 24 or all, not ${text}`);
  }
  return versions;
}

function whole(name: string, text: string): number {
  const number = Number(text);
  if (Number.isSafeInteger(number) && number >= 0) return number;
  throw new Error(`--${name} takes a whole number, not ${text}`);
}

/** Prints a table: a line per property, a column per version of Node.js. */
function print(rows: Readonly<Record<string, unknown>>): void {
  const columns = Object.entries(rows).map(([title, row]) => ({
    title,
    row: new Map<string, unknown>(Object.entries(Object(row))),
  }));
  const names = [...(columns[0]?.row.keys() ?? [])];
  const width = Math.max(...names.map((name) => name.length));
  const line = (name: string, cells: readonly string[]) =>
    `${name.padEnd(width)}${cells.map((cell) => cell.padStart(16)).join('')}`;
  console.log(
    line(
      '',
      columns.map(({ title }) => title),
    ),
  );
  for (const name of names)
    console.log(
      line(
        name,
        columns.map(({ row }) => String(row.get(name))),
      ),
    );
}

main().then(
  (failures) => {
    process.exitCode = failures === 0 ? 0 : 1;
  },
  (error: unknown) => {
    console.error(error instanceof Error ? error.message : error);
    process.exitCode = 2;
  },
);
