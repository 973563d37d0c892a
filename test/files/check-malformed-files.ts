/** Loads malformed files: each gives an error that names it, or the tensors that it says it has. */
import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { DirectMLError, type Device, type Tensor } from 'node-directml';
import { loadNpy, loadSafetensors } from 'node-directml/files';
import { parsed, safetensorsOf } from './files.js';
import type { MalformedFile } from '../../checks/malformed/files/changes.js';
import { malformedSafetensors } from '../../checks/malformed/files/safetensors.js';
import { files, malformedIndex } from '../../checks/malformed/files/safetensors-index.js';
import { descrs, malformedNpy } from '../../checks/malformed/files/npy.js';

type Tensors = Readonly<Record<string, Tensor>>;
type Write = (name: string, bytes: Uint8Array) => string;

interface Kind {
  readonly make: (seed: number) => MalformedFile;
  readonly fileName: string;
  /** Writes the other files that loading needs. */
  readonly prepare?: (write: Write) => void;
  readonly load: (device: Device, path: string) => Promise<Tensors>;
  /** Compares the tensors with the file, which was accepted, in the simplest way. Null if they are right. */
  readonly differs: (file: Buffer, tensors: Tensors, path: string) => Promise<string | null>;
  /** The most bytes that may be allocated at once, for the size of the file. */
  readonly most: (sizeInBytes: number) => number;
}

const kinds = {
  safetensors: {
    make: malformedSafetensors,
    fileName: 'malformed.safetensors',
    load: loadSafetensors,
    differs: differsFromSafetensors,
    // bfloat16 becomes float32.
    most: (sizeInBytes) => 2 * sizeInBytes,
  },
  npy: {
    make: malformedNpy,
    fileName: 'malformed.npy',
    load: async (device, path) => ({ array: await loadNpy(device, path) }),
    differs: differsFromNpy,
    most: (sizeInBytes) => sizeInBytes,
  },
  index: {
    make: malformedIndex,
    fileName: 'index.json',
    prepare: (write) => {
      for (const [file, names] of Object.entries(files)) write(file, safetensorsOf(tensorsOf(names)));
    },
    load: loadSafetensors,
    differs: differsFromIndex,
    most: (sizeInBytes) => Math.max(sizeInBytes, sizeOfFiles),
  },
} as const satisfies Record<string, Kind>;

type MalformedKind = keyof typeof kinds;
export const malformedKinds = Object.keys(kinds) as readonly MalformedKind[];

/** Codes of errors about tensors that are right in the file, but that DirectML cannot have. */
const codes: readonly string[] = ['ERR_INVALID_FILE', 'ERR_DIMENSION_COUNT', 'ERR_SIZES', 'ERR_OUT_OF_RANGE', 'ERR_TENSOR_SIZE'];

/** How many files were loaded and how many were refused, and what went wrong. */
export async function checkMalformedFiles(
  kind: MalformedKind,
  device: Device,
  write: Write,
  count: number,
  from = 0,
): Promise<{ loaded: number; refused: number; wrong: string[] }> {
  const { make, fileName, prepare, load, differs, most }: Kind = kinds[kind];
  prepare?.(write);
  const result = { loaded: 0, refused: 0, wrong: [] as string[] };
  let largest = 0;
  for (let seed = from; seed < from + count; seed++) {
    const { what, bytes } = make(seed);
    const path = write(fileName, bytes);
    const place = kind === 'index' ? dirname(path) : path;
    const allocations = new Allocations();
    try {
      const problem = await device.scope(async () => {
        const tensors = await allocations.during(() => load(device, path));
        return differs(Buffer.from(bytes), tensors, path);
      });
      if (problem !== null) result.wrong.push(`${what}: ${problem}`);
      result.loaded += 1;
    } catch (error) {
      result.refused += 1;
      if (!(error instanceof DirectMLError) || !codes.includes(error.code)) result.wrong.push(`${what}: ${String(error)}`);
      else if (error.field?.startsWith(place) !== true) result.wrong.push(`${what}: no path: ${error.message}`);
    }
    largest = Math.max(largest, allocations.largest);
    if (allocations.largest > most(bytes.length)) result.wrong.push(`${what}: allocated ${allocations.largest} bytes`);
  }
  if (largest === 0) result.wrong.push('no allocation was seen');
  return result;
}

/** Watches how much memory for bytes is allocated at once. */
class Allocations {
  largest = 0;

  async during<T>(work: () => Promise<T>): Promise<T> {
    const original = globalThis.Uint8Array;
    globalThis.Uint8Array = new Proxy(original, {
      construct: (target, args: unknown[]) => {
        const [size] = args;
        if (typeof size === 'number' && size > this.largest && isOwn(new Error().stack)) this.largest = size;
        return Reflect.construct(target, args);
      },
    });
    try {
      return await work();
    } finally {
      globalThis.Uint8Array = original;
    }
  }
}

/** True if the package is among the callers; vitest allocates memory too. */
function isOwn(stack = ''): boolean {
  return /[\\/]dist[\\/]node-directml-/.test(stack);
}

async function differsFromSafetensors(file: Buffer, tensors: Tensors): Promise<string | null> {
  const { header, data } = parsed(file);
  delete header['__metadata__'];
  const names = Object.keys(header).sort();
  if (names.join() !== Object.keys(tensors).sort().join()) return `other names: ${names.join()}`;
  let total = 0;
  for (const [name, { dtype, shape, data_offsets }] of Object.entries(header)) {
    const expected = data.subarray(...data_offsets);
    total += expected.length;
    const problem = await differsFrom(tensors[name], shape, expected, dtype === 'BF16');
    if (problem !== null) return `${problem} of ${name}`;
  }
  return total === data.length ? null : 'bytes of no tensor';
}

async function differsFromIndex(file: Buffer, tensors: Tensors, path: string): Promise<string | null> {
  const map: Record<string, string> = JSON.parse(file.toString()).weight_map;
  if (Object.keys(map).sort().join() !== Object.keys(tensors).sort().join()) return 'other names';
  for (const [name, from] of Object.entries(map)) {
    // Windows does not tell letters by their case.
    if (!Object.hasOwn(files, from.replace(/^\.\//, '').toLowerCase())) return `${from} is another file`;
    const { header, data } = parsed(readFileSync(join(dirname(path), from)));
    const described = header[name];
    if (described === undefined) return `no ${name} in ${from}`;
    const problem = await differsFrom(tensors[name], described.shape, data.subarray(...described.data_offsets));
    if (problem !== null) return `${problem} of ${name}`;
  }
  return null;
}

/** Reads the literal of Python as JSON. */
async function differsFromNpy(file: Buffer, { array }: Tensors): Promise<string | null> {
  const begin = file[6] === 1 ? 10 : 12;
  const start = begin + file.readUIntLE(8, begin - 8);
  const literal = file.subarray(begin, start).toString('latin1');
  const json = literal
    .replaceAll("'", '"')
    .replaceAll('\f', ' ')
    .replaceAll(/True|False/g, (truth) => truth.toLowerCase())
    .replaceAll('(', '[')
    .replaceAll(')', ']')
    .replaceAll(/,(?=\s*[\]}])/g, '');
  const { descr, fortran_order, shape } = JSON.parse(json) as { descr: string; fortran_order: boolean; shape: number[] };
  const data = file.subarray(start);
  const count = shape.reduce((product, size) => product * size, 1);
  if (data.length !== count * (descrs[descr] ?? 0)) return 'other bytes';
  const isLong = shape.filter((size) => size > 1).length > 1;
  if ((array?.strides !== null) !== (fortran_order && isLong)) return 'another order';
  return differsFrom(array, shape, data);
}

async function differsFrom(
  tensor: Tensor | undefined,
  shape: readonly number[],
  expected: Buffer,
  isWidened = false,
): Promise<string | null> {
  const sizes = shape.length === 0 ? [1] : shape;
  if (tensor?.sizes.join() !== sizes.join()) return 'other sizes';
  const bytes = Buffer.from(await tensor.buffer.read());
  const given = isWidened ? bytes.filter((_, i) => i % 4 >= 2) : bytes.subarray(0, expected.length);
  return expected.equals(given) ? null : 'other elements';
}

function tensorsOf(names: readonly string[]) {
  return Object.fromEntries(names.map((name, i) => [name, { dtype: 'U8', shape: [3], bytes: Uint8Array.of(i, 1, 2) }]));
}

const sizeOfFiles = Math.max(...Object.values(files).map((names) => safetensorsOf(tensorsOf(names)).length));
