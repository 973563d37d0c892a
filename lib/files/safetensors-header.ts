/** The header of a safetensors file: where each tensor is, and of which data type and sizes. */
import { describe, list, oneOf, shorten, type Place } from '../values/errors.js';
import type { DataType } from '../tensors/generated/enums.js';
import { productOf } from '../tensors/tensor-size.js';
import { invalidFile, tensorPlace, type FileReader } from './file-reader.js';
import { isJsonObject, maxJsonBytes, parseObject, property } from './json.js';
import { bytesPerElement, type FileDataType } from './part-converter.js';
import type { Turns } from './turns.js';

/** A tensor in a file. */
export interface FileTensor {
  readonly name: string;
  /** Undefined for a data type that the format does not have or this package does not support. */
  readonly fileDataType: FileDataType | undefined;
  /** As the file says. */
  readonly dtype: string;
  /** The sizes in the file: none for a single number, and a size may be 0. */
  readonly shape: readonly number[];
  /** The first byte in the file. */
  readonly start: number;
  readonly sizeInBytes: number;
}

/** Of checking one, in bytes of JSON that take as long to parse. */
const workPerTensor = 64;

/** The name of the header's property that is no tensor. */
export const metadataName = '__metadata__';

/** By data type in the file; a map, because every object has properties such as `constructor`. */
const fileDataTypes: ReadonlyMap<string, FileDataType> = new Map<string, FileDataType>([
  ['F64', 'float64'],
  ['F32', 'float32'],
  ['F16', 'float16'],
  ['BF16', 'bfloat16'],
  ['I64', 'int64'],
  ['I32', 'int32'],
  ['I16', 'int16'],
  ['I8', 'int8'],
  ['U64', 'uint64'],
  ['U32', 'uint32'],
  ['U16', 'uint16'],
  ['U8', 'uint8'],
  ['BOOL', 'uint8'],
]);

/** The data type's name in files. Undefined for int4 and uint4, which the format does not have: its F4 is a float. */
export function dtypeOf(dataType: DataType): string | undefined {
  for (const [dtype, other] of fileDataTypes) if (other === dataType) return dtype;
  return undefined;
}

export const supportedDtypes = oneOf([...fileDataTypes.keys()]);

/**
 * Reads the header and checks that the tensors in it cover the file. Allocates no more bytes at once than the file has.
 *
 * @returns The tensors, in the order of their bytes.
 * @throws {DirectMLError} ERR_INVALID_FILE with the file, the tensor, what was expected and what was given; ERR_ABORTED.
 */
export async function readHeader(file: FileReader, turns: Turns): Promise<readonly FileTensor[]> {
  const { sizeInBytes, place } = file;
  if (sizeInBytes < 8) throw invalidFile(place, 'at least 8 bytes', `${sizeInBytes}`);
  const prefix = new Uint8Array(8);
  await file.read(prefix, 0);
  const length = new DataView(prefix.buffer).getBigUint64(0, true);
  const most = Math.min(sizeInBytes - 8, maxJsonBytes);
  if (length > BigInt(most)) throw invalidFile(place, `a header of at most ${most} bytes`, `${length}`);
  const header = new Uint8Array(Number(length));
  await file.read(header, 8);
  if (header[0] !== 0x7b) throw invalidFile(place, 'a header that begins with {', 'something else');
  const object = await parseObject(header, place, turns);
  const start = 8 + header.length;
  const tensors: FileTensor[] = [];
  for (const name of Object.keys(object)) {
    if (name === metadataName) checkMetadata(object[name], place);
    else tensors.push(readTensor(name, object[name], place, start));
    if (turns.isDue(workPerTensor)) await turns.next();
  }
  tensors.sort((a, b) => a.start - b.start || a.sizeInBytes - b.sizeInBytes);
  checkCoverage(tensors, start, sizeInBytes, place);
  return tensors;
}

function checkMetadata(value: unknown, place: Place): void {
  if (isJsonObject(value) && Object.values(value).every((text) => typeof text === 'string')) return;
  throw invalidFile(place, `an object of strings as ${metadataName}`, describe(value));
}

/** @param base The end of the header. */
function readTensor(name: string, value: unknown, place: Place, base: number): FileTensor {
  if (!isJsonObject(value)) throw invalidFile(tensorPlace(place, name), '{ dtype, shape, data_offsets }', describe(value));
  const dtype = property(value, 'dtype');
  if (typeof dtype !== 'string') throw invalidFile(tensorPlace(place, name, 'dtype'), 'a string', describe(dtype));
  const shape = wholeNumbers(property(value, 'shape'), tensorPlace(place, name, 'shape'));
  const offsetsPlace = tensorPlace(place, name, 'data_offsets');
  const offsets = wholeNumbers(property(value, 'data_offsets'), offsetsPlace);
  const [start = 0, end = 0] = offsets;
  if (offsets.length !== 2 || start > end) {
    throw invalidFile(offsetsPlace, 'two numbers, the second not less than the first', list(offsets));
  }
  const fileDataType = fileDataTypes.get(dtype);
  const sizeInBytes = end - start;
  if (fileDataType !== undefined) {
    // A product of 2^53 and more is not exact, but it is never the size of a file.
    const expected = productOf(shape) * bytesPerElement(fileDataType);
    if (expected !== sizeInBytes) {
      const what = `${expected} bytes for ${shorten(dtype)} and shape ${list(shape)}`;
      throw invalidFile(offsetsPlace, what, `${sizeInBytes}`);
    }
  }
  return { name, fileDataType, dtype, shape, start: base + start, sizeInBytes };
}

function wholeNumbers(value: unknown, place: Place): readonly number[] {
  if (!Array.isArray(value)) throw invalidFile(place, 'an array of whole numbers', describe(value));
  return value.map((number: unknown, i) => {
    // Turns -0 into 0.
    if (typeof number === 'number' && Number.isSafeInteger(number) && number >= 0) return number + 0;
    const element = { ...place, field: `${place.field}[${i}]` };
    throw invalidFile(element, 'a whole number from 0 to 2^53 - 1', describe(number));
  });
}

/** `tensors` are in the order of their bytes. Offsets in a file count from `base`, the end of the header. */
function checkCoverage(tensors: readonly FileTensor[], base: number, sizeInBytes: number, place: Place): void {
  const dataBytes = sizeInBytes - base;
  let end = 0;
  for (const { name, start: startInFile, sizeInBytes: size } of tensors) {
    const start = startInFile - base;
    if (start !== end) {
      const why = start < end ? 'tensors must not overlap' : 'no byte may be unused';
      throw invalidFile(tensorPlace(place, name, 'data_offsets'), `${end} as the first byte`, `${start}`, why);
    }
    end = start + size;
    if (end > dataBytes) {
      const expected = `at most ${dataBytes}, the bytes of data in the file`;
      throw invalidFile(tensorPlace(place, name, 'data_offsets'), expected, `${end}`);
    }
  }
  if (end !== dataBytes) throw invalidFile(place, `${end} bytes of data, as its tensors have`, `${dataBytes}`);
}
