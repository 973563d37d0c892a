/** Writes folders of small models with random weights, as transformers.js loads them. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { ModelWriter, type Value } from '../../checks/networks/model-writer.js';
import { addAttention } from '../../checks/networks/models/attention.js';

const words = [
  '[PAD]',
  '[UNK]',
  '[EOS]',
  'a',
  'the',
  'small',
  'green',
  'cat',
  'dog',
  'tree',
  'sees',
  'likes',
  'and',
  'runs',
  'sleeps',
  '.',
];
const width = 16;
const head = 8;

const tokenizer = {
  ...{ version: '1.0', truncation: null, padding: null, normalizer: null, post_processor: null, decoder: null },
  added_tokens: words.slice(0, 3).map((content, id) => ({ id, content, special: true })),
  pre_tokenizer: { type: 'Whitespace' },
  model: {
    ...{ type: 'WordPiece', unk_token: '[UNK]', continuing_subword_prefix: '##', max_input_chars_per_word: 100 },
    vocab: Object.fromEntries(words.map((word, id) => [word, id])),
  },
};
const tokens = { pad_token: '[PAD]', unk_token: '[UNK]', eos_token: '[EOS]', model_max_length: 64 };
const generation = { eos_token_id: 2, pad_token_id: 0, decoder_start_token_id: 0, max_new_tokens: 5 };

type Files = Readonly<Record<string, object>>;

/** The folders by the kind of their pipelines. */
export function writeModels(root: string): void {
  const text = { 'tokenizer.json': tokenizer, 'tokenizer_config.json': { ...tokens, tokenizer_class: 'BertTokenizer' } };
  const labels = { id2label: { 0: 'good', 1: 'bad' }, label2id: { good: 0, bad: 1 } };
  const write = (folder: string, files: Files, models: Readonly<Record<string, ModelWriter>>) => {
    mkdirSync(join(root, folder, 'onnx'), { recursive: true });
    for (const [name, content] of Object.entries(files)) writeFileSync(join(root, folder, name), JSON.stringify(content));
    for (const [name, model] of Object.entries(models))
      writeFileSync(join(root, folder, 'onnx', `${name}.onnx`), model.finish(0).bytes);
  };
  write('classifier', { ...text, 'config.json': { model_type: 'bert', ...labels } }, { model: encoder('classifier', 'logits') });
  write('encoder', { ...text, 'config.json': { model_type: 'bert' } }, { model: encoder('encoder', 'last_hidden_state') });
  const image = {
    image_processor_type: 'ViTImageProcessor',
    do_resize: false,
    do_normalize: true,
    image_mean: [0.5, 0.5, 0.5],
    image_std: [0.5, 0.5, 0.5],
  };
  write('vision', { 'config.json': { model_type: 'vit', ...labels }, 'preprocessor_config.json': image }, { model: vision() });
  const gpt = { model_type: 'gpt2', n_head: 1, n_layer: 1, n_embd: head, vocab_size: words.length, eos_token_id: 2 };
  const generated = { ...text, 'generation_config.json': generation };
  write('decoder', { ...generated, 'config.json': gpt }, { model: decoder('decoder', 'past_key_values.0') });
  const t5 = {
    ...{ model_type: 't5', is_encoder_decoder: true, d_kv: head, num_heads: 1, num_layers: 1 },
    num_decoder_layers: 1,
    ...generation,
  };
  write(
    'translator',
    { ...generated, 'config.json': t5 },
    {
      encoder_model: encoder('translator', 'last_hidden_state'),
      decoder_model_merged: decoder('translator', 'past_key_values.0.decoder'),
    },
  );
}

/** A text encoder; for `logits`, with a layer for two classes on the first token. */
function encoder(name: string, output: 'logits' | 'last_hidden_state'): ModelWriter {
  const model = new ModelWriter(name);
  const ids = model.tokens('input_ids', ['batch_size', 'sequence_length'], words.length);
  const mask = model.tokens('attention_mask', ['batch_size', 'sequence_length'], 2);
  const x = model.node('Gather', [model.weights([words.length, width], 1), ids]);
  const isMasked = model.node('Unsqueeze', [model.node('Equal', [mask, model.integers(0)]), model.integers(1, 2)]);
  const hidden = model.node('Add', [x, addAttention(model, x, { width, heads: 2 }, isMasked)]);
  const first = model.node('Gather', [hidden, model.constant('int64', [], new BigInt64Array(1))], { axis: 1 });
  model.output(output, output === 'logits' ? model.linear(first, width, 2) : hidden);
  return model;
}

/** A convolution, the mean over the image, and a layer for two classes. */
function vision(): ModelWriter {
  const model = new ModelWriter('vision');
  const pixels = model.input('pixel_values', ['batch_size', 3, 'height', 'width']);
  const features = model.node('Relu', [model.node('Conv', [pixels, model.weights([8, 3, 3, 3], 27)], { pads: [1, 1, 1, 1] })]);
  const means = model.node('Reshape', [model.node('GlobalAveragePool', [features]), model.integers(0, 8)]);
  model.output('logits', model.linear(means, 8, 2));
  return model;
}

/** A language model with a cache of keys and values; the translator's also reads the output of its encoder. */
export function decoder(name: 'decoder' | 'translator', past: string): ModelWriter {
  const model = new ModelWriter(`${name}'s decoder`);
  const ids = model.tokens('input_ids', ['batch_size', 'decoder_sequence_length'], words.length);
  const embedded = model.node('Gather', [model.weights([words.length, width], 1), ids]);
  const states =
    name === 'decoder' ? null : model.input('encoder_hidden_states', ['batch_size', 'encoder_sequence_length', width]);
  const meanOfStates = states === null ? null : model.node('ReduceMean', [states, model.integers(1)], { keepdims: 1 });
  const x = meanOfStates === null ? embedded : model.node('Add', [embedded, meanOfStates]);
  const cached = (kind: 'key' | 'value'): Value => {
    const before = model.input(`${past}.${kind}`, ['batch_size', 1, 'past_sequence_length', head]);
    const now = model.node('Unsqueeze', [model.linear(x, width, head), model.integers(1)]);
    const all = model.node('Concat', [before, now], { axis: 2 });
    model.output(`${past.replace('past_key_values', 'present')}.${kind}`, all);
    return all;
  };
  const keys = model.node('Transpose', [cached('key')], { perm: [0, 1, 3, 2] });
  const queries = model.node('Unsqueeze', [model.linear(x, width, head), model.integers(1)]);
  const weights = model.node('Softmax', [model.node('MatMul', [queries, keys])], { axis: -1 });
  const read = model.node('Squeeze', [model.node('MatMul', [weights, cached('value')]), model.integers(1)]);
  model.output('logits', model.linear(read, head, words.length));
  return model;
}
