/**
 * Finds and loads the native addon: the one that a checkout has built, else the packed prebuild. No environment variable changes
 * that. If loading fails, the error says what was looked for, where, and what to do.
 */
import { existsSync } from 'node:fs';
import { dirname, join, sep } from 'node:path';
import { DirectMLError } from '../../errors.js';

export type NativeBinding = typeof import('../../../binding.js');

export interface Addon {
  readonly binding: NativeBinding;
  readonly path: string;
  /** The folder of the addon, and of the DirectML.dll beside it. */
  readonly directory: string;
}

const packageDirectory = join(__dirname, '..', '..', '..');
const functions = ['listAdapters', 'createDevice', 'liveObjects', 'orphanedDevices', 'operatorTable'] as const;
let loaded: Addon | undefined;

/** @throws {DirectMLError} ERR_ADDON_NOT_FOUND */
export function loadAddon(): Addon {
  loaded ??= load();
  return loaded;
}

function load(): Addon {
  if (process.platform !== 'win32') {
    throw notFound('DirectML is part of Windows', [
      `Use the reference backend, which is the default here: createDevice({ backend: 'reference' })`,
    ]);
  }
  const path = unpacked(addonPath());
  let binding: unknown;
  try {
    // eslint-disable-next-line @typescript-eslint/no-require-imports -- only require loads an addon synchronously by its path
    binding = require(path);
  } catch (cause) {
    throw notFound(`"${path}" does not load: ${cause instanceof Error ? cause.message : String(cause)}`, remedies, cause);
  }
  if (!isBinding(binding)) throw notFound(`"${path}" is another addon, or one of another version`, remedies);
  return { binding, path, directory: dirname(path) };
}

function addonPath(): string {
  // Only a checkout has this file, and there it is newer than the prebuild.
  const built = join(packageDirectory, 'build', `win32-${process.arch}`, 'node_directml.node');
  if (existsSync(built)) return built;
  const prebuilt = join(packageDirectory, 'prebuilds', `win32-${process.arch}`, 'node-directml.node');
  if (existsSync(prebuilt)) return prebuilt;
  throw notFound(`there is no addon for win32-${process.arch} at "${prebuilt}" or "${built}"`, remedies);
}

/**
 * Electron packs files into app.asar, but Windows can only load a DLL that is a real file. asar's `unpack` option puts such files
 * into app.asar.unpacked.
 */
function unpacked(path: string): string {
  const outside = path.replace(`app.asar${sep}`, `app.asar.unpacked${sep}`);
  return existsSync(outside) ? outside : path;
}

const remedies = [
  'Install the package again on the machine that runs it: npm install node-directml',
  'Do not leave out its files when bundling: mark node-directml as external',
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
