/** The header of a `.npy` file: a literal of Python, such as `{'descr': '<f4', 'fortran_order': False, 'shape': (2, 3), }`. */
import { oneOf, shorten, type Place } from '../values/errors.js';
import type { DataType } from '../tensors/generated/enums.js';
import { invalidFile, type FileReader } from './file-reader.js';

interface NpyHeader {
  readonly dataType: DataType;
  /** Whether the first dimension is the innermost one. */
  readonly isFortranOrder: boolean;
  /** None for a single number. */
  readonly shape: readonly number[];
  /** The first byte of data in the file. */
  readonly start: number;
}

const dataTypes: ReadonlyMap<string, DataType> = new Map<string, DataType>([
  ['<f8', 'float64'],
  ['<f4', 'float32'],
  ['<f2', 'float16'],
  ['<i8', 'int64'],
  ['<i4', 'int32'],
  ['<i2', 'int16'],
  ['|i1', 'int8'],
  ['<u8', 'uint64'],
  ['<u4', 'uint32'],
  ['<u2', 'uint16'],
  ['|u1', 'uint8'],
  ['|b1', 'uint8'],
]);

/** The data type's name in files. Undefined for int4 and uint4, which NumPy does not have. */
export function descrOf(dataType: DataType): string | undefined {
  for (const [descr, other] of dataTypes) if (other === dataType) return descr;
  return undefined;
}

/** `\x93NUMPY` */
const magic = [0x93, 0x4e, 0x55, 0x4d, 0x50, 0x59];
/** In bytes. Headers of numeric arrays have about 100; NumPy does not read those of more than 10,000 unless it is told to. */
const maxHeaderSize = 65_535;
/** Data begins at a multiple of it. */
const alignment = 64;

/** @throws {DirectMLError} ERR_INVALID_FILE with the file, what was expected and what was given. */
export async function readHeader(file: FileReader): Promise<NpyHeader> {
  const { place, sizeInBytes } = file;
  if (sizeInBytes < 12) throw invalidFile(place, 'at least 12 bytes', `${sizeInBytes}`);
  const prefix = new Uint8Array(12);
  await file.read(prefix, 0);
  if (!magic.every((byte, i) => prefix[i] === byte)) throw invalidFile(place, '\\x93NUMPY at the beginning', 'other bytes');
  const [major, minor] = [prefix[6], prefix[7]];
  const isLong = major === 2 || major === 3;
  if ((!isLong && major !== 1) || minor !== 0) throw invalidFile(place, 'version 1.0, 2.0 or 3.0', `${major}.${minor}`);
  const view = new DataView(prefix.buffer);
  const length = isLong ? view.getUint32(8, true) : view.getUint16(8, true);
  const begin = isLong ? 12 : 10;
  const most = Math.min(sizeInBytes - begin, maxHeaderSize);
  if (length > most) throw invalidFile(place, `a header of at most ${most} bytes`, `${length}`);
  const bytes = new Uint8Array(length);
  await file.read(bytes, begin);
  return { ...parse(new TextDecoder('latin1').decode(bytes), place), start: begin + length };
}

export function headerOf({
  descr,
  isFortranOrder,
  shape,
}: Pick<NpyHeader, 'isFortranOrder' | 'shape'> & { readonly descr: string }): Uint8Array {
  const order = isFortranOrder ? 'True' : 'False';
  const sizes = shape.length === 1 ? `${shape.join()},` : shape.join(', ');
  const text = `{'descr': '${descr}', 'fortran_order': ${order}, 'shape': (${sizes}), }`;
  const size = Math.ceil((10 + text.length + 1) / alignment) * alignment;
  const bytes = new Uint8Array(size).fill(0x20);
  bytes.set([...magic, 1, 0]);
  new DataView(bytes.buffer).setUint16(8, size - 10, true);
  bytes.set(new TextEncoder().encode(text), 10);
  bytes[size - 1] = 0x0a;
  return bytes;
}

/** A name in quotation marks, a colon, and a text, a truth value, or a tuple of whole numbers; then a comma or the end. */
const item = /\s*(['"])(\w+)\1\s*:\s*(?:(['"])([^'"\\]*)\3|(True|False)|\(([\d\s,]*)\))\s*(?:,|(?=\}))/y;
const whole = /^(?:0|[1-9]\d*)$/;
/** Python has no other spaces between tokens, and these literals no other characters. */
const others = /[^\t\n\f\r -~]/;

function parse(text: string, place: Place): Omit<NpyHeader, 'start'> {
  const items = readItems(text);
  const descr = items?.get('descr');
  const isFortranOrder = items?.get('fortran_order');
  const shape = items?.get('shape');
  const isComplete = typeof descr === 'string' && typeof isFortranOrder === 'boolean' && typeof shape === 'object';
  if (!isComplete || items?.size !== 3) {
    const expected = 'a dictionary with a text as descr, fortran_order, and a tuple of whole numbers as shape';
    throw invalidFile({ ...place, field: `${place.field}: header` }, expected, `'${shorten(text)}'`);
  }
  const dataType = dataTypes.get(descr);
  if (dataType !== undefined) return { dataType, isFortranOrder, shape };
  throw invalidFile({ ...place, field: `${place.field}: descr` }, oneOf([...dataTypes.keys()]), `'${shorten(descr)}'`);
}

/** Null for a text that is no such literal, or that has a name twice. */
function readItems(text: string): ReadonlyMap<string, string | boolean | readonly number[]> | null {
  const end = text.trimEnd().length - 1;
  if (!text.startsWith('{') || text[end] !== '}' || others.test(text)) return null;
  const items = new Map<string, string | boolean | readonly number[]>();
  let at = 1;
  while (text.slice(at, end).trim() !== '') {
    item.lastIndex = at;
    const match = item.exec(text);
    if (match === null) return null;
    const [all, , name = '', , string, truth, numbers] = match;
    const value = string ?? (truth !== undefined ? truth === 'True' : readTuple(numbers ?? ''));
    if (value === null || items.has(name)) return null;
    items.set(name, value);
    at += all.length;
  }
  return items;
}

/** Whole numbers with commas between them; one alone needs a comma after it. */
function readTuple(text: string): readonly number[] | null {
  const parts = text.split(',').map((part) => part.trim());
  if (parts.length > 1 && parts.at(-1) === '') parts.pop();
  else if (parts.length === 1) return parts[0] === '' ? [] : null;
  const numbers = parts.map(Number);
  return parts.every((part, i) => whole.test(part) && Number.isSafeInteger(numbers[i])) ? numbers : null;
}
