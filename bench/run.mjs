// @ts-check
// `npm run bench`: compares the package with C++ on DirectML and with onnxruntime, and fails if a limit is exceeded. On Linux
// the DirectML part runs in the sandbox.
import { mkdirSync, mkdtempSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { buildLib } from '../scripts/build.mjs';
import { buildNative } from '../scripts/shared/native.mjs';
import { checkout, main, remove, run } from '../scripts/shared/common.mjs';
import { describe, lines } from './machine.mjs';
import { rowOf, table } from './report.mjs';
import { selected } from './rounds.mjs';

const usage = `npm run bench -- [options]
  --reference    compares the reference backend with TensorFlow.js instead, on any platform
  --only TEXT    measures only the rows in whose names the text occurs
  --rounds N     rounds of each row; short work gets more. Default: 41, and 15 with --reference
  --json         prints the results as one JSON document
The exit code is 1 if a limit is exceeded.`;

/** @typedef {import('./rounds.mjs').Comparison | import('./rounds.mjs').Measurement} Measured */
/** @typedef {{ surroundings: import('./machine.mjs').Surroundings | null, measured: Measured[] }} Part */

/** In milliseconds. */
const timeLimit = 10 * 60_000;

function readOptions() {
  const { values } = parseArgs({
    options: {
      rounds: { type: 'string' },
      reference: { type: 'boolean', default: false },
      only: { type: 'string', default: '' },
      json: { type: 'boolean', default: false },
      help: { type: 'boolean', default: false },
    },
  });
  const rounds = Number(values.rounds ?? (values.reference ? 15 : 41));
  if (!Number.isSafeInteger(rounds) || rounds < 1) throw new Error(`--rounds is a whole number of at least 1`);
  return { ...values, rounds };
}

/** Measures in a process of its own: the DLL and its device end with it. @returns {Promise<Part>} */
async function measureDirectML(/** @type {number} */ rounds, /** @type {string} */ only) {
  mkdirSync(join(checkout, 'build'), { recursive: true });
  const folder = mkdtempSync(join(checkout, 'build/bench-'));
  const report = join(folder, 'report.json');
  const args = [join(checkout, 'bench/directml.mjs'), report, `${rounds}`, only];
  try {
    const code =
      process.platform === 'win32'
        ? await run(process.execPath, args, { timeout: timeLimit })
        : await (await import('../sandbox/run.mjs')).runInWindows('node', args, { cwd: checkout, timeout: timeLimit });
    if (code !== 0) throw new Error(`the DirectML part ended with exit code ${String(code)}`);
    return JSON.parse(readFileSync(report, 'utf8'));
  } finally {
    remove(folder);
  }
}

/** @returns {Promise<Part>} */
async function compareWithDirectML(/** @type {number} */ rounds, /** @type {string} */ only) {
  const { contests, measurements, plans } = await import('./rows.mjs');
  const isNeeded = selected([...plans, ...contests, ...measurements], only).length > 0;
  /** @type {Part} */
  const part = isNeeded ? await measureDirectML(rounds, only) : { surroundings: null, measured: [] };
  const { references } = await import('./reference.mjs');
  for (const { name, measure } of selected(references, only)) part.measured.push({ name, ...(await measure(rounds)) });
  return part;
}

/** @returns {Promise<Part>} */
async function compareReference(/** @type {number} */ rounds, /** @type {string} */ only) {
  const { compareWithTensorFlow } = await import('./tensorflow.mjs');
  /** @type {Measured[]} */
  const measured = await compareWithTensorFlow(rounds, only);
  return { surroundings: null, measured };
}

await main(async () => {
  const { rounds, reference, only, json, help } = readOptions();
  if (help) return void console.log(usage);
  await buildLib();
  if (!reference) await buildNative({ targets: ['node_directml', 'node_directml_bench'], output: 'stderr' });
  const { surroundings, measured } = await (reference ? compareReference : compareWithDirectML)(rounds, only);
  const rows = measured.map(rowOf);
  if (rows.length === 0) throw new Error(`no row has '${only}' in its name`);
  const facts = describe(surroundings);
  if (json) console.log(JSON.stringify({ ...facts, rows }, null, 2));
  else {
    const limits = rows.filter(({ limit }) => limit !== null);
    const kept = limits.filter(({ passed }) => passed).length;
    console.log(`${lines(facts).join('\n')}\nmedians of rounds in which both sides took turns\n`);
    console.log(`${table(rows)}\n\n${kept} of ${limits.length} limits kept`);
  }
  return rows.every(({ passed }) => passed) ? 0 : 1;
});
