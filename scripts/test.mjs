// @ts-check
// Runs all tests: `npm test`. On Linux it runs first the portable tests, then all tests in the Windows sandbox, on Windows'
// own node.exe and the real DirectML. On Windows it runs all tests once. `-- --reference-only` is for machines that cannot
// run DirectML; they fail without it. Other arguments go to vitest (file names, -t pattern).
import { existsSync, mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { buildLib, buildTools, checkTests } from './build.mjs';
import { lint, reportLint } from './lint.mjs';
import { buildNative, canBuildNative } from './shared/native.mjs';
import { checkout, main, remove, run, timeLimit } from './shared/common.mjs';

/** @typedef {{ passed: number, failed: number, skipped: number }} Totals */

const vitest = join('node_modules', 'vitest', 'vitest.mjs');
const results = join(checkout, 'build', 'results');
const args = process.argv.slice(2);
const referenceOnly = args.includes('--reference-only');
const wanted = args.filter((argument) => argument !== '--reference-only');

await main(async () => {
  const began = Date.now();
  remove(results);
  mkdirSync(results, { recursive: true });
  /** @type {Totals} */
  const sum = { passed: 0, failed: 0, skipped: 0 };
  try {
    if (!referenceOnly && !canBuildNative()) {
      throw new Error(
        `This machine (${process.platform} ${process.arch}) cannot run the real DirectML. ` +
          'To test only what does not need it: npm test -- --reference-only',
      );
    }
    title('Building');
    await buildLib();
    // Runs in parallel with the tests, at low priority.
    const linting = wanted.length === 0 ? lint({ idle: true }) : null;
    await buildTools();
    await checkTests();
    if (!referenceOnly) await buildNative({ targets: ['node_directml', 'node_directml_graph_defects'] });

    if (process.platform !== 'win32' || referenceOnly) {
      title(`Portable tests, Node.js ${process.version} on ${process.platform}`);
      add(sum, await vitestRun('portable', (command) => run(process.execPath, command)));
    }
    if (!referenceOnly) {
      title(process.platform === 'win32' ? 'All tests, on this Windows' : 'All tests, in the Windows sandbox');
      add(sum, await vitestRun('windows', await windowsRunner()));
      if (wanted.length === 0) {
        title('The packed package, installed');
        const { packCheck } = await import('./pack-check.mjs');
        add(sum, await packCheck());
      }
    }
    if (linting !== null) {
      title('Lint');
      add(sum, reportLint(await linting));
    }
  } catch (error) {
    console.error(error instanceof Error ? error.message : error);
    sum.failed++;
  }
  if (sum.passed + sum.failed === 0) {
    console.error('No test ran.');
    sum.failed++;
  }
  if (sum.skipped > 0) console.log('Skipped tests are named above, each with its cause.');
  console.log(`\nTook ${((Date.now() - began) / 1000).toFixed(0)} s.`);
  console.log(`${sum.passed} passed, ${sum.failed} failed, ${sum.skipped} skipped`);
  return sum.failed === 0 ? 0 : 1;
});

/** Returns a function that runs a command line with Windows' node.exe. */
async function windowsRunner() {
  if (process.platform === 'win32') return (/** @type {string[]} */ command) => run(process.execPath, command);
  const { ensureSandbox, runInWindows } = await import('../sandbox/run.mjs');
  await ensureSandbox();
  return (/** @type {string[]} */ command) => runInWindows('node', command, { cwd: checkout, timeout: timeLimit });
}

/**
 * @param {string} project
 * @param {(command: string[]) => Promise<number>} runner
 * @returns {Promise<Totals>}
 */
async function vitestRun(project, runner) {
  const report = `build/results/${project}.json`;
  const code = await runner([
    vitest,
    'run',
    '--project',
    project,
    '--reporter=default',
    '--reporter=json',
    `--outputFile.json=${report}`,
    // A named test file may be in only one of the projects. If no project has it, `npm test` fails at the end.
    '--no-color',
    '--passWithNoTests',
    ...wanted,
  ]);
  const totals = readReport(join(checkout, report));
  if (code !== 0 && totals.failed === 0) {
    console.error(`vitest ended with exit code ${code}, though no test is reported as failed: counted as a failure.`);
    totals.failed = 1;
  }
  return totals;
}

/**
 * @param {string} file
 * @returns {Totals}
 */
function readReport(file) {
  if (!existsSync(file)) return { passed: 0, failed: 0, skipped: 0 };
  /** @type {{ numPassedTests: number, numFailedTests: number, numPendingTests: number, numTodoTests: number,
   *   testResults: { name: string, status: string, assertionResults: { status: string, fullName: string }[] }[] }} */
  const report = JSON.parse(readFileSync(file, 'utf8'));
  let failed = report.numFailedTests;
  for (const result of report.testResults) {
    // A file that fails to load has no failed test.
    if (result.status === 'failed' && !result.assertionResults.some((test) => test.status === 'failed')) failed++;
    for (const test of result.assertionResults) {
      if (test.status === 'pending' || test.status === 'skipped') console.log(`skipped: ${test.fullName}`);
    }
  }
  return { passed: report.numPassedTests, failed, skipped: report.numPendingTests + report.numTodoTests };
}

/** @param {Totals} sum @param {Totals} more */
function add(sum, more) {
  sum.passed += more.passed;
  sum.failed += more.failed;
  sum.skipped += more.skipped;
}

function title(/** @type {string} */ text) {
  console.log(`\n── ${text} ──`);
}
