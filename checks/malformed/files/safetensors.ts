/**
 * Safetensors files with a mistake, from a seed. Each is a valid file of which something was changed: the length of the header, its
 * JSON, offsets, shapes, data types, single bytes, or the size of the file.
 */
import { Random } from '../../harness/random.js';
import { headerOf, safetensors, type Entry } from './contents.js';
import { changeBytes, changeText, changeValues, cut, jsonPieces, type MalformedFile } from './changes.js';

const sizes: Readonly<Record<string, number>> = {
  F64: 8,
  F32: 4,
  F16: 2,
  BF16: 2,
  I64: 8,
  I32: 4,
  I16: 2,
  I8: 1,
  U8: 1,
  BOOL: 1,
};
const dtypes = Object.keys(sizes);
/** What may stand in the place of a number, a text or an array. */
const wrong: readonly unknown[] = [
  ...[-1, 0, 1, 0.5, 2 ** 31, 2 ** 32, 2 ** 53, 2 ** 53 - 1, 1e300, -0, null, true, '', '1', 'F32', 'F8_E5M2', 'constructor'],
  ...[[], [0], [0, 0], [1, 2, 3], [[1], [2]], {}, { dtype: 'F32' }],
];

export function malformedSafetensors(seed: number): MalformedFile {
  const random = Random.of('malformed file', seed);
  const tensors = Object.fromEntries(
    Array.from({ length: random.int(0, 4) }, (_, i) => [random.chance(0.1) ? `é "${i}"` : `t${i}`, entryOf(random)]),
  );
  const header = headerOf(tensors);
  if (random.chance(0.3)) header['__metadata__'] = random.chance(0.7) ? { format: 'pt' } : structuredClone(random.pick(wrong));
  const data = Buffer.concat(Object.values(tensors).map(({ bytes }) => bytes));
  const change = random.pick([values, text, length, bytes, end, same]);
  return { what: `seed ${seed}, ${change.name}`, bytes: change(random, header, data) };
}

function entryOf(random: Random): Entry {
  const dtype = random.pick(dtypes);
  const shape = Array.from({ length: random.int(0, 3) }, () => random.int(1, 4));
  const count = shape.reduce((product, size) => product * size, 1);
  return { dtype, shape, bytes: random.bytes(count * (sizes[dtype] ?? 1)) };
}

type Change = (random: Random, header: Record<string, unknown>, data: Buffer) => Uint8Array;

const same: Change = (_, header, data) => safetensors(header, data);

const values: Change = (random, header, data) => {
  changeValues(random, header, wrong);
  return safetensors(header, data);
};

/** Changes the text of the header, which may then not be JSON, or have a name twice. */
const text: Change = (random, header, data) => {
  const json = JSON.stringify(header);
  const changed = random.pick([
    changeText(random, json, jsonPieces),
    `{"t0":${JSON.stringify(header['t0'] ?? {})},${json.slice(1)}`,
    `{"__proto__":${json},${json.slice(1)}`,
    '['.repeat(random.int(1, 5000)),
    json + ' '.repeat(random.int(0, 9)),
    ` ${json}`,
    `[${json}]`,
  ]);
  return safetensors(changed, data);
};

const length: Change = (random, header, data) => {
  const file = safetensors(header, data);
  if (random.chance(0.5)) file[random.int(0, 7)] = random.int(0, 255);
  else file.writeBigUInt64LE(BigInt.asUintN(64, file.readBigUInt64LE() + BigInt(random.int(-9, 9))));
  return file;
};

const bytes: Change = (random, header, data) => changeBytes(random, safetensors(header, data));

const end: Change = (random, header, data) => cut(random, safetensors(header, data));
