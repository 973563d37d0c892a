/** `--adapter`: the number in the list, or the LUID, of the adapter that a command uses. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { listAdapters } from 'node-directml';
import { adapterNamed } from '#lib/cli/adapter-option.js';
import { UsageError } from '#lib/cli/command.js';
import { runCli } from '../../checks/harness/run-cli.js';

const folder = mkdtempSync(join(tmpdir(), 'node-directml-'));
afterAll(() => rmSync(folder, { recursive: true }));
const adapters = await listAdapters();
const usable = adapters.findIndex(({ d3d12FeatureLevel }) => d3d12FeatureLevel !== null);

test('a number is that of the list, from 1 on', async () => {
  expect(adapters.length).toBeGreaterThan(0);
  for (const [i, { luid }] of adapters.entries()) expect(await adapterNamed(`${i + 1}`)).toBe(luid);
  for (const number of [0, adapters.length + 1, 9999]) {
    await expect(adapterNamed(`${number}`)).rejects.toThrow(
      new UsageError(`there is no adapter ${number}: node-directml adapters lists them`),
    );
  }
});

test('a LUID stays as it is, and so does no adapter', async () => {
  expect(await adapterNamed(adapters[0]?.luid)).toBe(adapters[0]?.luid);
  expect(await adapterNamed('12345')).toBe('12345');
  expect(await adapterNamed(undefined)).toBe(undefined);
});

test('the list of the command counts in the same way', async () => {
  const { out } = await runCli(['adapters'], { width: 200 });
  for (const [i, { name }] of adapters.entries()) expect(out).toContain(`${i + 1}. ${name}\n`);
});

test.each([['run'], ['bench'], ['conformance']])('%s runs on that adapter, and on no other', async (command) => {
  const file = join(folder, 'file.json');
  const tensors = { inputTensor: { dataType: 'float32', sizes: [1], data: 2 } };
  writeFileSync(file, JSON.stringify({ descriptor: { type: 'elementWiseNegate' }, tensors }));
  const args = { run: [file], bench: ['roundTrip', '--seconds', '0'], conformance: ['elementWiseNegate', '--cases', '1'] };
  const on = (adapter: string) => runCli([command, ...args[command as keyof typeof args], '--adapter', adapter, '--json']);
  for (const adapter of [`${usable + 1}`, adapters[usable]?.luid ?? '']) {
    const { code, out } = await on(adapter);
    expect([code, JSON.parse(out).adapter]).toEqual([0, adapters[usable]?.name]);
  }
  const missing = await on('00000000-7fffffff');
  expect([missing.code, JSON.parse(missing.out).error.code]).toEqual([1, 'ERR_NO_ADAPTER']);
});
