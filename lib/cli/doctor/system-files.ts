/** Files of Windows, and the versions in them. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

export interface FileFacts {
  readonly name: string;
  /** Null if the file is not there. */
  readonly path: string | null;
  readonly version: string | null;
}

export function systemFolder(): string {
  return join(process.env['SystemRoot'] ?? 'C:\\Windows', 'System32');
}

/** A DLL in the folder from which DirectML loads what it needs. */
export function systemFile(name: string): FileFacts {
  const path = join(systemFolder(), name);
  try {
    return { name, path, version: versionIn(readFileSync(path)) };
  } catch {
    return { name, path: null, version: null };
  }
}

/** The beginning of VS_FIXEDFILEINFO: its signature, and the version of its own form. */
const signature = Buffer.from([0xbd, 0x04, 0xef, 0xfe, 0, 0, 1, 0]);

/** The file version in the resources of a DLL, such as `10.0.22621.2506`; null if there is none. */
export function versionIn(dll: Buffer): string | null {
  const at = dll.lastIndexOf(signature);
  if (at < 0 || at + 16 > dll.length) return null;
  return [10, 8, 14, 12].map((offset) => dll.readUInt16LE(at + offset)).join('.');
}
