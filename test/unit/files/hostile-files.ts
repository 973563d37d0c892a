/**
 * Safetensors files with a mistake, from a seed. Each is a valid file of which something was changed: the length of the header, its
 * JSON, offsets, shapes, data types, single bytes, or the size of the file.
 */
import { Random } from '../../random.js';
import { headerOf, safetensors, type Entry } from './files.js';

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

export interface HostileFile {
  /** What was changed, for failures. */
  readonly what: string;
  readonly bytes: Uint8Array;
}

export function hostileFile(seed: number): HostileFile {
  const random = Random.of('hostile file', seed);
  const tensors = Object.fromEntries(
    Array.from({ length: random.int(0, 4) }, (_, i) => [random.chance(0.1) ? `é "${i}"` : `t${i}`, entryOf(random)]),
  );
  const header = headerOf(tensors);
  if (random.chance(0.3)) header['__metadata__'] = random.chance(0.7) ? { format: 'pt' } : structuredClone(random.pick(wrong));
  const data = Buffer.concat(Object.values(tensors).map(({ bytes }) => bytes));
  const change = random.pick([changeJson, changeText, changeLength, changeBytes, cut, same]);
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

/** Replaces, removes or doubles a value anywhere in the header. */
const changeJson: Change = (random, header, data) => {
  for (let count = random.int(1, 2); count > 0; count--) {
    let object: Record<string, unknown> = header;
    for (let depth = random.int(0, 2); depth > 0; depth--) {
      const inner = Object.values(object).filter((value) => typeof value === 'object' && value !== null);
      if (inner.length > 0) object = random.pick(inner) as Record<string, unknown>;
    }
    const names = Object.keys(object);
    const name = names.length === 0 ? 'new' : random.pick(names);
    const value = object[name];
    if (typeof value === 'number' && random.chance(0.6)) object[name] = value + random.pick([-8, -4, -1, 1, 2, 4, 8]);
    else {
      const way = random.int(0, 5);
      if (way === 0) Reflect.deleteProperty(object, name);
      else if (way === 1) object[random.pick(['', '__metadata__', 'toString', 'copy'])] = structuredClone(value);
      else object[name] = structuredClone(random.pick(wrong));
    }
  }
  return safetensors(header, data);
};

/** Changes the text of the header, which may then not be JSON, or have a name twice. */
const changeText: Change = (random, header, data) => {
  const text = JSON.stringify(header);
  const at = random.int(0, text.length);
  const inserted = random.pick([
    '{',
    '}',
    '[',
    ']',
    '"',
    ',',
    ':',
    ' ',
    '\\',
    '\\u0061',
    '0',
    '-',
    'null',
    '\0',
    '\ufeff',
    '"t0":1,',
    '"__proto__":{},',
  ]);
  const removed = random.pick([0, 0, 1, 2]);
  const changed = random.pick([
    text.slice(0, at) + inserted + text.slice(at + removed),
    `{"t0":${JSON.stringify(header['t0'] ?? {})},${text.slice(1)}`,
    `{"__proto__":${text},${text.slice(1)}`,
    '['.repeat(random.int(1, 5000)),
    text + ' '.repeat(random.int(0, 9)),
    ` ${text}`,
    `[${text}]`,
  ]);
  return safetensors(changed, data);
};

const changeLength: Change = (random, header, data) => {
  const bytes = safetensors(header, data);
  if (random.chance(0.5)) bytes[random.int(0, 7)] = random.int(0, 255);
  else bytes.writeBigUInt64LE(BigInt.asUintN(64, bytes.readBigUInt64LE() + BigInt(random.int(-9, 9))));
  return bytes;
};

const changeBytes: Change = (random, header, data) => {
  const bytes = safetensors(header, data);
  for (let count = random.int(1, 3); count > 0; count--) bytes[random.int(0, bytes.length - 1)] = random.int(0, 255);
  return bytes;
};

const cut: Change = (random, header, data) => {
  const bytes = safetensors(header, data);
  if (random.chance(0.3)) return Buffer.concat([bytes, random.bytes(random.int(1, 9))]);
  return bytes.subarray(0, random.int(0, bytes.length));
};
