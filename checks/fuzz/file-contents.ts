/** Draws contents of files: right ones, and ones with mistakes. */
import type { onnx } from 'onnx-proto';
import type { Random } from '../harness/random.js';
import { safetensorsOf } from '../malformed/files/contents.js';
import { changeBytes, changeText, changeValues, cut, jsonPieces } from '../malformed/files/changes.js';
import { malformedSafetensors } from '../malformed/files/safetensors.js';
import { malformedIndex } from '../malformed/files/safetensors-index.js';
import { malformedNpy } from '../malformed/files/npy.js';
import { withExternalWeights } from '../networks/small-models.js';
import type { Site } from './file-places.js';

/** Its bytes are nowhere but in the file that no model may read. */
export const secretNumber = 666.125;
const secretNumbers = new Uint8Array(new Float32Array(64).fill(secretNumber).buffer);
export const secretBytes = secretNumbers.subarray(0, 4);

const entry = (bytes: Uint8Array) => ({ dtype: 'F32', shape: [4], bytes: bytes.subarray(0, 16) });
const tensors = (bytes: Uint8Array) =>
  safetensorsOf(Object.fromEntries(['t0', 't1', 't2', 'toString'].map((name) => [name, entry(bytes)])));

/** What no model may read: as safetensors it has the tensors of the indexes, and as weights nothing but the number. */
export const secretFiles = { 'secret.safetensors': tensors(secretNumbers), 'secret.bin': secretNumbers } as const;

type Bytes = Uint8Array;
const seedOf = (random: Random) => random.int(0, 2 ** 31 - 1);

export const safetensors = (random: Random): Bytes => malformedSafetensors(seedOf(random)).bytes;
export const npy = (random: Random): Bytes => malformedNpy(seedOf(random)).bytes;
export const index = (random: Random): Bytes => malformedIndex(seedOf(random)).bytes;
/** The file of an index. */
export const shard = (random: Random): Bytes =>
  random.chance(0.8) ? tensors(random.bytes(16)) : changeBytes(random, tensors(random.bytes(16)));
export const weights = (random: Random): Bytes => random.bytes(random.pick([0, 15, 16, 16, 64, 64, 4096]));

/** An index with names of any kind. */
export function indexOf(names: readonly string[], random: Random): Bytes {
  const map = Object.fromEntries(['t0', 't1', 't2'].map((tensor) => [tensor, random.pick(names)]));
  return Buffer.from(JSON.stringify({ weight_map: map }));
}

/** A model with weights in files of these names, sometimes with a mistake. */
export function model(names: readonly string[], random: Random): Bytes {
  const locations = Array.from({ length: random.int(0, 3) }, () => externalData(random, random.pick(names)));
  const bytes = Buffer.from(withExternalWeights(...(locations.length === 0 ? ['w.bin'] : locations)));
  if (random.chance(0.85)) return bytes;
  return random.chance(0.5) ? changeBytes(random, bytes) : cut(random, bytes);
}

const counts = ['0', '4', '16', '48', '4096', '-1', '1e3', '', 'x', '9007199254740993', '18446744073709551616'];

function externalData(random: Random, location: string): onnx.IStringStringEntryProto[] {
  const entries = [{ key: 'location', value: location }];
  if (random.chance(0.4)) entries.push({ key: 'offset', value: random.pick(counts) });
  if (random.chance(0.4)) entries.push({ key: 'length', value: random.chance(0.5) ? '16' : random.pick(counts) });
  if (random.chance(0.1)) entries.push({ key: random.pick(['location', 'checksum', '']), value: random.pick(counts) });
  return entries;
}

const gemm = {
  descriptor: { type: 'gemm', transB: 'transpose' },
  tensors: {
    aTensor: { dataType: 'float32', sizes: [2, 2], data: [1, 2, 3, 4] },
    bTensor: { dataType: 'float32', sizes: [1, 2], data: [10, 100] },
  },
};
const wrong: readonly unknown[] = [
  ...[-1, 0, 0.5, 2 ** 53, null, true, '', 'x', 'float16', 'Infinity', '12n', 'AAAA', '__proto__', [], [[]], [1, 'x'], {}],
  ...[{ data: 1 }, { dataType: 'int4', sizes: [4], data: 1 }, 'relu', ['a', 'b'], { nodes: [], outputs: [] }],
];

/** A file for `node-directml run`. */
export function work(random: Random): Bytes {
  const object: Record<string, unknown> = structuredClone(gemm);
  if (random.chance(0.6)) changeValues(random, object, wrong);
  const text = JSON.stringify(object);
  if (random.chance(0.7)) return Buffer.from(text);
  return random.chance(0.5) ? Buffer.from(changeText(random, text, jsonPieces)) : cut(random, Buffer.from(text));
}

/** Names of files in other files: right ones, ones that lead out of the folder, and ones that are none. */
export function namesOf(random: Random, own: readonly string[], { secret }: Site, secretName: string): readonly string[] {
  const out = [`../${secretName}`, `below/../../${secretName}`, `..\\${secretName}`, secret, `./../${secretName}`];
  const odd = [
    '/dev/zero',
    '/proc/self/environ',
    '/etc/passwd',
    'C:\\secret',
    '\\\\.\\NUL',
    'CON',
    'w.bin:x',
    'w.bin\0',
    '',
    '.',
  ];
  const more = ['..', './', 'below', 'below/', '/', '././w.bin', 'x'.repeat(random.int(200, 3000)), '*/_ORT_MEM_ADDR_/*', 'é/ü'];
  const right = own.flatMap((name) => [name, name, name, `./${name}`]);
  return random.chance(0.5) ? right : [...right, ...out, ...random.pick([odd, more])];
}
