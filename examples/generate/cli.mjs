// Continues a text with a model: node examples/generate/cli.mjs FOLDER "Once upon a time" --max-tokens 100
import { performance } from 'node:perf_hooks';
import process from 'node:process';
import { parseArgs } from 'node:util';
import { createDevice } from 'node-directml';
import { createDecoder } from './decoder.mjs';
import { generate, loadTokenizer } from './generate.mjs';
import { loadModel } from './model.mjs';

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    weights: { type: 'string', default: 'float16' },
    'max-tokens': { type: 'string', default: '100' },
    context: { type: 'string' },
    temperature: { type: 'string', default: '0' },
    'top-k': { type: 'string', default: '40' },
    seed: { type: 'string', default: '0' },
  },
});
const [folder, prompt] = positionals;
/** @type {Record<string, import('./model.mjs').LoadOptions>} */
const weights = {
  float32: { dataType: 'float32' },
  float16: { dataType: 'float16' },
  int8: { dataType: 'float16', quantization: 'int8' },
  int4: { dataType: 'float16', quantization: 'int4' },
};
const kept = weights[values.weights];
if (folder === undefined || prompt === undefined || kept === undefined) {
  console.error('usage: node examples/generate/cli.mjs FOLDER PROMPT [--weights float32|float16|int8|int4] [--max-tokens N]');
  console.error('         [--context N] [--temperature T] [--top-k K] [--seed N]');
  process.exit(2);
}

const interrupted = new AbortController();
process.once('SIGINT', () => interrupted.abort());
const { signal } = interrupted;
const device = await createDevice();
try {
  const model = await loadModel(device, folder, { ...kept, signal });
  const decoder = await createDecoder(device, model, {
    context: values.context === undefined ? undefined : Number(values.context),
    temperature: Number(values.temperature),
    topK: Number(values['top-k']),
    seed: Number(values.seed),
  });
  const tokenizer = await loadTokenizer(folder);
  process.stdout.write(prompt);
  const start = performance.now();
  const before = tokenizer.encode(prompt).ids.length;
  const options = { maxTokens: Number(values['max-tokens']), stop: model.config.stop, signal };
  for await (const text of generate(decoder, tokenizer, prompt, options)) process.stdout.write(text);
  process.stdout.write('\n');
  const seconds = (performance.now() - start) / 1000;
  const count = decoder.length - before;
  if (process.stderr.isTTY) console.error(`${count} tokens, ${(count / seconds).toFixed(1)} per second`);
} catch (error) {
  if (!signal.aborted) throw error;
  process.exitCode = 130;
} finally {
  device.dispose();
}
