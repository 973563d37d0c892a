// @ts-check
// Runs the tests: `npm test` runs those that a change is likely to break, `npm run test:all` runs all. On Linux, the portable
// tests run beside the tests in the Windows sandbox, which has Windows' node.exe and the real DirectML. On Windows, each test
// runs once. `-- --reference-only` is for machines that cannot run DirectML, on which the tests would otherwise fail. Other
// arguments go to vitest (file names, -t pattern).
//
// The name of a file says when it runs. `x.test.ts` always runs. `x.windows.test.ts` needs Windows or the sandbox.
// `x.long.test.ts` runs only in `test:all`: it runs other programs (bundlers, compilers, browsers), or makes thousands of steps
// to find rare faults. `x.portable.test.ts` does not use DirectML. The portable tests, and the tests of other files on the
// reference backend, are repeated in the sandbox only by `test:all`. `test:all` also draws more random cases.
import { existsSync, mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { buildLib, buildTools, checkTypes } from './build.mjs';
import { lint, reportLint } from './lint.mjs';
import { buildNative, canBuildNative } from './shared/native.mjs';
import { capture, checkout, main, remove, run, timeLimit } from './shared/common.mjs';
import { ensureModels } from './shared/models.mjs';
import { ensurePackages, ownPackages } from './shared/packages.mjs';

/** @typedef {{ passed: number, failed: number, skipped: number }} Totals */

const vitest = join('node_modules', 'vitest', 'vitest.mjs');
const results = join(checkout, 'build', 'results');
const args = process.argv.slice(2);
const referenceOnly = args.includes('--reference-only');
const all = args.includes('--all');
const wanted = args.filter((argument) => argument !== '--reference-only' && argument !== '--all');
/** If files are named, all of their tests run. */
const isQuick = !all && wanted.length === 0;
/** If only files of the quick level are named, no other programs are needed. */
const named = wanted.filter((argument) => existsSync(argument));
const asksOthers = !isQuick && !(named.length > 0 && named.every((name) => /(?<!\.long)\.test\.ts$/.test(name)));
/** On Windows each test runs once, on the real DirectML. */
const isPortable = process.platform !== 'win32' || referenceOnly;
/** The addon, and the programs that tests start. */
const nativeTargets = ['node_directml', 'node_directml_graph_defects', 'node_directml_interop', 'node_directml_unit_tests'];

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
  await part('library', 'Building the library and the tests', async () => {
    if (asksOthers) {
      for (const folder of ownPackages) await ensurePackages(folder);
      await ensureModels();
    }
    await buildLib();
    await buildTools();
    // The portable tests check the types as well, if no files are named.
    if (!isPortable || wanted.length > 0) await checkTypes('test');
    if (asksOthers) await checkTypes('test/external');
  });
  const linting = wanted.length === 0 ? lint() : null;
  const portable = `Portable tests, Node.js ${process.version} on ${process.platform}`;
  if (referenceOnly) {
    await part('portable', portable, () => vitestRun('portable', ['long'], runHere));
  } else {
    // The portable tests run in parallel, because building the addon and the tests in the sandbox leave processors idle.
    const beside = isPortable ? vitestRun('portable', ['long'], runSilently) : null;
    try {
      await part('addon', 'Building the addon', async () => void (await buildNative({ targets: nativeTargets })));
      if (isPortable)
        await part('Windows', 'Tests in the Windows sandbox', () => vitestRun('windows', ['long', 'portable'], runInSandbox));
      else await part('Windows', 'Tests on this Windows', () => vitestRun('windows', ['long'], runHere));
    } finally {
      if (beside !== null) await part('portable', portable, () => beside);
    }
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

/**
 * Runs a command line, and returns its exit code.
 * @typedef {(command: string[], env: NodeJS.ProcessEnv) => Promise<number>} Runner
 */

/** @type {Runner} */
function runHere(command, env) {
  return run(process.execPath, command, { env: { ...process.env, ...env } });
}

/** Shows the program's output only after it has ended. @type {Runner} */
async function runSilently(command, env) {
  const { code, output } = await capture(process.execPath, command, { env: { ...process.env, ...env } });
  console.log(output);
  return code;
}

/** @type {Runner} */
async function runInSandbox(command, env) {
  const { ensureSandbox, runInWindows } = await import('../sandbox/run.mjs');
  await ensureSandbox();
  return runInWindows('node', command, { cwd: checkout, env, timeout: timeLimit });
}

/**
 * @param {string} project
 * @param {readonly string[]} without words in the names of the files that the quick level leaves out
 * @param {Runner} runner
 * @returns {Promise<Totals>}
 */
async function vitestRun(project, without, runner) {
  const report = `build/results/${project}.json`;
  const command = [
    vitest,
    'run',
    '--project',
    project,
    '--reporter=minimal',
    '--reporter=./test/support/progress.ts',
    '--reporter=json',
    `--outputFile.json=${report}`,
    // A named test file may be in only one of the projects. If no project has it, `npm test` fails at the end.
    '--no-color',
    '--passWithNoTests',
    ...wanted,
  ];
  const code = await runner(command, isQuick ? { NODE_DIRECTML_TESTS_WITHOUT: without.join() } : {});
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
    // A file that fails to load counts as a failure, although it has no failed test.
    if (result.status === 'failed' && !result.assertionResults.some((test) => test.status === 'failed')) failed++;
    for (const test of result.assertionResults) {
      if (test.status === 'pending' || test.status === 'skipped') console.log(`skipped: ${test.fullName}`);
    }
  }
  return { passed: report.numPassedTests, failed, skipped: report.numPendingTests + report.numTodoTests };
}
