/** The rules accept each data type of a tensor and each value of a field that the pages list, in some descriptor. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { OperatorType } from 'node-directml';
import { expect, test } from 'vitest';
import { operatorTable } from '#lib/descriptors/generated/table.js';
import type { FieldSchema } from '#lib/descriptors/types.js';
import { isOperatorType, resolveDescriptor } from '#lib/operators/resolve.js';
import { generators } from '../../checks/operators/cases.js';
import { Random } from '../../checks/harness/random.js';

const SEED = 20261122;
/** The limit of cases. Most operators need far fewer, because the test stops once everything has been accepted. */
const MOST_CASES = 200;

const pages = fileURLToPath(new URL('../../docs/operators', import.meta.url));
const types = Object.keys(operatorTable).filter(isOperatorType);

test.each(types)('everything on the page of %s is accepted in some descriptor', (type) => {
  const missing = listedOn(type);
  expect(missing.size).toBeGreaterThan(0);
  for (let index = 0; index < MOST_CASES && missing.size > 0; index++) {
    const { descriptor } = generators[type](Random.of(SEED, type, index), index);
    for (const [key, { field, value }] of missing) {
      if (changesTo(type, descriptor, field, value).some(isAccepted)) missing.delete(key);
    }
  }
  expect([...missing.keys()]).toEqual([]);
});

test('pages omit values that are always refused', () => {
  expect([...listedOn('fold').keys()]).not.toContain('inputTensor: float64');
  expect([...listedOn('roiAlign').keys()].filter((key) => key.startsWith('reductionFunction'))).toHaveLength(2);
  expect([...listedOn('quantize').keys()]).not.toContain('quantizationType: none');
});

interface Listed {
  readonly field: string;
  readonly value: string;
}

/** The data types in the table of tensors, and the values in the table of fields. */
function listedOn(type: OperatorType): Map<string, Listed> {
  const page = readFileSync(join(pages, `${type}.md`), 'utf8').replaceAll('\r\n', '\n');
  const listed = new Map<string, Listed>();
  let fields: string[] = [];
  for (const [, names = '', dataTypes = ''] of page.matchAll(/^\| ([^|]*) \| [\d.]+ \| [\d to]+ \| ([^|]*) \|$/gm)) {
    if (names !== '') fields = codesIn(names);
    for (const field of fields) {
      for (const value of dataTypes.split(', ')) listed.set(`${field}: ${value}`, { field, value });
    }
  }
  for (const [, field = '', values = ''] of page.matchAll(/^\| `(\w+)` \|.* One of the \[values\]\(#values\) ([^.;]*)[.;]/gm)) {
    for (const value of codesIn(values)) listed.set(`${field}: ${value}`, { field, value });
  }
  return listed;
}

function codesIn(text: string): string[] {
  return [...text.matchAll(/`'?(\w+)'?`/g)].map(([, name = '']) => name);
}

/** Descriptors with another value; or with another data type of this tensor, and of all tensors that share its data type. */
function changesTo(type: OperatorType, descriptor: object, field: string, value: string): object[] {
  const current: unknown = Reflect.get(descriptor, field);
  const { fields } = operatorTable[type];
  if (fields.some(({ name, support }) => name === field && support === undefined)) return [{ ...descriptor, [field]: value }];
  return [...new Set(dataTypesOf(current))].flatMap((from) => changesOfType(descriptor, fields, field, from, value));
}

function changesOfType(descriptor: object, fields: readonly FieldSchema[], field: string, from: string, value: string): object[] {
  // A scalar and the scales of inputs have to suit the data type, so they are left out or small.
  const entries: [string, unknown][] = Object.entries(descriptor).filter(([name]) => name !== 'scaleBias');
  const all = entries.map(([name, given]): [string, unknown] => {
    const kind = fields.find((other) => other.name === name)?.kind;
    if (kind === 'scalar') return [name, 1];
    return [name, given === from ? value : retyped(given, from, value)];
  });
  return [{ ...descriptor, [field]: retyped(Reflect.get(descriptor, field), from, value) }, Object.fromEntries(all)];
}

/** Gives the tensors of the data type `from` the data type `to`, and packs them. */
function retyped(given: unknown, from: string, to: string): unknown {
  if (Array.isArray(given)) return given.map((each: unknown) => retyped(each, from, to));
  return dataTypesOf(given)[0] === from ? { dataType: to, sizes: sizesOf(given) } : given;
}

function dataTypesOf(given: unknown): string[] {
  if (Array.isArray(given)) return given.flatMap(dataTypesOf);
  const isTensor = typeof given === 'object' && given !== null && 'dataType' in given;
  return isTensor ? [String(given.dataType)] : [];
}

function sizesOf(given: unknown): unknown {
  return typeof given === 'object' && given !== null ? Reflect.get(given, 'sizes') : undefined;
}

function isAccepted(descriptor: object): boolean {
  try {
    resolveDescriptor(descriptor, '6.4');
    return true;
  } catch {
    return false;
  }
}
