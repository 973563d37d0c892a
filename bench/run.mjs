// @ts-check
// `npm run bench`: compares the package with C++ on DirectML and with onnxruntime, and fails if a limit is exceeded. On Linux
// the DirectML part runs in the sandbox. `npm run bench -- --rounds 101` measures more rounds. `-- --reference` compares
// the reference backend with TensorFlow.js instead, on any platform.
import { mkdtempSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { buildLib } from '../scripts/build.mjs';
import { buildNative } from '../scripts/shared/native.mjs';
import { checkout, remove, run } from '../scripts/shared/common.mjs';
import { evaluate, table } from './rounds.mjs';

const { values } = parseArgs({
  options: { rounds: { type: 'string' }, reference: { type: 'boolean', default: false } },
});
/** In milliseconds. */
const timeLimit = 10 * 60_000;
const rounds = values.rounds ?? (values.reference ? '15' : '41');

/** @returns {Promise<{ adapter: string, directmlVersion: string, comparisons: import('./rounds.mjs').Comparison[] }>} */
async function compareDirectML() {
  const folder = mkdtempSync(join(checkout, 'build/bench-'));
  const report = join(folder, 'report.json');
  const args = [join(checkout, 'bench/directml.mjs'), report, rounds];
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

await buildLib();
/** @type {import('./rounds.mjs').Comparison[]} */
const comparisons = [];
if (values.reference) {
  comparisons.push(...(await (await import('./tensorflow.mjs')).compareWithTensorFlow(Number(rounds))));
} else {
  await buildNative({ targets: ['node_directml', 'node_directml_bench'] });
  const report = await compareDirectML();
  const { compareReference } = await import('./reference.mjs');
  comparisons.push(...report.comparisons, await compareReference(3 * Number(rounds)));
  console.log(`\nDirectML ${report.directmlVersion} on ${report.adapter}`);
}
console.log('\nmedians of rounds in which both sides took turns\n');
console.log(table(comparisons));
const missed = comparisons.filter((comparison) => !evaluate(comparison).ok).length;
const limits = comparisons.filter(({ limit }) => limit !== Number.MAX_VALUE).length;
console.log(`\n${limits - missed} of ${limits} limits kept`);
process.exitCode = missed === 0 ? 0 : 1;
