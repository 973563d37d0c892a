/** The option `addonPath`, the native addon that a program names. */
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { Worker } from 'node:worker_threads';
import { createDevice, listAdapters } from 'node-directml';
import { expect, test } from 'vitest';
import { gist, rejected } from '../../support/errors.js';

const missing = join(tmpdir(), 'node-directml-missing', 'node-directml.node');

test.each([
  '',
  'node-directml.node',
  './node-directml.node',
  'C:node-directml.node',
  tmpdir(),
  `${missing}.js`,
  `${missing}\0.node`,
])('the addonPath %j is refused', async (addonPath) => {
  for (const backend of ['directml', 'reference'] as const) {
    const error = await rejected(createDevice({ backend, addonPath }));
    expect(gist(error)).toEqual(['ERR_INVALID_ARGUMENT', 'options.addonPath']);
  }
  expect(gist(await rejected(listAdapters({ addonPath })))).toEqual(['ERR_INVALID_ARGUMENT', 'options.addonPath']);
});

test('the reference backend needs no addon', async () => {
  using device = await createDevice({ backend: 'reference', addonPath: missing });
  expect(device.info.backend).toBe('reference');
});

/** Runs in a thread of its own, because the path matters only until the thread has loaded an addon. */
test('a missing addon gives ERR_ADDON_NOT_FOUND', async () => {
  const program = `
    const { createDevice } = require('node-directml');
    createDevice({ backend: 'directml', addonPath: ${JSON.stringify(missing)} }).catch(({ code, message }) => console.log(code, message));
  `;
  const { stdout } = new Worker(program, { eval: true, stdout: true });
  const printed = await text(stdout);
  expect(printed).toMatch(/^ERR_ADDON_NOT_FOUND /);
  expect(printed).toContain(process.platform === 'win32' ? `"${missing}"` : 'DirectML is part of Windows');
});
