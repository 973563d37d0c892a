// @ts-check
// `npm run bench`: measures against C++ on bare DirectML and against onnxruntime, and fails when a limit is missed.
// `npm run bench -- --rounds 101` takes more rounds; on Linux the DirectML part runs in the sandbox. `-- --reference`
// measures the reference backend against TensorFlow.js instead, on any platform.
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { buildLib } from '../scripts/build.mjs';
import { buildNative } from '../scripts/shared/native.mjs';
import { checkout } from '../scripts/shared/places.mjs';
import { judged, table } from './rounds.mjs';

const { values } = parseArgs({
  options: { rounds: { type: 'string' }, reference: { type: 'boolean', default: false } },
});
const rounds = values.rounds ?? (values.reference ? '15' : '41');

/** @returns {Promise<{ adapter: string, directmlVersion: string, comparisons: import('./rounds.mjs').Comparison[] }>} */
async function compareDirectML() {
  const folder = mkdtempSync(join(checkout, 'build/bench-'));
  const report = join(folder, 'report.json');
  const args = [join(checkout, 'bench/directml.mjs'), report, rounds];
  try {
    const code = process.platform === 'win32'
      ? spawnSync(process.execPath, args, { stdio: 'inherit' }).status
      : await (await import('../sandbox/run.mjs')).runInWindows('node', args, { cwd: checkout, timeout: 600_000 });
    if (code !== 0) throw new Error(`the DirectML part ended with exit code ${String(code)}`);
    return JSON.parse(readFileSync(report, 'utf8'));
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

await buildLib();
/** @type {import('./rounds.mjs').Comparison[]} */
const comparisons = [];
if (values.reference) {
  comparisons.push(...(await (await import('./tensorflow.mjs')).compareWithTensorFlow(Number(rounds))));
} else {
  await buildNative({
    arch: process.platform === 'win32' ? process.arch : 'x64',
    targets: ['node_directml', 'node_directml_bench'],
  });
  const report = await compareDirectML();
  const { compareReference } = await import('./reference.mjs');
  comparisons.push(...report.comparisons, await compareReference(3 * Number(rounds)));
  console.log(`\nDirectML ${report.directmlVersion} on ${report.adapter}`);
}
console.log('\nmedians of rounds in which both sides took turns\n');
console.log(table(comparisons));
const missed = comparisons.filter((comparison) => !judged(comparison).ok).length;
console.log(`\n${comparisons.length - missed} of ${comparisons.length} limits kept`);
process.exitCode = missed === 0 ? 0 : 1;
