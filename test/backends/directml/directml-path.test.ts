/** Paths of a DirectML.dll that are refused before anything is loaded. */
import { createDevice } from 'node-directml';
import { expect, test } from 'vitest';
import { gist, rejected } from '../../support/errors.js';

test.each([
  '',
  'DirectML.dll',
  '.\\DirectML.dll',
  '..\\DirectML.dll',
  'bin/DirectML.dll',
  '\\DirectML.dll',
  '/DirectML.dll',
  'C:DirectML.dll',
  '1:\\DirectML.dll',
  'C:\\DirectML.dll\0garbage',
  '\0C:\\DirectML.dll',
])('the directmlPath %j is refused', async (directmlPath) => {
  const error = await rejected(createDevice({ backend: 'directml', directmlPath }));
  expect(gist(error)).toEqual(['ERR_INVALID_ARGUMENT', 'options.directmlPath']);
});

test.each(['C:\\missing\\DirectML.dll', 'c:/missing/DirectML.dll', '\\\\?\\C:\\missing\\DirectML.dll'])(
  'the directmlPath %j is valid, but not found',
  async (directmlPath) => {
    const { code } = await rejected(createDevice({ backend: 'directml', directmlPath }));
    expect(code).toBe(process.platform === 'win32' ? 'ERR_DIRECTML_NOT_FOUND' : 'ERR_ADDON_NOT_FOUND');
  },
);
