/** Thousands of malformed files of each kind, in parts that end in time beside much other work. */
import { describe, expect, test } from 'vitest';
import { deviceOn, ownBackend } from '../support/devices.js';
import { checkMalformedFiles, malformedKinds } from './check-malformed-files.js';
import { folderOfFiles } from './files.js';

describe.each(ownBackend)('on %s', (backend) => {
  const device = deviceOn(backend);
  const write = folderOfFiles();

  const parts = malformedKinds.flatMap((kind) => [0, 2500, 5000, 7500].map((from) => ({ kind, from })));
  test.each(parts)('2,500 files from number $from are refused, or loaded as they are: $kind', async ({ kind, from }) => {
    const { loaded, refused, wrong } = await checkMalformedFiles(kind, device(), write, 2500, from);
    expect(wrong).toEqual([]);
    expect(Math.min(loaded, refused)).toBeGreaterThan(250);
  });
});
