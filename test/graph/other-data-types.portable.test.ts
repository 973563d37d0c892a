/**
 * The types of functions and of `graph.add` take from the facts which outputs and inputs have a data type of their own. That must
 * agree with what validation infers and refuses.
 */
import { DirectMLError, type DataType } from 'node-directml';
import { expect, test } from 'vitest';
import { operatorTable } from '#lib/descriptors/generated/table.js';
import { isTensor, valuesOf } from '#lib/descriptors/resolved.js';
import { resolveDescriptor } from '#lib/operators/resolve.js';
import { firstInputOf, readFacts } from '../../lib/operators/read.js';
import { generators, operatorTypes } from '../../checks/operators/cases.js';
import { Random } from '../../checks/harness/random.js';

const CASES = 100;
/** In so many cases, the data types of inputs are changed. */
const CHANGED = 10;
const changes: readonly DataType[] = ['float32', 'float16', 'int32', 'uint32', 'int8', 'uint8'];

const facts = new Map(readFacts().operators.map((operator) => [operator.name, operator]));
const text = (support: unknown) => JSON.stringify(support);

/** The names of the inputs, or outputs, that may have a data type of their own. */
function ownNames(type: string, ownRole: 'input' | 'output'): string[] {
  const fields = facts.get(type)?.fields.filter(({ role, ownDataType }) => role === ownRole && ownDataType) ?? [];
  return fields.map(({ name }) => name).sort();
}

function tensorsIn(value: unknown) {
  return (Array.isArray(value) ? value : [value]).filter(isTensor);
}

test.each(operatorTypes)('outputs of %s have the data type of the first input unless they have their own', (type) => {
  const { fields } = operatorTable[type];
  const first = firstInputOf(facts.get(type) ?? { fields: [] })?.name;
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
  expect([...others].sort()).toEqual(ownNames(type, 'output'));
});

test.each(operatorTypes)(
  'inputs of %s have the data type of the first one, if they support the same, unless they have their own',
  (type) => {
    const inputs = operatorTable[type].fields.filter(({ role }) => role === 'input');
    const { fields = [] } = facts.get(type) ?? {};
    const first = firstInputOf({ fields });
    const types = (name: string) => text(fields.find((field) => field.name === name)?.support?.[0]?.dataTypes);
    if (first === undefined) return;
    const alike = inputs.filter(
      ({ name, kind }) => name !== first.name && kind === 'tensor' && types(name) === types(first.name),
    );
    const others = new Set<string>();
    for (let i = 0; i < CASES; i++) {
      const { descriptor } = generators[type](Random.of(1, type, i), i);
      const values = valuesOf(descriptor);
      const [input] = tensorsIn(values[first.name]);
      if (input === undefined) continue;
      const present = alike.flatMap(({ name }) => tensorsIn(values[name]).map((tensor) => ({ name, tensor })));
      for (const { name, tensor } of present) if (tensor.dataType !== input.dataType) others.add(name);
      for (const dataType of i < CHANGED ? changes : []) {
        for (const { name, tensor } of present) {
          if (dataType !== input.dataType && isValid({ ...values, [name]: { ...tensor, dataType } })) others.add(name);
        }
        if (!isValid({ ...values, [first.name]: { ...input, dataType } })) continue;
        for (const { name, tensor } of present) if (tensor.dataType !== dataType) others.add(name);
      }
    }
    const list = ownNames(type, 'input');
    expect(list).toEqual(expect.arrayContaining([...others]));
    expect(others.size > 0).toBe(list.length > 0);
  },
);

function isValid(descriptor: object): boolean {
  try {
    resolveDescriptor(descriptor, '6.4');
    return true;
  } catch (error) {
    if (error instanceof DirectMLError) return false;
    throw error;
  }
}
