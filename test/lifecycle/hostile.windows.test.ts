/** Setters, getters, hooks and constructors of a program that run in the middle of the addon's work, on the real DirectML. */
import { execFile } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';

/** Runs a program in its own process. Returns its output. */
async function program(name: string, ...args: string[]): Promise<unknown> {
  const path = fileURLToPath(new URL(`programs/${name}.mjs`, import.meta.url));
  const { stdout } = await promisify(execFile)(process.execPath, [path, ...args]);
  const written: unknown = JSON.parse(stdout);
  return written;
}

/** The outcomes of the program's reads: the array of the first read was transferred. */
const settled = ['ERR_INVALID_ARGUMENT', ...Array.from({ length: 5 }, () => 'fulfilled')];

test.each([
  ['disposingSetter', [...settled, 'ERR_INVALID_ARGUMENT']],
  ['throwingSetter', settled],
  ['lostWithSetter', true],
  ['disposingThen', settled],
  ['disposingHook', [...settled, 'ERR_INVALID_ARGUMENT']],
  ['newPromises', ['ERR_DISPOSED', 'ERR_DISPOSED', 'ERR_DISPOSED', 'ERR_DISPOSED', 'ERR_DISPOSED']],
  ['waitingWrite', { ran: 0, codes: ['fulfilled'], last: true }],
])('%s', async (name, expected) => {
  expect(await program('hostile', name)).toEqual(expected);
});

test('no setter runs for any property or element', async () => {
  expect(await program('hostile', 'setters')).toEqual({
    ran: [],
    names: true,
    same: true,
    code: 'ERR_INVALID_DESCRIPTOR',
    field: 'type',
    devices: 2,
    memory: 6,
  });
});

test('the addon defines all properties, and assigns none', () => {
  const folder = fileURLToPath(new URL('../../native/addon/', import.meta.url));
  const assigning = /\.Set\(|napi_set_(named_property|property|element)|\]\s*=\s*Napi::/;
  const names = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((name) => /\.(cpp|h)$/.test(name));
  const sources = names.map((name) => [name, readFileSync(join(folder, name), 'utf8')] as const);
  expect(sources.length).toBeGreaterThan(30);
  expect(sources.filter(([, text]) => assigning.test(text)).map(([name]) => name)).toEqual([]);
});

test('a read ignores an ArrayBuffer constructor that was replaced before the addon was loaded', async () => {
  expect(await program('array-buffer')).toEqual({ made: 0, bytes: [1, 2, 3, 4, 5, 6, 7, 8] });
});
