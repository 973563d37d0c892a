/** Checks the examples in the texts of lib/operators: the operator must compute what "`input` gives `output`" states. */
import { describe, expect, test } from 'vitest';
import { backends, deviceOn } from '../support/devices.js';
import { operators, sentences } from '../support/meanings.js';
import { isList, type ExampleTensor, type OwnExample } from '../../checks/cases/example.js';
import { runExample } from '../../checks/conformance/run-example.js';
import { statedExamples } from './stated-examples.js';

/** The texts that contain examples, each with the name of what it explains, such as `ReduceFunction.sum`. */
const texts = [
  ...sentences,
  ...operators.map(({ name, explanation = [] }): [string, string] => [name, explanation.join('\n')]),
].filter(([, text]) => text.includes(' gives '));

test('exactly the texts with an example have an entry in statedExamples', () => {
  expect(Object.keys(statedExamples).sort()).toEqual(texts.map(([key]) => key).sort());
});

describe.each(backends)('on %s', (backend) => {
  const device = deviceOn(backend);

  test.each(texts)('%s', async (key, text) => {
    const [first = '', ...others] = text.split(' gives ');
    let before = first;
    expect(statedExamples[key]).toHaveLength(others.length);
    for (const [i, after] of others.entries()) {
      const input = before.match(/`\[[^`]*`/g)?.at(-1) ?? '';
      const output = /^(?:the [a-z]+ )?(`\[[^`]*`)/.exec(after)?.[1] ?? '';
      const example = statedExamples[key]?.[i]?.(numbersIn(input), numbersIn(output));
      if (example === undefined || output === '') throw new Error(`nothing computes "${input} gives ${after}"`);
      const failure = await runExample(device(), { page: '', title: key, ...example, outputs: withDecimals(example, output) });
      expect(failure).toBeNull();
      before = after;
    }
  });
});

function numbersIn(text: string): number[] {
  return (text.match(/-?\d+(\.\d+)?/g) ?? []).map(Number);
}

/** The outputs, marked to be compared to as many decimals as the text shows. */
function withDecimals({ outputs }: OwnExample, text: string): OwnExample['outputs'] {
  const decimals = Math.max(0, ...(text.match(/(?<=\.)\d+/g) ?? []).map((digits) => digits.length));
  if (decimals === 0) return outputs;
  const round = (exact: ExampleTensor): ExampleTensor => ({ ...exact, decimals });
  return Object.fromEntries(
    Object.entries(outputs).map(([name, value]) => [name, isList(value) ? value.map(round) : round(value)]),
  );
}
