/** What is said where DirectML cannot be loaded or there is no adapter. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { createDevice, DirectMLError, listAdapters } from 'node-directml';
import { loadAddon } from '#lib/backends/directml/addon.js';
import { encodeOperator } from '#lib/backends/directml/encode.js';
import { fromNative } from '#lib/backends/directml/native-error.js';
import { resolveDescriptor } from '#lib/validation/index.js';
import { rejected } from '../support/errors.js';
import { example } from '../support/scatter-nd.js';

const folder = mkdtempSync(join(tmpdir(), 'node-directml-'));
afterAll(() => rmSync(folder, { recursive: true }));

const refused = async (directmlPath: string) => rejected(createDevice({ backend: 'directml', directmlPath }));

test('a DirectML.dll that is not there', async () => {
  const path = join(folder, 'missing', 'DirectML.dll');
  const error = await refused(path);
  expect(error.code).toBe('ERR_DIRECTML_NOT_FOUND');
  expect(error.message).toContain(path);
});

test('one that is not a DLL', async () => {
  const path = join(folder, 'DirectML.dll');
  writeFileSync(path, 'this is no program');
  const error = await refused(path);
  expect(error.code).toBe('ERR_DIRECTML_NOT_A_DLL');
  expect(error.message).toContain(path);
});

test('one that is too old to have DMLCreateDevice1, as any other DLL is', async () => {
  const path = join(process.env['SystemRoot'] ?? 'C:\\windows', 'System32', 'version.dll');
  expect((await refused(path)).code).toBe('ERR_DIRECTML_TOO_OLD');
});

test('an adapter that is not there, and one that is', async () => {
  const error = await rejected(createDevice({ adapter: '7fffffff-12345678' }));
  expect(error.code).toBe('ERR_NO_ADAPTER');
  const [adapter] = listAdapters().filter(({ d3d12FeatureLevel }) => d3d12FeatureLevel !== null);
  if (adapter === undefined) throw new Error('no adapter');
  using device = await createDevice({ adapter });
  expect(device.info).toMatchObject({ backend: 'directml', adapter: { luid: adapter.luid }, featureLevel: '6.4' });
  expect(device.info.directmlVersion).toMatch(/^\d+\.\d+\.\d+/);
});

test('the debug layers: what they say about a refused call, or which of them is not installed', async () => {
  const { binding, directory: addonDirectory } = loadAddon();
  const device = await binding.createDevice({ addonDirectory, debug: true }).catch(fromNative);
  if (device instanceof DirectMLError) {
    expect(device.code).toBe('ERR_NATIVE_CALL');
    expect(device.message).toMatch(/debug layer .*is not installed/);
    return;
  }
  const broken = { ...encodeOperator(resolveDescriptor(example, '6.4')), inputDimensionCount: 9 };
  const error = await device.compileOperator(broken, 0).catch(fromNative);
  expect(error).toMatchObject({ code: 'ERR_NATIVE_CALL', debugMessages: expect.arrayContaining([expect.any(String)]) });
  device.dispose();
});
