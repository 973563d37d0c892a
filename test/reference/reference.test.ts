/**
 * The worked examples of DirectML's public reference pages: complete, and computed alike by the reference, by the real
 * DirectML where there is one, and by the pages, except where an example says what DirectML gives instead.
 */
import { join } from 'node:path';
import { createDevice, DirectMLError, type Device } from 'node-directml';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { readAllFacts, type Facts } from '../coverage/facts.js';
import { backends } from '../support/devices.js';
import { isComputable, isList, type WorkedExample } from './example.js';
import { examplesByOperator, workedExamples } from './examples/index.js';
import { otherPages, pages } from './pages.js';
import { runExample } from './run.js';

const facts = await readAllFacts(join(import.meta.dirname, '..', '..'));
const nameOf = ({ descriptor, title }: WorkedExample): string => `${descriptor.type}, ${title}`;

describe('the list of pages', () => {
  it('has the page of each of the 177 operators', () => {
    expect(Object.keys(pages).sort()).toEqual(Object.keys(facts.operators).sort());
  });

  it('has as many examples of each page as are carried', () => {
    const carried = new Map<string, number>();
    for (const { page } of workedExamples) carried.set(page, (carried.get(page) ?? 0) + 1);
    const listed = [...Object.values(pages), ...otherPages].filter(({ examples }) => examples > 0);
    expect(Object.fromEntries(listed.map(({ page, examples }) => [page, examples]))).toEqual(
      Object.fromEntries(carried),
    );
  });
});

describe('every example, also of an operator that is still to come', () => {
  it.each(workedExamples.map((example) => [nameOf(example), example] as const))('%s', (_name, example) => {
    expect(faultsOf(example, facts)).toEqual([]);
  });
});

describe.each(backends)('on %s', (backend) => {
  let device: Device;

  beforeAll(async () => {
    device = await createDevice({ backend });
  });

  afterAll(() => {
    device.dispose();
  });

  const ready = [...examplesByOperator()].flatMap(([type, examples]) =>
    examples.some(({ descriptor }) => isComputable(descriptor)) ? [[type, examples] as const] : [],
  );

  it.each(ready)('%s', async (_type, examples) => {
    const failures: (string | null)[] = [];
    for (const example of examples) failures.push(await runExample(device, example));
    expect(failures.filter((failure) => failure !== null)).toEqual([]);
  });
});

describe('what a page has wrong in a descriptor is refused', () => {
  const mistaken = workedExamples.filter(({ asWritten, descriptor }) => asWritten && isComputable(descriptor));

  it.each(mistaken.map((example) => [nameOf(example), example] as const))('%s', async (_name, example) => {
    const device = await createDevice({ backend: 'reference' });
    const descriptor = { ...example.descriptor, ...example.asWritten };
    if (!isComputable(descriptor)) throw new TypeError('the operator is not there');
    await expect(device.compile(descriptor)).rejects.toThrow(DirectMLError);
    device.dispose();
  });
});

/** What is missing or too much in the example, by the operator's table. */
function faultsOf({ descriptor, inputs, outputs, directml }: WorkedExample, { operators }: Facts): string[] {
  const operator = operators[descriptor.type];
  if (operator === undefined) return [`there is no operator ${descriptor.type}`];
  const faults: string[] = [];
  const tensors = { input: inputs, output: outputs };
  for (const { name, role, optional, counts } of operator.fields) {
    const given = role === undefined ? descriptor[name] : tensors[role][name];
    if (given === undefined && optional !== true && counts === undefined) faults.push(`${name} is missing`);
  }
  const names = operator.fields.map(({ name }) => name);
  for (const name of Object.keys(descriptor)) {
    if (name !== 'type' && !names.includes(name)) faults.push(`${name} is no field`);
  }
  for (const [name, value] of Object.entries({ ...inputs, ...outputs, ...directml })) {
    for (const { sizes, values } of isList(value) ? value : [value]) {
      const elements = sizes.reduce((product, size) => product * size, 1);
      if (values !== null && values.length !== elements) faults.push(`${name} has ${values.length} values`);
    }
  }
  return faults;
}
