/** `node-directml/array` against what NumPy computed: eagerly, in a graph and in `jit`, with the same bits. */
import { describe, expect, test } from 'vitest';
import * as np from 'node-directml/array';
import { deviceOn, ownBackend } from '../support/devices.js';
import { functionNames } from '../../checks/arrays/cases.js';
import { checkCase } from '../../checks/arrays/check.js';
import { readStored } from '../../checks/arrays/oracle.js';
import { writeJson } from '../../checks/cases/case.js';

/** fft.test.ts has these. */
const notOfNumPy = ['istft', 'melFilters', 'stft'];

const stored = readStored();

test('all functions have cases', () => {
  const functionsOf = (all: object) => Object.entries(all).filter(([, each]) => typeof each === 'function');
  const own = functionsOf(np).map(([name]) => name);
  const others = ['linalg', 'fft'] as const;
  const ofOthers = others.flatMap((space) => functionsOf(np[space]).map(([name]) => ({ space, name })));
  const withCases = ofOthers.filter(({ name }) => !own.includes(name) && !notOfNumPy.includes(name));
  expect([...functionNames].sort()).toEqual([...own, ...withCases.map(({ space, name }) => `${space}.${name}`)].sort());
  expect(new Set(stored.map(({ name }) => name))).toEqual(new Set(functionNames));
});

describe.each(ownBackend)('on %s', (backend) => {
  const device = deviceOn(backend);

  test('a sum of each two data types', async () => {
    const sums = stored.filter(({ name }) => name === 'add').slice(-100);
    for (const { answer, ...own } of sums) {
      const { kind, why } = await checkCase(device(), own, answer, []);
      expect(kind === 'failed' ? why : '', writeJson(own)).toBe('');
    }
  });

  test.each(functionNames)('%s', async (name) => {
    for (const { answer, ...own } of stored.filter((each) => each.name === name)) {
      const { kind, why } = await checkCase(device(), own, answer);
      expect(kind === 'failed' ? why : '', `npm run arrays -- --case '${writeJson(own)}'`).toBe('');
    }
  });
});
