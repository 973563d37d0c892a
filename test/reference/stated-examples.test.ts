/** The numbers in the sentences of lib/schema: what "`input` gives `output`" says is what the operator computes. */
import type { Tensor } from 'node-directml';
import { describe, expect, test } from 'vitest';
import { backends, deviceOn } from '../support/devices.js';
import { sentencesOf, written } from '../support/meanings.js';
import { programs } from './stated-examples.js';

/** The sentences that have an example, by what they are about. */
const stated = new Map([...sentencesOf(written).sentences].filter(([, text]) => text.includes(' gives `')));

test('each sentence with an example has a program, and each program a sentence', () => {
  expect(Object.keys(programs).sort()).toEqual([...stated.keys()].sort());
});

describe.each(backends)('on %s', (backend) => {
  const device = deviceOn(backend);

  test.each([...stated])('%s', async (key, text) => {
    const examples = [...text.matchAll(/`(\[[^`]*)`[^`]*? gives `(\[[^`]*)`/g)];
    expect(examples).toHaveLength(text.split(' gives `').length - 1);
    for (const [i, [, input = '', output = '']] of examples.entries()) {
      const program = [programs[key] ?? []].flat()[i];
      if (program === undefined) throw new Error(`no program for example ${i} of ${key}`);
      const result = await program(device(), numbersIn(input));
      expect(await decimals(result, output)).toBe(numbersIn(output).join(' '));
    }
  });
});

function numbersIn(text: string): number[] {
  return (text.match(/-?\d+(\.\d+)?/g) ?? []).map(Number);
}

/** The elements, rounded to as many decimals as the stated ones have. */
async function decimals(tensor: Tensor, statedOutput: string): Promise<string> {
  const digits = Math.max(0, ...(statedOutput.match(/(?<=\.)\d+/g) ?? []).map((decimal) => decimal.length));
  const elements: ArrayLike<number | bigint> = await tensor.read();
  return Array.from(elements, (element) => Number(Number(element).toFixed(digits)) + 0).join(' ');
}
