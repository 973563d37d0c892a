/**
 * A family of operators has the same name for its facts, cases, tolerances, examples and ONNX counterparts. The generator compares
 * its facts with its rules and kernels.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { families as facts } from '../../lib/operators/index.js';
import { operatorTypes } from '../../checks/operators/cases.js';
import { families } from '../../checks/operators/families.js';
import { counterpartsByFamily } from '../../checks/operators/onnxruntime.js';
import { sourcesOf } from '../../checks/operators/sources.js';
import type { OwnExample } from '../../checks/cases/example.js';

const root = fileURLToPath(new URL('../..', import.meta.url));
const names = Object.keys(facts);

it('each family has a folder in lib/operators and one in checks/operators, and no other folders exist', () => {
  for (const [folder, more] of [
    ['lib', 'generated'],
    ['checks', null],
  ] as const) {
    const entries = readdirSync(join(root, folder, 'operators'), { withFileTypes: true }).filter((entry) => entry.isDirectory());
    const found = entries.map(({ name }) => name).filter((name) => name !== more);
    expect(found.sort()).toEqual(names);
  }
  expect(Object.keys(families)).toEqual(names);
});

describe.each(Object.entries(families))('%s', (family, { cases, tolerances, examples }) => {
  const own = Object.keys(facts[family]?.operators ?? {}).sort();

  it('has the cases of its operators', () => {
    expect(Object.keys(cases).sort()).toEqual(own);
  });

  it('has their tolerances', () => {
    expect(Object.keys(tolerances).sort()).toEqual(own);
  });

  it('has their examples', () => {
    const types = Object.values<readonly OwnExample[]>(examples).flatMap((list) => list.map(({ descriptor }) => descriptor.type));
    expect([...new Set(types)].sort()).toEqual(own);
  });
});

it.each(Object.entries(counterpartsByFamily))('%s has ONNX counterparts only of its own operators', (family, counterparts) => {
  for (const operator of Object.keys(counterparts)) expect(facts[family]?.operators, operator).toHaveProperty(operator);
});

it.each(operatorTypes)('a failing case of %s names files that have its rule and its kernel', (operator) => {
  const { rule, kernel } = sourcesOf(operator);
  for (const file of [rule, kernel])
    expect(readFileSync(join(root, file), 'utf8'), file).toMatch(new RegExp(`\\b${operator}\\b`));
});
