/** Errors if DirectML cannot be loaded or there is no adapter. */
import { execFile } from 'node:child_process';
import { copyFileSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, expect, test } from 'vitest';
import { createDevice, listAdapters } from 'node-directml';
import { loadAddon } from '#lib/backends/directml/addon.js';
import { fromNative } from '#lib/backends/directml/native-error.js';
import { IN_SANDBOX } from '../../../checks/conformance/exceptions.js';
import { caught, gist, rejected } from '../../support/errors.js';

const folder = mkdtempSync(join(tmpdir(), 'node-directml-'));
afterAll(() => rmSync(folder, { recursive: true }));

const refused = async (directmlPath: string) => rejected(createDevice({ backend: 'directml', directmlPath }));

test('a missing DirectML.dll gives ERR_DIRECTML_NOT_FOUND', async () => {
  const path = join(folder, 'missing', 'DirectML.dll');
  const error = await refused(path);
  expect(error.code).toBe('ERR_DIRECTML_NOT_FOUND');
  expect(error.message).toContain(path);
});

test('a DirectML.dll that is not a DLL gives ERR_DIRECTML_NOT_A_DLL', async () => {
  const path = join(folder, 'DirectML.dll');
  writeFileSync(path, 'this is no program');
  const error = await refused(path);
  expect(error.code).toBe('ERR_DIRECTML_NOT_A_DLL');
  expect(error.message).toContain(path);
});

test('a DirectML.dll that is cut off gives ERR_DIRECTML_NOT_A_DLL, with advice', async () => {
  using device = await createDevice();
  const path = join(folder, 'cut-off.dll');
  const whole = readFileSync(device.info.directmlPath ?? '');
  writeFileSync(path, whole.subarray(0, whole.length / 2));
  const error = await refused(path);
  expect(error.code).toBe('ERR_DIRECTML_NOT_A_DLL');
  expect(error.message).toContain(path);
  expect(error.message).toContain('cut off');
  expect(error.message).toContain('leave the option out');
});

test('a DLL without DMLCreateDevice1 gives ERR_DIRECTML_TOO_OLD', async () => {
  const path = join(process.env['SystemRoot'] ?? 'C:\\windows', 'System32', 'version.dll');
  expect((await refused(path)).code).toBe('ERR_DIRECTML_TOO_OLD');
});

test('an adapter is found by its LUID, and a missing one gives ERR_NO_ADAPTER', async () => {
  const error = await rejected(createDevice({ adapter: '7fffffff-12345678' }));
  expect(error.code).toBe('ERR_NO_ADAPTER');
  // The LUID has the form that listAdapters() gives.
  expect((await rejected(createDevice({ adapter: '7FFFFFFF-ABCDEF01' }))).message).toContain('7fffffff-abcdef01');
  const [adapter] = (await listAdapters()).filter(({ d3d12FeatureLevel }) => d3d12FeatureLevel !== null);
  if (adapter === undefined) throw new Error('no adapter');
  using device = await createDevice({ adapter });
  expect(device.info).toMatchObject({ backend: 'directml', adapter: { luid: adapter.luid }, featureLevel: '6.4' });
  expect(device.info.directmlVersion).toMatch(/^\d+\.\d+\.\d+/);
});

test('the event loop is not blocked while the adapters are listed', async () => {
  let turns = 0;
  let next: NodeJS.Immediate;
  const turn = () => {
    turns += 1;
    next = setImmediate(turn);
  };
  next = setImmediate(turn);
  const adapters = await listAdapters();
  clearImmediate(next);
  expect([adapters.length > 0, turns > 0]).toEqual([true, true]);
});

test.each(['DirectML.dll', '.\\DirectML.dll', '\\DirectML.dll', 'C:DirectML.dll', 'C:\\DirectML.dll\0garbage'])(
  'the addon itself refuses %j',
  async (path) => {
    const { binding, directory } = loadAddon();
    for (const options of [{ addonDirectory: directory, directmlPath: path }, { addonDirectory: path }]) {
      const error = caught(() => attempt(() => binding.createDevice(options)));
      expect(gist(error)).toEqual(['ERR_INVALID_ARGUMENT', 'directmlPath' in options ? 'directmlPath' : 'addonDirectory']);
    }
  },
);

test('other files next to a DirectML.dll are not loaded, nor is the DLL with the same name plus ".dll"', async () => {
  const { directory } = loadAddon();
  const beside = mkdtempSync(join(folder, 'beside-'));
  for (const name of ['DirectML.dll', 'named', 'named.dll']) copyFileSync(join(directory, 'DirectML.dll'), join(beside, name));
  for (const name of ['d3d12.dll', 'dxgi.dll', 'dxcore.dll', 'named.dll'])
    writeFileSync(join(beside, name), 'this is no program');
  for (const name of ['DirectML.dll', 'named']) {
    const path = join(beside, name);
    expect(await program('load', path)).toEqual({ path: expect.stringContaining(path), sum: 3 });
  }
});

test('a thread keeps the first addon that it loads, with the DirectML.dll beside it', async () => {
  const { path, directory } = loadAddon();
  const elsewhere = join(mkdtempSync(join(folder, 'elsewhere-')), 'node-directml.node');
  copyFileSync(path, elsewhere);
  copyFileSync(join(directory, 'DirectML.dll'), join(dirname(elsewhere), 'DirectML.dll'));
  const broken = join(folder, 'broken.node');
  writeFileSync(broken, 'this is no program');
  const directmlPath = join(dirname(elsewhere), 'DirectML.dll');
  expect(await program('addon-path', elsewhere, broken, path)).toEqual({
    before: 'ERR_ADDON_NOT_FOUND',
    adapters: (await listAdapters()).length,
    paths: [directmlPath, directmlPath],
    after: 'ERR_INVALID_ARGUMENT',
  });
});

test('the debug layer is refused while a device exists; otherwise its messages are reported, or its absence', async () => {
  const { beside, values, alone = {} } = await program('debug-layer');
  expect(beside).toMatchObject({ code: 'ERR_INVALID_ARGUMENT', message: expect.stringMatching(/^debug: .* 1 exist$/) });
  expect(values).toEqual([1, 2]);
  if ('debugMessages' in alone) {
    // The sandbox has no debug layer. native-error.test.ts tests how its messages reach the user.
    expect(IN_SANDBOX).toBe(false);
    expect(alone).toMatchObject({ code: 'ERR_NATIVE_CALL', debugMessages: expect.arrayContaining([expect.any(String)]) });
  } else {
    expect(alone).toEqual({ code: 'ERR_NATIVE_CALL', message: expect.stringMatching(/debug layer .*is not installed/) });
  }
});

function attempt<T>(call: () => T): T {
  try {
    return call();
  } catch (error) {
    throw fromNative(error);
  }
}

/** Runs a program in its own process. Returns its output. */
async function program(name: string, ...args: string[]): Promise<Record<string, object>> {
  const path = fileURLToPath(new URL(`../../lifecycle/programs/${name}.mjs`, import.meta.url));
  const { stdout } = await promisify(execFile)(process.execPath, [path, ...args]);
  const written: Record<string, object> = JSON.parse(stdout);
  return written;
}
