/** Opens devices, and chooses the backend by the options. */
import { isAbsolute } from 'node:path';
import { argumentError, booleanOption, byteCount, readOptions } from '../values/arguments.js';
import type { Backend } from '../backends/backend.js';
import { createDirectMLBackend, listDirectMLAdapters } from '../backends/directml/index.js';
import { createReferenceBackend } from '../backends/reference/index.js';
import { createWorkerBackend } from '../backends/reference/worker/backend.js';
import { findWorker, needWorker } from '../backends/reference/worker/locate.js';
import { DeviceContext } from './device-context.js';
import { fromCaller } from './call-site.js';
import { powerPreferences, type AdapterInfo, type PowerPreference } from '../backends/device-info.js';
import { Device } from './device.js';
import { fieldError } from '../values/errors.js';
import { requireExternal } from './sharing/handles.js';
import { didYouMean } from '../values/near-names.js';
import { featureLevels, isFeatureLevel, reaches } from '../descriptors/feature-level.js';
import type { FeatureLevel } from '../tensors/generated/enums.js';
import { readOwn } from '../values/input.js';

/** Options of {@link createDevice}. */
export interface DeviceOptions {
  /**
   * `'directml'` (the default on Windows) or `'reference'` (the default elsewhere): the same operators in TypeScript on
   * the CPU. If the backend cannot be opened, `createDevice` rejects; it never falls back to the other one.
   */
  readonly backend?: 'directml' | 'reference' | undefined;
  /**
   * An element of {@link listAdapters}, or its `luid`. Default: the first hardware adapter, which is the fastest according to
   * Windows; if there is none, the first software adapter.
   */
  readonly adapter?: AdapterInfo | string | undefined;
  /**
   * By which of Windows' orders the adapter is chosen: `'high-performance'` (the default), or `'low-power'`, on most laptops the
   * integrated GPU, whose memory is the system's. Not together with `adapter` or `external`. The reference backend, which has no
   * adapter, ignores it. See docs/guides/device.md.
   */
  readonly powerPreference?: PowerPreference | undefined;
  /**
   * `false` makes a queue without Windows' time limit, which resets the GPU if one piece of its work takes longer than about two
   * seconds. Use it for long graphs on slow GPUs: until such work ends, the GPU may draw nothing else. Default: `true`.
   */
  readonly gpuTimeout?: boolean | undefined;
  /**
   * The most bytes of memory that the device may have for buffers, compiled operators and scratch memory together, at least 1. If
   * an allocation goes beyond it, the device first frees what it keeps for later work and what is garbage; if that is not enough,
   * the allocation fails with ERR_OUT_OF_MEMORY. The reference backend counts buffers alone and frees nothing. Default: no limit.
   */
  readonly memoryLimit?: number | undefined;
  /**
   * An ID3D12Device of another native addon, or one of its direct or compute queues, to use instead of new ones: an external that
   * node_directml_wrap_com_object of include/node_directml.h makes. Not together with `adapter` or `debug`. Only for the DirectML
   * backend; see docs/guides/zero-copies.md.
   */
  readonly external?: unknown;
  /**
   * The feature level for which descriptors are validated. Choose a low one to make sure that your program also runs on older
   * systems. Default: the highest that the device supports.
   */
  readonly featureLevel?: FeatureLevel | undefined;
  /** Turns on the debug layers of Direct3D 12 and DirectML (the "Graphics Tools" of Windows). Errors contain their messages. */
  readonly debug?: boolean | undefined;
  /** The DirectML.dll to load: an absolute path with a drive or share. Default: the DLL beside the native addon. */
  readonly directmlPath?: string | undefined;
  /**
   * The native addon to load: the absolute path of a node-directml.node of the same version as this code. Use it in bundles
   * that contain this package; see docs/guides/bundlers.md. Default: the addon in this package. A thread can load only one
   * addon. The reference backend needs none.
   */
  readonly addonPath?: string | undefined;
  /**
   * Where the reference backend computes. `'worker'`: in its own worker thread, so that it does not block the JavaScript
   * thread. `'caller'`: in the thread that calls `dispatch`, before `dispatch` returns. The results are the same. Default:
   * `'worker'`; but `'caller'` if the file for the thread is missing, as in bundles, or if the process may not start threads;
   * see docs/guides/device.md. The DirectML backend never computes on the JavaScript thread, and refuses this option.
   */
  readonly thread?: 'worker' | 'caller' | undefined;
}

/** Options of {@link listAdapters}. */
export interface ListAdaptersOptions {
  /** The native addon to load, like {@link DeviceOptions.addonPath}. */
  readonly addonPath?: string | undefined;
}

const names = [
  'backend',
  'adapter',
  'powerPreference',
  'gpuTimeout',
  'memoryLimit',
  'external',
  'featureLevel',
  'debug',
  'directmlPath',
  'addonPath',
  'thread',
] as const;

/**
 * Opens a device.
 *
 * @throws {DirectMLError} (as a rejection) ERR_INVALID_ARGUMENT, ERR_FEATURE_LEVEL if the device does not support
 * `options.featureLevel`, ERR_ADDON_NOT_FOUND, ERR_NO_ADAPTER, ERR_NO_WORKER, ERR_DIRECTML_NOT_FOUND,
 * ERR_DIRECTML_NOT_A_DLL, ERR_DIRECTML_TOO_OLD, ERR_NATIVE_CALL.
 */
export async function createDevice(options?: DeviceOptions): Promise<Device> {
  return fromCaller(() => openDevice(options));
}

/**
 * Resolves with the adapters of this computer. The adapters of DXGI come first, by performance as rated by Windows, the fastest
 * first. Then come those that only DXCore lists, such as NPUs. The array is empty on systems other than Windows. The first call
 * loads the drivers, off the JavaScript thread.
 *
 * @throws {DirectMLError} (as a rejection) ERR_INVALID_ARGUMENT, ERR_ADDON_NOT_FOUND, ERR_NATIVE_CALL.
 */
export async function listAdapters(options?: ListAdaptersOptions): Promise<AdapterInfo[]> {
  return fromCaller(async () => {
    const addonPath = addonPathOf('listAdapters', readOptions('listAdapters', options, ['addonPath']).get('addonPath'));
    return process.platform === 'win32' ? listDirectMLAdapters(addonPath) : [];
  });
}

async function openDevice(options: unknown): Promise<Device> {
  const read = readOptions('createDevice', options, names);
  const level = read.get('featureLevel');
  if (level !== undefined && !isFeatureLevel(level)) {
    const expected = `one of ${featureLevels.join(', ')}`;
    const why = didYouMean(level, featureLevels);
    throw argumentError('createDevice', 'options.featureLevel', expected, level, 'ERR_INVALID_ARGUMENT', why);
  }
  const backend = await openBackend(read);
  const { featureLevel } = backend.info;
  if (level !== undefined && !reaches(featureLevel, level)) {
    backend.dispose();
    const expected = `at most ${featureLevel}, which the device has`;
    throw fieldError('ERR_FEATURE_LEVEL', { operator: 'createDevice', field: 'options.featureLevel' }, expected, level);
  }
  return new Device(new DeviceContext(backend, level ?? featureLevel));
}

async function openBackend(options: ReadonlyMap<(typeof names)[number], unknown>): Promise<Backend> {
  const backend = options.has('backend') ? options.get('backend') : process.platform === 'win32' ? 'directml' : 'reference';
  const adapter = options.get('adapter');
  const directmlPath = options.get('directmlPath');
  const debug = booleanOption('createDevice', 'debug', options.get('debug'));
  const external = options.get('external');
  if (external !== undefined) {
    requireExternal('createDevice', 'options.external', external);
    if (debug) throw argumentError('createDevice', 'options.debug', 'nothing with external, whose device exists already', debug);
    if (adapter !== undefined) throw argumentError('createDevice', 'options.adapter', 'nothing with external', adapter);
  }
  const powerPreference = preferenceOf(options.get('powerPreference'));
  if (powerPreference !== undefined && (external ?? adapter) !== undefined) {
    const expected = `nothing with ${external === undefined ? 'adapter' : 'external'}, which names the adapter`;
    throw argumentError('createDevice', 'options.powerPreference', expected, powerPreference);
  }
  const timeout = options.get('gpuTimeout');
  const gpuTimeout = timeout === undefined || booleanOption('createDevice', 'gpuTimeout', timeout);
  const limit = options.get('memoryLimit');
  const memoryLimit = limit === undefined ? null : byteCount('createDevice', 'options.memoryLimit', limit, 1);
  if (directmlPath !== undefined && !isDllPath(directmlPath)) {
    throw argumentError('createDevice', 'options.directmlPath', 'an absolute Windows path', directmlPath);
  }
  const addonPath = addonPathOf('createDevice', options.get('addonPath'));
  const thread = threadOf(options.get('thread'));
  if (backend === 'directml') {
    if (thread !== undefined) throw argumentError('createDevice', 'options.thread', 'nothing with the DirectML backend', thread);
    const luid = adapter === undefined ? {} : { luid: luidOf(adapter) };
    const given = external === undefined ? {} : { external };
    const preferred = powerPreference === undefined ? {} : { powerPreference };
    const path = directmlPath === undefined ? {} : { directmlPath };
    const most = memoryLimit === null ? {} : { memoryLimit };
    return createDirectMLBackend({ debug, gpuTimeout, ...most, ...preferred, ...luid, ...given, ...path }, addonPath);
  }
  if (backend !== 'reference') {
    const why = didYouMean(backend, ['directml', 'reference']);
    throw argumentError('createDevice', 'options.backend', `'directml' or 'reference'`, backend, 'ERR_INVALID_ARGUMENT', why);
  }
  for (const [name, value] of Object.entries({ adapter, external, directmlPath })) {
    if (value !== undefined) {
      throw argumentError('createDevice', `options.${name}`, 'nothing with the reference backend', value);
    }
  }
  return openReference(thread, memoryLimit);
}

function openReference(thread: DeviceOptions['thread'], memoryLimit: number | null): Backend {
  const path = thread === 'worker' ? needWorker() : thread === undefined ? findWorker() : null;
  return path === null ? createReferenceBackend(memoryLimit) : createWorkerBackend(path, memoryLimit);
}

function preferenceOf(preference: unknown): PowerPreference | undefined {
  const known = powerPreferences.find((name) => name === preference);
  if (preference === undefined || known !== undefined) return known;
  const why = didYouMean(preference, powerPreferences);
  const expected = powerPreferences.map((name) => `'${name}'`).join(' or ');
  throw argumentError('createDevice', 'options.powerPreference', expected, preference, 'ERR_INVALID_ARGUMENT', why);
}

function threadOf(thread: unknown): DeviceOptions['thread'] {
  if (thread === undefined || thread === 'worker' || thread === 'caller') return thread;
  const why = didYouMean(thread, ['worker', 'caller']);
  throw argumentError('createDevice', 'options.thread', `'worker' or 'caller'`, thread, 'ERR_INVALID_ARGUMENT', why);
}

/**
 * True for a path with a drive or share, which does not depend on a current directory, and without NUL, where Windows would cut
 * it.
 */
function isDllPath(path: unknown): path is string {
  return typeof path === 'string' && /^(?:[a-z]:[\\/]|[\\/]{2})/i.test(path) && !path.includes('\0');
}

/** Checked on other systems too, so that wrong paths are noticed there; these accept their own absolute paths. */
function addonPathOf(method: string, path: unknown): string | undefined {
  if (path === undefined) return undefined;
  const isFull = isDllPath(path) || (process.platform !== 'win32' && typeof path === 'string' && isAbsolute(path));
  // Node.js would run a file with another extension as JavaScript.
  if (isFull && path.endsWith('.node') && !path.includes('\0')) return path;
  throw argumentError(method, 'options.addonPath', 'the absolute path of a .node file', path);
}

function luidOf(adapter: unknown): string {
  const place = { operator: 'createDevice', field: 'options.adapter' };
  const isObject = typeof adapter === 'object' && adapter !== null;
  const luid = isObject ? readOwn(adapter, 'luid', place, 'ERR_INVALID_ARGUMENT') : adapter;
  if (typeof luid === 'string' && /^[0-9a-f]{8}-[0-9a-f]{8}$/i.test(luid)) return luid.toLowerCase();
  throw argumentError('createDevice', 'options.adapter', 'one of listAdapters() or its luid', adapter);
}
