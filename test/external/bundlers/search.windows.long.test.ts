/** Where a bundle with the package inside finds the addon if no path is given. */
import { copyFileSync, mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { expected, makeApplication, putAddon, putWorker, run } from './application.js';
import { withEsbuild } from './esbuild.js';

const { folder, app, entry, installedAddon } = makeApplication();
const output = join(folder, 'output');
beforeAll(async () => withEsbuild({ app, entry, isExternal: false, output }));
afterAll(() => rmSync(folder, { recursive: true, maxRetries: 10, retryDelay: 100 }));

test.each(['main.mjs', 'main.cjs'])('%s finds the addon in the installed package', async (file) => {
  mkdirSync(join(app, 'out'), { recursive: true });
  const bundle = join(app, 'out', file);
  copyFileSync(join(output, file), bundle);
  expect(await run(bundle)).toEqual(expected(installedAddon));
});

test.each(['main.mjs', 'main.cjs'])('%s finds the addon in a folder prebuilds beside the bundle', async (file) => {
  const addon = putAddon(join(output, 'prebuilds'));
  putWorker(output);
  expect(await run(join(output, file))).toEqual(expected(addon));
});

test('finds the addon in app.asar.unpacked beside app.asar, also if its path is given inside app.asar', async () => {
  const packed = join(folder, 'resources', 'app.asar');
  mkdirSync(packed, { recursive: true });
  copyFileSync(join(output, 'main.cjs'), join(packed, 'main.cjs'));
  const addon = putAddon(join(`${packed}.unpacked`, 'prebuilds'));
  putWorker(`${packed}.unpacked`);
  const bundle = join(packed, 'main.cjs');
  expect(await run(bundle)).toEqual(expected(addon));
  const named = { ...expected(addon), unnamed: 'a device' };
  const inAsar = addon.replace('.unpacked', '').replaceAll('\\', '/');
  expect(await run(bundle, inAsar)).toEqual({ ...named, inWorker: { ...named, inWorker: undefined } });
});
