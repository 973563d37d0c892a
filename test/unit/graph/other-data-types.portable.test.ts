/** The types of `graph.add` take the data types of outputs from a list. It must agree with what validation infers. */
import type { DataType } from 'node-directml';
import { expect, test } from 'vitest';
import { firstInputs, otherOutputs } from '#lib/graph/other-data-types.js';
import { operatorTable } from '#lib/schema/generated/table.js';
import type { OperatorSchema } from '#lib/schema/types.js';
import { isTensor, valuesOf } from '#lib/validation/resolved.js';
import { resolveDescriptor } from '#lib/validation/index.js';
import { generators, operatorTypes } from '../../operators/cases.js';
import { Random } from '../../random.js';

const CASES = 100;

const table: Readonly<Record<string, OperatorSchema>> = operatorTable;
const listed: Readonly<Record<string, Readonly<Record<string, DataType | null>>>> = otherOutputs;

function tensorsIn(value: unknown) {
  return (Array.isArray(value) ? value : [value]).filter(isTensor);
}

test.each(operatorTypes)('outputs of %s have the data type of the first input unless they are in the list', (type) => {
  const { fields } = operatorTable[type];
  const first = firstInputs.find((name) => fields.some((field) => field.name === name));
  const outputs = fields.filter(({ role }) => role === 'output').map(({ name }) => name);
  const others = new Set<string>();
  if (first === undefined) return;
  for (let i = 0; i < CASES; i++) {
    const { descriptor } = generators[type](Random.of(1, type, i), i);
    const values = valuesOf(resolveDescriptor(descriptor, '6.4').descriptor);
    const [input] = tensorsIn(values[first]);
    if (input === undefined) continue;
    for (const name of outputs) {
      if (tensorsIn(values[name]).some(({ dataType }) => dataType !== input.dataType)) others.add(name);
    }
  }
  expect([...others].sort()).toEqual(Object.keys(listed[type] ?? {}));
});

test.each(Object.entries(listed))('the list has the data types of outputs of %s that the table determines', (type, outputs) => {
  for (const [name, dataType] of Object.entries(outputs)) {
    const { defaultDataType, support = [] } = table[type]?.fields.find((field) => field.name === name) ?? {};
    const [only, ...more] = new Set(support.flatMap(({ dataTypes }) => dataTypes));
    expect(dataType).toBe(defaultDataType ?? (more.length === 0 ? only : null));
  }
});
