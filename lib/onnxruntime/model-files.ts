/** Reads the files of a model: its own, and those with its weights. */
import { NamedFiles } from '../files/named-files.js';
import { readWhole, tensorPlace, type FilePath } from '../files/file-reader.js';
import { argumentError, argumentObject } from '../validation/arguments.js';
import type { ExternalData } from './graph.js';
import type { Model } from './model.js';

/** The most bytes of a message of protocol buffers. */
const mostBytes = 2 ** 31 - 1;

/** @throws {DirectMLError} (as a rejection) ERR_INVALID_FILE, ERR_OUT_OF_MEMORY. */
export function readModelFile(method: string, path: string): Promise<Uint8Array> {
  return readWhole(method, path, mostBytes);
}

/**
 * The files with weights that the model names. They lie in the folder of the model.
 *
 * @throws {DirectMLError} (as a rejection) ERR_INVALID_FILE, ERR_OUT_OF_MEMORY.
 */
export async function readWeights(method: string, { files }: Model, path: string): Promise<ExternalData> {
  if (files.size === 0) return [];
  const place = { operator: method, field: path };
  const named = await NamedFiles.by(place, 'the model');
  /** By path with links resolved: the same file may have many names. */
  const read = new Map<string, Uint8Array>();
  const bytesOf = async (file: FilePath) => {
    const bytes = read.get(file.real) ?? (await readWhole(method, file));
    read.set(file.real, bytes);
    return bytes;
  };
  const weights: { readonly path: string; readonly data: Uint8Array }[] = [];
  for (const [name, tensor] of files) {
    weights.push({ path: name, data: await bytesOf(await named.find(name, tensorPlace(place, tensor))) });
  }
  return weights;
}

/**
 * The option `externalData`, with the bytes of files in the place of their paths. onnxruntime-web would read these again for each
 * graph.
 *
 * @throws {DirectMLError} (as a rejection) ERR_INVALID_ARGUMENT, ERR_INVALID_FILE, ERR_OUT_OF_MEMORY.
 */
export async function readGivenWeights(method: string, given: ExternalData): Promise<ExternalData> {
  const value: unknown = given;
  if (!Array.isArray(value)) throw argumentError(method, 'options.externalData', 'an array of files', value);
  const weights: ExternalData[number][] = [];
  for (const [i, file] of given.entries()) {
    if (typeof file !== 'string') argumentObject(method, `options.externalData[${i}]`, file);
    const { path, data } = typeof file === 'string' ? { path: file, data: file } : file;
    weights.push({ path, data: typeof data === 'string' ? await readWhole(method, data) : data });
  }
  return weights;
}
