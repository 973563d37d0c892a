/** Saves tensors in a safetensors file. */
import { fromCaller } from '../api/call-site.js';
import { refuseInRecording } from '../api/recording/recorded-work.js';
import type { Tensor } from '../api/memory/tensor.js';
import { bitsOf } from '../tensors/data-types.js';
import { at, fieldError, list, shorten, type Place } from '../values/errors.js';
import { argumentError, argumentObject, readOptions } from '../values/arguments.js';
import { namesOf, readOwn } from '../values/input.js';
import { isPacked, spanInBytes, stridesOf } from '../tensors/tensor-size.js';
import { writeFile } from './file-writer.js';
import { readPath, readTensor, readWatch, watchNames, type FileOptions } from './options.js';
import { dtypeOf, metadataName } from './safetensors-header.js';

/** Options of {@link saveSafetensors}. */
export interface SaveSafetensorsOptions extends FileOptions {
  /** Texts about the tensors, by name, such as `{ format: 'pt' }`. */
  readonly metadata?: Readonly<Record<string, string>> | undefined;
}

const method = 'saveSafetensors';

/**
 * Saves tensors in a safetensors file, bit for bit. The data goes in parts from the device to the file. The file appears under
 * its name when it is complete, and replaces one that is there, whose permissions it takes over; links are followed. Do not
 * change the tensors before the promise resolves.
 *
 * @param tensors Packed tensors by name. Those of int4 and uint4 are saved as the bytes that they have on the device, as U8 with
 * half their last size, which must be even; the option `dataType` of {@link loadSafetensors} makes them what they were.
 * @throws {DirectMLError} (as a rejection) ERR_INVALID_FILE if the file cannot be written, or is no regular one; ERR_SIZES for a
 * tensor of int4 or uint4 whose last size is odd, ERR_STRIDES for one that is not packed; ERR_ABORTED, ERR_INVALID_ARGUMENT,
 * ERR_NOT_RECORDABLE, ERR_DISPOSED, ERR_DEVICE_LOST, ERR_OUT_OF_MEMORY; and whatever `onProgress` throws. If it rejects, it
 * leaves no file, and one that was there as it was.
 */
export function saveSafetensors(
  path: string,
  tensors: Readonly<Record<string, Tensor>>,
  options?: SaveSafetensorsOptions,
): Promise<void>;
export function saveSafetensors(path: unknown, tensors: unknown, options?: unknown): Promise<void> {
  refuseInRecording('saveSafetensors');
  return fromCaller(() => save(path, tensors, options));
}

/** A tensor in the file. `dtype` is the format's name of its data type. */
interface Entry {
  readonly name: string;
  readonly dtype: string;
  readonly shape: readonly number[];
  readonly tensor: Tensor;
}

async function save(givenPath: unknown, tensors: unknown, given: unknown): Promise<void> {
  const path = readPath(method, 'path', givenPath);
  const entries = readTensors(argumentObject(method, 'tensors', tensors));
  const options = readOptions(method, given, ['metadata', ...watchNames]);
  const metadata = readMetadata(options.get('metadata'));
  const watch = readWatch(method, options, 'no file is written');
  // Larger elements first, so that each tensor begins at a multiple of its element's size.
  entries.sort((a, b) => bitsOf(b.tensor.dataType) - bitsOf(a.tensor.dataType));
  await writeFile(
    method,
    path,
    headerOf(entries, metadata),
    entries.map(({ tensor }) => tensor),
    watch,
  );
}

function readTensors(tensors: object): Entry[] {
  return readEntries(tensors, 'tensors').map(([name, value, place]) => {
    if (name === metadataName) throw argumentError(method, 'tensors', 'other names', name);
    const tensor = readTensor(method, place.field, value);
    if (isPacked(tensor)) return { name, ...formOf(tensor, place), tensor };
    const why = 'elementWiseIdentity copies a tensor into another layout';
    throw fieldError('ERR_STRIDES', place, 'a packed tensor', list(stridesOf(tensor)), { why });
  });
}

/** The format has no data types of 4 bits, so it gets bytes. */
function formOf({ dataType, sizes }: Tensor, place: Place): Pick<Entry, 'dtype' | 'shape'> {
  const dtype = dtypeOf(dataType);
  if (dtype !== undefined) return { dtype, shape: sizes };
  const last = sizes.at(-1) ?? 0;
  if (last % 2 === 0) return { dtype: 'U8', shape: sizes.with(-1, last / 2) };
  throw fieldError('ERR_SIZES', place, `an even last size for ${dataType}, two elements in a byte`, list(sizes));
}

function readMetadata(given: unknown): Readonly<Record<string, string>> | undefined {
  if (given === undefined) return undefined;
  const texts = readEntries(argumentObject(method, 'options.metadata', given), 'options.metadata');
  return Object.fromEntries(
    texts.map(([name, text, { field }]) => {
      if (typeof text === 'string') return [name, text];
      throw argumentError(method, field, 'a string', text);
    }),
  );
}

/** The properties of an object with their places, each read once. */
function readEntries(object: object, field: string): [name: string, value: unknown, place: Place][] {
  const place = { operator: method, field };
  return namesOf(object, place, 'ERR_INVALID_ARGUMENT').map((name) => {
    // Readers refuse this name, and lone surrogates have no UTF-8.
    if (name === '__proto__' || /\p{Cs}/u.test(name)) throw argumentError(method, field, 'other names', name);
    return [name, readOwn(object, name, place, 'ERR_INVALID_ARGUMENT'), at(place, shorten(name))];
  });
}

function headerOf(entries: readonly Entry[], metadata: Readonly<Record<string, string>> | undefined): Uint8Array {
  let end = 0;
  const header: [string, unknown][] = entries.map(({ name, dtype, shape, tensor: { dataType, sizes, strides } }) => {
    const start = end;
    end += spanInBytes(dataType, sizes, strides);
    return [name, { dtype, shape, data_offsets: [start, end] }];
  });
  if (metadata !== undefined) header.unshift([metadataName, metadata]);
  const json = new TextEncoder().encode(JSON.stringify(Object.fromEntries(header)));
  const length = Math.ceil(json.length / 8) * 8;
  const bytes = new Uint8Array(8 + length).fill(0x20);
  new DataView(bytes.buffer).setBigUint64(0, BigInt(length), true);
  bytes.set(json, 8);
  return bytes;
}
