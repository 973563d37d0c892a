/** JSON in files: read as JSON.parse does, in turns of the event loop, and within limits. */
import { ftruncateSync, mkdtempSync, openSync, closeSync, rmSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { loadSafetensors } from 'node-directml/files';
import { waitOf } from '#lib/api/abortable.js';
import { maxJsonBytes, parseObject } from '#lib/files/json.js';
import { Turns } from '#lib/files/turns.js';
import { Random } from '../../checks/harness/random.js';
import { deviceOn } from '../support/devices.js';
import { rejected } from '../support/errors.js';
import { safetensors } from './files.js';

const device = deviceOn('reference');
const folder = mkdtempSync(join(tmpdir(), 'node-directml-json-'));
afterAll(() => rmSync(folder, { recursive: true }));

const place = { operator: 'loadSafetensors', field: 'a.json' };
const parse = (text: string | Uint8Array, turns = new Turns(null)) =>
  parseObject(typeof text === 'string' ? Buffer.from(text) : text, place, turns);

/** The header of tensors of a byte each. */
function headerOf(count: number): Record<string, object> {
  return Object.fromEntries(
    Array.from({ length: count }, (_, i) => [`t${i}`, { dtype: 'U8', shape: [1], data_offsets: [i, i + 1] }]),
  );
}

/** Counts the turns of the event loop. */
async function turnsDuring<T>(work: (turns: () => number) => Promise<T>): Promise<number> {
  let count = 0;
  let isOver = false;
  const next = () => {
    count += 1;
    if (!isOver) setImmediate(next);
  };
  setImmediate(next);
  await work(() => count);
  isOver = true;
  return count;
}

describe('reads what JSON.parse reads, and refuses what it refuses', () => {
  const texts = ['', 'a', 'shape', '\\', '"', '/', '\b\f\n\r\t', '\u0000', '\u007f', 'é', '漢字', '😀', 'a\\"b', '\ud800'];
  const numbers = [0, -0, 1, -1, 9, 10, 123456789, 2 ** 53 - 1, 2 ** 53, 2 ** 60, 1e21, 0.5, -2.5e-7, 1e300];

  function draw(random: Random, depth: number): unknown {
    const kind = random.int(0, depth === 0 ? 3 : 6);
    if (kind === 0) return random.pick([true, false, null]);
    if (kind === 1) return random.pick(texts);
    if (kind <= 3) return random.pick(numbers);
    const length = random.int(0, 4);
    if (kind === 4) return Array.from({ length }, () => draw(random, depth - 1));
    return Object.fromEntries(Array.from({ length }, (_, i) => [`${random.pick(texts)}${i}`, draw(random, depth - 1)]));
  }

  /** Changes a few bytes, mostly to such as mean something. */
  function change(random: Random, text: string): Buffer {
    const bytes = Buffer.from(text);
    for (let i = 0; i < 2; i++) {
      bytes[random.int(0, bytes.length - 1)] = random
        .pick(Array.from('{}[]:,"\\0123456789eE+-. \n\ttrufalsn\u0001ÿ'))
        .charCodeAt(0);
    }
    return bytes;
  }

  function expected(bytes: Uint8Array): unknown {
    try {
      const value: unknown = JSON.parse(new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes));
      return typeof value === 'object' && value !== null && !Array.isArray(value) ? value : 'no object';
    } catch {
      return 'no JSON';
    }
  }

  test.each([0, 1, 2, 3])('seed %i', async (seed) => {
    const random = Random.of('json', seed);
    const met = { objects: 0, refused: 0 };
    for (let i = 0; i < 500; i++) {
      const text = JSON.stringify(
        Object.fromEntries([
          ['a', draw(random, 4)],
          ['b', draw(random, 2)],
        ]),
        null,
        random.pick([0, 1, '\t']),
      );
      const bytes = i % 4 === 0 ? Buffer.from(text) : change(random, text);
      const should = expected(bytes);
      const given = await parse(bytes).catch((error: unknown) => (error instanceof Error ? error.message : error));
      if (typeof should === 'string') {
        met.refused += 1;
        expect(given, bytes.toString()).toMatch(/^loadSafetensors: a\.json: expected /);
      } else if (typeof given === 'string') {
        // What is stricter than JSON.parse.
        expect(given, bytes.toString()).toMatch(/expected (?:each name once|another name)/);
      } else {
        met.objects += 1;
        expect(given, bytes.toString()).toEqual(should);
      }
    }
    expect(Math.min(met.objects, met.refused)).toBeGreaterThan(100);
  });

  test.each([
    '007',
    '-',
    '1.',
    '.5',
    '+1',
    '0x1',
    '1e',
    'NaN',
    'Infinity',
    'tru',
    'nulll',
    '"',
    '"\\"',
    '"\\x"',
    '"\n"',
    '[1,]',
    '[,1]',
    '{"a":1,}',
    '{,}',
    '{1:2}',
    '{"a" 1}',
    '{"a":}',
    '[1 2]',
    '[1}',
    '{"a":1]',
    '1]',
    '',
    '[',
    '{',
    '{"a"',
    '{"a":',
  ])('refuses %s', async (value) => {
    for (const text of [`{"a":${value}}`, `{"a":[0,${value}]}`, `{"a":0}${value === '' ? '}' : value}`])
      expect((await rejected(parse(text))).code, text).toBe('ERR_INVALID_FILE');
  });

  test('names the place in the file, and bytes that are no text', async () => {
    expect((await rejected(parse('{"a":1 "b":2}'))).message).toContain('expected JSON, given something else (at byte 7)');
    expect((await rejected(parse(Buffer.from('{"\xff":1}', 'latin1')))).message).toContain('given bytes that are not UTF-8');
    expect((await rejected(parse('[]'))).message).toContain('expected a JSON object, given an array');
    expect((await rejected(parse('3'))).message).toContain('expected a JSON object, given a number');
  });
});

describe('leaves the event loop to others', () => {
  const header = headerOf(10_000);
  const text = JSON.stringify(header);
  // A turn reads 64 KiB.
  const least = Math.floor(text.length / 2 ** 17);

  test('while it parses', async () => {
    expect(least).toBeGreaterThan(2);
    expect(await turnsDuring(() => parse(text))).toBeGreaterThanOrEqual(least);
    expect(await turnsDuring(() => parse(JSON.stringify({ a: Array(900).fill('x'.repeat(1000)) })))).toBeGreaterThanOrEqual(6);
    expect(await turnsDuring(() => parse(text.slice(0, 1000).concat('x')).catch(() => undefined))).toBeLessThanOrEqual(1);
  });

  test('while it chooses tensors', async () => {
    const path = join(folder, 'many.safetensors');
    const file = openSync(path, 'w');
    writeSync(file, safetensors(text, new Uint8Array(10_000)));
    closeSync(file);
    const seen = new Set<number>();
    await turnsDuring(async (turns) => {
      const names = () => {
        seen.add(turns());
        return null;
      };
      expect(await loadSafetensors(device(), path, { names })).toEqual({});
    });
    expect(seen.size).toBeGreaterThanOrEqual(4);
  });

  test('until a signal ends it', async () => {
    const controller = new AbortController();
    const turns = new Turns(waitOf('loadSafetensors', controller.signal));
    let ended = 0;
    await turnsDuring(async (now) => {
      const error = rejected(parse(JSON.stringify(headerOf(40_000)), turns));
      await new Promise((resolve) => setImmediate(resolve));
      controller.abort();
      expect((await error).code).toBe('ERR_ABORTED');
      ended = now();
    });
    expect(ended).toBeLessThan(5);
  });
});

describe('refuses', () => {
  test('objects that are closer together than those of tensors can be', async () => {
    // The shortest tensors that the format allows.
    const dense = Object.fromEntries(
      Array.from({ length: 5000 }, (_, i) => [i.toString(36), { dtype: 'U8', shape: [], data_offsets: [0, 0] }]),
    );
    expect(await parse(JSON.stringify(dense))).toEqual(dense);
    const empty = Object.fromEntries(Array.from({ length: 5000 }, (_, i) => [i.toString(36), {}]));
    expect((await rejected(parse(JSON.stringify(empty)))).message).toMatch(/expected at most \d+ objects and arrays, given more/);
  });

  test('long arrays', async () => {
    expect(await parse(JSON.stringify({ a: Array(1000).fill(1) }))).toEqual({ a: Array(1000).fill(1) });
    const error = await rejected(parse(JSON.stringify({ a: Array(1001).fill(1) })));
    expect(error.message).toContain('expected at most 1000 elements in an array, given more');
  });

  test('a header of more than 100 MB, before it is read', async () => {
    expect(maxJsonBytes).toBe(100_000_000);
    const path = join(folder, 'large.safetensors');
    const file = openSync(path, 'w');
    const start = Buffer.alloc(9, '{');
    start.writeBigUInt64LE(100_000_001n);
    writeSync(file, start);
    ftruncateSync(file, 8 + 100_000_001);
    closeSync(file);
    const error = await rejected(loadSafetensors(device(), path));
    expect(error.message).toContain('expected a header of at most 100000000 bytes, given 100000001');
  });
});
