// @ts-check
// The tarball of `npm run pack:check`: packed, compared with what a user needs, and installed.
import { execFile } from 'node:child_process';
import { cpSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { checkout } from '../shared/places.mjs';

/** @typedef {{ name: string, ok: boolean, detail?: string }} Row */

const programs = join(checkout, 'test', 'packaging', 'programs');
const execute = promisify(execFile);
/** In milliseconds, for npm. */
const timeout = 5 * 60_000;

/** What a user needs. Anything else in the tarball is a mistake, and so is one of `required` that is not there. */
const allowed = [
  /^package\.json$/,
  /^README\.md$/,
  /^LICENSE$/,
  /^docs\/(operators\/)?[\w-]+\.md$/,
  /^dist\/.+\.(js|mjs|d\.ts|d\.mts|json)$/,
  /^prebuilds\/win32-(x64|arm64)\/(node-directml\.node|DirectML\.dll|DirectML-NOTICE\.txt)$/,
  /^prebuilds\/README\.md$/,
];
const required = [
  'package.json',
  'README.md',
  'LICENSE',
  'docs/operators/README.md',
  'dist/index.js',
  'dist/index.mjs',
  'dist/index.d.ts',
  'dist/index.d.mts',
];
const requiredOfArch = ['node-directml.node', 'DirectML.dll', 'DirectML-NOTICE.txt'];

/** Packs this checkout, or only lists a tarball that is there. */
export async function pack(/** @type {string} */ scratch, /** @type {string | undefined} */ tarball) {
  const what = tarball === undefined ? ['--pack-destination', scratch] : ['--dry-run', tarball];
  const { stdout } = await npm(['pack', '--json', '--ignore-scripts', ...what], checkout);
  /** @type {{ filename: string, size: number, unpackedSize: number, files: { path: string }[] }[]} */
  const [packed] = JSON.parse(stdout);
  if (packed === undefined) throw new Error('npm pack packed nothing');
  const mb = (/** @type {number} */ bytes) => `${(bytes / 1e6).toFixed(1)} MB`;
  console.log(`${packed.filename}: ${packed.files.length} files, ${mb(packed.size)}, ${mb(packed.unpackedSize)} unpacked`);
  return { tarball: tarball ?? join(scratch, packed.filename), files: packed.files.map((file) => file.path) };
}

/** @returns {Row[]} */
export function checkList(/** @type {string[]} */ files, /** @type {readonly string[]} */ archs) {
  const extra = files.filter((file) => !allowed.some((pattern) => pattern.test(file)));
  const wanted = [...required, ...archs.flatMap((arch) => requiredOfArch.map((name) => `prebuilds/win32-${arch}/${name}`))];
  const missing = wanted.filter((file) => !files.includes(file));
  /** @type {{ scripts?: Record<string, string>, dependencies?: Record<string, string> }} */
  const manifest = JSON.parse(readFileSync(join(checkout, 'package.json'), 'utf8'));
  const hooks = ['preinstall', 'install', 'postinstall'].filter((name) => manifest.scripts?.[name] !== undefined);
  return [
    { name: 'the tarball has nothing that a user does not need', ok: extra.length === 0, detail: extra.join(', ') },
    { name: 'the tarball has all that a user needs', ok: missing.length === 0, detail: missing.join(', ') },
    { name: 'nothing runs at install time', ok: hooks.length === 0, detail: hooks.join(', ') },
    {
      name: 'there are no dependencies',
      ok: Object.keys(manifest.dependencies ?? {}).length === 0,
    },
  ];
}

/** Installs the tarball, which has no dependencies, so that no network is needed. */
export async function install(/** @type {string} */ tarball, /** @type {string} */ app) {
  mkdirSync(app, { recursive: true });
  writeFileSync(join(app, 'package.json'), JSON.stringify({ name: 'app', private: true }));
  await npm(['install', '--ignore-scripts', '--no-audit', '--no-fund', '--prefer-offline', tarball], app);
  copyFolder(programs, app);
}

/**
 * Node.js 22.18 to 22.23 spells letters outside ASCII wrongly when it copies a whole folder on Windows
 * (nodejs/node#61878). With a filter it goes through the folder file by file, and spells them right.
 */
export function copyFolder(/** @type {string} */ from, /** @type {string} */ to) {
  cpSync(from, to, { recursive: true, filter: () => true });
}

/** On Windows npm is a .cmd file, which only a shell runs. */
function npm(/** @type {string[]} */ args, /** @type {string} */ cwd) {
  const cli = process.env['npm_execpath'];
  const [command, all] = cli && /\.c?js$/.test(cli) ? [process.execPath, [cli, ...args]] : ['npm', args];
  return execute(command, all, { cwd, shell: command === 'npm' && process.platform === 'win32', maxBuffer: 1 << 26, timeout });
}
