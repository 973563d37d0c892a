/**
 * Indexes of safetensors files with a mistake, from a seed. Each is a valid index of which something was changed: a value,
 * its text, the paths in it, single bytes, or the size of the file.
 */
import { Random } from '../../harness/random.js';
import { changeBytes, changeText, changeValues, cut, jsonPieces, type MalformedFile } from './changes.js';

/** The names of the files of the index, and of their tensors. */
export const files: Readonly<Record<string, readonly string[]>> = {
  'a.safetensors': ['t0', 't1', 'toString'],
  'b.safetensors': ['t2'],
};

const paths = [
  ...[
    '../a.safetensors',
    '..\\a.safetensors',
    '/etc/passwd',
    'C:\\a',
    'C:a',
    '\\\\host\\a',
    './a.safetensors',
    'a/../b.safetensors',
  ],
  ...[
    '',
    '.',
    '..',
    '/',
    'a.safetensors/',
    'a.safetensors\0',
    'a.safetensors:b',
    'NUL',
    'no',
    'a.safetensors/b',
    'é',
    'x'.repeat(5000),
  ],
  ...['index.json', 'a.safetensors', 'b.safetensors'],
];
/** What may stand in the place of a name or an object. */
const wrong: readonly unknown[] = [...[-1, 0, 0.5, null, true, [], ['a.safetensors'], {}, { t0: 'a.safetensors' }], ...paths];

export function malformedIndex(seed: number): MalformedFile {
  const random = Random.of('malformed index', seed);
  const map = Object.entries(files).flatMap(([file, names]) =>
    names.flatMap((name) => (random.chance(0.8) ? [[name, file] as const] : [])),
  );
  const index: Index = { metadata: { total_size: random.int(0, 100) }, weight_map: Object.fromEntries(map) };
  const change = random.pick([values, path, text, bytes, end, same]);
  return { what: `seed ${seed}, ${change.name}`, bytes: change(random, index) };
}

interface Index extends Record<string, unknown> {
  readonly weight_map: Record<string, unknown>;
}

type Change = (random: Random, index: Index) => Buffer;

const same: Change = (_, index) => Buffer.from(JSON.stringify(index));

const values: Change = (random, index) => {
  changeValues(random, index, wrong);
  return same(random, index);
};

const path: Change = (random, index) => {
  index.weight_map[random.pick(['t0', 't2', 'new', 'constructor'])] = random.pick(paths);
  return same(random, index);
};

const text: Change = (random, index) => {
  const json = JSON.stringify(index);
  const changed = random.pick([
    changeText(random, json, jsonPieces),
    `{"weight_map":{},${json.slice(1)}`,
    `{"__proto__":${json},${json.slice(1)}`,
    `{"weight_map":${'['.repeat(random.int(1, 5000))}`,
    ` ${json}\n`,
    `[${json}]`,
  ]);
  return Buffer.from(changed);
};

const bytes: Change = (random, index) => changeBytes(random, same(random, index));

const end: Change = (random, index) => cut(random, same(random, index));
