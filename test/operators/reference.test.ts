/**
 * The worked examples of DirectML's public reference pages are complete. The reference and, on Windows, the real DirectML
 * give the results of the pages, or those that the example lists as DirectML's.
 */
import { createDevice, DirectMLError } from 'node-directml';
import { describe, expect, it } from 'vitest';
import { product } from '../../checks/cases/layout.js';
import { backends, deviceOn } from '../support/devices.js';
import { isDescriptor, isList, type WorkedExample } from '../../checks/cases/example.js';
import { examplesByOperator, workedExamples } from '../../checks/operators/examples.js';
import { examplesByPage } from './pages.js';
import { runExample } from '../../checks/conformance/run-example.js';

const nameOf = ({ descriptor, title }: WorkedExample): string => `${descriptor.type}, ${title}`;

it('each page has the expected number of examples', () => {
  const carried: Record<string, number> = {};
  for (const { page } of workedExamples) carried[page] = (carried[page] ?? 0) + 1;
  expect(carried).toEqual(examplesByPage);
});

it.each(workedExamples.map((example) => [nameOf(example), example] as const))('%s: has all elements', (_name, example) => {
  for (const [name, value] of Object.entries({ ...example.inputs, ...example.outputs, ...example.directml })) {
    for (const { sizes, values } of isList(value) ? value : [value]) {
      expect(values?.length ?? product(sizes), name).toBe(product(sizes));
    }
  }
});

describe.each(backends)('on %s', (backend) => {
  const device = deviceOn(backend);

  it.each([...examplesByOperator()])('%s', async (_type, examples) => {
    const failures: (string | null)[] = [];
    for (const example of examples) failures.push(await runExample(device(), example));
    expect(failures.filter((failure) => failure !== null)).toEqual([]);
  });
});

describe('mistakes of a page in a descriptor are refused', () => {
  const mistaken = workedExamples.filter(({ asWritten }) => asWritten);

  it.each(mistaken.map((example) => [nameOf(example), example] as const))('%s', async (_name, example) => {
    const device = await createDevice({ backend: 'reference' });
    const descriptor = { ...example.descriptor, ...example.asWritten };
    if (!isDescriptor(descriptor)) throw new TypeError('the operator is not there');
    await expect(device.compile(descriptor)).rejects.toThrow(DirectMLError);
    device.dispose();
  });
});
