/**
 * Finds and loads the native addon: the one that the program names, else the one built in a checkout, else the packed prebuild.
 * Environment variables have no effect. If loading fails, the error lists the paths that were tried and says what to do.
 */
import { existsSync } from 'node:fs';
// Not `{ createRequire }`: webpack warns about each call of it with an unknown argument.
import Module from 'node:module';
import { dirname, join, normalize } from 'node:path';
import { DirectMLError, fieldError } from '../../values/errors.js';
import { isBundled, currentFile } from '../../values/current-file.js';
import { describeSearch, installedPackage, unpacked } from '../own-package.js';

export type NativeBinding = typeof import('../../../binding.js');

export interface Addon {
  readonly binding: NativeBinding;
  readonly path: string;
  /** The folder of the addon, and of the DirectML.dll beside it. */
  readonly directory: string;
}

const functions = [
  'listAdapters',
  'createDevice',
  'dispatch',
  'dispatchProfiled',
  'liveObjects',
  'orphanedDevices',
  'operatorTable',
] as const;
let loaded: Addon | undefined;

/**
 * Loads the addon in the first call; later calls return the same one.
 *
 * @param given the path that the program names
 * @param method the method whose option it is, for errors
 * @throws {DirectMLError} ERR_ADDON_NOT_FOUND; ERR_INVALID_ARGUMENT if another addon is loaded already
 */
export function loadAddon(given?: string, method = ''): Addon {
  if (loaded === undefined) return (loaded = load(given));
  if (given === undefined || isSamePath(given, loaded.path)) return loaded;
  const expected = `'${loaded.path}', which is loaded already`;
  throw fieldError('ERR_INVALID_ARGUMENT', { operator: method, field: 'options.addonPath' }, expected, `'${given}'`);
}

function load(given: string | undefined): Addon {
  if (process.platform !== 'win32') {
    throw notFound('DirectML is part of Windows', [
      `Use the reference backend, which is the default here: createDevice({ backend: 'reference' })`,
    ]);
  }
  const path = find(given === undefined ? candidates() : [normalize(given)]);
  let binding: unknown;
  try {
    // Not the `require` of this file, which an ES module lacks and bundlers replace.
    binding = Module.createRequire(path)(path);
  } catch (cause) {
    throw notFound(`"${path}" does not load: ${cause instanceof Error ? cause.message : String(cause)}`, remedies, cause);
  }
  if (!isBinding(binding)) throw notFound(`"${path}" is another addon, or one of another version`, remedies);
  return { binding, path, directory: dirname(path) };
}

function find(paths: readonly string[]): string {
  const found = paths.map(unpacked).find((path) => existsSync(path));
  if (found !== undefined) return found;
  throw notFound(`there is no addon for win32-${process.arch}: ${describeSearch(paths)}`, remedies);
}

/**
 * The paths to try. In the package, the addon has its own folder. For a bundle, it is in a folder `prebuilds` next to the
 * bundle, or in the package that the bundle could import.
 */
function candidates(): string[] {
  const file = currentFile();
  if (file === undefined) return [];
  const target = `win32-${process.arch}`;
  const own = dirname(dirname(file));
  const folders = isBundled ? [dirname(file), own, ...installedPackage(file)] : [own];
  const prebuilt = folders.map((folder) => join(folder, 'prebuilds', target, 'node-directml.node'));
  // Only a checkout has this file, and there it is newer than the prebuild.
  return isBundled ? [...new Set(prebuilt)] : [join(own, 'build', target, 'node_directml.node'), ...prebuilt];
}

/** On Windows, paths that differ only in case name the same file. */
function isSamePath(given: string, path: string): boolean {
  return unpacked(normalize(given)).toLowerCase() === path.toLowerCase();
}

const remedies = [
  'Install the package again on the machine that runs it: npm install node-directml',
  'In a bundle, mark node-directml as external. Or copy the folder prebuilds of the package beside the bundle. Or name the ' +
    'addon, which has DirectML.dll beside it, by its absolute path: createDevice({ addonPath })',
  'With Electron and asar, unpack it: asarUnpack "**/node_modules/node-directml/prebuilds/**"',
  'In a checkout, build it: npm run build',
];

function notFound(problem: string, advice: readonly string[], cause?: unknown): DirectMLError {
  const lines = [
    `The native addon of node-directml cannot be used on ${process.platform}-${process.arch}, ` +
      `Node.js ${process.version}: ${problem}.`,
    ...advice.map((line) => `- ${line}`),
  ];
  return new DirectMLError('ERR_ADDON_NOT_FOUND', lines.join('\n'), cause === undefined ? {} : { cause });
}

function isBinding(value: unknown): value is NativeBinding {
  if (typeof value !== 'object' || value === null) return false;
  return functions.every((name) => typeof Reflect.get(value, name) === 'function');
}
