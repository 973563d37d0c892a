/** A small model of the Llama family with random weights, in a folder as Hugging Face has them. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Random } from '../../../checks/harness/random.js';

export interface Shape {
  readonly heads: number;
  readonly keyValueHeads: number;
  readonly headSize: number;
  readonly layers: number;
  readonly hidden: number;
  readonly tied: boolean;
  /** The number of files with weights. */
  readonly files: number;
  /** Whether low frequencies are scaled, as in Llama 3. */
  readonly llama3: boolean;
  readonly seed: number;
}

export const tinyShape: Shape = {
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

interface Weight {
  readonly sizes: readonly number[];
  readonly data: Float32Array<ArrayBuffer>;
}

export type Weights = ReadonlyMap<string, Weight>;

/** The 256 bytes as tokens, four words, and the token that ends a text. */
export const vocabulary = 261;
const stopToken = 260;

export const epsilon = 1e-5;
export const theta = 10_000;
export const scaling = { factor: 8, low_freq_factor: 1, high_freq_factor: 4, original_max_position_embeddings: 64 };

export const widthOf = ({ heads, headSize }: Shape): number => heads * headSize;

/** Writes the model, and returns its weights. */
export function writeTinyModel(folder: string, shape: Shape): Weights {
  const weights = weightsOf(shape);
  mkdirSync(folder, { recursive: true });
  const json = (name: string, value: object) => writeFileSync(join(folder, name), JSON.stringify(value));
  json('config.json', {
    model_type: 'llama',
    vocab_size: vocabulary,
    hidden_size: widthOf(shape),
    intermediate_size: shape.hidden,
    num_hidden_layers: shape.layers,
    num_attention_heads: shape.heads,
    num_key_value_heads: shape.keyValueHeads,
    hidden_act: 'silu',
    rms_norm_eps: epsilon,
    rope_theta: theta,
    rope_scaling: shape.llama3 ? { rope_type: 'llama3', ...scaling } : null,
    tie_word_embeddings: shape.tied,
    max_position_embeddings: 4096,
    eos_token_id: stopToken,
  });
  json('tokenizer.json', tokenizer());
  json('tokenizer_config.json', { tokenizer_class: 'PreTrainedTokenizer' });
  writeWeights(folder, weights, shape.files);
  return weights;
}

function weightsOf(shape: Shape): Weights {
  const random = new Random(shape.seed);
  const weights = new Map<string, Weight>();
  const add = (name: string, sizes: readonly number[], scale: number, middle = 0) => {
    const count = sizes.reduce((product, size) => product * size, 1);
    const data = Float32Array.from({ length: count }, () => middle + scale * (2 * random.fraction() - 1));
    weights.set(`${name}.weight`, { sizes, data });
  };
  const width = widthOf(shape);
  const keyValueWidth = shape.keyValueHeads * shape.headSize;
  const matrix = (name: string, rows: number, columns: number) => add(name, [rows, columns], 3 / Math.sqrt(columns));
  add('model.embed_tokens', [vocabulary, width], 1);
  for (let i = 0; i < shape.layers; i++) {
    const layer = `model.layers.${i}`;
    add(`${layer}.input_layernorm`, [width], 0.5, 1);
    matrix(`${layer}.self_attn.q_proj`, width, width);
    matrix(`${layer}.self_attn.k_proj`, keyValueWidth, width);
    matrix(`${layer}.self_attn.v_proj`, keyValueWidth, width);
    matrix(`${layer}.self_attn.o_proj`, width, width);
    add(`${layer}.post_attention_layernorm`, [width], 0.5, 1);
    matrix(`${layer}.mlp.gate_proj`, shape.hidden, width);
    matrix(`${layer}.mlp.up_proj`, shape.hidden, width);
    matrix(`${layer}.mlp.down_proj`, width, shape.hidden);
  }
  add('model.norm', [width], 0.5, 1);
  if (!shape.tied) matrix('lm_head', vocabulary, width);
  return weights;
}

/** Written without the package, which has to read it. */
function writeWeights(folder: string, weights: Weights, files: number): void {
  const map: Record<string, string> = {};
  for (let file = 0; file < files; file++) {
    const name = files === 1 ? 'model.safetensors' : `model-0000${file + 1}-of-0000${files}.safetensors`;
    const some = [...weights].filter((_, i) => i % files === file);
    const header: Record<string, object> = { __metadata__: { format: 'pt' } };
    let end = 0;
    for (const [weight, { sizes, data }] of some) {
      header[weight] = { dtype: 'F32', shape: sizes, data_offsets: [end, (end += data.byteLength)] };
      map[weight] = name;
    }
    const text = Buffer.from(JSON.stringify(header));
    const length = Buffer.alloc(8);
    length.writeBigUInt64LE(BigInt(text.length));
    writeFileSync(join(folder, name), Buffer.concat([length, text, ...some.map(([, { data }]) => new Uint8Array(data.buffer))]));
  }
  if (files > 1) writeFileSync(join(folder, 'model.safetensors.index.json'), JSON.stringify({ metadata: {}, weight_map: map }));
}

/** Pairs of bytes in UTF-8, as the tokenizers of GPT-2 and Llama 3 have them, with few merges. */
function tokenizer(): object {
  const printable = (byte: number) => (byte > 32 && byte < 127) || (byte > 160 && byte !== 173);
  let next = 256;
  const letters = Array.from({ length: 256 }, (_, byte) => String.fromCodePoint(printable(byte) ? byte : next++));
  const space = letters[32] ?? '';
  const merges = ['t h', 'th e', `${space} the`, 'i n'];
  const words = merges.map((merge) => merge.replace(' ', ''));
  const vocab = Object.fromEntries([...letters, ...words].map((token, id) => [token, id]));
  const special = {
    id: stopToken,
    content: '<end>',
    special: true,
    single_word: false,
    lstrip: false,
    rstrip: false,
    normalized: false,
  };
  const bytes = { type: 'ByteLevel', add_prefix_space: false, trim_offsets: true, use_regex: true };
  return {
    version: '1.0',
    added_tokens: [special],
    normalizer: null,
    pre_tokenizer: bytes,
    post_processor: null,
    decoder: bytes,
    model: { type: 'BPE', vocab, merges, unk_token: null, byte_fallback: false, ignore_merges: false },
  };
}
