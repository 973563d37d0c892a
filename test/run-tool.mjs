/**
 * Compiles the test tools and runs one: `node test/run-tool.mjs [--host | --portable] <tool> [arguments…]`. By default a
 * tool runs on Windows' node.exe, on Linux in the sandbox. With `--host` it runs in this Node.js and enters the sandbox
 * itself. With `--portable` it runs in this Node.js and needs neither Windows nor the addon.
 */
import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { generateForBuild } from '../scripts/generate/for-build.mjs';

const root = join(import.meta.dirname ?? new URL('.', import.meta.url).pathname, '..');
const args = process.argv.slice(2);
const place = args[0]?.startsWith('--') ? args.shift() : undefined;
const isPortable = place === '--portable';

/** In milliseconds. Longer than any tool takes; it ends a tool that hangs. */
const timeout = 3 * 3600_000;

/** @param {string[]} command */
function run(command) {
  const { status, error } = spawnSync(process.execPath, command, { cwd: root, stdio: 'inherit', timeout });
  if (error) throw error;
  return status ?? 1;
}

const [tool = '', ...rest] = args;
if (rest.includes('--help') || rest.includes('-h')) {
  console.log(helpOf(join(root, 'test', tool.replace(/\.js$/, '.ts'))));
  process.exit(0);
}

/** The comment at the beginning of a tool says what it does and takes. */
function helpOf(/** @type {string} */ path) {
  const [comment = ''] = /(?<=^\/\*\*)[\s\S]*?(?=\*\/)/.exec(readFileSync(path, 'utf8')) ?? [];
  return comment
    .replace(/^ ?\* ?/gm, '')
    .replaceAll('`', '')
    .trim();
}

if (!existsSync(join(root, 'dist', 'index.js'))) {
  const status = run([join('scripts', 'build.mjs'), ...(isPortable ? ['--lib'] : [])]);
  if (status !== 0) process.exit(status);
}
generateForBuild();
const compiled = run([join('node_modules', 'typescript', 'bin', 'tsc'), '-p', join('test', 'tsconfig.tools.json')]);
if (compiled !== 0) process.exit(compiled);
const usesReference = /(^| )--(reference|backend[ =]reference)( |$)/.test(args.join(' '));
const needsNoWindows = usesReference || args.includes('--tolerances');
const here = process.platform === 'win32' || place !== undefined || needsNoWindows;
// Only this process can tell whether there is a terminal: the sandbox redirects the tool's output.
if (process.stdout.isTTY) process.env.NODE_DIRECTML_TERMINAL = '1';
const sandbox = here ? [] : [join('sandbox', 'run.mjs'), 'node'];
process.exit(run([...sandbox, join('build', 'tools', tool), ...rest]));
