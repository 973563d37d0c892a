// @ts-check
// The trials of `npm run pack:check` with other package managers. Each installs the tarball without a network, because the package
// has no dependencies. Then the command `node-directml` runs, and the example runs on the real DirectML.
import { execFile } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { promisify } from 'node:util';
import { checkout } from '../shared/common.mjs';
import { copyPrograms } from './tarball.mjs';
import { nodes, tryOne } from './trials.mjs';

/** @typedef {import('./tarball.mjs').Row} Row */

/**
 * @typedef {object} Installer
 * @property {string} name
 * @property {string} cli its program, in the packages of test/external
 * @property {(tarball: string) => string[]} add its arguments to install the tarball, a path with forward slashes
 * @property {string[]} exec its arguments before the name of an installed command
 * @property {Record<string, string>} [files] files that it needs in the folder of the application
 * @property {string[]} [loader] arguments of Node.js with which packages are found
 */

const execute = promisify(execFile);
/** For each command of an installer, in milliseconds. */
const timeout = 5 * 60_000;
/** Yarn 2 and later. */
const modernYarn = join('@yarnpkg', 'cli-dist', 'bin', 'yarn.js');
/** Files for Yarn. Without a lock file, it would treat the folder as a part of the surrounding project. */
const modernFiles = (/** @type {string} */ linker) => ({
  'yarn.lock': '',
  '.yarnrc.yml': [
    `nodeLinker: ${linker}`,
    'pnpEnableEsmLoader: true',
    'enableNetwork: false',
    'enableTelemetry: false',
    'enableGlobalCache: false',
    'enableHardenedMode: false',
    '',
  ].join('\n'),
});

/** @type {readonly Installer[]} */
const installers = [
  {
    name: 'pnpm',
    cli: join('pnpm', 'bin', 'pnpm.cjs'),
    add: (tarball) => ['add', '--offline', '--store-dir', 'store', tarball],
    exec: ['exec'],
  },
  {
    name: 'Yarn 1',
    cli: join('yarn', 'bin', 'yarn.js'),
    add: (tarball) => ['add', '--offline', '--non-interactive', '--cache-folder', 'cache', `file:${tarball}`],
    exec: ['--silent', 'run'],
  },
  {
    name: 'Yarn 4 with node_modules',
    cli: modernYarn,
    add: (tarball) => ['add', `node-directml@file:${tarball}`],
    exec: ['run'],
    files: modernFiles('node-modules'),
  },
  {
    name: "Yarn 4 with Plug'n'Play",
    cli: modernYarn,
    add: (tarball) => ['add', `node-directml@file:${tarball}`],
    exec: ['run'],
    files: modernFiles('pnp'),
    loader: ['--require', './.pnp.cjs', '--loader', './.pnp.loader.mjs'],
  },
];

/** @returns {AsyncGenerator<Row>} */
export async function* tryInstallers(/** @type {string} */ tarball, /** @type {string} */ scratch) {
  const [node] = await nodes(scratch);
  if (node === undefined) throw new Error('no node.exe to try');
  for (const { name, cli, add, exec, files = {}, loader = [] } of installers) {
    const app = join(scratch, name);
    mkdirSync(app);
    for (const [file, text] of Object.entries({ 'package.json': '{"name":"app","private":true}', ...files })) {
      writeFileSync(join(app, file), text);
    }
    copyPrograms(app);
    const run = (/** @type {string[]} */ args) =>
      execute(process.execPath, [join(checkout, 'test', 'external', 'node_modules', cli), ...args], { cwd: app, timeout });
    try {
      await run(add(relative(app, tarball).replaceAll('\\', '/')));
      const { stdout } = await run([...exec, 'node-directml', 'operators', 'gemm']);
      yield { name: `installed by ${name}, the command`, ok: stdout.includes('Multiplies matrices') };
      for (const file of ['example.js', 'example.mjs']) {
        const how = file.endsWith('.mjs') ? 'import' : 'require';
        yield await tryOne(`installed by ${name}, ${how}`, node.path, [...loader, file], app);
      }
    } catch (error) {
      yield { name: `installed by ${name}`, ok: false, detail: messageOf(error) };
    }
  }
}

/** The installers print their errors to stdout. */
function messageOf(/** @type {unknown} */ error) {
  const output = error instanceof Error && 'stdout' in error ? `\n${String(error.stdout)}` : '';
  return `${String(error)}${output}`;
}
