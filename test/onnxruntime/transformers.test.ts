/**
 * Pipelines of transformers.js run on DirectML, and give what onnxruntime's wasm gives. package.json replaces onnxruntime-node and
 * sharp, on which transformers.js depends, by small packages, because these tests need neither.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
// Before transformers.js.
import { InferenceSession, type Placement, type Tensor } from 'node-directml/onnxruntime';
import { AutoModel, env, pipeline, RawImage } from '@huggingface/transformers';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { backends } from '../support/devices.js';
import { writeModels } from './pipelines.js';

const texts = ['a small cat sees the dog .', 'the tree', 'a dog and a green cat runs and sleeps and sees the tree .'];

const create = vi.spyOn(InferenceSession, 'create');
let root = '';

beforeAll(() => {
  root = mkdtempSync(join(tmpdir(), 'node-directml-transformers-'));
  writeModels(root);
  Object.assign(env, { allowRemoteModels: false, localModelPath: root });
});

afterAll(async () => {
  // transformers.js never releases the sessions of its own helpers.
  for (const { type, value } of create.mock.settledResults) if (type === 'fulfilled') await value.release();
  create.mockRestore();
  rmSync(root, { recursive: true, force: true, maxRetries: 10, retryDelay: 100 });
});

const onDevice = { 'present.0.key': 'ml-tensor', 'present.0.value': 'ml-tensor' } as const;
const short = { max_new_tokens: 5 };

type Options = InferenceSession.SessionOptions;
type Device = 'gpu' | 'auto';
interface Loaded {
  readonly model: { readonly sessions: Readonly<Record<string, InferenceSession>> };
  dispose(): Promise<unknown>;
}

const how = (device: Device, session_options: Options) => ({ device, dtype: 'fp32', session_options }) as const;

/** A graph that a run made, whether an input of that run had no elements, and where its cache was. */
interface MadeGraph {
  readonly placement: Placement;
  readonly isEmpty: boolean;
  readonly cache: Tensor.DataLocation | undefined;
}

/** Runs the pipelines; returns what they give and every graph that was made for it. */
async function use<P extends Loaded>(made: Promise<P>, run: (pipe: P) => Promise<unknown>): Promise<[unknown, MadeGraph[]]> {
  const pipe = await made;
  const graphs: MadeGraph[] = [];
  for (const session of Object.values(pipe.model.sessions)) recordGraphs(session, graphs);
  const result = await run(pipe);
  await pipe.dispose();
  return [result, graphs];
}

function recordGraphs(session: InferenceSession, graphs: MadeGraph[]): void {
  const original = session.run.bind(session);
  let last: Placement | null = null;
  session.run = async (feeds: InferenceSession.FeedsType) => {
    const results = await original(feeds);
    const { placement } = session;
    const isEmpty = Object.values(feeds).some(({ dims }) => dims.includes(0));
    const cache = feeds['past_key_values.0.key']?.location;
    if (placement !== null && placement !== last) graphs.push({ placement, isEmpty, cache });
    last = placement;
    return results;
  };
}

const image = (size: number) =>
  new RawImage(
    Uint8Array.from({ length: 3 * size * (size + 2) }, (_, i) => (i * 37) % 256),
    size + 2,
    size,
    3,
  );

const generate = (options: Options) =>
  use(pipeline('text-generation', 'decoder', how('gpu', options)), async (pipe) => [
    await pipe(texts[0] ?? '', short),
    await pipe('the', short),
  ]);

/** The kinds of pipelines, each with inputs of different lengths. */
const kinds = {
  'text-classification': (options: Options) =>
    use(pipeline('text-classification', 'classifier', how('gpu', options)), async (pipe) => {
      const each = [];
      for (const text of texts) each.push(await pipe(text));
      return [...each, await pipe(texts)];
    }),
  'feature-extraction': (options: Options) =>
    use(pipeline('feature-extraction', 'encoder', how('auto', options)), async (pipe) => {
      const all = await Promise.all(texts.map((text) => pipe(text, { pooling: 'mean', normalize: true })));
      return all.map((tensor) => tensor.tolist() as unknown);
    }),
  'image-classification': (options: Options) =>
    use(pipeline('image-classification', 'vision', how('gpu', options)), async (pipe) => [
      await pipe(image(8)),
      await pipe(image(5)),
    ]),
  'text-generation': generate,
  'text-generation with its cache on the device': (options: Options) =>
    generate(options.backend === 'wasm' ? options : { ...options, preferredOutputLocation: onDevice }),
  'text2text-generation': (options: Options) =>
    use(pipeline('text2text-generation', 'translator', how('gpu', options)), async (pipe) => [
      await pipe(texts[0] ?? '', short),
      await pipe('the', short),
    ]),
};

/** Replaces numbers by numbers that compare as equal within float error. */
function rounded(value: unknown): unknown {
  if (typeof value === 'number') return expect.closeTo(value, 5) as unknown;
  if (Array.isArray(value)) return value.map(rounded);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, part]) => [name, rounded(part)]));
}

describe.each(backends)('on %s', (backend) => {
  test.each(Object.entries(kinds))('%s', async (kind, run) => {
    const generates = kind.includes('generation');
    const [result, graphs] = await run({ backend, fallback: 'error' });
    const [expected, onWasm] = await run({ backend: 'wasm' });
    expect(result).toEqual(rounded(expected));
    expect(new Set(onWasm.map(({ placement }) => placement.backend))).toEqual(new Set(['wasm']));
    expect(graphs.length).toBeGreaterThan(0);
    expect(graphs.some(({ isEmpty }) => isEmpty)).toBe(generates);
    for (const { placement } of graphs) expect(placement).toMatchObject({ backend, graphs: 1, cpu: [] });
    if (!kind.includes('device')) return;
    for (const { isEmpty, cache } of graphs) expect(cache).toBe(isEmpty ? 'cpu' : 'ml-tensor');
  });
});

test.each(['webnn', 'cpu', undefined] as const)(
  'transformers.js 4.3.1 refuses the device %s with an onnxruntime from outside',
  async (device) => {
    const loading = AutoModel.from_pretrained('encoder', { dtype: 'fp32', ...(device === undefined ? {} : { device }) });
    await expect(loading).rejects.toThrow('Unsupported device');
  },
);
