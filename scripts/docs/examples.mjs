// @ts-check
// Runs the programs of the pages, by running the tests that compare their output with the output on the pages.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { capture, checkout } from '../shared/common.mjs';

/** The tests of pages, as parts of their file names. */
const files = ['operator-pages.test', 'docs/programs.test'];
const report = join('build', 'docs', 'examples.json');

/** @returns {Promise<{ run: number, failed: string[] }>} */
export async function runExamples() {
  const vitest = join('node_modules', 'vitest', 'vitest.mjs');
  const options = ['--project', 'portable', '--typecheck.enabled=false', '--reporter=json', `--outputFile.json=${report}`];
  const { code, output } = await capture(process.execPath, [vitest, 'run', ...options, ...files]);
  /**
   * @type {{ testResults: { assertionResults: { status: string, fullName: string, title: string, ancestorTitles: string[] }[]
   * }[] }}
   */
  const { testResults } = JSON.parse(readFileSync(join(checkout, report), 'utf8'));
  const results = testResults.flatMap(({ assertionResults }) => assertionResults);
  const failed = results.flatMap(({ status, fullName }) => (status === 'passed' ? [] : [fullName]));
  if (code !== 0 && failed.length === 0) failed.push(output.trim());
  return { run: results.filter(runsProgram).length, failed };
}

/** True if the test runs a program. The other tests of these files are about the text of pages. */
function runsProgram(/** @type {{ title: string, ancestorTitles: string[] }} */ { title, ancestorTitles }) {
  return title.startsWith('program ') || ancestorTitles.includes('on reference');
}
