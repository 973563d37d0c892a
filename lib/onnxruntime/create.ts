/** Reads the arguments of InferenceSession.create, and the model. */
import { fileURLToPath } from 'node:url';
import { types } from 'node:util';
import { typedArrayName } from '../values/typed-array-name.js';
import { readWhole } from '../files/file-reader.js';
import { parseModel } from '../onnx/load-onnx.js';
import { argumentError, argumentObject, byteCount } from '../values/arguments.js';
import { viewOf } from '../webnn/buffer-data.js';
import { settingsOf } from './options.js';
import { Session } from './session.js';

const method = 'InferenceSession.create';

/** `rest` is the options; for bytes, with their offset and length before. */
export async function create(source: unknown, ...rest: readonly unknown[]): Promise<Session> {
  const [byteOffset, byteLength] = rest.filter((argument) => typeof argument === 'number');
  const options: unknown = rest.find((argument) => typeof argument !== 'number' && argument !== undefined) ?? {};
  const settings = settingsOf(argumentObject(method, 'options', options));
  const isFile = typeof source === 'string' || source instanceof URL;
  const model = isFile ? pathOf(source) : bytesOf(source, byteOffset, byteLength);
  const { externalData } = settings.rest;
  const given = externalData === undefined ? null : await readGiven(externalData);
  return Session.open(await parseModel(method, { model, externalData: given }), settings);
}

/** The option `externalData`: the bytes of files by their names in the model. */
async function readGiven(given: unknown): Promise<ReadonlyMap<string, Uint8Array>> {
  if (!Array.isArray(given)) throw argumentError(method, 'options.externalData', 'an array of files', given);
  const files = new Map<string, Uint8Array>();
  for (const [i, file] of given.entries()) {
    const place = `options.externalData[${i}]`;
    const { path, data }: { path?: unknown; data?: unknown } =
      typeof file === 'string' ? { path: file, data: file } : argumentObject(method, place, file);
    if (typeof path !== 'string') throw argumentError(method, `${place}.path`, 'the name of a file in the model', path);
    if (typeof data === 'string') files.set(path, await readWhole(method, data));
    else if (data instanceof Uint8Array) files.set(path, data);
    else throw argumentError(method, `${place}.data`, 'a Uint8Array or a path', data);
  }
  return files;
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

function pathOf(source: string | URL): string {
  if (typeof source === 'string' && !/^file:/i.test(source)) return source;
  const url = new URL(source);
  if (url.protocol !== 'file:') throw argumentError(method, 'model', 'a URL of a file', url.href);
  return fileURLToPath(url);
}
