// Loads a model of the Llama family from a folder as Hugging Face has them: config.json, and weights in safetensors.
import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { loadSafetensors } from 'node-directml/files';
import { elementWiseAbs, elementWiseMax, elementWiseMultiply, quantize, reduce } from 'node-directml/operators';

/** @typedef {import('node-directml').Device} Device */
/** @typedef {import('node-directml').Tensor} Tensor */
/** @typedef {Tensor | { integers: Tensor, scales: Tensor }} Matrix */
/** @typedef {Awaited<ReturnType<typeof loadModel>>} Model */
/** @typedef {{ vocabulary: number, width: number, layers: number, heads: number, keyValueHeads: number, headSize: number,
 *    epsilon: number, theta: number, scaling: RotationScaling | null, tied: boolean, context: number, stop: number[] }} Config */
/** @typedef {{ factor: number, low_freq_factor: number, high_freq_factor: number,
 *    original_max_position_embeddings: number }} RotationScaling */
/**
 * @typedef {object} LoadOptions
 * @property {'float32' | 'float16'} [dataType] of all computation, and of the weights that are not quantized. Default: float16
 * @property {'int8' | 'int4'} [quantization] how to keep the matrices of the layers. Default: as floats
 * @property {AbortSignal} [signal]
 */

/** As many consecutive elements of a row share a scale. */
const blockSize = 32;

/** @param {Device} device @param {string} folder @param {LoadOptions} [options] */
export async function loadModel(device, folder, { dataType = 'float16', quantization, signal } = {}) {
  const config = await loadConfig(folder);
  const index = join(folder, 'model.safetensors.index.json');
  const source = existsSync(index) ? index : join(folder, 'model.safetensors');
  const load = (/** @type {string[]} */ names) => loadSafetensors(device, source, { names, dataType, signal });
  const embeddings = 'model.embed_tokens.weight';
  const head = config.tied ? embeddings : 'lm_head.weight';

  const layers = [];
  for (let i = 0; i < config.layers; i++) layers.push(await loadLayer(load, `model.layers.${i}.`, quantization));
  const last = await load([...new Set([embeddings, head]), 'model.norm.weight']);
  return {
    config,
    dataType,
    layers,
    embeddings: tensorIn(last, embeddings),
    norm: row(tensorIn(last, 'model.norm.weight')),
    head: tensorIn(last, head),
  };
}

/**
 * One layer. Its floats are in memory until they are quantized, those of other layers are not.
 * @param {(names: string[]) => Promise<Record<string, Tensor>>} load
 * @param {string} prefix
 * @param {'int8' | 'int4' | undefined} type
 */
async function loadLayer(load, prefix, type) {
  const names = {
    inputNorm: 'input_layernorm',
    query: 'self_attn.q_proj',
    key: 'self_attn.k_proj',
    value: 'self_attn.v_proj',
    output: 'self_attn.o_proj',
    middleNorm: 'post_attention_layernorm',
    gate: 'mlp.gate_proj',
    up: 'mlp.up_proj',
    down: 'mlp.down_proj',
  };
  const loaded = await load(Object.values(names).map((name) => `${prefix}${name}.weight`));
  const weight = (/** @type {keyof typeof names} */ name) => tensorIn(loaded, `${prefix}${names[name]}.weight`);
  const matrix = async (/** @type {keyof typeof names} */ name) => (type ? quantized(weight(name), type) : weight(name));
  return {
    inputNorm: row(weight('inputNorm')),
    query: await matrix('query'),
    key: await matrix('key'),
    value: await matrix('value'),
    output: await matrix('output'),
    middleNorm: row(weight('middleNorm')),
    gate: await matrix('gate'),
    up: await matrix('up'),
    down: await matrix('down'),
  };
}

/**
 * The matrix as integers, with a scale for each block of a row. Disposes of the matrix.
 * @param {Tensor} matrix @param {'int8' | 'int4'} dataType
 */
export async function quantized(matrix, dataType) {
  const [rows = 0, columns = 0] = matrix.sizes;
  if (columns % blockSize !== 0) throw new Error(`rows of ${columns} elements cannot be divided into blocks of ${blockSize}`);
  const blocks = matrix.reshape([rows, columns / blockSize, blockSize]);
  const largest = await reduce(elementWiseAbs(blocks), { function: 'max', axes: [2] });
  const steps = dataType === 'int4' ? 7 : 127;
  // A block of zeros gets a scale too, since nothing can be divided by 0. It is a normal number in float16.
  const scales = await elementWiseMax(elementWiseMultiply(largest.reshape([rows, columns / blockSize]), 1 / steps), 2 ** -14);
  const integers = await quantize(matrix, [scales], { outputTensor: { dataType } });
  matrix.dispose();
  largest.dispose();
  return { integers, scales };
}

/** What config.json says, with the defaults of transformers. @param {string} folder @returns {Promise<Config>} */
async function loadConfig(folder) {
  const file = join(folder, 'config.json');
  const json = JSON.parse(await readFile(file, 'utf8'));
  const generation = join(folder, 'generation_config.json');
  const { eos_token_id: stop = json.eos_token_id } = existsSync(generation)
    ? JSON.parse(await readFile(generation, 'utf8'))
    : json;
  const rotation = json.rope_parameters ?? json.rope_scaling ?? {};
  const kind = rotation.rope_type ?? rotation.type ?? 'default';
  refuseUnless(['default', 'llama3'].includes(kind), file, `positions of the type ${kind}`);
  refuseUnless(['silu', 'swish'].includes(json.hidden_act ?? 'silu'), file, `the activation ${json.hidden_act}`);
  refuseUnless(!json.attention_bias && !json.mlp_bias, file, 'biases');
  refuseUnless(
    ['llama', 'mistral'].includes(json.model_type ?? 'llama') && !json.sliding_window,
    file,
    `the model ${json.model_type}`,
  );
  return {
    vocabulary: json.vocab_size,
    width: json.hidden_size,
    layers: json.num_hidden_layers,
    heads: json.num_attention_heads,
    keyValueHeads: json.num_key_value_heads ?? json.num_attention_heads,
    headSize: json.head_dim ?? json.hidden_size / json.num_attention_heads,
    epsilon: json.rms_norm_eps ?? 1e-6,
    theta: rotation.rope_theta ?? json.rope_theta ?? 10000,
    scaling: kind === 'llama3' ? rotation : null,
    tied: json.tie_word_embeddings ?? false,
    context: json.max_position_embeddings ?? 2048,
    stop: [stop ?? []].flat(),
  };
}

function refuseUnless(/** @type {boolean} */ isKnown, /** @type {string} */ file, /** @type {string} */ what) {
  if (!isKnown) throw new Error(`${file}: this example does not know ${what}`);
}

function tensorIn(/** @type {Record<string, Tensor>} */ tensors, /** @type {string} */ name) {
  const tensor = tensors[name];
  if (tensor === undefined) throw new Error(`the model has no tensor ${name}`);
  return tensor;
}

/** A tensor of one dimension as a row. */
const row = (/** @type {Tensor} */ tensor) => tensor.reshape([1, tensor.sizes[0] ?? 0]);
