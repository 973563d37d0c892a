// @ts-check
// The trials of `npm run pack:check` with the installed package: the example, loaded in each supported way, and the types.
import { execFile } from 'node:child_process';
import { copyFileSync, mkdirSync, mkdtempSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { capture, checkout, ownArch } from '../shared/common.mjs';
import { ensurePackages } from '../shared/packages.mjs';
import { copyFolder } from './tarball.mjs';

/** @typedef {import('./tarball.mjs').Row} Row */

const expected = '1 11 3 10 9 6 7 12';
const execute = promisify(execFile);
/** For each program on Windows and for tsc, in milliseconds. */
const timeout = 5 * 60_000;

/** @returns {AsyncGenerator<Row>} */
export async function* tryProgram(/** @type {string} */ app, /** @type {string} */ scratch) {
  for (const { label, path, args } of [...(await nodes(scratch)), ...(await otherRuntimes())]) {
    for (const file of ['example.js', 'example.mjs']) {
      for (const worker of [false, true]) {
        const how = `${file.endsWith('.mjs') ? 'import' : 'require'}${worker ? ' in a worker thread' : ''}`;
        yield tryOne(`${label}, ${how}`, path, [...args, join(app, file), ...(worker ? ['WORKER'] : [])], app);
      }
    }
  }
}

/**
 * Checks that no environment variable makes the package load another file, as one of node-gyp-build does.
 * @returns {Promise<Row>}
 */
export async function tryRedirection(/** @type {string} */ app, /** @type {string} */ scratch) {
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
 * The doctor must find the DirectML.dll of the installed package, and report no problem.
 * @returns {Promise<Row>}
 */
export async function tryDoctor(/** @type {string} */ app, /** @type {string} */ scratch) {
  const [first] = await nodes(scratch);
  if (first === undefined) throw new Error('no node.exe to try');
  const program = join(app, 'node_modules', 'node-directml', 'bin', 'node-directml.mjs');
  const { code, output } = await runWindowsProgram(first.path, [program, 'doctor', '--json'], app, {});
  const name = 'node-directml doctor, on DirectML';
  if (code !== 0) return { name, ok: false, detail: `exit code ${code}\n${output}` };
  /** @type {{ ok: boolean, adapters: { name: string, trial: { directmlPath?: string } | null }[] }} */
  const { ok, adapters } = JSON.parse(output);
  const tried = adapters.find(({ trial }) => trial?.directmlPath?.includes('\\node-directml\\prebuilds\\win32-'));
  return { name, ok: ok && tried !== undefined, detail: tried?.name ?? output };
}

/**
 * Imitates the layout of an Electron app. JavaScript can read the files in app.asar, but Windows cannot load DLLs from there. So
 * the addon and DirectML.dll are empty files in app.asar here, and the real files are in app.asar.unpacked.
 * @returns {Promise<Row>}
 */
export async function tryAsar(/** @type {string} */ app, /** @type {string} */ scratch) {
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

/**
 * Checks that TypeScript finds the types by require and by import, without skipLibCheck.
 * @returns {AsyncGenerator<Row>}
 */
export async function* tryTypes(/** @type {string} */ app) {
  const source = (/** @type {string} */ load) => `${load}
async function use(): Promise<number> {
  const device = await createDevice();
  const tensor = device.createTensor({ dataType: 'float32', sizes: [2] }, Float32Array.of(1, 2));
  await tensor.read();
  (await ml.createContext(device)).destroy();
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
          ? "import directml = require('node-directml');\nimport webnn = require('node-directml/webnn');\n" +
              'const { createDevice } = directml;\nconst { ml } = webnn;'
          : "import { createDevice } from 'node-directml';\nimport { ml } from 'node-directml/webnn';",
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
        'es2022',
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

/**
 * Runs an example on Windows. It must compute on the DirectML of the installed package.
 * @returns {Promise<Row>}
 */
export async function tryOne(
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

/** Returns the node.exe of each version (on Windows only of this one), and a copy of each named electron.exe. */
export async function nodes(/** @type {string} */ scratch) {
  /** @type {{ label: string, path: string }[]} */
  const found = [];
  if (process.platform === 'win32') {
    found.push({ label: `node.exe ${process.versions.node}`, path: process.execPath });
  } else {
    const { ensureSandbox } = await import('../../sandbox/run.mjs');
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
      { label, path, args: [] },
      { label: `${label} as electron.exe`, path: renamed, args: [] },
    ];
  });
}

/** Bun and Deno, which npm's registry has for x64 only. */
async function otherRuntimes() {
  if (ownArch !== 'x64') return [];
  await ensurePackages('test/runtimes');
  const pathOf = (/** @type {string[]} */ ...names) => join(checkout, 'test', 'runtimes', 'node_modules', ...names);
  return [
    { label: 'Bun', path: pathOf('@oven', 'bun-windows-x64', 'bin', 'bun.exe'), args: [] },
    { label: 'Deno', path: pathOf('@deno', 'win32-x64', 'deno.exe'), args: ['run', '--allow-all'] },
  ];
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
  const { runInWindows } = await import('../../sandbox/run.mjs');
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
