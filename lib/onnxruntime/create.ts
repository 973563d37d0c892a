/** Reads the arguments of InferenceSession.create, and the model. */
import { fileURLToPath } from 'node:url';
import { types } from 'node:util';
import { typedArrayName } from '../data-types/typed-array-name.js';
import { argumentError, argumentObject, byteCount } from '../validation/arguments.js';
import { viewOf } from '../webnn/buffer-data.js';
import { readGivenWeights, readModelFile, readWeights } from './model-files.js';
import { readModel } from './model.js';
import { settingsOf } from './options.js';
import { Session } from './session.js';

const method = 'InferenceSession.create';

/** `rest` is the options; for bytes, with their offset and length before. */
export async function create(source: unknown, ...rest: readonly unknown[]): Promise<Session> {
  const [byteOffset, byteLength] = numbersOf(rest);
  const options: unknown = rest.find((argument) => typeof argument !== 'number' && argument !== undefined) ?? {};
  const settings = settingsOf(argumentObject(method, 'options', options));
  const given = settings.rest.externalData;
  if (typeof source !== 'string' && !(source instanceof URL)) {
    const model = readModel(bytesOf(source, byteOffset, byteLength), 'model');
    return Session.open(model, await readGivenWeights(method, given ?? []), settings);
  }
  const path = pathOf(source);
  const model = readModel(await readModelFile(method, path), path);
  const weights = given === undefined ? readWeights(method, model, path) : readGivenWeights(method, given);
  return Session.open(model, await weights, settings);
}

/** A copy, because the session makes graphs from it as long as it lives. */
function bytesOf(source: unknown, byteOffset = 0, byteLength?: number): Uint8Array {
  if (ArrayBuffer.isView(source) && typedArrayName(source) === 'Uint8Array') return new Uint8Array(viewOf(source));
  if (!types.isAnyArrayBuffer(source))
    throw argumentError(method, 'model', 'a path, a URL of a file, a Uint8Array or an ArrayBuffer', source);
  const rest = source.byteLength - byteCount(method, 'byteOffset', byteOffset);
  if (rest < 0) throw argumentError(method, 'byteOffset', `at most ${source.byteLength}`, byteOffset);
  const length = byteCount(method, 'byteLength', byteLength ?? rest);
  if (length > rest) throw argumentError(method, 'byteLength', `at most ${rest}`, length);
  return new Uint8Array(new Uint8Array(source, byteOffset, length));
}

function numbersOf(values: readonly unknown[]): readonly number[] {
  return values.filter((value) => typeof value === 'number');
}

function pathOf(source: string | URL): string {
  const isUrl = source instanceof URL || /^file:/i.test(source);
  const url = isUrl ? new URL(source) : undefined;
  if (url !== undefined && url.protocol !== 'file:') throw argumentError(method, 'model', 'a URL of a file', url.href);
  return url === undefined ? String(source) : fileURLToPath(url);
}
