/** Loads ONNX models. */
import type { Device } from '../api/device.js';
import { fromCaller } from '../api/call-site.js';
import { refuseInRecording } from '../api/recording/recorded-work.js';
import { fieldError, type Place } from '../errors.js';
import { FileReader } from '../files/file-reader.js';
import { contextFor, readPath } from '../files/options.js';
import { argumentError } from '../validation/arguments.js';
import { modelFunction, type OnnxModel } from './model.js';
import { readWithoutWeights } from './model-file.js';
import { readModel, type ModelProto } from './proto.js';
import { loadWeights } from './weights.js';

const method = 'loadOnnx';

/**
 * Loads an ONNX model of opset 7 or later. Large weights go in parts from the file to the device, so that they are never in the
 * memory of JavaScript as a whole.
 *
 * @param source The path of a file, which may name files of weights beside it; or the bytes of a model, which must stay as they are
 * until the promise settles.
 * @throws {DirectMLError} (as a rejection) ERR_INVALID_FILE if the file cannot be read, or is no model; ERR_INVALID_ARGUMENT,
 * ERR_NOT_RECORDABLE, ERR_DISPOSED, ERR_DEVICE_LOST, ERR_OUT_OF_MEMORY.
 */
export function loadOnnx<Names extends string = string>(device: Device, source: string | Uint8Array): Promise<OnnxModel<Names>> {
  refuseInRecording(method);
  return fromCaller(() => load(device, source));
}

async function load<Names extends string>(device: unknown, source: unknown): Promise<OnnxModel<Names>> {
  const context = contextFor(method, device);
  if (source instanceof Uint8Array) {
    const place = { operator: method, field: 'source' };
    const model = await parsed(place, () => source);
    return modelFunction(context, model, await loadWeights(context, model, place, null));
  }
  if (typeof source !== 'string') throw argumentError(method, 'source', 'a path or bytes', source);
  const file = await FileReader.open(method, readPath(method, 'source', source));
  try {
    const model = await parsed(file.place, () => readWithoutWeights(file));
    return modelFunction(context, model, await loadWeights(context, model, file.place, file));
  } finally {
    await file.close();
  }
}

async function parsed(place: Place, read: () => Uint8Array | Promise<Uint8Array>): Promise<ModelProto> {
  try {
    return readModel(await read());
  } catch (cause) {
    if (!(cause instanceof RangeError)) throw cause;
    throw fieldError('ERR_INVALID_FILE', place, 'an ONNX model', 'other bytes', { cause, why: cause.message });
  }
}
