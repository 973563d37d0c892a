/** Thousands of malformed files of each kind. */
import { describe, expect, test } from 'vitest';
import { deviceOn, ownBackend } from '../support/devices.js';
import { checkMalformedFiles, malformedKinds } from './check-malformed-files.js';
import { folderOfFiles } from './files.js';

describe.each(ownBackend)('on %s', (backend) => {
  const device = deviceOn(backend);
  const write = folderOfFiles();

  test.each(malformedKinds)('10,000 files are refused, or loaded as they are: %s', async (kind) => {
    const { loaded, refused, wrong } = await checkMalformedFiles(kind, device(), write, 10_000);
    expect(wrong).toEqual([]);
    expect(Math.min(loaded, refused)).toBeGreaterThan(1000);
  });
});
