/**
 * `.npy` files with a mistake, from a seed. Each is a valid file of which something was changed: a value in the header, its
 * text, its length, the version, single bytes, or the size of the file.
 */
import { Random } from '../../harness/random.js';
import { npy, npyHeaderOf } from './contents.js';
import { changeBytes, changeText, cut, type MalformedFile } from './changes.js';

/** Bytes of an element. */
export const descrs: Readonly<Record<string, number>> = {
  ...{ '<f8': 8, '<f4': 4, '<f2': 2, '<i8': 8, '<i4': 4, '<i2': 2, '|i1': 1, '<u8': 8, '<u4': 4, '<u2': 2, '|u1': 1, '|b1': 1 },
};

/** The parts of a valid file. */
interface Parts {
  descr: string;
  shape: string;
  order: string;
  version: number[];
  readonly data: Uint8Array;
}

export function malformedNpy(seed: number): MalformedFile {
  const random = Random.of('malformed npy', seed);
  const descr = random.pick(Object.keys(descrs));
  const sizes = Array.from({ length: random.int(0, 3) }, () => random.int(1, 4));
  const count = sizes.reduce((product, size) => product * size, 1);
  const parts: Parts = {
    descr,
    shape: `(${sizes.map((size) => `${size},`).join(' ')})`,
    order: random.pick(['True', 'False']),
    version: [random.int(1, 3), 0],
    data: random.bytes(count * (descrs[descr] ?? 1)),
  };
  const change = random.pick([value, text, length, bytes, end, same]);
  return { what: `seed ${seed}, ${change.name}`, bytes: change(random, parts) };
}

type Change = (random: Random, parts: Parts) => Buffer;

const same: Change = (_, { descr, shape, order, version, data }) => npy(npyHeaderOf(descr, shape, order), data, version);

/** Replaces a value in the header, or the version. */
const value: Change = (random, parts) => {
  const { shape } = parts;
  const wrongShapes = [
    ...['()', '(0,)', '(1)', '(-1,)', '(1.0,)', '(4294967296,)', '(9007199254740993,)', '(4503599627370496, 4503599627370496)'],
    ...['None', '[1]', `(1, ${shape.slice(1)}`, `(2, ${shape.slice(1)}`, `(${'1, '.repeat(random.int(1, 99))})`],
  ];
  const way = random.int(0, 3);
  if (way === 0) parts.descr = random.pick([...Object.keys(descrs), '>f4', '=u1', '<c8', '|V4', '|O', '<U5', '', 'constructor']);
  else if (way === 1) parts.shape = random.pick(wrongShapes);
  else if (way === 2) parts.order = random.pick(['True', 'False', '0', '1', 'None', "'True'", '()', 'true']);
  else parts.version = [random.int(0, 4), random.pick([0, 0, 0, 1, 255])];
  return same(random, parts);
};

const pieces = [
  ...['{', '}', '(', ')', '[', ']', "'", '"', ',', ':', ' ', '\n', '\t', '\v', '\xa0', '\\', '0', '1', '-', '.', 'e', 'L', '#'],
  ...["'descr': '|u1', ", "'shape': (1,), ", "'more': True, ", "'__proto__': (), ", 'u', 'None', '\0'],
];

const text: Change = (random, { descr, shape, order, version, data }) => {
  const header = npyHeaderOf(descr, shape, order);
  const changed = random.pick([
    changeText(random, header, pieces),
    changeText(random, header, pieces),
    header.replaceAll("'", '"'),
    header.replaceAll(' ', ''),
    header + ' '.repeat(random.int(0, 99)),
    `{${header}}`,
    ` ${header}`,
    '('.repeat(random.int(1, 5000)),
    ' '.repeat(random.int(0, 65_000)),
  ]);
  return npy(changed, data, version);
};

const length: Change = (random, parts) => {
  const file = same(random, parts);
  const at = random.int(8, parts.version[0] === 1 ? 9 : 11);
  file[at] = random.chance(0.5) ? random.int(0, 255) : ((file[at] ?? 0) + random.pick([255, 1, 2])) % 256;
  return file;
};

const bytes: Change = (random, parts) => changeBytes(random, same(random, parts));

const end: Change = (random, parts) => cut(random, same(random, parts));
