/** Reads the arguments of InferenceSession.create, and the model. */
import { readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { types } from 'node:util';
import { typedArrayName } from '../data-types/typed-array-name.js';
import { fromSystem } from '../files/file-reader.js';
import { argumentError, argumentObject, byteCount } from '../validation/arguments.js';
import { viewOf } from '../webnn/buffer-data.js';
import type { ExternalData } from './graph.js';
import { readModel, type Model } from './model.js';
import { settingsOf } from './options.js';
import { Session } from './session.js';

const method = 'InferenceSession.create';

/** `rest` is the options; for bytes, with their offset and length before. */
export async function create(source: unknown, ...rest: readonly unknown[]): Promise<Session> {
  const [byteOffset, byteLength] = numbersOf(rest);
  const options: unknown = rest.find((argument) => typeof argument !== 'number' && argument !== undefined) ?? {};
  const settings = settingsOf(argumentObject(method, 'options', options));
  if (typeof source !== 'string' && !(source instanceof URL)) {
    const model = readModel(bytesOf(source, byteOffset, byteLength), 'model');
    return Session.open(model, settings.rest.externalData ?? [], settings);
  }
  const path = pathOf(source);
  const model = readModel(await read(path), path);
  return Session.open(model, settings.rest.externalData ?? (await weightsOf(model, path)), settings);
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

/** The files with weights beside the model. */
async function weightsOf({ files }: Model, path: string): Promise<ExternalData> {
  const weights: { readonly path: string; readonly data: Uint8Array }[] = [];
  for (const file of files) weights.push({ path: file, data: await read(join(dirname(path), file)) });
  return weights;
}

function read(path: string): Promise<Uint8Array> {
  return fromSystem({ operator: method, field: path }, 'a file that can be read', () => readFile(path));
}
