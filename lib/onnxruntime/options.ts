/** The options of sessions, and what they mean. */
import type { InferenceSession } from 'onnxruntime-common';
import type { DeviceOptions } from '../api/create-device.js';
import type { Device } from '../api/device.js';
import type { Optimize } from '../graph/optimize.js';
import { sumsOf, type OnnxOptions } from '../onnx/load-onnx.js';
import { powerPreferences } from '../backends/device-info.js';
import { argumentError, booleanOption, byteCount } from '../values/arguments.js';
import type { MLContext } from '../webnn/index.js';

/** The options of this package. They stand beside those of onnxruntime-common. */
export interface OwnOptions {
  /** The backend of `createDevice`, or `'wasm'`: onnxruntime-web's CPU provider. Default: as in `createDevice`. */
  readonly backend?: DeviceOptions['backend'] | 'wasm';
  /** An element of `listAdapters()`, its index there, its `luid` or its `name`. Default: as in `createDevice`. */
  readonly adapter?: DeviceOptions['adapter'] | number;
  /** As in `createDevice`. Default: without `adapter`, the one of the first execution provider, if it has one. */
  readonly powerPreference?: DeviceOptions['powerPreference'];
  /** As in `createDevice`. */
  readonly gpuTimeout?: DeviceOptions['gpuTimeout'];
  /** As in `createDevice`. Sessions with the same options share a device, and so the limit. */
  readonly memoryLimit?: DeviceOptions['memoryLimit'];
  /** A device of yours, instead of one by the options before. The session does not dispose of it. */
  readonly device?: Device | undefined;
  /** An MLContext of yours, whose device computes. The session does not destroy it. */
  readonly context?: MLContext | undefined;
  /** What computes if the computer has no adapter for DirectML. Default: nothing, so that `create` fails with ERR_NO_ADAPTER. */
  readonly noAdapter?: 'reference' | 'wasm' | undefined;
  /**
   * What happens if nodes of the model cannot run on DirectML. If JavaScript can compute them between two graphs, it does:
   * `'warn'` (the default) warns once for each session, `'allow'` does not, and `'error'` makes `create` or `run` fail with
   * ERR_CPU_FALLBACK. If nothing here can, they fail with ERR_INVALID_FILE; but with `'wasm'`, onnxruntime-web then computes the
   * whole model, with a warning.
   */
  readonly fallback?: 'warn' | 'allow' | 'error' | 'wasm' | undefined;
  /** The most sets of input sizes that a session keeps graphs for; the least recently used goes first. Default: 8. */
  readonly maxGraphs?: number | undefined;
  /**
   * The data type in which normalizations and softmax of float16 are computed: see `OnnxOptions` of `node-directml/onnx`. Default:
   * `'float32'`.
   */
  readonly sums?: OnnxOptions['sums'];
  /** Sizes of the dynamic dimensions by name. `create` makes graphs for each set, so that the first `run` need not. */
  readonly sizes?: readonly Readonly<Record<string, number>>[] | undefined;
}

export interface SessionOptions extends InferenceSession.SessionOptions, OwnOptions {}

export interface Settings extends OwnOptions {
  readonly fallback: 'warn' | 'allow' | 'error' | 'wasm';
  readonly maxGraphs: number;
  readonly optimize: Optimize;
  readonly sizes: readonly Readonly<Record<string, number>>[];
  /** The other options, for onnxruntime-web. */
  readonly rest: InferenceSession.SessionOptions;
}

/** The values of options that are words. */
const words = {
  backend: ['directml', 'reference', 'wasm'],
  powerPreference: powerPreferences,
  noAdapter: ['reference', 'wasm'],
  fallback: ['warn', 'allow', 'error', 'wasm'],
} as const;

/** @throws {DirectMLError} ERR_INVALID_ARGUMENT. */
export function settingsOf(options: SessionOptions): Settings {
  for (const name of ['backend', 'powerPreference', 'noAdapter', 'fallback'] as const) {
    const allowed: readonly unknown[] = [undefined, ...words[name]];
    if (!allowed.includes(options[name])) throw wrong(name, words[name].map((word) => `'${word}'`).join(' or '), options[name]);
  }
  const { backend, adapter, device, context, noAdapter, fallback = 'warn', maxGraphs = 8, sums, sizes = [], ...others } = options;
  const { powerPreference, gpuTimeout, memoryLimit, ...rest } = others;
  if (gpuTimeout !== undefined) booleanOption('InferenceSession.create', 'gpuTimeout', gpuTimeout);
  if (memoryLimit !== undefined) byteCount('InferenceSession.create', 'options.memoryLimit', memoryLimit, 1);
  if (!Number.isSafeInteger(maxGraphs) || maxGraphs < 1) throw wrong('maxGraphs', 'a whole number from 1 on', maxGraphs);
  if (!Array.isArray(sizes)) throw wrong('sizes', 'an array of objects', sizes);
  const optimize = optimizeOf(rest.graphOptimizationLevel);
  const read = { fallback, maxGraphs, sums: sumsOf('InferenceSession.create', sums), optimize, sizes };
  const first = rest.executionProviders?.[0];
  const provider = typeof first === 'object' ? first.name : first;
  const isOnCpu = backend === undefined && (provider === 'cpu' || provider === 'wasm');
  const chosen = { adapter, powerPreference: powerPreference ?? preferenceOf(first, adapter), gpuTimeout, memoryLimit };
  return { backend: isOnCpu ? 'wasm' : backend, ...chosen, device, context, noAdapter, ...read, rest };
}

/** That of an execution provider such as `{ name: 'webnn', powerPreference: 'low-power' }`. */
function preferenceOf(provider: unknown, adapter: OwnOptions['adapter']): OwnOptions['powerPreference'] {
  if (adapter !== undefined || typeof provider !== 'object' || provider === null) return undefined;
  const given: unknown = Reflect.get(provider, 'powerPreference');
  return powerPreferences.find((name) => name === given);
}

/** The level of onnxruntime-common as the option `optimize` of `loadOnnx`. */
function optimizeOf(level: InferenceSession.SessionOptions['graphOptimizationLevel']): Optimize {
  return level === 'disabled' ? false : level === 'basic' ? 'exact' : 'fast';
}

function wrong(name: string, expected: string, given: unknown): Error {
  return argumentError('InferenceSession.create', `options.${name}`, expected, given);
}
