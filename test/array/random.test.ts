/** `random` of `node-directml/array`: the same numbers everywhere and for ever, and their distributions. */
import { createHash } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import type { Tensor, Value } from 'node-directml';
import { random } from 'node-directml/array';
import { coefficientsOf, degree, octaves, piecesPerOctave } from '#lib/array/normal-table.js';
import { erfc } from '#lib/compute/erf.js';
import { backends, deviceOn } from '../support/devices.js';
import { rejected } from '../support/errors.js';

type Key = Value<'uint32'>;

// prettier-ignore
/** Draws from a key, and the digest of their numbers. A digest that changes breaks programs that repeat their results. */
const draws: Readonly<Record<string, readonly [draw: (key: Key) => Value, digest: string]>> = {
  'bits': [(key) => random.bits(key, [31, 33]), 'cc0f1e9d8364d810'],
  'a key of a split': [(key) => random.bits(random.split(key, 3)[2] ?? key, [1023]), '113486c6c7658feb'],
  'a key by a number': [(key) => random.bits(random.foldIn(key, 7), [1023]), '5c1cd1132de5aa1a'],
  'uniform': [(key) => random.uniform(key, [1023]), 'ccaa4b2e010b041e'],
  'uniform of float32': [(key) => random.uniform(key, [1023], { dataType: 'float32' }), 'ccaa4b2e010b041e'],
  'uniform from -3 to 0.1': [(key) => random.uniform(key, [1023], { low: -3, high: 0.1 }), '86f5b8ff51fa76aa'],
  'uniform of float16': [(key) => random.uniform(key, [1023], { dataType: 'float16' }), 'f0534d52e70c417e'],
  'normal': [(key) => random.normal(key, [11, 93]), 'ec1117d8d78d929d'],
  'normal of float16': [(key) => random.normal(key, [1023], { dataType: 'float16' }), 'ca0200f9b3b3744d'],
  'integers': [(key) => random.integers(key, [1023], { low: -10, high: 90 }), '054ac59c94691853'],
  'integers of a wide range': [(key) => random.integers(key, [1023], { low: -2e9, high: 2e9 }), 'a6fc0f125f578efc'],
  'integers of 32 bits': [(key) => random.integers(key, [1023], { high: 2 ** 32, dataType: 'uint32' }), '449831273b116b1d'],
  'integers of 8 bits': [(key) => random.integers(key, [1023], { low: -128, high: 128, dataType: 'int8' }), '5078e716ce75b0b2'],
  'permutation': [(key) => random.permutation(key, 1023), '6d1d361888521faf'],
  'permutation of columns': [(key) => random.permutation(key, random.bits(key, [2, 99]), { axis: -1 }), '5f7ad220baa4c71e'],
  'bernoulli': [(key) => random.bernoulli(key, [1023], { p: 0.3 }), 'b885c76d07340d2f'],
};

/** Beyond 3.3 standard deviations of a normal variable: significance 0.001 for each test, two-sided. */
const limit = 3.3;

/** How far a chi-squared statistic is from what is expected, as a normal variable: Wilson and Hilferty's approximation. */
function surprise(counts: readonly number[], expected: number): number {
  const degrees = counts.length - 1;
  const statistic = counts.reduce((sum, count) => sum + (count - expected) ** 2 / expected, 0);
  const part = 2 / (9 * degrees);
  return (Math.cbrt(statistic / degrees) - 1 + part) / Math.sqrt(part);
}

function histogram(numbers: Iterable<number>, bins: number, binOf: (x: number) => number): readonly number[] {
  const counts = new Array<number>(bins).fill(0);
  for (const x of numbers) counts[binOf(x)] = (counts[binOf(x)] ?? NaN) + 1;
  return counts;
}

const normalBelow = (x: number) => 0.5 * erfc(-x / Math.SQRT2);

describe.each(backends)('on %s', (backend) => {
  const device = deviceOn(backend);
  const key = () => random.key(device(), 2026);
  const digest = async (tensor: Tensor) =>
    createHash('sha256')
      .update(JSON.stringify(await tensor.toArray(), (_, x: unknown) => (typeof x === 'bigint' ? `${x}` : x)))
      .digest('hex')
      .slice(0, 16);

  test.each(Object.entries(draws))('%s', async (_, [draw, expected]) => {
    const given = key();
    const traced = await digest(await device().jit(draw)(given));
    expect(traced).toBe(expected);
    // Each function is called with tensors, too.
    if (!draw.toString().includes('random.split')) {
      const eager = await (draw as unknown as (key: Tensor) => Promise<Tensor>)(given);
      expect(await digest(eager)).toBe(expected);
    }
  });

  test('keys of a split, and of numbers, all differ', async () => {
    const keys = [...(await random.split(key(), 4)), await random.foldIn(key(), 0), await random.foldIn(key(), 1)];
    const folded = await random.foldIn(key(), device().tensor([1], { dataType: 'int32' }));
    const texts = await Promise.all([...keys, folded].map(async (each) => (await each.read()).join()));
    expect(new Set(texts).size).toBe(6);
    expect(texts[6]).toBe(texts[5]);
  });

  test('a seed of 64 bits', async () => {
    expect([...(await random.key(device(), 0x1_0000_0002n).read())]).toEqual([2, 1]);
    expect([...(await random.key(device(), 2 ** 40).read())]).toEqual([0, 256]);
  });

  test('uniform: 64 bins, and the lowest of 24 bits', async () => {
    const numbers = await (await random.uniform(key(), [1 << 14])).read();
    expect(
      surprise(
        histogram(numbers, 64, (x) => Math.floor(64 * x)),
        (1 << 14) / 64,
      ),
    ).toBeLessThan(limit);
    expect(
      surprise(
        histogram(numbers, 64, (x) => (x * 2 ** 24) % 64),
        (1 << 14) / 64,
      ),
    ).toBeLessThan(limit);
  });

  test('uniform: never the upper limit, although it would round to it', async () => {
    for (const low of [1e6, -1e6 - 0.125]) {
      const numbers = await (await random.uniform(key(), [4096], { low, high: low + 0.125 })).read();
      expect(new Set(numbers)).toEqual(new Set([low, low + 0.0625]));
    }
  });

  test('uniform: up to 0, the numbers are those up to 1, less 1', async () => {
    const upTo1 = await (await random.uniform(key(), [4096])).read();
    const upTo0 = await (await random.uniform(key(), [4096], { low: -1, high: 0 })).read();
    expect(upTo0).toEqual(upTo1.map((x) => x - 1));
  });

  test('normal: 64 bins of equal probability', async () => {
    const numbers = await (await random.normal(key(), [1 << 14])).read();
    const counts = histogram(numbers, 64, (x) => Math.floor(64 * normalBelow(x)));
    expect(surprise(counts, (1 << 14) / 64)).toBeLessThan(limit);
  });

  test('integers: all equally likely', async () => {
    const numbers = await (await random.integers(key(), [1 << 14], { low: -30, high: 31 })).read();
    expect(
      surprise(
        histogram(numbers, 61, (x) => x + 30),
        (1 << 14) / 61,
      ),
    ).toBeLessThan(limit);
    // Three quarters of 2^32: the remainder of 32 bits would be below a quarter half of the time.
    const wide = await (await random.integers(key(), [1 << 14], { high: 3 * 2 ** 30, dataType: 'uint32' })).read();
    expect(
      surprise(
        histogram(wide, 48, (x) => Math.floor(x / 2 ** 26)),
        (1 << 14) / 48,
      ),
    ).toBeLessThan(limit);
  });

  test('permutation: each of 24 orders equally likely', async () => {
    const orders: string[] = [];
    const draw = device().jit((from: Key) => random.split(from, 60).map((each) => random.permutation(each, 4)));
    for (let seed = 0; seed < 20; seed++) {
      const drawn = await draw(random.key(device(), seed));
      orders.push(...(await Promise.all(drawn.map(async (each) => (await each.read()).join()))));
    }
    const numbered = [...new Set(orders)].sort();
    expect(numbered).toHaveLength(24);
    expect(
      surprise(
        histogram(
          orders.map((order) => numbered.indexOf(order)),
          24,
          (x) => x,
        ),
        50,
      ),
    ).toBeLessThan(limit);
  });

  test('bernoulli: how many, and the limits', async () => {
    const numbers = await (await random.bernoulli(key(), [1 << 14], { p: 0.3 })).read();
    const ones = numbers.reduce((sum, x) => sum + x, 0);
    expect(Math.abs(ones - 0.3 * 2 ** 14) / Math.sqrt(0.21 * 2 ** 14)).toBeLessThan(limit);
    expect([...(await (await random.bernoulli(key(), [99], { p: 1 })).read())].every((x) => x === 1)).toBe(true);
    expect([...(await (await random.bernoulli(key(), [99], { p: 0 })).read())].every((x) => x === 0)).toBe(true);
    const each = await random.bernoulli(key(), [50, 2], { p: device().tensor([0, 1]) });
    expect(new Set((await each.toArray()).map(String))).toEqual(new Set(['0,1']));
  });

  test.each<[string, (key: Tensor<'uint32'>) => Promise<unknown>]>([
    ['uniform: high: expected more than 2, given 1', (from) => random.uniform(from, [1], { low: 2 })],
    ['integers: high: expected a whole number from 1 to 2147483648, given 0', (from) => random.integers(from, [1], { high: 0 })],
    ['bernoulli: p: expected 0 to 1, given 1.5', (from) => random.bernoulli(from, [1], { p: 1.5 })],
    ['foldIn: data: expected a whole number from 0 to 2^32 - 1, or a tensor of one, given -1', (from) => random.foldIn(from, -1)],
    [
      "normal: dataType: expected 'float32' or 'float16', given 'int32'",
      (from) => random.normal(from, [1], { dataType: 'int32' as 'float32' }),
    ],
  ])('%s', async (message, run) => {
    expect((await rejected(run(key()))).message).toBe(message);
  });

  test('a tensor that is no key', async () => {
    const error = await rejected(random.bits(device().tensor([1, 2]) as unknown as Tensor<'uint32'>, [1]));
    expect(error.message).toMatch(/^bits: key: expected a key, which key, split and foldIn make, given /u);
  });
});

test('the tails of normal have the right probabilities, to 10^-5', () => {
  const coefficients = Array.from({ length: degree + 1 }, (_, power) => coefficientsOf(power));
  const at = (row: number, place: number) => {
    const [first = 0, ...rest] = coefficients.map((each) => each[row] ?? NaN).reverse();
    return rest.reduce((z, coefficient) => Math.fround(Math.fround(z * place) + coefficient), first);
  };
  for (let octave = 0; octave < octaves; octave++) {
    for (let piece = 0; piece < piecesPerOctave; piece++) {
      const row = 2 * piecesPerOctave * octave + piece;
      for (const place of [0, 0.3, 0.7, 1 - 2 ** -24]) {
        const probability = 2 ** (-2 - octave) * (1 + (piece + place) / piecesPerOctave);
        expect(normalBelow(-at(row, place)) / probability).toBeCloseTo(1, 5);
        expect(at(row + piecesPerOctave, place)).toBe(-at(row, place));
      }
    }
  }
});
