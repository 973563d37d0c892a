/**
 * Each program in examples/ with a TensorFlow.js counterpart here computes the same numbers on every backend, and they are not
 * longer.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { backends, deviceOn } from '../support/devices.js';
import { lengthOfCode, type CodeLength } from './code-lines.js';

/**
 * The maximum difference from TensorFlow.js; relative for numbers above 1. Both compute in float32 but add in different orders. The
 * largest difference is 1e-5, in weights after thirty steps of training.
 */
const tolerance = 1e-4;

/** The maximum numbers of lines and characters, as factors of those for TensorFlow.js. */
const limits = { linesInSum: 1, charactersInSum: 1.1, linesOfOne: 1, charactersOfOne: 1.2 };

const names = readdirSync(new URL('.', import.meta.url)).flatMap((file) => /^(.+)\.tensorflow\.mjs$/.exec(file)?.[1] ?? []);
const ours = (name: string) => new URL(`../../examples/${name}.mjs`, import.meta.url);
const theirs = (name: string) => new URL(`${name}.tensorflow.mjs`, import.meta.url);

test('there are nine programs, and their page lists them', () => {
  const page = readFileSync(new URL('../../docs/examples.md', import.meta.url), 'utf8');
  const listed = [...page.matchAll(/^\| \[([a-z-]+)\]\(\.\.\/examples\/\1\.mjs\) \|/gm)].map(([, name]) => name);
  expect(listed.sort()).toEqual([...names].sort());
  expect(names).toHaveLength(9);
});

describe.each(backends)('on %s', (backend) => {
  const device = deviceOn(backend);

  test.each(names)('%s computes the same numbers as TensorFlow.js', async (name) => {
    const given = await run(ours(name), device());
    const expected = await run(theirs(name));
    expect([...given.keys()]).toEqual([...expected.keys()]);
    for (const [key, numbers] of expected) expect(farthest(given.get(key) ?? [], numbers), key).toBeLessThan(tolerance);
  });
});

test('in sum, the programs are no longer than for TensorFlow.js', () => {
  const lengths = names.map(lengthsOf);
  const [given, expected] = [sumOf(lengths.map((length) => length.ours)), sumOf(lengths.map((length) => length.theirs))];
  expect(given.lines).toBeLessThanOrEqual(limits.linesInSum * expected.lines);
  expect(given.characters).toBeLessThanOrEqual(limits.charactersInSum * expected.characters);
});

test.each(names)('%s is not much longer than for TensorFlow.js', (name) => {
  const lengths = lengthsOf(name);
  expect(lengths.ours.lines).toBeLessThanOrEqual(limits.linesOfOne * lengths.theirs.lines);
  expect(lengths.ours.characters).toBeLessThanOrEqual(limits.charactersOfOne * lengths.theirs.characters);
});

test('only lines of code count', () => {
  const text =
    "// a\nimport {\n  b,\n} from 'c';\n\n/**\n * d\n * @param {b} e\n */\nfunction f(e) {\n  // g\n  return b(\n    e, // h\n  );\n}\n";
  expect(lengthOfCode(text).lines).toBe(5);
});

test('only characters of code count, without comments, imports and indentation', () => {
  const code = ['const f = (a, b) => [', '`c  d`, a', '];'];
  const text =
    "// e\nimport { g } from 'h';\n\nconst f = (/** @type {g} */ a, /* i */ b) => [ // j\n    `c  d`, a\n];\n\n/* k */\n";
  expect(lengthOfCode(text).characters).toBe(code.join('').length);
});

const lengthsOf = (name: string) => ({
  ours: lengthOfCode(readFileSync(ours(name), 'utf8')),
  theirs: lengthOfCode(readFileSync(theirs(name), 'utf8')),
});

function sumOf(lengths: readonly CodeLength[]): CodeLength {
  const sum = (counts: readonly number[]) => counts.reduce((total, count) => total + count, 0);
  return { lines: sum(lengths.map(({ lines }) => lines)), characters: sum(lengths.map(({ characters }) => characters)) };
}

/** The numbers that a program returns, by name. */
async function run(file: URL, ...args: readonly unknown[]): Promise<Map<string, number[]>> {
  const { default: program } = await import(file.href);
  return new Map(Object.entries(await program(...args)).map(([name, value]) => [name, numbersOf(value)]));
}

/** The numbers of a typed array, or of several. */
function numbersOf(value: unknown): number[] {
  if (Array.isArray(value)) return value.flatMap(numbersOf);
  if (value instanceof Float32Array || value instanceof Int32Array || value instanceof Uint32Array) return [...value];
  throw new TypeError(`a program returned ${String(value)}`);
}

/** The largest difference of two numbers, relative above 1. Infinity if any is NaN or the counts differ. */
function farthest(given: readonly number[], expected: readonly number[]): number {
  if (given.length !== expected.length) return Infinity;
  const differences = expected.map((value, i) => Math.abs(value - (given[i] ?? NaN)) / Math.max(1, Math.abs(value)));
  return differences.some(Number.isNaN) ? Infinity : Math.max(...differences);
}
