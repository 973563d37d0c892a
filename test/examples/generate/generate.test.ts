/** The example that generates text: it computes what onnxruntime's CPU computes, and keeps its memory. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { backends, deviceOn } from '../../support/devices.js';
import { createDecoder, loadModel, type Decoder, type LoadOptions } from './example.js';
import { scoresInOnnxruntime } from './onnx-llama.js';
import { writeTinyModel, type Shape, type Weights } from './tiny-model.js';

const usual: Shape = {
  heads: 4,
  keyValueHeads: 2,
  headSize: 16,
  layers: 2,
  hidden: 96,
  tied: false,
  files: 1,
  llama3: false,
  seed: 28,
};

/** Query heads for each of keys and values: two, all, one, three. */
const shapes: readonly Shape[] = [
  usual,
  { ...usual, keyValueHeads: 1, tied: true, files: 3, seed: 29 },
  { ...usual, heads: 2, headSize: 32, layers: 3, llama3: true, seed: 30 },
  { ...usual, heads: 6, headSize: 8, hidden: 64, tied: true, seed: 31 },
];

const prompt = Array.from({ length: 37 }, (_, i) => (i * 97) % 256);
const scratch = mkdtempSync(join(tmpdir(), 'node-directml-generate-'));
const folderOf = ({ seed }: Shape) => join(scratch, `${seed}`);
const weights = new Map<Shape, Weights>();

beforeAll(() => {
  for (const shape of shapes) weights.set(shape, writeTinyModel(folderOf(shape), shape));
});

afterAll(() => rmSync(scratch, { recursive: true }));

describe.each(backends)('on %s', (backend) => {
  const device = deviceOn(backend);
  const decoderOf = async (shape: Shape, options: LoadOptions = { dataType: 'float32' }, context = 600) =>
    createDecoder(device(), await loadModel(device(), folderOf(shape), options), { context });

  test.each(shapes)('500 tokens are those of onnxruntime: %o', (shape) =>
    device().scope(async () => {
      const decoder = await decoderOf(shape);
      await decoder.prefill(prompt);
      const ids = [...prompt, ...(await tokensOf(decoder, 500))];
      const scores = await scoresInOnnxruntime(shape, weights.get(shape) ?? new Map(), ids);
      const expected = scores.slice(prompt.length - 1, -1).map((row) => row.indexOf(Math.max(...row)));
      expect(ids.slice(prompt.length)).toEqual(expected);
      expect(new Set(expected).size, 'different tokens').toBeGreaterThan(10);
    }),
  );

  test('a prompt at once, in parts or token by token gives the same scores and text', () =>
    device().scope(async () => {
      const decoder = await decoderOf(usual);
      const ways = [[37], [30, 7], [16, 20, 1], new Array<number>(37).fill(1)];
      const results = [];
      for (const parts of ways) {
        decoder.clear();
        let done = 0;
        for (const part of parts) await decoder.prefill(prompt.slice(done, (done += part)));
        results.push({ scores: await decoder.logits.read(), tokens: await tokensOf(decoder, 50) });
      }
      for (const { scores, tokens } of results) {
        expect(tokens).toEqual(results[0]?.tokens);
        expect(farthest(scores, results[0]?.scores)).toBeLessThan(1e-4);
      }
    }));

  test('2,000 tokens need no memory', () =>
    device().scope(async () => {
      const decoder = await decoderOf(usual, { dataType: 'float32' }, 2200);
      await decoder.prefill(prompt);
      await tokensOf(decoder, 100);
      const [before, rss] = [device().memory(), process.memoryUsage.rss()];
      await tokensOf(decoder, 2000);
      expect(device().memory()).toEqual(before);
      expect((process.memoryUsage.rss() - rss) / 2 ** 20, 'MiB').toBeLessThan(16);
      await expect(tokensOf(decoder, 64)).rejects.toThrow('the context of 2200 tokens is full');
    }));
});

async function tokensOf(decoder: Decoder, count: number): Promise<number[]> {
  const tokens: number[] = [];
  while (tokens.length < count) tokens.push(await decoder.next());
  return tokens;
}

function farthest(given: ArrayLike<number>, expected: ArrayLike<number> = []): number {
  const differences = Array.from(expected, (value, i) => Math.abs(value - (given[i] ?? NaN)));
  return differences.some(Number.isNaN) ? Infinity : Math.max(...differences);
}
