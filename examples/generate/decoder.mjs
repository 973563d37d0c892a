// Runs a decoder of the Llama family: a cache of keys and values that stays on the device, and a recording that is replayed for
// each token.
import { createForward } from './forward.mjs';
import { rotationTables } from './rotation.mjs';
import { createSampler } from './sampling.mjs';

/** @typedef {import('node-directml').Device} Device */
/** @typedef {import('node-directml').Tensor} Tensor */
/** @typedef {import('./model.mjs').Model} Model */
/**
 * @typedef {import('./sampling.mjs').Sampling & { context?: number | undefined }} DecoderOptions
 * The context is the largest number of tokens, prompts included. Default: what the model was made for, at most 2048
 */

/** A prompt runs in parts of these numbers of tokens. Each is compiled once; the last part of a prompt is padded. */
const partSizes = [1, 16, 64, 256];

/** @param {Device} device @param {Model} model @param {DecoderOptions} [options] */
export async function createDecoder(device, model, { context = Math.min(model.config.context, 2048), ...sampling } = {}) {
  const { config, dataType, layers } = model;
  const int32 = /** @type {const} */ ({ dataType: 'int32', sizes: [1] });
  const length = device.createTensor(int32, [0]);
  const logits = device.createTensor({ dataType: 'float32', sizes: [1, config.vocabulary] });
  const cache = () => device.createTensor({ dataType, sizes: [1, config.keyValueHeads, context, config.headSize] });
  const caches = layers.map(() => ({ keys: cache(), values: cache() }));
  const tables = rotationTables(device, dataType, config, context);
  const forward = createForward(device, model, { length, tables, caches, logits });

  const token = device.createTensor({ dataType: 'uint32', sizes: [1, 1] });
  const choose = await createSampler(device, logits, token, sampling);
  const run = await forward(token, device.createTensor(int32, [1]));
  const step = device.record(() => {
    choose();
    run();
  });

  const compilePart = async (/** @type {number} */ size) => {
    const tokens = device.createTensor({ dataType: 'uint32', sizes: [1, size] });
    const count = device.createTensor(int32);
    return { tokens, count, recording: device.record(await forward(tokens, count)) };
  };
  /** @type {Map<number, ReturnType<typeof compilePart>>} */
  const parts = new Map();
  const partOf = (/** @type {number} */ size) => {
    const part = parts.get(size) ?? compilePart(size);
    parts.set(size, part);
    return part;
  };

  let used = 0;
  return {
    context,
    /** The scores of all tokens for the place after the last one, float32 [1, vocabulary]. */
    logits,
    /** How many tokens are in the cache. */
    get length() {
      return used;
    },
    /** The sizes of the parts in which prompts run. */
    partSizes: /** @type {readonly number[]} */ (partSizes.filter((size) => size <= context)),
    /** Compiles a part ahead of its first use. */
    async prepare(/** @type {number} */ size) {
      await partOf(size);
    },
    /** Adds a text to the cache, after what is there. */
    async prefill(/** @type {readonly number[]} */ ids) {
      if (used + ids.length > context) throw new Error(`${used + ids.length} tokens are more than the context of ${context}`);
      for (let done = 0; done < ids.length;) {
        const size = partSize(ids.length - done, context - used);
        const { tokens, count, recording } = await partOf(size);
        const some = ids.slice(done, done + size);
        tokens.write([...some, ...new Array(size - some.length).fill(0)]);
        count.write([some.length]);
        recording.replay();
        done += some.length;
        used += some.length;
      }
    },
    /**
     * Chooses the next token by the logits, adds it to the cache, and returns it.
     * @param {AbortSignal} [signal]
     */
    async next(signal) {
      if (used === context) throw new Error(`the context of ${context} tokens is full`);
      step.replay();
      used++;
      const [id = 0] = await token.read({ signal });
      return id;
    },
    /** Forgets all tokens. */
    clear() {
      length.write([0]);
      used = 0;
    },
  };
}

/** The smallest part that holds the rest, if there is room for its padding; otherwise the largest that is full. */
function partSize(/** @type {number} */ rest, /** @type {number} */ room) {
  return partSizes.find((size) => size >= rest && size <= room) ?? partSizes.findLast((size) => size <= rest) ?? 1;
}
