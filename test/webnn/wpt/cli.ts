/**
 * `npm run wpt -- FOLDER`: runs the web platform tests of WebNN, unmodified. FOLDER has `webnn` and `resources` of
 * web-platform-tests. Exits with 1 if a test fails and with 2 after a wrong argument.
 *
 *   --backend directml|reference  default: directml
 *   --device cpu|gpu|npu          the variant to run; default: gpu. Files without variants run once
 *   --filter TEXT                 only files whose path contains the text, or /a regular expression/; may be repeated
 *   --json FILE                   writes all results
 *   --jobs N                      files at a time; default: 1
 *   --silence SECONDS             how long a file may give no result; default: 120
 */
import { existsSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { failuresOf, isWhole, totalsOf, type FileResult } from './result.js';
import { runFile } from './run-file.js';
import { testRuns } from './test-files.js';

const options = {
  backend: { type: 'string', default: 'directml' },
  device: { type: 'string', default: 'gpu' },
  filter: { type: 'string', multiple: true },
  json: { type: 'string' },
  jobs: { type: 'string', default: '1' },
  silence: { type: 'string', default: '120' },
} as const;

async function main(): Promise<number> {
  const { values, positionals } = parseArgs({ options, allowPositionals: true });
  const { backend, device, filter = [], json } = values;
  const root = resolve(positionals[0] ?? '.');
  const [jobs, silence] = [Number(values.jobs), Number(values.silence) * 1000];
  if (backend !== 'directml' && backend !== 'reference') return refuse(`--backend is directml or reference, not ${backend}`);
  if (!(jobs >= 1) || !(silence > 0)) return refuse('--jobs and --silence are positive numbers');
  if (!existsSync(join(root, 'resources', 'testharness.js'))) return refuse(`${root} has no resources/testharness.js`);
  const runs = testRuns(root, device, (file) => filter.length === 0 || filter.some((text) => matches(text, file)));
  const results: FileResult[] = [];
  const rest = runs.values();
  await Promise.all(
    Array.from({ length: jobs }, async () => {
      for (const run of rest) {
        const result = await runFile({ ...run, root, backend }, silence);
        results.push(result);
        print(result);
      }
    }),
  );
  return finish(results, json);
}

function refuse(message: string): number {
  console.error(`wpt: ${message}`);
  return 2;
}

function matches(pattern: string, text: string): boolean {
  const [, source] = /^\/(.*)\/$/.exec(pattern) ?? [];
  return source === undefined ? text.includes(pattern) : new RegExp(source).test(text);
}

function print(result: FileResult): void {
  const { file, variant, harness, message, milliseconds } = result;
  const { passed, failed, unsupported, left } = totalsOf([result]);
  const parts = [`${passed} passed`];
  if (failed > 0) parts.push(`${failed} failed`);
  if (unsupported > 0) parts.push(`${unsupported} of them outside opSupportLimits`);
  if (left > 0) parts.push(`${left} left out`);
  console.log(`${isWhole(result) ? 'ok    ' : 'not ok'} ${file}${variant}  ${parts.join(', ')}  ${milliseconds} ms`);
  if (harness !== 'OK') console.log(`         ${harness}: ${firstLine(message)}`);
  for (const { name, status, message: why } of failuresOf(result))
    console.log(`         ${status} ${name}\n           ${firstLine(why)}`);
}

function firstLine(text: string | null): string {
  return (text ?? '').split('\n')[0] ?? '';
}

function finish(results: readonly FileResult[], json: string | undefined): number {
  const totals = totalsOf(results);
  const { files, whole, harnessErrors, subtests, passed, failed, unsupported, left } = totals;
  console.log(`\n${files} files, ${whole} of them without failures, ${harnessErrors} with errors of the whole file`);
  console.log(
    `${subtests} subtests: ${passed} passed, ${failed} failed (${unsupported} outside opSupportLimits), ${left} left out`,
  );
  if (json !== undefined) writeFileSync(json, `${JSON.stringify({ totals, results }, null, 1)}\n`);
  return failed === 0 && harnessErrors === 0 && files > 0 ? 0 : 1;
}

void main().then((code) => {
  process.exitCode = code;
});
