/**
 * Bundles of a program run like the program: with this package inside or outside, as ES module and as CommonJS. On Windows they
 * run on the real DirectML, elsewhere on the reference. Bundles with the package inside run where no package is installed, and
 * so have to name the addon there.
 */
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { expected, makeApplication, onWindows, putAddon, putWorker, run } from './application.js';
import { bundlers } from './bundlers.js';

const { folder, app, entry, installedAddon } = makeApplication();
/** The addon where no search finds it. */
const addonPath = putAddon(join(folder, 'native'));
afterAll(() => rmSync(folder, { recursive: true, maxRetries: 10, retryDelay: 100 }));

/** Runs the ES module and the CommonJS bundle in this folder. */
async function runBoth(output: string, ...args: readonly string[]) {
  const files = ['main.mjs', 'main.cjs'];
  return Promise.all(files.map(async (file) => ({ file, result: await run(join(output, file), ...args) })));
}

/** The result of a reference device in a thread whose file is not found. */
const noWorker = expect.objectContaining({ code: 'ERR_NO_WORKER', message: expect.stringContaining('beside the bundle') });

/** The result without `addonPath`: an error that says what to do. The reference needs no addon. */
const unnamed = onWindows
  ? expect.objectContaining({ code: 'ERR_ADDON_NOT_FOUND', message: expect.stringContaining('createDevice({ addonPath })') })
  : 'a device';

describe.each(Object.entries(bundlers))('%s', (name, bundle) => {
  test('runs with the package inside', async () => {
    const output = join(folder, name);
    await bundle({ app, entry, isExternal: false, output });
    const missing = { ...expected(addonPath), unnamed, inThread: noWorker };
    for (const { file, result } of await runBoth(output, addonPath)) {
      expect(result, file).toEqual({ ...missing, inWorker: { ...missing, inWorker: undefined } });
      // esbuild minifies the names of functions.
      if (name !== 'esbuild') expect(result.misspelt.stack, file).toMatch(/ misspell .*main\.[mc]js:\d+/);
    }
    putWorker(output);
    for (const { file, result } of await runBoth(output, addonPath)) {
      // An ES module made by webpack does not know its own path.
      const isLost = name === 'webpack' && file === 'main.mjs';
      const found = { ...expected(addonPath), unnamed, inThread: isLost ? noWorker : '-1,-2' };
      expect(result, file).toEqual({ ...found, inWorker: { ...found, inWorker: undefined } });
    }
  });

  test('runs with the package outside', async () => {
    const output = join(app, 'out', name);
    await bundle({ app, entry, isExternal: true, output });
    for (const { file, result } of await runBoth(output)) {
      expect(result, file).toEqual(expected(installedAddon));
      if (name !== 'esbuild') expect(result.misspelt.stack, file).toMatch(/ misspell .*main\.[mc]js:\d+/);
    }
  });
});
