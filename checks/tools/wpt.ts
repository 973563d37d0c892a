/** `npm run wpt -- FOLDER`: runs the web platform tests of WebNN, unmodified. */
import { existsSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { runTool, type Mode } from '../harness/tool.js';
import { judge } from '../wpt/exceptions.js';
import { failuresOf, isWhole, totalsOf, type FileResult } from '../wpt/result.js';
import { runFile } from '../wpt/run-file.js';
import { testRuns } from '../wpt/test-files.js';

const wpt: Mode = {
  summary:
    'Runs the web platform tests of WebNN in FOLDER, which has the folders webnn and resources of web-platform-tests. What ' +
    'docs/webnn.md names may fail. If it no longer fails, that is a failure too.',
  argument: 'FOLDER',
  options: {
    backend: 'directml or reference (default: directml)',
    device: 'the variants to run: gpu, cpu or npu (default: gpu). Files without variants run once',
    only: 'only files whose path contains the text, or matches /a regular expression/',
    json: '',
    workers: 'how many files at a time (default: 1)',
    silence: 'how long a file may give no result (default: 120)',
  },
  async run(given) {
    const backend = given.choiceOf('backend', ['directml', 'reference']);
    const device = given.choiceOf('device', ['gpu', 'cpu', 'npu']);
    const [workers, silence] = [given.numberOf('workers', 1, 1), given.numberOf('silence', 120, 1)];
    const [only, json] = [given.textOf('only'), given.textOf('json')];
    const root = resolve(given.argument ?? '.');
    if (!existsSync(join(root, 'resources', 'testharness.js'))) throw given.mistake(`${root} has no resources/testharness.js`);
    const results: FileResult[] = [];
    const rest = testRuns(root, device, (file) => only === undefined || matches(only, file)).values();
    await Promise.all(
      Array.from({ length: workers }, async () => {
        for (const run of rest) {
          const result = await runFile({ ...run, root, backend }, silence * 1000);
          results.push(result);
          print(result);
        }
      }),
    );
    return finish(results, backend, json);
  },
};

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

/** Returns the number of failures. */
function finish(results: readonly FileResult[], backend: string, json: string | undefined): number {
  const totals = totalsOf(results);
  const { files, whole, harnessErrors, subtests, passed, failed, unsupported, left } = totals;
  console.log(`\n${files} files, ${whole} of them without failures, ${harnessErrors} with errors of the whole file`);
  console.log(
    `${subtests} subtests: ${passed} passed, ${failed} failed (${unsupported} outside opSupportLimits), ${left} left out`,
  );
  if (json !== undefined) writeFileSync(json, `${JSON.stringify({ totals, results }, null, 1)}\n`);
  const { known, unexpected, passing } = judge(results, backend);
  console.log(`${known} of the failed are known, ${unexpected} are not`);
  for (const name of passing) console.log(`known to fail, and passes now: ${name}`);
  return unexpected + passing.length + harnessErrors + (files === 0 ? 1 : 0);
}

runTool({ name: 'wpt', modes: [wpt] });
