/** Indexes and models name files: only those in their folder are read, wherever links lead. */
import { mkdirSync, mkdtempSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, beforeEach, describe, expect, test } from 'vitest';
import { loadSafetensors } from 'node-directml/files';
import { InferenceSession, Tensor } from 'node-directml/onnxruntime';
import { runCli } from '../../checks/harness/run-cli.js';
import { deviceOn } from '../support/devices.js';
import { rejected } from '../support/errors.js';
import { withExternalWeights } from '../../checks/networks/small-models.js';
import { bytesOf, safetensorsOf } from './files.js';
import { canLink, linkTo } from '../../checks/malformed/files/special-files.js';

const root = mkdtempSync(join(tmpdir(), 'node-directml-named-'));
afterAll(() => rmSync(root, { recursive: true }));

const device = deviceOn('reference');
const good = Float32Array.of(1, 2, 3, 4);
const secret = Float32Array.of(666, 667, 668, 669);

/** What names a file: its own name, the bytes of what it names, and what it loads. */
interface Namer {
  readonly name: string;
  readonly what: string;
  readonly naming: (file: string) => Uint8Array | string;
  readonly bytes: (numbers: Float32Array) => Uint8Array;
  readonly load: (path: string) => Promise<unknown>;
}

const namers: Readonly<Record<string, Namer>> = {
  'an index': {
    name: 'model.safetensors.index.json',
    what: 'the index',
    naming: (file) => JSON.stringify({ weight_map: { w0: file } }),
    bytes: (numbers) => safetensorsOf({ w0: { dtype: 'F32', shape: [4], bytes: bytesOf(numbers) } }),
    load: async (path) => (await loadSafetensors(device(), path))['w0']?.read(),
  },
  'a model': {
    name: 'model.onnx',
    what: 'the model',
    naming: (file) => withExternalWeights(file),
    bytes: bytesOf,
    load: async (path) => {
      const session = await InferenceSession.create(path, { backend: 'wasm' });
      const { y } = await session.run({ x: new Tensor('float32', new Float32Array(4), [4]) });
      await session.release();
      return y?.data;
    },
  },
};

describe.each(Object.entries(namers))('%s', (_, { name, what, naming, bytes, load }) => {
  const base = join(root, what.slice(4));
  const folder = join(base, 'folder');
  const at = (file: string) => join(folder, file);
  const outside = join(base, 'secret.bin');
  const naturally = (file: string) => {
    writeFileSync(at(name), naming(file));
    return load(at(name));
  };

  beforeEach(() => {
    rmSync(base, { recursive: true, force: true });
    mkdirSync(at('below'), { recursive: true });
    for (const path of [at('w.bin'), join(at('below'), 'w.bin')]) writeFileSync(path, bytes(good));
    writeFileSync(outside, bytes(secret));
    // A folder whose name begins like that of the folder.
    mkdirSync(`${folder}-2`);
    writeFileSync(join(`${folder}-2`, 'w.bin'), bytes(secret));
  });

  const refused = async (file: string) => {
    const error = await rejected(naturally(file));
    expect(error).toMatchObject({ code: 'ERR_INVALID_FILE', field: `${at(name)}: tensor 'w0'` });
    expect(error.message).toContain(`expected the path of a file within the folder of ${what}, given '`);
    expect(error.message).not.toMatch(/66[6-9]/);
    return error;
  };

  test.each(['w.bin', './w.bin', 'below/w.bin'])('%s is read', async (file) => expect(await naturally(file)).toEqual(good));

  test.each([
    ...['../secret.bin', '..\\secret.bin', 'below/../../secret.bin', './../secret.bin', '../folder-2/w.bin', outside],
    ...['/etc/hostname', '/proc/self/environ', '/dev/zero', 'C:\\secret.bin', 'C:secret.bin', '\\\\host\\share\\secret.bin'],
    ...[
      '\\\\.\\NUL',
      'w.bin:stream',
      'w.bin\0',
      '',
      '.',
      './',
      '..',
      '.. ',
      '...',
      'below/',
      '/w.bin',
      '././w.bin',
      'x'.repeat(5000),
    ],
  ])('%j is refused', async (file) => {
    await refused(file);
  });

  test('a file that is missing is an error about that file', async () => {
    expect(await rejected(naturally('missing.bin'))).toMatchObject({ code: 'ERR_INVALID_FILE', field: at('missing.bin') });
  });

  const withLinks = () => {
    test.each([
      ['a link in the folder', () => linkTo('below/w.bin', at('link')), 'link'],
      ['a link to a folder in the folder', () => linkTo('below', at('link')), 'link/w.bin'],
      ['a link to a link', () => [linkTo('w.bin', at('link')), linkTo(at('link'), at('second'))], 'second'],
    ])('%s is read', async (_name, make, file) => {
      make();
      expect(await naturally(file)).toEqual(good);
    });

    test.each([
      ['a link to a file outside', () => linkTo(outside, at('link')), 'link'],
      ['a relative link to a file outside', () => linkTo('../secret.bin', at('link')), 'link'],
      ['a link to a folder outside', () => linkTo('..', at('link')), 'link/secret.bin'],
      ['a link to a link that leads outside', () => [linkTo(outside, at('link')), linkTo('link', at('second'))], 'second'],
      ['a link to a device', () => linkTo('/dev/zero', at('link')), 'link'],
      ['a link to what the process knows', () => linkTo('/proc/self/environ', at('link')), 'link'],
      ['a link to the folder', () => linkTo('.', at('link')), 'link'],
    ])('%s is refused', async (_name, make, file) => {
      make();
      expect((await refused(file)).message).toContain("', a link to '");
    });

    test.each([
      ['a link to nothing', () => linkTo('nothing', at('link'))],
      ['a link to itself', () => linkTo('link', at('link'))],
    ])('%s is an error', async (_name, make) => {
      make();
      expect(await rejected(naturally('link'))).toMatchObject({ code: 'ERR_INVALID_FILE', field: at('link') });
    });

    test('the files of a cache, where a folder of links leads to a folder of files, are read', async () => {
      const [blobs, snapshot] = [join(base, 'blobs'), join(base, 'snapshots', '1')];
      for (const made of [blobs, snapshot]) mkdirSync(made, { recursive: true });
      writeFileSync(at(name), naming('w.bin'));
      renameSync(at(name), join(blobs, '0123'));
      renameSync(at('w.bin'), join(blobs, '4567'));
      symlinkSync('../../blobs/0123', join(snapshot, name));
      symlinkSync('../../blobs/4567', join(snapshot, 'w.bin'));
      expect(await load(join(snapshot, name))).toEqual(good);
      rmSync(join(snapshot, 'w.bin'));
      symlinkSync(outside, join(snapshot, 'w.bin'));
      expect((await rejected(load(join(snapshot, name)))).message).toContain('within the folder');
    });

    test('the folder may be a link itself', async () => {
      writeFileSync(at(name), naming('w.bin'));
      expect(await load(join(dirname(linkTo(folder, join(base, 'link'))), 'link', name))).toEqual(good);
    });
  };
  if (canLink(root)) describe('with links', withLinks);
});

test('the command line prints nothing of a file outside', async () => {
  const folder = join(root, 'command');
  mkdirSync(folder);
  writeFileSync(join(root, 'secret.bin'), secret);
  for (const file of ['../secret.bin', join(root, 'secret.bin')]) {
    writeFileSync(join(folder, 'm.onnx'), withExternalWeights(file));
    const { code, out, error } = await runCli(['run', join(folder, 'm.onnx'), '--backend', 'reference', '--json']);
    expect({ code, error }).toEqual({ code: 1, error: '' });
    expect(JSON.parse(out)).toMatchObject({ error: { code: 'ERR_INVALID_FILE' } });
    expect(out).not.toMatch(/66[6-9]/);
  }
});

test('a model may have several names for a file', async () => {
  const folder = join(root, 'names');
  mkdirSync(folder);
  writeFileSync(join(folder, 'w.bin'), good);
  writeFileSync(join(folder, 'm.onnx'), withExternalWeights('w.bin', './w.bin'));
  const session = await InferenceSession.create(join(folder, 'm.onnx'), { backend: 'wasm' });
  const { y } = await session.run({ x: new Tensor('float32', new Float32Array(4), [4]) });
  expect(y?.data).toEqual(good.map((number) => 2 * number));
  await session.release();
});
