/** Loads ONNX models. */
import type { Device } from '../api/device.js';
import type { DeviceContext } from '../api/device-context.js';
import { fromCaller } from '../api/call-site.js';
import { optimizeOf, type GraphOptions } from '../api/graphs/graph-options.js';
import { refuseInRecording } from '../api/recording/recorded-work.js';
import { fieldError, type Place } from '../values/errors.js';
import { FileReader } from '../files/file-reader.js';
import { contextFor, readPath } from '../files/options.js';
import { argumentError, readOptions } from '../values/arguments.js';
import { folded } from './folded.js';
import { LoadedModel, modelFunction, valuesOf, type ModelSettings } from './model.js';
import { readWithoutWeights } from './model-file.js';
import { readModel, type ModelProto } from './proto.js';
import type { OnnxModel, Sums } from './types.js';
import { loadWeights, readWeightFiles } from './weights.js';

const method = 'loadOnnx';

/** Options of {@link loadOnnx}. */
export interface OnnxOptions {
  /**
   * The data type in which normalizations and softmax of float16 are computed. `'float32'` (the default) casts for them, as
   * onnxruntime's CPU provider does. `'float16'` needs no casts, but DirectML then limits sums and variances to 65,504.
   */
  readonly sums?: Sums | undefined;
  /** How graphs are improved before they are compiled. Default: `'fast'`, as onnxruntime does. */
  readonly optimize?: GraphOptions['optimize'];
}

/**
 * Loads an ONNX model of opset 7 or later. Large weights go in parts from the file to the device, so that they are never in the
 * memory of JavaScript as a whole.
 *
 * @param source The path of a file, which may name files of weights beside it; or the bytes of a model, which must stay as they are
 * until the promise settles.
 * @throws {DirectMLError} (as a rejection) ERR_INVALID_FILE if the file cannot be read, or is no model; ERR_INVALID_ARGUMENT,
 * ERR_NOT_RECORDABLE, ERR_DISPOSED, ERR_DEVICE_LOST, ERR_OUT_OF_MEMORY.
 */
export function loadOnnx<Names extends string = string>(
  device: Device,
  source: string | Uint8Array,
  options?: OnnxOptions,
): Promise<OnnxModel<Names>> {
  refuseInRecording(method);
  return fromCaller(() => load(device, source, options));
}

async function load<Names extends string>(device: unknown, source: unknown, options: unknown): Promise<OnnxModel<Names>> {
  const context = contextFor(method, device);
  const read = readOptions(method, options, ['sums', 'optimize']);
  const sums = sumsOf(method, read.get('sums'));
  const optimize = optimizeOf(method, read.get('optimize'));
  if (typeof source !== 'string' && !(source instanceof Uint8Array))
    throw argumentError(method, 'source', 'a path or bytes', source);
  const model = typeof source === 'string' ? readPath(method, 'source', source) : source;
  return modelFunction(
    context,
    await loadModel(context, await parseModel(method, { model, externalData: null }), { sums, optimize }),
  );
}

/** @internal @throws {DirectMLError} ERR_INVALID_ARGUMENT for what is no value of the option. */
export function sumsOf(operator: string, value: unknown): Sums | undefined {
  if (value === undefined || value === 'float32' || value === 'float16') return value;
  throw argumentError(operator, 'options.sums', "'float32' or 'float16'", value);
}

/** @internal A model, and where its weights are that are in other files. */
interface ModelSource {
  /** A path, or bytes. */
  readonly model: string | Uint8Array;
  /** The contents of these files by their names in the model; null if they are beside its own file. */
  readonly externalData: ReadonlyMap<string, Uint8Array> | null;
}

/** @internal A model whose weights are not loaded yet. */
export interface ParsedModel extends Pick<LoadedModel, 'inputs' | 'outputs'> {
  readonly source: ModelSource;
  /** The method, and the path or argument. */
  readonly place: Place;
  readonly proto: ModelProto;
}

/** @internal @throws {DirectMLError} (as a rejection) ERR_INVALID_FILE. */
export async function parseModel(method: string, source: ModelSource): Promise<ParsedModel> {
  const { model } = source;
  const place = { operator: method, field: typeof model === 'string' ? model : 'model' };
  try {
    const bytes = typeof model === 'string' ? await withFile(method, model, readWithoutWeights) : model;
    const proto = readModel(bytes);
    return { source, place, proto, ...valuesOf(proto) };
  } catch (cause) {
    if (!(cause instanceof RangeError)) throw cause;
    throw fieldError('ERR_INVALID_FILE', place, 'an ONNX model', 'other bytes', { cause, why: cause.message });
  }
}

/** @internal */
export async function loadModel(
  context: DeviceContext,
  { source, place, proto: written }: ParsedModel,
  settings: ModelSettings = {},
): Promise<LoadedModel> {
  const { model, externalData } = source;
  const proto = (settings.optimize ?? 'fast') === 'fast' ? folded(written, place) : written;
  const load = (file: FileReader | null) => loadWeights(context, proto, place, file, externalData);
  const weights = typeof model === 'string' ? await withFile(place.operator, model, load) : await load(null);
  return new LoadedModel(context, proto, weights, settings);
}

/** @internal The files of weights that the model names, whole. @throws {DirectMLError} (as a rejection) ERR_INVALID_FILE. */
export function readFiles({ source, place, proto }: ParsedModel): ReturnType<typeof readWeightFiles> {
  return readWeightFiles(proto, place, typeof source.model === 'string', source.externalData);
}

async function withFile<T>(method: string, path: string, work: (file: FileReader) => Promise<T>): Promise<T> {
  const file = await FileReader.open(method, path);
  try {
    return await work(file);
  } finally {
    await file.close();
  }
}
