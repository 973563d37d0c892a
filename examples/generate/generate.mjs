// Text from a decoder, in pieces as they are generated.
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Tokenizer } from '@huggingface/tokenizers';

/** @typedef {Awaited<ReturnType<typeof import('./decoder.mjs').createDecoder>>} Decoder */
/**
 * @typedef {object} GenerateOptions
 * @property {number} [maxTokens] Default: until the context is full
 * @property {readonly number[]} [stop] tokens that end the text
 * @property {AbortSignal} [signal] ends the text with an error
 */

/** The tokenizer of a model's folder. @param {string} folder */
export async function loadTokenizer(folder) {
  const json = async (/** @type {string} */ name) => JSON.parse(await readFile(join(folder, name), 'utf8'));
  return new Tokenizer(await json('tokenizer.json'), await json('tokenizer_config.json'));
}

/**
 * Continues the prompt, and gives the text in pieces of whole characters.
 * @param {Decoder} decoder @param {Tokenizer} tokenizer @param {string} prompt @param {GenerateOptions} [options]
 */
export async function* generate(decoder, tokenizer, prompt, { maxTokens = Infinity, stop = [], signal } = {}) {
  const ids = tokenizer.encode(prompt).ids;
  await decoder.prefill(ids);
  // What a token adds to the text can depend on the one before it: spaces, and the bytes of a character. So a few are decoded.
  let [from, given] = [Math.max(0, ids.length - 4), ids.length];
  for (let count = 0; count < maxTokens && decoder.length < decoder.context; count++) {
    const id = await decoder.next(signal);
    if (stop.includes(id)) return;
    ids.push(id);
    const text = tokenizer.decode(ids.slice(from));
    if (text.endsWith('\uFFFD')) continue; // the beginning of a character
    yield text.slice(tokenizer.decode(ids.slice(from, given)).length);
    [from, given] = [given, ids.length];
  }
}
