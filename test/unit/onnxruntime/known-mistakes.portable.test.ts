/**
 * onnxruntime-web still makes the mistakes that docs/guides/run-an-onnx-model.md lists. If a test here fails after an update,
 * onnxruntime-web has mended that one: remove it from known-mistakes.ts and from the page.
 */
import { expect, test } from 'vitest';
import { env, InferenceSession } from 'node-directml/onnxruntime';
import { textOf } from '../../support/pages.js';
import { mistakes, type Mistake, type SmallModel } from './known-mistakes.js';

test('the page lists them, with the version', () => {
  const [, section = ''] = textOf('docs/guides/run-an-onnx-model.md').split('\n## Known mistakes of onnxruntime-web\n');
  const [rows = ''] = /^\|.*\n(?:\|.*\n)+/m.exec(section) ?? [];
  const expected = mistakes.map(({ operators, when, result }) => `| ${operators} | ${when} | ${result} |\n`);
  expect(rows).toBe(['| operator | when | result |\n| --- | --- | --- |\n', ...expected].join(''));
  expect(section).toContain(`onnxruntime-web ${env.versions.web ?? ''} `);
});

/** What the model gives, or the message of its error and where it occurred. */
type Outcome =
  | { readonly numbers: readonly number[]; readonly dims: readonly (readonly number[])[]; readonly cpu: readonly string[] }
  | { readonly error: 'create' | 'run'; readonly message: string };

async function outcomeOf({ bytes, feeds }: SmallModel, options: InferenceSession.SessionOptions): Promise<Outcome> {
  let session: InferenceSession | undefined;
  try {
    session = await InferenceSession.create(bytes, { fallback: 'allow', ...options, logSeverityLevel: 4 });
    const outputs = Object.values(await session.run(feeds));
    return {
      numbers: outputs.flatMap(({ data }) => Array.from<number | bigint | string, number>(data, Number)),
      dims: outputs.map(({ dims }) => dims),
      cpu: session.placement?.cpu.map(({ opType }) => opType) ?? [],
    };
  } catch (error) {
    return { error: session === undefined ? 'create' : 'run', message: error instanceof Error ? error.message : String(error) };
  } finally {
    await session?.release();
  }
}

const names = mistakes.map(({ operators, when, ...rest }) => [`${operators}: ${when}`, rest] as const);

test.each(names)('%s', async (name, { models, options, shows, isRight }) => {
  for (const model of models()) {
    // Otherwise a model that cannot be made for WebNN runs on the CPU.
    const fallback = shows !== 'numbers' && 'error' in shows ? 'error' : 'allow';
    const given = await outcomeOf(model, { ...options, backend: 'reference', fallback });
    const isExpected = isRight ?? (await sameAsWasm(model, options));
    const still = shows === 'numbers' ? 'numbers' in given && !isExpected(given.numbers, given) : showsSo(shows, given);
    expect(still, `mended: remove '${name}' from the list; ${JSON.stringify(given)}`).toBe(true);
  }
});

function showsSo(shows: Exclude<Mistake['shows'], 'numbers'>, given: Outcome): boolean {
  if ('onCpu' in shows) return 'cpu' in given && given.cpu.includes(shows.onCpu);
  return 'error' in given && given.error === shows.error && given.message.includes(shows.message);
}

/** onnxruntime's wasm can run the model. */
async function sameAsWasm(model: SmallModel, options?: InferenceSession.SessionOptions) {
  const expected = await outcomeOf(model, { ...options, backend: 'wasm' });
  if ('error' in expected) throw new Error(expected.message);
  return (numbers: readonly number[], given: { readonly dims: readonly (readonly number[])[] }) =>
    JSON.stringify(given.dims) === JSON.stringify(expected.dims) &&
    numbers.every((number, i) => Math.abs(number - (expected.numbers[i] ?? NaN)) <= 1e-5);
}
