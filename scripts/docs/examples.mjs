// @ts-check
// Runs the programs of the pages, by the tests that compare what they print with what the pages show.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { capture, checkout } from '../shared/common.mjs';

/** In these files each test within a `describe` runs one program. */
const files = ['test/reference/operator-pages.test.ts', 'test/unit/readme.test.ts'];
const report = join('build', 'docs', 'examples.json');

/** @returns {Promise<{ run: number, failed: string[] }>} */
export async function runExamples() {
  const vitest = join('node_modules', 'vitest', 'vitest.mjs');
  const options = ['--project', 'portable', '--typecheck.enabled=false', '--reporter=json', `--outputFile.json=${report}`];
  const { code, output } = await capture(process.execPath, [vitest, 'run', ...options, ...files]);
  /** @type {{ testResults: { assertionResults: { status: string, fullName: string, ancestorTitles: string[] }[] }[] }} */
  const { testResults } = JSON.parse(readFileSync(join(checkout, report), 'utf8'));
  const results = testResults.flatMap(({ assertionResults }) => assertionResults);
  const failed = results.flatMap(({ status, fullName }) => (status === 'passed' ? [] : [fullName]));
  if (code !== 0 && failed.length === 0) failed.push(output.trim());
  return { run: results.filter(({ ancestorTitles }) => ancestorTitles.length > 0).length, failed };
}
