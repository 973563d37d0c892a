/** A family of operators has the same name for its facts, rules, kernels, cases, tolerances, examples and ONNX counterparts. */
import { readdirSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { OperatorType } from 'node-directml';
import { describe, expect, it } from 'vitest';
import { kernels } from '#lib/backends/reference/kernels/index.js';
import { operatorTable } from '#lib/schema/generated/table.js';
import { isOperatorType } from '#lib/validation/index.js';
import { rules } from '#lib/validation/rules/index.js';
import { families as facts } from '../../../lib/schema/operators/index.js';
import { families } from '../../operators/families.js';
import { counterpartsByFamily } from '../../operators/onnxruntime.js';
import { sourcesOf } from '../../operators/sources.js';
import type { OwnExample } from '../../reference/example.js';

const root = fileURLToPath(new URL('../../..', import.meta.url));
const require = createRequire(import.meta.url);

const operators = Object.keys(operatorTable).filter(isOperatorType);
const familyByOperator = modulesOf(rules, 'validation/rules');
const names = Object.keys(families);

it('each family has a module of rules, and no other modules exist', () => {
  expect([...familyByOperator.keys()].sort()).toEqual(operators.toSorted());
  expect([...new Set(familyByOperator.values())].sort()).toEqual(names);
});

it('each family has a folder of tests, and no other folders exist', () => {
  const entries = readdirSync(join(root, 'test', 'operators'), { withFileTypes: true });
  expect(
    entries
      .filter((entry) => entry.isDirectory())
      .map(({ name }) => name)
      .sort(),
  ).toEqual(names);
});

describe.each(Object.entries(families))('%s', (family, { cases, tolerances, examples }) => {
  const own = operators.filter((operator) => familyByOperator.get(operator) === family).sort();

  it('has the facts of its operators', () => {
    expect(Object.keys(facts[family]?.operators ?? {}).sort()).toEqual(own);
  });

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
  for (const operator of Object.keys(counterparts)) expect(familyByOperator.get(operator), operator).toBe(family);
});

it('the name of a kernel module begins with that of its family', () => {
  const modules = modulesOf(kernels, 'backends/reference/kernels');
  expect([...modules.keys()].sort()).toEqual(operators.toSorted());
  for (const [operator, module] of modules) expect(familyNamedBy(module), operator).toBe(familyByOperator.get(operator));
});

it('a failing case names the modules of its operator', () => {
  const modules = modulesOf(kernels, 'backends/reference/kernels');
  const expected = operators.map((operator) => ({
    rule: `lib/validation/rules/${familyByOperator.get(operator)}.ts`,
    kernel: `lib/backends/reference/kernels/${modules.get(operator)}.ts`,
  }));
  expect(operators.map(sourcesOf)).toEqual(expected);
});

it('every module in the folder of kernels has a kernel', () => {
  const modules = new Set(modulesOf(kernels, 'backends/reference/kernels').values());
  const files = readdirSync(join(root, 'lib', 'backends', 'reference', 'kernels')).map((file) => file.replace('.ts', ''));
  expect(files.filter((file) => !modules.has(file)).sort()).toEqual(['index', 'kernel']);
});

/** For each operator, the module in a folder of lib/ that exports its entry of the table, by name or in a record. */
function modulesOf(table: Readonly<Record<OperatorType, unknown>>, folder: string): ReadonlyMap<string, string> {
  const found = new Map<string, string>();
  for (const file of readdirSync(join(root, 'lib', folder))) {
    const module = file.replace('.ts', '');
    if (module === 'index') continue;
    const exported: unknown = require(join(root, 'dist', folder, `${module}.js`));
    const records = [exported, ...(isRecord(exported) ? Object.values(exported) : [])].filter(isRecord);
    for (const operator of operators) {
      if (records.some((record) => record[operator] === table[operator])) found.set(operator, module);
    }
  }
  return found;
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null;
}

/** The family with the longest name that the module's name begins with: `pooling` for `pooling-gradient`. */
function familyNamedBy(module: string): string | undefined {
  return names.findLast((family) => module === family || module.startsWith(`${family}-`));
}
