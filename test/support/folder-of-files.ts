/** Files that tests write. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll } from 'vitest';

/** A function that writes a file into a folder that exists until the last test of the current suite, and returns its path. */
export function folderOfFiles(): (name: string, bytes: Uint8Array | string) => string {
  const folder = mkdtempSync(join(tmpdir(), 'node-directml-files-'));
  afterAll(() => rmSync(folder, { recursive: true }));
  return (name, bytes) => {
    const path = join(folder, name);
    writeFileSync(path, bytes);
    return path;
  };
}
