// @ts-check
// Packs the package and tries it as a user gets it: `npm run pack:check`. The tarball's list is checked, the
// tarball installed in an empty folder whose path has spaces and letters outside ASCII, and the example computed on
// the real DirectML by each supported Node.js, by a renamed one, by require and import, in workers, and out of an asar.
// A release checks the tarball that it is about to publish, which must hold both architectures:
//   npm run pack:check -- --tarball node-directml-1.0.0.tgz --arch x64 --arch arm64
import { execFile } from 'node:child_process';
import { copyFileSync, cpSync, mkdirSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { parseArgs, promisify } from 'node:util';
import { buildLib } from './build.mjs';
import { prebuild } from './prebuild.mjs';
import { capture, checkout, main, ownArch, remove } from './shared/places.mjs';

const expected = '1 11 3 10 9 6 7 12';
const programs = join(checkout, 'test', 'packaging', 'programs');
const execute = promisify(execFile);
/** In milliseconds, for each program that is tried, and for npm. */
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

/**
 * @param {object} [options]
 * @param {string} [options.tarball] to be checked as it is; without it one is made of this checkout
 * @param {readonly string[]} [options.archs] the architectures that the tarball must hold
 * @returns {Promise<{ passed: number, failed: number, skipped: number }>}
 */
export async function packCheck({ tarball: given, archs = [ownArch] } = {}) {
  if (given === undefined) {
    await buildLib();
    for (const arch of archs) await prebuild(arch);
  }
  const scratch = mkdtempSync(join(tmpdir(), 'node-directml-pack-'));
  try {
    const { tarball, files } = await pack(scratch, given);
    /** @type {Row[]} */
    const rows = [];
    const report = (/** @type {Row} */ row) => {
      console.log(`${row.ok ? 'ok    ' : 'FAILED'} ${row.name}${row.detail ? `: ${row.detail}` : ''}`);
      rows.push(row);
    };
    checkList(files, archs).forEach(report);
    const app = join(scratch, 'Ein Ordner für 日本 & Co');
    await install(tarball, app);
    for await (const row of tryProgram(app, scratch)) report(row);
    report(await tryRedirection(app, scratch));
    report(await tryAsar(app, scratch));
    for await (const row of tryTypes(app)) report(row);
    const passed = rows.filter((row) => row.ok).length;
    return { passed, failed: rows.length - passed, skipped: 0 };
  } finally {
    remove(scratch);
  }
}

/** @typedef {{ name: string, ok: boolean, detail?: string }} Row */

/** On Windows npm is a .cmd file, which only a shell runs. */
function npm(/** @type {string[]} */ args, /** @type {string} */ cwd) {
  const cli = process.env['npm_execpath'];
  const [command, all] = cli && /\.c?js$/.test(cli) ? [process.execPath, [cli, ...args]] : ['npm', args];
  return execute(command, all, { cwd, shell: command === 'npm' && process.platform === 'win32', maxBuffer: 1 << 26, timeout });
}

/** Packs this checkout, or only lists a tarball that is there. */
async function pack(/** @type {string} */ scratch, /** @type {string | undefined} */ tarball) {
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
function checkList(/** @type {string[]} */ files, /** @type {readonly string[]} */ archs) {
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
async function install(/** @type {string} */ tarball, /** @type {string} */ app) {
  mkdirSync(app, { recursive: true });
  writeFileSync(join(app, 'package.json'), JSON.stringify({ name: 'app', private: true }));
  await npm(['install', '--ignore-scripts', '--no-audit', '--no-fund', '--prefer-offline', tarball], app);
  copyFolder(programs, app);
}

/**
 * Node.js 22.18 to 22.23 spells letters outside ASCII wrongly when it copies a whole folder on Windows
 * (nodejs/node#61878). With a filter it goes through the folder file by file, and spells them right.
 */
function copyFolder(/** @type {string} */ from, /** @type {string} */ to) {
  cpSync(from, to, { recursive: true, filter: () => true });
}

/** @returns {AsyncGenerator<Row>} */
async function* tryProgram(/** @type {string} */ app, /** @type {string} */ scratch) {
  for (const { label, path } of await nodes(scratch)) {
    for (const file of ['example.js', 'example.mjs']) {
      for (const worker of [false, true]) {
        const how = `${file.endsWith('.mjs') ? 'import' : 'require'}${worker ? ' in a worker thread' : ''}`;
        yield tryOne(`${label}, ${how}`, path, [join(app, file), ...(worker ? ['WORKER'] : [])], app);
      }
    }
  }
}

/** @returns {Promise<Row>} */
async function tryOne(
  /** @type {string} */ name,
  /** @type {string} */ program,
  /** @type {string[]} */ args,
  /** @type {string} */ cwd,
  /** @type {Record<string, string>} */ env = {},
) {
  const { code, output } = await runWindowsProgram(program, args, cwd, env);
  const line = output.split(/\r?\n/).find((text) => text.startsWith('{'));
  if (code !== 0 || line === undefined) return { name, ok: false, detail: `exit code ${code}\n${output}` };
  /** @type {{ values: string, backend: string, directmlPath: string, directmlVersion: string, node: string }} */
  const result = JSON.parse(line);
  const ours = result.directmlPath.replaceAll('/', '\\').includes('\\node-directml\\prebuilds\\win32-');
  const ok = result.values === expected && result.backend === 'directml' && ours;
  const detail = `${result.values} (DirectML ${result.directmlVersion}, Node.js ${result.node})`;
  return { name, ok, detail: ours ? detail : `${detail}, but from ${result.directmlPath}` };
}

/** The node.exe of each version, and each again under Electron's name. On Windows only the one that runs this. */
async function nodes(/** @type {string} */ scratch) {
  /** @type {{ label: string, path: string }[]} */
  const found = [];
  if (process.platform === 'win32') {
    found.push({ label: `node.exe ${process.versions.node}`, path: process.execPath });
  } else {
    const { ensureSandbox } = await import('../sandbox/run.mjs');
    const { node } = await ensureSandbox();
    for (const major of [20, 22, 24]) {
      found.push({ label: `node.exe ${major}`, path: join(node, `node${major}`, 'bin', 'node.exe') });
    }
  }
  return found.flatMap(({ label, path }) => {
    const folder = mkdtempSync(join(scratch, 'renamed-'));
    const renamed = join(folder, 'electron.exe');
    copyFileSync(path, renamed);
    return [
      { label, path },
      { label: `${label} as electron.exe`, path: renamed },
    ];
  });
}

/** @returns {Promise<{ code: number, output: string }>} */
async function runWindowsProgram(
  /** @type {string} */ program,
  /** @type {string[]} */ args,
  /** @type {string} */ cwd,
  /** @type {Record<string, string>} */ env,
) {
  if (process.platform === 'win32') {
    return capture(program, args, { cwd, timeout, env: { ...process.env, ...env } });
  }
  const { runInWindows } = await import('../sandbox/run.mjs');
  let output = '';
  const code = await runInWindows(program, args, {
    cwd,
    env,
    timeout: 60_000,
    onOutput: (text) => {
      output += text;
    },
  });
  return { code, output };
}

/**
 * No environment variable makes the package load another file; node-gyp-build, which it used to use, has one.
 * @returns {Promise<Row>}
 */
async function tryRedirection(/** @type {string} */ app, /** @type {string} */ scratch) {
  const elsewhere = join(scratch, 'elsewhere');
  const folder = join(elsewhere, 'prebuilds', `win32-${ownArch}`);
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, 'node-directml.node'), 'this is no addon');
  const [first] = await nodes(scratch);
  if (first === undefined) throw new Error('no node.exe to try');
  return tryOne('with NODE_DIRECTML_PREBUILD set', first.path, [join(app, 'example.js')], app, {
    NODE_DIRECTML_PREBUILD: elsewhere,
  });
}

/**
 * What Electron makes of the app: in app.asar the files that JavaScript can read but Windows cannot load (here the
 * addon and DirectML.dll are empty there), in app.asar.unpacked the real ones.
 * @returns {Promise<Row>}
 */
async function tryAsar(/** @type {string} */ app, /** @type {string} */ scratch) {
  const resources = join(scratch, 'resources');
  const packed = join(resources, 'app.asar');
  const prebuilds = join('node_modules', 'node-directml', 'prebuilds');
  copyFolder(app, packed);
  copyFolder(join(app, prebuilds), join(resources, 'app.asar.unpacked', prebuilds));
  for (const name of ['node-directml.node', 'DirectML.dll']) {
    writeFileSync(join(packed, prebuilds, `win32-${ownArch}`, name), '');
  }
  const [first] = await nodes(scratch);
  if (first === undefined) throw new Error('no node.exe to try');
  return tryOne('out of app.asar.unpacked', first.path, [join(packed, 'example.js')], packed);
}

/** A user's TypeScript finds the types by require and by import, without skipLibCheck. @returns {AsyncGenerator<Row>} */
async function* tryTypes(/** @type {string} */ app) {
  const source = (/** @type {string} */ load) => `${load}
async function use(): Promise<number> {
  const device = await createDevice();
  const tensor = device.createTensor({ dataType: 'float32', sizes: [2] }, Float32Array.of(1, 2));
  await tensor.read();
  return device.info.tensorDataTypes.length;
}
void use();
`;
  const typeRoots = join(checkout, 'node_modules', '@types');
  for (const [file, how] of [
    ['types.cts', 'require'],
    ['types.mts', 'import'],
  ]) {
    writeFileSync(
      join(app, String(file)),
      source(
        how === 'require'
          ? "import directml = require('node-directml');\nconst { createDevice } = directml;"
          : "import { createDevice } from 'node-directml';",
      ),
    );
    const result = await execute(
      process.execPath,
      [
        join(checkout, 'node_modules', 'typescript', 'bin', 'tsc'),
        '--noEmit',
        '--strict',
        '--target',
        'es2022',
        '--module',
        'nodenext',
        '--lib',
        'es2023,esnext.disposable',
        '--types',
        'node',
        '--typeRoots',
        typeRoots,
        String(file),
      ],
      { cwd: app, timeout },
    ).then(
      () => '',
      (error) => String(error.stdout),
    );
    yield { name: `typed, by ${how}`, ok: result === '', detail: result };
  }
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  await main(async () => {
    const { values } = parseArgs({ options: { tarball: { type: 'string' }, arch: { type: 'string', multiple: true } } });
    const { passed, failed, skipped } = await packCheck({
      ...(values.tarball === undefined ? {} : { tarball: resolve(values.tarball) }),
      ...(values.arch === undefined ? {} : { archs: values.arch }),
    });
    console.log(`${passed} passed, ${failed} failed, ${skipped} skipped`);
    return failed === 0 ? 0 : 1;
  });
}
