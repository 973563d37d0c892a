/** Whatever reads a file refuses pipes, sockets, devices and folders at once. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { loadNpy, loadSafetensors } from 'node-directml/files';
import { InferenceSession } from 'node-directml/onnxruntime';
import { runCli } from '../../checks/harness/run-cli.js';
import { deviceOn } from '../support/devices.js';
import { rejected } from '../support/errors.js';
import { folderOfFiles, npy, npyHeaderOf } from './files.js';
import { makeSpecialFiles } from '../../checks/malformed/files/special-files.js';
import { withExternalWeights } from '../../checks/networks/small-models.js';

const folder = mkdtempSync(join(tmpdir(), 'node-directml-special-'));
const newFolder = () => mkdtempSync(join(folder, 'test-'));
afterAll(() => rmSync(folder, { recursive: true }));

/** Runs a command that fails, and throws what it prints. */
async function refusedBy(...args: string[]): Promise<void> {
  throw new Error((await runCli(args, { width: 1000 })).error);
}

describe('refuses what is no regular file, however often', () => {
  const device = deviceOn('reference');
  const write = folderOfFiles();
  const regular = write('a.npy', npy(npyHeaderOf('|u1', '(2,)'), Uint8Array.of(3, 4)));
  const model = write('a.onnx', withExternalWeights('w.bin'));

  const readers: Readonly<Record<string, readonly [ending: string, read: (path: string) => Promise<unknown>]>> = {
    loadNpy: ['.npy', (path) => loadNpy(device(), path)],
    loadSafetensors: ['.safetensors', (path) => loadSafetensors(device(), path)],
    'loadSafetensors of an index': ['.index.json', (path) => loadSafetensors(device(), path)],
    'InferenceSession.create': ['.1.onnx', (path) => InferenceSession.create(path, { backend: 'wasm' })],
    externalData: ['.1.bin', (path) => InferenceSession.create(model, { backend: 'wasm', externalData: [path] })],
    'externalData with a path': [
      '.2.bin',
      (path) => InferenceSession.create(model, { backend: 'wasm', externalData: [{ path: 'w.bin', data: path }] }),
    ],
    'run FILE.json': ['.json', (path) => refusedBy('run', path)],
    'run FILE.onnx': ['.onnx', (path) => refusedBy('run', path)],
    'run --input': ['.input', (path) => refusedBy('run', model, '--input', `x=${path}`)],
    'conformance --case': ['.case', (path) => refusedBy('conformance', '--backend', 'reference', '--case', path)],
  };

  test.each(Object.entries(readers))('%s', async (_, [ending, read]) => {
    for (const { kind, path } of await makeSpecialFiles(newFolder(), ending)) {
      // Node.js has four threads for files.
      const errors = await Promise.all(Array.from({ length: 5 }, () => read(path).catch((error: unknown) => error)));
      for (const error of errors) expect(String(error)).toContain(`expected a file, given ${kind}`);
    }
    expect(await (await loadNpy(device(), regular)).read()).toEqual(Uint8Array.of(3, 4));
  });

  test('with the code of wrong files', async () => {
    for (const { path } of await makeSpecialFiles(newFolder(), '')) {
      expect(await rejected(loadNpy(device(), path))).toMatchObject({ code: 'ERR_INVALID_FILE', field: path });
    }
  });
});
