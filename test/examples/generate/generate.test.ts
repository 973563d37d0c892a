/** The example that generates text: it computes what onnxruntime's CPU computes, and keeps its memory. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createDevice, type Device } from 'node-directml';
import { dequantize } from 'node-directml/operators';
import { deviceOn, ownBackend } from '../../support/devices.js';
import { drawn } from '../../support/level.js';
import {
  createDecoder,
  createSampler,
  generate,
  loadModel,
  loadTokenizer,
  quantized,
  type Decoder,
  type LoadOptions,
} from './example.js';
import { runProgram } from './run-program.js';
import { scoresInOnnxruntime } from './onnx-llama.js';
import { tinyShape, writeTinyModel, type Shape, type Weights } from './tiny-model.js';

/** Query heads for each of keys and values: two, all, one, three. */
const shapes: readonly Shape[] = [
  tinyShape,
  { ...tinyShape, keyValueHeads: 1, tied: true, files: 3, seed: 29 },
  { ...tinyShape, heads: 2, headSize: 32, layers: 3, llama3: true, seed: 30 },
  { ...tinyShape, heads: 6, headSize: 8, hidden: 64, tied: true, seed: 31 },
];

const small: Shape = { ...tinyShape, heads: 1, keyValueHeads: 1, headSize: 8, layers: 1, hidden: 16, seed: 32 };

/** Its matrices are larger, but not the tensors between its operators. */
const wide: Shape = { ...tinyShape, hidden: 960, seed: 33 };

const raise = () => {
  throw new Error('the model has no such matrix');
};

const tokensProgram = new URL('many-tokens.mjs', import.meta.url);
/** Tokens that are compared with onnxruntime's, and tokens whose memory is measured. */
const COMPARED = drawn({ quick: 60, all: 500 });
const MEASURED = drawn({ quick: 300, all: 2000 });

const prompt = Array.from({ length: 37 }, (_, i) => (i * 97) % 256);
const scratch = mkdtempSync(join(tmpdir(), 'node-directml-generate-'));
const folderOf = ({ seed }: Shape) => join(scratch, `${seed}`);
const weights = new Map<Shape, Weights>();

beforeAll(() => {
  for (const shape of [...shapes, small, wide]) weights.set(shape, writeTinyModel(folderOf(shape), shape));
});

afterAll(() => rmSync(scratch, { recursive: true }));

describe.each(ownBackend)('on %s', (backend) => {
  const device = deviceOn(backend);
  const decoderOf = async (shape: Shape, options: LoadOptions = { dataType: 'float32' }, context = COMPARED + 100) =>
    createDecoder(device(), await loadModel(device(), folderOf(shape), options), { context });

  test.each(shapes)(`${COMPARED} tokens are those of onnxruntime: %o`, (shape) =>
    device().scope(async () => {
      const decoder = await decoderOf(shape);
      await decoder.prefill(prompt);
      const ids = [...prompt, ...(await tokensOf(decoder, COMPARED))];
      const scores = await scoresInOnnxruntime(shape, weights.get(shape) ?? new Map(), ids);
      const expected = scores.slice(prompt.length - 1, -1).map((row) => row.indexOf(Math.max(...row)));
      expect(ids.slice(prompt.length)).toEqual(expected);
      expect(new Set(expected).size, 'different tokens').toBeGreaterThan(COMPARED / 50);
    }),
  );

  test('a prompt at once, in parts or token by token gives the same scores and text', () =>
    device().scope(async () => {
      const decoder = await decoderOf(tinyShape);
      const ways = [[37], [30, 7], [16, 20, 1], new Array<number>(37).fill(1)];
      const results = [];
      for (const parts of ways) {
        decoder.clear();
        let done = 0;
        for (const part of parts) await decoder.prefill(prompt.slice(done, (done += part)));
        results.push({ scores: await decoder.logits.read(), tokens: await tokensOf(decoder, drawn({ quick: 20, all: 50 })) });
      }
      for (const { scores, tokens } of results) {
        expect(tokens).toEqual(results[0]?.tokens);
        expect(farthest(scores, results[0]?.scores)).toBeLessThan(1e-4);
      }
    }));

  test(`${MEASURED} tokens need no memory`, async () => {
    const { errors, output } = await runProgram([folderOf(small), backend, `${MEASURED}`], { file: tokensProgram });
    expect(errors).toBe('');
    const { growth, full } = JSON.parse(output);
    expect(growth).toEqual({ buffers: 0, persistent: 0, rssMiB: expect.any(Number) });
    expect(growth.rssMiB).toBeLessThan(16);
    expect(full).toBe(`Error: the context of ${MEASURED + 300} tokens is full`);
  });

  test('all parts of prompts share the weights, however large they are', async () => {
    const growths = [];
    for (const shape of [tinyShape, wide]) {
      await using alone = await createDevice({ backend });
      const decoder = await createDecoder(alone, await loadModel(alone, folderOf(shape)), { context: 600 });
      await alone.idle();
      const before = heldBy(alone);
      for (const size of decoder.partSizes) await decoder.prepare(size);
      await alone.idle();
      const after = heldBy(alone);
      growths.push({ buffers: after.buffers - before.buffers, persistent: after.persistent - before.persistent });
    }
    expect(growths[1]).toEqual(growths[0]);
  });

  test.each(['int8', 'int4'] as const)('a matrix as %s differs by half a step at most', (dataType) =>
    device().scope(async () => {
      const { data, sizes } = weights.get(tinyShape)?.get('model.layers.0.mlp.up_proj.weight') ?? raise();
      const matrix = device().createTensor({ dataType: 'float32', sizes }, data);
      const { integers, scales } = await quantized(matrix, dataType);
      const [near, steps] = [await dequantize(integers, [scales]).then((tensor) => tensor.read()), await scales.read()];
      expect(integers.dataType).toBe(dataType);
      expect(scales.sizes).toEqual([sizes[0], 2]);
      const halves = data.map((value, i) => Math.abs(value - Number(near[i] ?? NaN)) / (steps[Math.floor(i / 32)] ?? NaN));
      expect(Math.max(...halves)).toBeLessThan(0.5001);
      expect(Math.max(...halves)).toBeGreaterThan(0.45);
    }),
  );

  // With float32, the scores are between -4.7 and 4.7.
  test.each([
    { options: { dataType: 'float16' }, limit: 0.05 },
    { options: { dataType: 'float16', quantization: 'int8' }, limit: 0.3 },
    { options: { dataType: 'float32', quantization: 'int8' }, limit: 0.3 },
    { options: { dataType: 'float16', quantization: 'int4' }, limit: 3 },
  ] as const)('weights as $options.dataType $options.quantization give nearly the same scores', ({ options, limit }) =>
    device().scope(async () => {
      const exact = await decoderOf(tinyShape);
      const decoder = await decoderOf(tinyShape, options);
      for (const each of [exact, decoder]) await each.prefill(prompt);
      const [expected, given] = [await exact.logits.read(), await decoder.logits.read()];
      const difference = farthest(given, expected);
      expect(difference).toBeLessThan(limit);
      expect(difference).toBeGreaterThan(0);
    }),
  );

  test('sampled tokens have the probabilities of softmax', () =>
    device().scope(async () => {
      const [temperature, topK, draws] = [0.8, 5, 1000];
      const scores = Float32Array.from({ length: 50 }, (_, i) => 3 * Math.sin(i * i));
      const logits = device().createTensor({ dataType: 'float32', sizes: [1, 50] }, scores);
      const token = device().createTensor({ dataType: 'uint32', sizes: [1, 1] });
      const choose = await createSampler(device(), logits, token, { temperature, topK, seed: 5 });
      const counts = new Map<number, number>();
      for (let i = 0; i < draws; i++) {
        choose();
        const [id = -1] = await token.read();
        counts.set(id, (counts.get(id) ?? 0) + 1);
      }
      const likely = [...scores.keys()].sort((a, b) => (scores[b] ?? 0) - (scores[a] ?? 0)).slice(0, topK);
      const weightOf = (id: number) => Math.exp((scores[id] ?? 0) / temperature);
      const sum = likely.reduce((total, id) => total + weightOf(id), 0);
      expect([...counts.keys()].sort()).toEqual([...likely].sort());
      for (const id of likely) {
        const probability = weightOf(id) / sum;
        const deviation = Math.sqrt(draws * probability * (1 - probability));
        expect(Math.abs((counts.get(id) ?? 0) - draws * probability), `token ${id}`).toBeLessThan(4 * deviation);
      }
    }));

  test('the same seed gives the same text, another one another', () =>
    device().scope(async () => {
      const model = await loadModel(device(), folderOf(tinyShape), { dataType: 'float32' });
      const texts = [];
      for (const seed of [1, 1, 2]) {
        const decoder = await createDecoder(device(), model, { context: 128, temperature: 1, seed });
        await decoder.prefill(prompt);
        texts.push(await tokensOf(decoder, 30));
      }
      expect(texts[1]).toEqual(texts[0]);
      expect(texts[2]).not.toEqual(texts[0]);
    }));

  test('text comes in whole characters, and ends at a stop token', () =>
    device().scope(async () => {
      const decoder = await decoderOf(tinyShape);
      const tokenizer = await loadTokenizer(folderOf(tinyShape));
      const before = 'in the beginning: ∂';
      const pieces: string[] = [];
      for await (const piece of generate(decoder, tokenizer, before, { maxTokens: 40 })) pieces.push(piece);
      decoder.clear();
      await decoder.prefill(tokenizer.encode(before).ids);
      const ids = await tokensOf(decoder, 40);
      const whole = tokenizer.decode([...tokenizer.encode(before).ids, ...ids]);
      expect(whole.startsWith(before + pieces.join(''))).toBe(true);
      expect(whole.slice((before + pieces.join('')).length)).toMatch(/^\uFFFD*$/);

      decoder.clear();
      const [stop = 0] = ids.slice(9);
      const shorter: string[] = [];
      for await (const piece of generate(decoder, tokenizer, before, { stop: [stop] })) shorter.push(piece);
      expect(decoder.length).toBe(tokenizer.encode(before).ids.length + ids.indexOf(stop) + 1);
      expect(pieces.join('').startsWith(shorter.join(''))).toBe(true);
    }));

  test('a signal ends it, and the decoder goes on afterwards', () =>
    device().scope(async () => {
      const decoder = await decoderOf(tinyShape);
      const tokenizer = await loadTokenizer(folderOf(tinyShape));
      const controller = new AbortController();
      const pieces: string[] = [];
      const aborted = async () => {
        for await (const piece of generate(decoder, tokenizer, 'the', { signal: controller.signal })) {
          if (pieces.push(piece) === 3) controller.abort();
        }
      };
      await expect(aborted()).rejects.toThrow(expect.objectContaining({ name: 'AbortError' }));
      expect(pieces).toHaveLength(3);
      expect(await tokensOf(decoder, 2)).toHaveLength(2);
    }));
});

/** Memory that does not depend on what is in flight. */
function heldBy(device: Device) {
  const { buffers, persistent } = device.memory();
  return { buffers, persistent };
}

async function tokensOf(decoder: Decoder, count: number): Promise<number[]> {
  const tokens: number[] = [];
  while (tokens.length < count) tokens.push(await decoder.next());
  return tokens;
}

function farthest(given: ArrayLike<number>, expected: ArrayLike<number> = []): number {
  const differences = Array.from(expected, (value, i) => Math.abs(value - (given[i] ?? NaN)));
  return differences.some(Number.isNaN) ? Infinity : Math.max(...differences);
}
