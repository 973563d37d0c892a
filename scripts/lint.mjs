// `npm run lint` checks the layout of the code (Prettier, clang-format), likely mistakes (ESLint), the types of the .mjs and
// .js files (tsc), imports and includes (dependency-cruiser, lint-includes.mjs), the spelling of pages, lib/ and scripts/ (cspell),
// the subjects of new commits (lint-commits.mjs) and the workflows of GitHub Actions (actionlint).
// `npm run format` (`--write`) formats all code.
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { buildLib } from './build.mjs';
import { capture, checkout, cppFiles, main, must, run } from './shared/common.mjs';
import { isInstalled } from './shared/packages.mjs';

/**
 * @typedef {object} Check
 * @property {string} name
 * @property {string} fix how to fix its findings
 * @property {string} command
 * @property {string[]} args
 * @property {(output: string) => string} [brief] shortens its output
 */

/** @typedef {{ name: string, ok: boolean, seconds: number, detail: string }} Row */

/** The tools' caches of their last results, so that they check only changed files. */
const caches = join('build', 'lint');

const orderFix = 'move what both files need into one that needs neither; docs/architecture.md draws the order of the folders';
const typeFix = 'say the type in a JSDoc comment: /** @type {…} */';

/** dependency-cruiser's arguments. */
const cruising = [
  ...['--config', 'dependency-cruiser.config.mjs'],
  ...['bench', 'bin', 'checks', 'docs/.vitepress', 'examples', 'lib', 'sandbox', 'scripts', 'test'],
];

/** @type {Check[]} */
const checks = [
  {
    name: 'Prettier',
    fix: 'npm run format',
    ...packaged('prettier', 'bin/prettier.cjs', '--check', '--log-level', 'warn', ...cached('prettier'), '.'),
  },
  {
    name: 'ESLint',
    fix: 'change the code; where the rule is wrong, say why: // eslint-disable-next-line RULE -- REASON',
    ...packaged('eslint', 'bin/eslint.js', '--max-warnings', '0', ...cached('eslint'), '.'),
  },
  {
    name: 'types of .mjs and .js files',
    fix: typeFix,
    ...typesOf('tsconfig.scripts.json', 'scripts'),
  },
  {
    name: 'imports',
    fix: orderFix,
    ...packaged('dependency-cruiser', 'bin/dependency-cruise.mjs', ...cruising),
  },
  {
    name: 'spelling',
    fix: 'correct the word, or add a term of the project to scripts/lint-terms.txt',
    ...packaged('cspell', 'bin.mjs', 'lint', '--no-progress', '--no-summary', '--show-suggestions', ...cached('cspell')),
  },
  {
    name: 'includes',
    fix: orderFix,
    command: process.execPath,
    args: [join('scripts', 'lint-includes.mjs')],
  },
  {
    name: 'commits',
    fix: 'shorten the subject, and say the rest in the body: git commit --amend, or git rebase --interactive',
    command: process.execPath,
    args: [join('scripts', 'lint-commits.mjs')],
  },
  {
    name: 'workflows',
    fix: 'change the file in .github/workflows',
    command: process.execPath,
    args: [join('scripts', 'lint-workflows.mjs')],
  },
];

/**
 * Runs all checks in parallel, and prints nothing. Never rejects.
 * @returns {Promise<{ rows: Row[], skipped: string[] }>}
 */
export async function lint() {
  const program = clangFormat();
  /** @type {Check} */
  const native = {
    name: 'clang-format',
    fix: 'npm run format',
    command: program,
    args: ['--dry-run', '-Werror', ...nativeFiles()],
    brief: filesOfErrors,
  };
  const missing = `clang-format: its package has no program for ${process.platform} ${process.arch}`;
  /** @type {Check} */
  const site = { name: 'types of the site', fix: typeFix, ...typesOf('docs', 'site') };
  const all = [...checks, ...(isInstalled('docs') ? [site] : []), ...(existsSync(program) ? [native] : [])];
  const rows = await Promise.all(all.map((check) => tryOne(check)));
  return { rows, skipped: all.includes(native) ? [] : [missing] };
}

/**
 * Prints and counts the results.
 * @param {Awaited<ReturnType<typeof lint>>} found
 */
export function reportLint({ rows, skipped }) {
  for (const { name, ok, seconds, detail } of rows) {
    console.log(`${ok ? 'ok    ' : 'FAILED'} ${name} (${seconds.toFixed(0)} s)`);
    if (detail !== '') console.log(detail);
  }
  for (const text of skipped) console.log(`skipped: ${text}`);
  const passed = rows.filter((row) => row.ok).length;
  return { passed, failed: rows.length - passed, skipped: skipped.length };
}

/** @param {Check} check @returns {Promise<Row>} */
async function tryOne({ name, fix, command, args, brief = String }) {
  const began = Date.now();
  const { code, output } = await capture(command, args);
  const ok = code === 0;
  const seconds = (Date.now() - began) / 1000;
  return { name, ok, seconds, detail: ok ? '' : `${brief(output).trimEnd()}\nTo fix it: ${fix}` };
}

/** Returns the names of the files in clang-format's output, which has three lines per finding. */
function filesOfErrors(/** @type {string} */ output) {
  const files = output.match(/^.+?(?=:\d+:\d+: error: code should be clang-formatted)/gm) ?? [];
  return files.length === 0 ? output : [...new Set(files)].join('\n');
}

/** Formats all files with Prettier and clang-format. */
async function format() {
  const { command, args } = packaged('prettier', 'bin/prettier.cjs', '--write', '--log-level', 'warn', '.');
  await must('Prettier', run(command, args));
  await must('clang-format', run(clangFormat(), ['-i', ...nativeFiles()]));
}

/** Returns the command line of a development dependency's program. */
function packaged(/** @type {string} */ name, /** @type {string} */ file, /** @type {string[]} */ ...args) {
  return { command: process.execPath, args: [join('node_modules', name, file), ...args] };
}

function typesOf(/** @type {string} */ project, /** @type {string} */ cache) {
  const file = join(caches, `${cache}.tsbuildinfo`);
  return packaged('typescript-7', 'bin/tsc', '-p', project, '--incremental', '--tsBuildInfoFile', file);
}

function cached(/** @type {string} */ name) {
  return ['--cache', '--cache-strategy', 'content', '--cache-location', join(caches, name)];
}

/** Returns the path of clang-format. Windows for arm64 runs the program for x64. */
function clangFormat() {
  const isWindows = process.platform === 'win32';
  const name = isWindows ? 'win32-x64' : `${process.platform}-${process.arch}`;
  const file = `clang-format${isWindows ? '.exe' : ''}`;
  return join(checkout, 'node_modules', 'clang-format-node', 'bin', `cfn-${name}`, file);
}

/** Returns all C++ files. */
function nativeFiles() {
  const folders = ['native', 'include', 'bench/native', 'sandbox/bridge', 'test/native', 'checks/interop/addon'];
  return folders.map((folder) => join(...folder.split('/'))).flatMap(cppFiles);
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  await main(async () => {
    if (process.argv.includes('--write')) return format();
    // The tests take their types from dist/.
    await buildLib();
    const { passed, failed, skipped } = reportLint(await lint());
    console.log(`${passed} passed, ${failed} failed, ${skipped} skipped`);
    return failed === 0 ? 0 : 1;
  });
}
