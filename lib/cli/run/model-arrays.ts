/** The data of a model's inputs and outputs: arrays of NumPy's format, and made-up ones. */
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fromFloat16Bits, toFloat16Bits } from '../../index.js';
import { copyOfBytes } from '../../tensors/bytes.js';
import { fieldError, shorten } from '../../values/errors.js';
import { FileReader, fromSystem, invalidFile } from '../../files/file-reader.js';
import { descrOf, headerOf, readHeader } from '../../files/npy-header.js';
import { Elements } from '../../onnx/inputs.js';
import type { Result } from '../../onnx/plan.js';
import { productOf } from '../../tensors/tensor-size.js';

const types = {
  ...{ float16: Uint16Array, float32: Float32Array, float64: Float64Array, bool: Uint8Array },
  ...{ int8: Int8Array, int16: Int16Array, int32: Int32Array, int64: BigInt64Array },
  ...{ uint8: Uint8Array, uint16: Uint16Array, uint32: Uint32Array, uint64: BigUint64Array },
} as const;

/** The data types of onnxruntime that NumPy has too. */
export type ArrayType = keyof typeof types;

/** An array in memory order. float16 is its bits. */
export interface ModelArray {
  readonly type: ArrayType;
  readonly dims: readonly number[];
  readonly data: InstanceType<(typeof types)[ArrayType]>;
}

export function isArrayType(type: string): type is ArrayType {
  return Object.hasOwn(types, type);
}

/**
 * Reads a .npy file. Files of bool count as uint8.
 *
 * @throws {DirectMLError} ERR_INVALID_FILE.
 */
export async function readArray(path: string, type: ArrayType): Promise<ModelArray> {
  const file = await FileReader.open('run', path);
  try {
    const { dataType, isFortranOrder, shape, start } = await readHeader(file);
    const expected = type === 'bool' ? 'uint8' : type;
    if (dataType !== expected) throw invalidFile(file.place, `an array of ${type}`, `one of ${dataType}`);
    if (isFortranOrder)
      throw invalidFile(file.place, 'an array in C order', 'Fortran order', 'numpy.ascontiguousarray makes one');
    const size = productOf(shape) * types[type].BYTES_PER_ELEMENT;
    if (file.sizeInBytes !== start + size)
      throw invalidFile(file.place, `${start + size} bytes for its shape`, `${file.sizeInBytes}`);
    const bytes = await file.bytes(start, size);
    return { type, dims: shape, data: new types[type](bytes.buffer) };
  } finally {
    await file.close();
  }
}

/** An array with these bytes. */
function arrayOf(type: ArrayType, dims: readonly number[], { buffer, byteOffset, byteLength }: ArrayBufferView): ModelArray {
  return { type, dims, data: new types[type](buffer as ArrayBuffer, byteOffset, byteLength / types[type].BYTES_PER_ELEMENT) };
}

/** The arrays as inputs of a model. */
export function inputsOf(arrays: ReadonlyMap<string, ModelArray>): ReadonlyMap<string, Elements> {
  const entries = Array.from(arrays, ([name, { type, dims, data }]) => {
    const bytes = new Uint8Array(data.buffer, data.byteOffset, data.byteLength);
    return [name, new Elements(type === 'bool' ? 'uint8' : type, dims, bytes)] as const;
  });
  return new Map(entries);
}

/** The elements of an output, of which the memory on the device is freed. */
export async function outputOf(name: string, result: Result): Promise<ModelArray> {
  if (result === null || !('dims' in result)) {
    const place = { operator: 'run', field: shorten(name) };
    throw fieldError('ERR_DATA_TYPE', place, 'an output that is a tensor', result === null ? 'none' : 'a sequence');
  }
  const { tensor, bytes, isBool, dataType, dims } = result;
  const type = isBool ? 'bool' : dataType;
  const read = tensor === null ? copyOfBytes(bytes) : await tensor.read();
  tensor?.dispose();
  if (isArrayType(type)) return arrayOf(type, dims, read);
  throw fieldError('ERR_DATA_TYPE', { operator: 'run', field: shorten(name) }, 'a data type that NumPy has', type);
}

/** Floats from -1 to 1. Integers and bools are 0 or 1, which are valid as positions, masks and tokens. */
export function randomArray(type: ArrayType, dims: readonly number[], next: () => number): ModelArray {
  const length = productOf(dims);
  const bit = () => Number(next() < 0.5);
  const floats = () => filled(new Float32Array(length), () => 2 * next() - 1);
  switch (type) {
    case 'float16':
      return { type, dims, data: toFloat16Bits(floats()) };
    case 'float32':
    case 'float64':
      return { type, dims, data: new types[type](floats()) };
    case 'int64':
    case 'uint64':
      return { type, dims, data: filled(new types[type](length), () => BigInt(bit())) };
    default:
      return { type, dims, data: filled(new types[type](length), bit) };
  }
}

function filled<E, A extends ArrayOf<E>>(array: A & ArrayOf<E>, draw: () => E): A {
  for (let i = 0; i < array.length; i++) array[i] = draw();
  return array;
}

interface ArrayOf<E> {
  readonly length: number;
  [index: number]: E;
}

/**
 * Writes tensors into a folder, each as a .npy file of its name. Returns the paths.
 *
 * @throws {DirectMLError} ERR_INVALID_FILE.
 */
export async function saveTensors(folder: string, tensors: Readonly<Record<string, ModelArray>>): Promise<string[]> {
  const files = new Map<string, Uint8Array>();
  for (const [name, { type, dims, data }] of Object.entries(tensors)) {
    const descr = type === 'bool' ? '|b1' : (descrOf(type) ?? '');
    const header = headerOf({ descr, isFortranOrder: false, shape: dims });
    files.set(fileNameOf(name, files), Buffer.concat([header, new Uint8Array(data.buffer, data.byteOffset, data.byteLength)]));
  }
  const place = { operator: 'run', field: folder };
  await fromSystem(place, 'a folder that can be written', () => mkdir(folder, { recursive: true }));
  const paths = Array.from(files.keys(), (name) => join(folder, name));
  for (const [i, bytes] of [...files.values()].entries()) {
    const path = paths[i] ?? '';
    await fromSystem({ ...place, field: path }, 'a file that can be written', () => writeFile(path, bytes));
  }
  return paths;
}

/** Windows has devices with these names in every folder. */
const devices = /^(?:con|prn|aux|nul|com\d|lpt\d)(?:\.|$)/i;

/** Names of values may have slashes and other characters that names of files lack. */
function fileNameOf(name: string, taken: ReadonlyMap<string, unknown>): string {
  const plain = name.replaceAll(/[^\w.-]/g, '_').replace(devices, '_$&');
  const isTaken = (file: string) => Array.from(taken.keys()).some((other) => other.toLowerCase() === file.toLowerCase());
  let file = `${plain}.npy`;
  for (let i = 2; isTaken(file); i++) file = `${plain}-${i}.npy`;
  return file;
}

/** The first elements, as numbers. */
export function firstElements({ type, data }: ModelArray, count: number): (number | bigint)[] {
  const first = data.slice(0, count);
  const elements: Iterable<number | bigint> = type === 'float16' && first instanceof Uint16Array ? fromFloat16Bits(first) : first;
  return [...elements];
}
