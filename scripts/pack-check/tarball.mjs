// @ts-check
// The tarball of `npm run pack:check`: packs it, checks its list of files, and installs it.
import { execFile } from 'node:child_process';
import { copyFileSync, cpSync, existsSync, mkdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { gunzipSync, gzipSync } from 'node:zlib';
import { readFacts } from '../generate/facts.mjs';
import { checkout, npmCommand, ownArch } from '../shared/common.mjs';
import { directmlDll } from '../shared/native.mjs';
import { archs as allArchs, sbomName, sha256, writeSbom } from '../shared/sbom.mjs';

/** @typedef {{ name: string, ok: boolean, detail?: string }} Row */

const programs = join(checkout, 'test', 'packaging', 'programs');
const execute = promisify(execFile);
/** For each npm command, in milliseconds. */
const timeout = 5 * 60_000;

/** The files that a user needs. The tarball must have no others, and all of `required`. */
const allowed = [
  /^package\.json$/,
  /^README\.md$/,
  /^LICENSE$/,
  /^sbom\.cdx\.json$/,
  /^bin\/node-directml\.mjs$/,
  /^include\/node_directml\.h$/,
  /^dist\/.+\.(js|mjs|cjs|d\.ts|d\.mts)$/,
  /^dist\/cli\/operators\.json\.br$/,
  /^prebuilds\/win32-(x64|arm64)\/(node-directml\.node|DirectML\.dll|DirectML-NOTICE\.txt)$/,
  /^prebuilds\/README\.md$/,
];
const required = [
  'package.json',
  'README.md',
  'LICENSE',
  sbomName,
  'bin/node-directml.mjs',
  'include/node_directml.h',
  'dist/node-directml-library.js',
  'dist/index.js',
  'dist/index.mjs',
  'dist/index.d.ts',
  'dist/index.d.mts',
  'dist/module/index.mjs',
  'dist/module/node-directml-worker.cjs',
  'dist/module/array.mjs',
  'dist/module/files.mjs',
  'dist/module/gradients.mjs',
  'dist/module/nn.mjs',
  'dist/module/onnx.mjs',
  'dist/module/onnxruntime.mjs',
  'dist/module/operators.mjs',
  'dist/module/webnn.mjs',
  'dist/array/index.js',
  'dist/array/index.mjs',
  'dist/array/index.d.ts',
  'dist/array/index.d.mts',
  'dist/files/index.js',
  'dist/files/index.mjs',
  'dist/files/index.d.ts',
  'dist/files/index.d.mts',
  'dist/gradients/index.js',
  'dist/gradients/index.mjs',
  'dist/gradients/index.d.ts',
  'dist/gradients/index.d.mts',
  'dist/nn/index.js',
  'dist/nn/index.mjs',
  'dist/nn/index.d.ts',
  'dist/nn/index.d.mts',
  'dist/onnx/index.js',
  'dist/onnx/index.mjs',
  'dist/onnx/index.d.ts',
  'dist/onnx/index.d.mts',
  'dist/onnxruntime/index.js',
  'dist/onnxruntime/index.mjs',
  'dist/onnxruntime/index.d.ts',
  'dist/onnxruntime/index.d.mts',
  'dist/functions/index.js',
  'dist/functions/index.mjs',
  'dist/functions/index.d.ts',
  'dist/functions/index.d.mts',
  'dist/webnn/index.js',
  'dist/webnn/index.mjs',
  'dist/webnn/index.d.ts',
  'dist/webnn/index.d.mts',
  'dist/cli/conformance/cases.js',
  'dist/cli/operators.json.br',
];
const requiredOfArch = ['node-directml.node', 'DirectML.dll', 'DirectML-NOTICE.txt'];

/** The maximum size in bytes. Nearly all of it is DirectML.dll for two architectures. */
const maxSize = 20e6;

/** Packs this checkout, or lists the files of an existing tarball. */
export async function pack(/** @type {string} */ scratch, /** @type {string | undefined} */ tarball) {
  if (tarball === undefined) writeSbom();
  const what = tarball === undefined ? ['--pack-destination', scratch] : ['--dry-run', tarball];
  const { stdout } = await npm(['pack', '--json', '--ignore-scripts', ...what], checkout);
  /** @type {{ filename: string, size: number, unpackedSize: number, files: { path: string }[] }[]} */
  const [packed] = JSON.parse(stdout);
  if (packed === undefined) throw new Error('npm pack packed nothing');
  const mb = (/** @type {number} */ bytes) => `${(bytes / 1e6).toFixed(1)} MB`;
  console.log(`${packed.filename}: ${packed.files.length} files, ${mb(packed.size)}, ${mb(packed.unpackedSize)} unpacked`);
  const files = packed.files.map((file) => file.path);
  if (tarball !== undefined) return { tarball, size: packed.size, files };
  const own = join(scratch, packed.filename);
  await compressAsReleased(own);
  return { tarball: own, size: statSync(own).size, files };
}

/** Compresses a tarball of npm again. It then has the size of a release: .github/workflows/release.yml does the same. */
async function compressAsReleased(/** @type {string} */ tarball) {
  const tar = `${tarball}.tar`;
  writeFileSync(tar, gunzipSync(readFileSync(tarball)));
  renameSync(await compressed(tar), tarball);
}

/** Compresses a file into one beside it, and returns the path of that. Only Linux has the tool of the release. */
async function compressed(/** @type {string} */ file) {
  const made = `${file}.gz`;
  if (process.platform !== 'linux') {
    writeFileSync(made, gzipSync(readFileSync(file), { level: 9 }));
    return made;
  }
  const { installInRoot, runInRoot } = await import('../../sandbox/setup.mjs');
  await installInRoot('usr/bin/libdeflate-gzip', ['libdeflate-tools']);
  const code = await runInRoot('libdeflate-gzip', ['-12', '-f', file]);
  if (code !== 0) throw new Error(`libdeflate-gzip ended with exit code ${code}`);
  return made;
}

/**
 * @param {{ files: string[], size: number }} packed
 * @param {readonly string[]} archs
 * @param {string} installed the folder of the installed package
 * @returns {Promise<Row[]>}
 */
export async function checkList({ files, size }, archs, installed) {
  const extra = files.filter((file) => !allowed.some((pattern) => pattern.test(file)));
  const wanted = [...required, ...archs.flatMap((arch) => requiredOfArch.map((name) => `prebuilds/win32-${arch}/${name}`))];
  const missing = wanted.filter((file) => !files.includes(file));
  /** @type {{ scripts?: Record<string, string>, dependencies?: Record<string, string> }} */
  const manifest = JSON.parse(readFileSync(join(checkout, 'package.json'), 'utf8'));
  const scripts = files.filter((file) => /\.[cm]?js$/.test(file));
  const whole = size + (await sizeOfMissing(installed));
  const hooks = ['preinstall', 'install', 'postinstall'].filter((name) => manifest.scripts?.[name] !== undefined);
  return [
    { name: 'the tarball has nothing that a user does not need', ok: extra.length === 0, detail: extra.join(', ') },
    { name: 'the tarball has all that a user needs', ok: missing.length === 0, detail: missing.join(', ') },
    { name: 'with both architectures at most 20 MB', ok: whole <= maxSize, detail: `${(whole / 1e6).toFixed(2)} MB` },
    { name: 'the tarball has fewer than 100 files of JavaScript', ok: scripts.length < 100, detail: `${scripts.length}` },
    { name: 'the bill of materials, the notices and the page have the SHA-256 of each DLL and addon', ...checkHashes(installed) },
    { name: 'nothing runs at install time', ok: hooks.length === 0, detail: hooks.join(', ') },
    {
      name: 'there are no dependencies',
      ok: Object.keys(manifest.dependencies ?? {}).length === 0,
    },
  ];
}

/** Compares the files that are installed with the hashes that are written down. */
function checkHashes(/** @type {string} */ installed) {
  const read = (/** @type {string} */ path) => readFileSync(join(installed, path));
  /** @type {{ components: { 'bom-ref': string, hashes?: { content: string }[] }[] }} */
  const { components } = JSON.parse(read(sbomName).toString());
  const stated = new Map(components.map((one) => [one['bom-ref'], one.hashes?.[0]?.content]));
  const page = readFileSync(join(checkout, 'docs', 'verify.md'), 'utf8');
  const wrong = [];
  for (const arch of allArchs) {
    const folder = `prebuilds/win32-${arch}`;
    const [addon, dll] = [`${folder}/node-directml.node`, `${folder}/DirectML.dll`];
    const isHere = existsSync(join(installed, folder));
    const hash = sha256(isHere ? read(dll) : readFileSync(directmlDll(arch)));
    if (!page.includes(`| \`${dll}\` | \`${hash}\` |`)) wrong.push(`docs/verify.md lacks ${hash} of ${dll}`);
    if (!isHere) continue;
    if (!read(`${folder}/DirectML-NOTICE.txt`).includes(hash)) wrong.push(`the notice in ${folder} has another one`);
    for (const path of [addon, dll]) {
      if (stated.get(path) !== sha256(read(path))) wrong.push(`${sbomName} has another one of ${path}`);
    }
  }
  return { ok: wrong.length === 0, detail: wrong.join(', ') };
}

/** What an architecture that is missing would add: its DirectML.dll, and an addon as large as the installed one. */
async function sizeOfMissing(/** @type {string} */ installed) {
  const folderOf = (/** @type {string} */ arch) => join(installed, 'prebuilds', `win32-${arch}`);
  const missing = ['x64', 'arm64'].filter((arch) => !existsSync(folderOf(arch)));
  const addon = join(folderOf(ownArch), 'node-directml.node');
  let sum = 0;
  for (const path of missing.flatMap((arch) => [directmlDll(arch), addon])) {
    const copy = join(installed, 'copy');
    copyFileSync(path, copy);
    const file = await compressed(copy);
    sum += statSync(file).size;
    rmSync(file);
  }
  return sum;
}

/** Installs the tarball. It has no dependencies, so this needs no network. */
export async function install(/** @type {string} */ tarball, /** @type {string} */ app) {
  mkdirSync(app, { recursive: true });
  // As `npm init` writes it. Deno takes a file .js for CommonJS only with this type.
  writeFileSync(join(app, 'package.json'), JSON.stringify({ name: 'app', private: true, type: 'commonjs' }));
  await npm(['install', '--ignore-scripts', '--no-audit', '--no-fund', '--prefer-offline', tarball], app);
  copyPrograms(app);
}

/** Copies the examples into an application. */
export function copyPrograms(/** @type {string} */ app) {
  copyFolder(programs, app);
}

/**
 * On Windows, Node.js 22.18 to 22.23 corrupts non-ASCII letters in names when it copies a whole folder
 * (nodejs/node#61878). With a filter it copies file by file, which is correct.
 */
export function copyFolder(/** @type {string} */ from, /** @type {string} */ to) {
  cpSync(from, to, { recursive: true, filter: () => true });
}

/**
 * Runs the installed commands, as a user does. Each has to print its text.
 * @returns {AsyncGenerator<Row>}
 */
export async function* tryCommands(/** @type {string} */ app) {
  const operators = readFacts().operators.length;
  /** @type {[string[], string][]} */
  const commands = [
    [['doctor'], 'All is well'],
    [['operators', 'gemm'], 'Multiplies matrices'],
    [['conformance', '--backend', 'reference', '--cases', '1'], `${operators} operators, ${operators} cases, 0 mismatches`],
  ];
  for (const [args, text] of commands) {
    const name = `npx node-directml ${args.join(' ')}`;
    try {
      const { stdout } = await npm(['exec', '--no', '--', 'node-directml', ...args], app);
      yield { name, ok: stdout.includes(text), detail: stdout.includes(text) ? '' : stdout };
    } catch (error) {
      yield { name, ok: false, detail: String(error) };
    }
  }
}

function npm(/** @type {string[]} */ args, /** @type {string} */ cwd) {
  const { command, args: all, shell } = npmCommand(args);
  return execute(command, all, { cwd, shell, maxBuffer: 1 << 26, timeout });
}
