/** Thousands of hostile safetensors files; on each backend. */
import { describe, expect, test } from 'vitest';
import { backends, deviceOn } from '../../support/devices.js';
import { checkHostileFiles } from './check-hostile-files.js';
import { folderOfFiles } from './files.js';

describe.each(backends)('on %s', (backend) => {
  const device = deviceOn(backend);
  const write = folderOfFiles();

  test('10,000 files are refused, or loaded as they are', async () => {
    const { loaded, refused, wrong } = await checkHostileFiles(device(), write, 10_000);
    expect(wrong).toEqual([]);
    expect(Math.min(loaded, refused)).toBeGreaterThan(1000);
  });
});
