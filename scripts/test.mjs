// @ts-check
// Runs the tests: `npm test` what a change can break, `npm run test:all` everything. On Linux it runs first the portable tests,
// then those in the Windows sandbox, on Windows' own node.exe and the real DirectML. On Windows it runs each test once.
// `-- --reference-only` is for machines that cannot run DirectML; they fail without it. Other arguments go to vitest (file
// names, -t pattern).
//
// The name of a file says when it runs. `x.test.ts` runs always. `x.windows.test.ts` needs Windows or the sandbox.
// `x.long.test.ts` runs in `test:all` only: it asks other programs (bundlers, compilers, browsers), or makes thousands of steps to
// find what is rare. `x.portable.test.ts` uses no DirectML. The sandbox repeats in `test:all` only what the portable tests have
// just shown: these files, and in other files the tests on the reference. What is drawn at random is more in `test:all`.
import { existsSync, mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { buildLib, buildTools, checkTypes } from './build.mjs';
import { lint, reportLint } from './lint.mjs';
import { buildNative, canBuildNative } from './shared/native.mjs';
import { checkout, main, remove, run } from './shared/common.mjs';
import { ensurePackages, ownPackages } from './shared/packages.mjs';

/** @typedef {{ passed: number, failed: number, skipped: number }} Totals */

const vitest = join('node_modules', 'vitest', 'vitest.mjs');
const results = join(checkout, 'build', 'results');
const args = process.argv.slice(2);
const referenceOnly = args.includes('--reference-only');
const all = args.includes('--all');
const wanted = args.filter((argument) => argument !== '--reference-only' && argument !== '--all');
/** Who names a file wants all of it. */
const isQuick = !all && wanted.length === 0;
/** Who names only files of the quick level needs no other programs. */
const named = wanted.filter((argument) => existsSync(argument));
const asksOthers = !isQuick && !(named.length > 0 && named.every((name) => /(?<!\.long)\.test\.ts$/.test(name)));
/** On Windows each test runs once, on the real DirectML. */
const isPortable = process.platform !== 'win32' || referenceOnly;
/** The addon, and the programs that tests start. */
const nativeTargets = ['node_directml', 'node_directml_graph_defects', 'node_directml_unit_tests'];
/** In milliseconds. A reporter ends tests that hang, so this is only for what hangs before or after them. */
const partLimit = 3 * 3600_000;

/** @type {Totals} */
const sum = { passed: 0, failed: 0, skipped: 0 };
/** @type {string[]} how long each part took */
const times = [];

await main(async () => {
  const began = Date.now();
  remove(results);
  mkdirSync(results, { recursive: true });
  try {
    await runParts();
  } catch (error) {
    console.error(error instanceof Error ? error.message : error);
    sum.failed++;
  }
  if (sum.passed + sum.failed === 0) {
    console.error('No test ran.');
    sum.failed++;
  }
  if (sum.skipped > 0) console.log('Skipped tests are named above, each with its cause.');
  console.log(`\nTook ${secondsSince(began)} s: ${times.join(', ')}.`);
  console.log(`${sum.passed} passed, ${sum.failed} failed, ${sum.skipped} skipped`);
  return sum.failed === 0 ? 0 : 1;
});

async function runParts() {
  if (!referenceOnly && !canBuildNative()) {
    throw new Error(
      `This machine (${process.platform} ${process.arch}) cannot run the real DirectML. ` +
        'To test only what does not need it: npm test -- --reference-only',
    );
  }
  await part('library', 'Building the library', async () => {
    if (asksOthers) for (const folder of ownPackages) await ensurePackages(folder);
    await buildLib();
  });
  // Runs in parallel with the tests, at low priority.
  const linting = wanted.length === 0 ? lint({ idle: true }) : null;
  await part('tests and addon', 'Building the tests and the addon', async () => {
    await buildTools();
    // The portable tests check the types of all files, too.
    if (!isPortable || wanted.length > 0) await checkTypes('test');
    if (asksOthers) await checkTypes('test/external');
    if (!referenceOnly) await buildNative({ targets: nativeTargets });
  });
  if (isPortable) {
    await part('portable', `Portable tests, Node.js ${process.version} on ${process.platform}`, () =>
      vitestRun('portable', ['long'], (command) => run(process.execPath, command, { timeout: partLimit })),
    );
  }
  if (!referenceOnly) {
    const heading = process.platform === 'win32' ? 'Tests on this Windows' : 'Tests in the Windows sandbox';
    await part('Windows', heading, async () =>
      vitestRun('windows', process.platform === 'win32' ? ['long'] : ['long', 'portable'], await windowsRunner()),
    );
  }
  if (all && !referenceOnly && wanted.length === 0) {
    await part('package', 'The packed package, installed', async () => (await import('./pack-check.mjs')).packCheck());
  }
  if (linting !== null) await part('lint', 'Lint', async () => reportLint(await linting));
}

/**
 * @param {string} name
 * @param {string} title
 * @param {() => Totals | void | Promise<Totals | void>} work
 */
async function part(name, title, work) {
  console.log(`\n── ${title} ──`);
  const began = Date.now();
  const totals = await work();
  times.push(`${name} ${secondsSince(began)}`);
  if (totals === undefined) return;
  sum.passed += totals.passed;
  sum.failed += totals.failed;
  sum.skipped += totals.skipped;
}

function secondsSince(/** @type {number} */ time) {
  return ((Date.now() - time) / 1000).toFixed(0);
}

/** Returns a function that runs a command line with Windows' node.exe. */
async function windowsRunner() {
  if (process.platform === 'win32') {
    return (/** @type {string[]} */ command) => run(process.execPath, command, { timeout: partLimit });
  }
  const { ensureSandbox, runInWindows } = await import('../sandbox/run.mjs');
  await ensureSandbox();
  return (/** @type {string[]} */ command) => runInWindows('node', command, { cwd: checkout, timeout: partLimit });
}

/**
 * @param {string} project
 * @param {readonly string[]} without what the quick level leaves out, by the word in the names of files
 * @param {(command: string[]) => Promise<number>} runner
 * @returns {Promise<Totals>}
 */
async function vitestRun(project, without, runner) {
  const report = `build/results/${project}.json`;
  if (isQuick) process.env.NODE_DIRECTML_TESTS_WITHOUT = without.join();
  const code = await runner([
    vitest,
    'run',
    '--project',
    project,
    '--reporter=minimal',
    '--reporter=./test/support/progress.mjs',
    '--reporter=json',
    `--outputFile.json=${report}`,
    // A named test file may be in only one of the projects. If no project has it, `npm test` fails at the end.
    '--no-color',
    '--passWithNoTests',
    ...wanted,
  ]);
  const totals = readReport(join(checkout, report));
  if (code !== 0 && totals.failed === 0) {
    const what = existsSync(join(checkout, report)) ? 'though no test is reported as failed' : 'without a report';
    console.error(`vitest ended with exit code ${code}, ${what}: counted as a failure.`);
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
