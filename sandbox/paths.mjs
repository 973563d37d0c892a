// @ts-check
// The paths of the sandbox, and the keys of its parts.
import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { homedir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

export const sandboxFolder = dirname(fileURLToPath(import.meta.url));
export const checkout = dirname(sandboxFolder);

/** The folder of everything that the sandbox creates. It may be deleted at any time; the next run sets it up again. */
export const cache = join(process.env['XDG_CACHE_HOME'] || join(homedir(), '.cache'), 'node-directml', 'sandbox');

export const paths = {
  lock: join(cache, 'setup.lock'),
  log: join(cache, 'setup.log'),
  /** A Debian 13 root, for hosts that lack the packages. */
  root: join(cache, 'root'),
  /** An empty folder. Its stamp says that the packages were installed on the host. */
  host: join(cache, 'host'),
  node: join(cache, 'node'),
  modules: join(cache, 'modules'),
  /** A copy of NVIDIA's Vulkan driver of this machine. */
  driver: join(cache, 'driver'),
  external: join(cache, 'external'),
  bridge: join(cache, 'bridge'),
  runs: join(cache, 'runs'),
  runtime: join(cache, 'runtime'),
};

/** Returns a short hash of the arguments: of a file's content, of all files in a folder, of any other string itself. */
export function keyOf(/** @type {string[]} */ ...parts) {
  const hash = createHash('sha256');
  for (const part of parts) {
    if (!part.startsWith('/') || !existsSync(part)) {
      hash.update(part);
    } else if (statSync(part).isDirectory()) {
      for (const name of readdirSync(part).sort()) hash.update(keyOf(name, join(part, name)));
    } else {
      hash.update(readFileSync(part));
    }
    hash.update('\0');
  }
  return hash.digest('hex').slice(0, 16);
}

/** Returns the folder that NODE_DIRECTML_D3D_DLLS names, with its DLLs, which replace Wine's; undefined if it is not set. */
export function direct3dFolder() {
  const folder = process.env['NODE_DIRECTML_D3D_DLLS'];
  if (!folder) return undefined;
  const path = resolve(folder);
  const dlls = existsSync(path) ? readdirSync(path).filter((name) => name.toLowerCase().endsWith('.dll')) : [];
  if (!dlls.some((name) => name.toLowerCase() === 'd3d12.dll')) {
    throw new Error(`NODE_DIRECTML_D3D_DLLS names ${path}, which holds no d3d12.dll`);
  }
  return { path, dlls };
}
