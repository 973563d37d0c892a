/** `node-directml doctor` and `adapters` on this machine. */
import { join } from 'node:path';
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { listAdapters } from 'node-directml';
import { describe, expect, it } from 'vitest';
import { runCli, spawnCli } from '../../checks/harness/run-cli.js';

const isWindows = process.platform === 'win32';

/**
 * The code of the error that enabling the debug layers gives here; undefined where they are installed. Tries it in a process of its
 * own, because no layer can be enabled while a device is open.
 */
async function debugLayerCode(): Promise<string | undefined> {
  const program = `require('node-directml').createDevice({ backend: 'directml', debug: true }).then(
    (device) => device.dispose(), ({ code }) => console.log(code))`;
  const { stdout } = await promisify(execFile)(process.execPath, ['-e', program]);
  return stdout.trim() || undefined;
}

describe('doctor', () => {
  it('finds no fault where the tests run', async () => {
    const { code, out } = await runCli(['doctor'], { width: 100 });
    expect(out).toContain(`Node.js ${process.version.slice(1)} for ${process.platform}-${process.arch}`);
    expect(out).toMatch(/Reference backend\n {2}ok .*scatterNd: computed/);
    expect(out).toContain('All is well');
    expect(code).toBe(0);
    if (isWindows) {
      expect(out).toMatch(/ok {5}node_directml\.node: .*\\node_directml\.node/);
      expect(out).toMatch(/ok {5}DirectML\.dll 1\.15\.\d+\.\d+: .*\\DirectML\.dll/);
      expect(out).toMatch(/ok {5}d3d12\.dll.*: .*\\System32\\d3d12\.dll/);
      expect(out).toMatch(/Adapter 1: .+\n.*LUID [\da-f]{8}-[\da-f]{8}, driver/);
      expect(out).toMatch(/ok {5}gemm in float32, gemm in float16, scatterNd: equal to the reference/);
      expect(out).toContain('DirectML feature level 6.4');
      expect(out).toContain('4-bit weights: dequantize writes floats for gemm');
      expect(out).toContain('Debug layers');
    } else {
      expect(out).toContain('DirectML is part of Windows');
      expect(out).toMatch(/-> Use the reference backend/);
      expect(out).not.toContain('Adapter');
    }
  });

  it('prints JSON, also as a process of its own', async () => {
    const { code, out, error } = await spawnCli(['doctor', '--json']);
    expect({ code, error }).toEqual({ code: 0, error: '' });
    const found = JSON.parse(out);
    expect(found).toMatchObject({ ok: true, node: process.version, platform: process.platform, error: null });
    expect(found.reference.computed.map(({ name }: { name: string }) => name)).toContain('scatterNd');
    expect(found.adapters.map(({ luid }: { luid: string }) => luid)).toEqual((await listAdapters()).map(({ luid }) => luid));
    expect(found.debugLayer?.code).toBe(isWindows ? await debugLayerCode() : undefined);
    if (isWindows) expect(found.adapters[0].trial).toMatchObject({ featureLevel: '6.4', directmlVersion: expect.any(String) });
  });
});

describe('adapters', async () => {
  const adapters = await listAdapters();

  it('are printed as JSON as listAdapters gives them, in its order', async () => {
    const { code, out } = await runCli(['adapters', '--json']);
    expect(code).toBe(0);
    const text: unknown = expect.toSatisfy((version) => version === null || /^\d+(\.\d+){3}$/.test(String(version)));
    expect(JSON.parse(out)).toEqual(adapters.map((adapter) => ({ ...adapter, driverVersion: text })));
  });

  it('are listed as text', async () => {
    const { code, out } = await runCli(['adapters']);
    expect(code).toBe(0);
    if (!isWindows) expect(out).toContain('There are no adapters: DirectML is part of Windows.');
    for (const [i, { name, luid }] of adapters.entries())
      expect(out).toMatch(new RegExp(`^${i + 1}\\. ${name}\n {3}LUID ${luid}`, 'm'));
  });
});

it('says that the report cannot be written', async () => {
  const file = join(import.meta.dirname, 'missing', 'report.json');
  const { code, error } = await runCli(['doctor', '--report', file], { width: 400 });
  expect([code, error]).toEqual([2, expect.stringContaining(`--report ${file}: ENOENT`)]);
});
