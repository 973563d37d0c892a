/** Some malformed files of each kind; on each backend. malformed-files.long.test.ts has more. */
import { describe, expect, test } from 'vitest';
import { loadSafetensors } from 'node-directml/files';
import { backends, deviceOn } from '../support/devices.js';
import { drawn } from '../support/level.js';
import { gist, rejected } from '../support/errors.js';
import { checkMalformedFiles, malformedKinds } from './check-malformed-files.js';
import { folderOfFiles, safetensors } from './files.js';

const four = new Uint8Array(4);
const a = (more: object) => ({ a: { dtype: 'U8', shape: [4], data_offsets: [0, 4], ...more } });
const long = Buffer.alloc(8);
long.writeBigUInt64LE(2n ** 53n);

const FILES = drawn({ quick: 100, all: 500 });

/** A file, and what its error says. */
const cases: readonly (readonly [bytes: Uint8Array, field: string, message: string])[] = [
  [new Uint8Array(7), '', 'expected at least 8 bytes, given 7'],
  [Buffer.concat([long, four]), '', 'expected a header of at most 4 bytes, given 9007199254740992'],
  [safetensors('[]', four), '', 'expected a header that begins with {, given something else'],
  [safetensors('{"a":', four), '', 'expected JSON, given something else'],
  [safetensors('{"a":1,"a":2}', four), '', "expected each name once, given 'a' twice"],
  [safetensors('{"a":{"x":1,"\\u0078":2}}', four), '', "expected each name once, given 'x' twice"],
  [safetensors('{"__proto__":{}}', four), '', "expected another name, given '__proto__'"],
  [safetensors(`{"a":${'['.repeat(99)}`, four), '', 'expected at most 8 objects in each other, given more'],
  [safetensors({ __metadata__: { a: 1 } }, []), '', 'expected an object of strings as __metadata__'],
  [safetensors({ a: [] }, four), ": tensor 'a'", 'expected { dtype, shape, data_offsets }, given an empty array'],
  [safetensors(a({ dtype: 'F7' }), four), ": tensor 'a'.dtype", 'expected one of F64, F32'],
  [safetensors(a({ dtype: 3 }), four), ": tensor 'a'.dtype", 'expected a string, given 3'],
  [safetensors(a({ dtype: 'F32' }), four), ": tensor 'a'.data_offsets", 'expected 16 bytes for F32 and shape [4], given 4'],
  [safetensors(a({ shape: [2 ** 53] }), four), ": tensor 'a'.shape[0]", 'expected a whole number from 0 to 2^53 - 1'],
  [safetensors(a({ shape: [2 ** 52, 2 ** 52] }), four), ": tensor 'a'.data_offsets", 'bytes for U8 and shape [4503599627370496,'],
  [safetensors(a({ data_offsets: [0, 4.5] }), four), ": tensor 'a'.data_offsets[1]", 'expected a whole number from 0'],
  [
    safetensors(a({ data_offsets: [4, 0] }), four),
    ": tensor 'a'.data_offsets",
    'the second not less than the first, given [4, 0]',
  ],
  [
    safetensors(a({ data_offsets: [1, 5] }), four),
    ": tensor 'a'.data_offsets",
    'expected 0 as the first byte, given 1 (no byte may be unused)',
  ],
  [
    safetensors(a({}), new Uint8Array(3)),
    ": tensor 'a'.data_offsets",
    'expected at most 3, the bytes of data in the file, given 4',
  ],
  [safetensors(a({}), new Uint8Array(5)), '', 'expected 4 bytes of data, as its tensors have, given 5'],
  [
    safetensors({ ...a({}), b: { dtype: 'U8', shape: [2], data_offsets: [2, 4] } }, four),
    ": tensor 'b'.data_offsets",
    'expected 4 as the first byte, given 2 (tensors must not overlap)',
  ],
];

describe.each(backends)('on %s', (backend) => {
  const device = deviceOn(backend);
  const write = folderOfFiles();

  test.each(cases)('file %#: the error says what is wrong', async (bytes, field, message) => {
    const path = write('a.safetensors', bytes);
    const error = await rejected(loadSafetensors(device(), path));
    expect(gist(error)).toEqual(['ERR_INVALID_FILE', `${path}${field}`]);
    expect(error.message).toContain(message);
  });

  test.each(malformedKinds)(`${FILES} files are refused, or loaded as they are: %s`, async (kind) => {
    const { loaded, refused, wrong } = await checkMalformedFiles(kind, device(), write, FILES);
    expect(wrong).toEqual([]);
    expect(loaded).toBeGreaterThan(FILES / 10);
    expect(refused).toBeGreaterThan(FILES / 2.5);
  });
});
