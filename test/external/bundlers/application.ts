/** An application with the package installed, in a temporary folder. */
import { execFile } from 'node:child_process';
import { copyFileSync, cpSync, mkdirSync, mkdtempSync, realpathSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect } from 'vitest';

export const onWindows = process.platform === 'win32';
const checkout = fileURLToPath(new URL('../../..', import.meta.url));
const target = `win32-${process.arch}`;

export interface Application {
  /** The temporary folder, which the test deletes. */
  readonly folder: string;
  /** The application's folder inside it. */
  readonly app: string;
  /** The program that is bundled. */
  readonly entry: string;
  /** The addon in the installed package. */
  readonly installedAddon: string;
}

export function makeApplication(): Application {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'node-directml-bundlers-')));
  const app = join(folder, 'app');
  const installed = join(app, 'node_modules', 'node-directml');
  const filter = (path: string) => !path.endsWith('.map');
  cpSync(join(checkout, 'dist'), join(installed, 'dist'), { recursive: true, filter });
  copyFileSync(join(checkout, 'package.json'), join(installed, 'package.json'));
  const entry = join(app, 'program.mjs');
  copyFileSync(join(import.meta.dirname, 'program.mjs'), entry);
  return { folder, app, entry, installedAddon: putAddon(join(installed, 'prebuilds')) };
}

/** Copies the addon that the checkout has built, with its DirectML.dll, into a folder like `prebuilds`. Returns its path. */
export function putAddon(prebuilds: string): string {
  const from = join(checkout, 'build', target);
  const path = join(prebuilds, target, 'node-directml.node');
  if (!onWindows) return path;
  mkdirSync(join(prebuilds, target), { recursive: true });
  copyFileSync(join(from, 'node_directml.node'), path);
  copyFileSync(join(from, 'DirectML.dll'), join(prebuilds, target, 'DirectML.dll'));
  return path;
}

/** The file for the reference backend's threads, as the package has it. */
const workerFile = 'node-directml-worker.cjs';

/** Copies the file for the reference backend's threads into a folder. */
export function putWorker(to: string): void {
  mkdirSync(to, { recursive: true });
  copyFileSync(join(checkout, 'dist', 'module', workerFile), join(to, workerFile));
}

export interface Result {
  readonly misspelt: { readonly stack: string };
}

/** Runs a bundle of the program. */
export async function run(bundle: string, ...args: readonly string[]): Promise<Result> {
  const backend = onWindows ? 'directml' : 'reference';
  const { stdout } = await promisify(execFile)(process.execPath, [bundle, backend, ...args]);
  const result: Result = JSON.parse(stdout);
  return result;
}

/** The result of a program that finds the addon at `path` and the file for the reference backend's threads. */
export function expected(path: string): object {
  return {
    atImport: [],
    unnamed: null,
    operator: '1,11,3,10,9,6,7,12',
    graph: '2,2,30,50',
    webnn: '1,1,5',
    inThread: '-1,-2',
    misspelt: expect.objectContaining({ code: 'ERR_INVALID_ARGUMENT' }),
    directmlPath: onWindows ? join(path, '..', 'DirectML.dll') : null,
    addons: onWindows ? [path] : [],
    inWorker: null,
  };
}
