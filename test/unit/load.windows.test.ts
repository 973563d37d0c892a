/** What is said where DirectML cannot be loaded or there is no adapter. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { createDevice, listAdapters } from 'node-directml';
import { rejected } from '../support/errors.js';

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
