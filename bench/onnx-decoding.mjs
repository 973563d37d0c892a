// @ts-check
// The benchmark's row about a language model in ONNX: GroupQueryAttention with growing caches, and the decoder of examples/generate
// with the same weights.
import { InferenceSession, Tensor } from 'node-directml/onnxruntime';
import { createDecoder } from '../examples/generate/decoder.mjs';
import { weightData } from './data.mjs';
import { modelOf, onnx, value } from './onnx-model.mjs';
import { takeTurns, timed } from './rounds.mjs';

/** @typedef {import('node-directml').Device} Device */
/** @typedef {import('./rounds.mjs').Compared} Compared */
/** @typedef {import('./rounds.mjs').Effort} Effort */
/** @typedef {import('onnx-proto').onnx.INodeProto} Node */
/** @typedef {Readonly<Record<'query' | 'key' | 'value' | 'output' | 'gate' | 'up' | 'down', Float32Array<ArrayBuffer>>>} Layer */

const types = onnx.TensorProto.DataType;
const layers = 4;
const [width, heads, keyHeads, headSize, hidden, vocabulary, context] = [256, 8, 4, 32, 512, 1024, 64];
const count = 20;
const theta = 10_000;
const epsilon = 1e-5;
/** Rows and columns of the matrices, as the example has them. */
const sizes = {
  ...{ query: [width, width], key: [keyHeads * headSize, width], value: [keyHeads * headSize, width], output: [width, width] },
  ...{ gate: [hidden, width], up: [hidden, width], down: [width, hidden] },
};
const scale = new Float32Array(width).fill(1);
const weights = Array.from({ length: layers }, (_, i) => {
  const matrices = Object.entries(sizes).map(([name, [rows = 0, columns = 0]], k) => [
    name,
    weightData(rows * columns, i * 7 + k),
  ]);
  return /** @type {Layer} */ (Object.fromEntries(matrices));
});
const embeddings = weightData(vocabulary * width, 100);
const head = weightData(vocabulary * width, 101);

/** Generates 20 tokens from the first on, each of which is read before the next. @returns {Promise<Compared>} */
export async function compareDecoding(/** @type {Device} */ device, /** @type {Effort} */ effort) {
  const session = await InferenceSession.create(decoderModel(), {
    ...{ device, fallback: 'allow' },
    preferredOutputLocation: Object.fromEntries(cacheNames('present').map((name) => [name, 'ml-tensor'])),
  });
  const decoder = await createDecoder(device, exampleModel(device), { context });
  const first = Float32Array.from({ length: vocabulary }, (_, i) => (i === 1 ? 1 : 0));
  const byHand = async () => {
    decoder.clear();
    decoder.logits.write(first);
    /** @type {number[]} */
    const tokens = [];
    for (let i = 0; i < count; i++) tokens.push(await decoder.next());
    return tokens;
  };
  const turns = await takeTurns(
    { ...effort, limit: 1.2 },
    () => timed(() => generate(session)),
    () => timed(byHand),
  );
  const equal = String(await generate(session)) === String(await byHand());
  await session.release();
  return { ours: 'session', theirs: 'examples/generate', equal, ...turns };
}

async function generate(/** @type {InferenceSession} */ session) {
  const none = () => new Tensor('float32', new Float32Array(), [1, keyHeads, 0, headSize]);
  /** @type {Record<string, Tensor>} */
  let caches = Object.fromEntries(cacheNames('past').map((name) => [name, none()]));
  const tokens = [1];
  while (tokens.length < count) {
    const mask = new Tensor('int64', new BigInt64Array(tokens.length).fill(1n), [1, tokens.length]);
    const ids = new Tensor('int64', BigInt64Array.of(BigInt(tokens.at(-1) ?? 0)), [1, 1]);
    const outputs = await session.run({ input_ids: ids, attention_mask: mask, ...caches });
    for (const cache of Object.values(caches)) cache.dispose();
    const presents = cacheNames('present');
    caches = Object.fromEntries(cacheNames('past').map((name, i) => [name, /** @type {Tensor} */ (outputs[presents[i] ?? ''])]));
    const logits = /** @type {Float32Array} */ (outputs['logits']?.data);
    tokens.push(logits.indexOf(logits.reduce((most, each) => Math.max(most, each))));
  }
  for (const cache of Object.values(caches)) cache.dispose();
  return tokens;
}

function cacheNames(/** @type {'past' | 'present'} */ kind) {
  return weights.flatMap((_, i) => ['key', 'value'].map((name) => `${kind}.${i}.${name}`));
}

function exampleModel(/** @type {Device} */ device) {
  const matrix = (/** @type {Float32Array<ArrayBuffer>} */ data, /** @type {number[]} */ sizes) =>
    device.createTensor({ dataType: 'float32', sizes }, data);
  const norm = () => matrix(scale, [1, width]);
  return {
    config: {
      ...{ vocabulary, width, layers, heads, keyValueHeads: keyHeads, headSize, context },
      ...{ epsilon, theta, scaling: null, tied: false, stop: [] },
    },
    dataType: /** @type {const} */ ('float32'),
    layers: weights.map((layer) => ({
      ...{ inputNorm: norm(), query: matrix(layer.query, sizes.query), key: matrix(layer.key, sizes.key) },
      ...{ value: matrix(layer.value, sizes.value), output: matrix(layer.output, sizes.output), middleNorm: norm() },
      ...{ gate: matrix(layer.gate, sizes.gate), up: matrix(layer.up, sizes.up), down: matrix(layer.down, sizes.down) },
    })),
    embeddings: matrix(embeddings, [vocabulary, width]),
    norm: norm(),
    head: matrix(head, [vocabulary, width]),
  };
}

/** The model as exporters write it. */
function decoderModel() {
  /** @type {Node[]} */
  const node = [];
  /** @type {import('onnx-proto').onnx.ITensorProto[]} */
  const initializer = [];
  const constant = (/** @type {Float32Array | BigInt64Array} */ data, /** @type {number[]} */ dims) => {
    const name = `c${initializer.length}`;
    const dataType = data instanceof Float32Array ? types.FLOAT : types.INT64;
    const rawData = new Uint8Array(data.buffer, data.byteOffset, data.byteLength);
    initializer.push({ name, dataType, dims, rawData });
    return name;
  };
  const add = (
    /** @type {string} */ type,
    /** @type {string[]} */ input,
    /** @type {Record<string, number>} */ attributes = {},
    output = [`n${node.length}`],
  ) => {
    const [opType = '', domain = ''] = type.split(':').reverse();
    const attribute = Object.entries(attributes).map(([name, number]) => {
      const isInteger = Number.isInteger(number);
      const { FLOAT, INT } = onnx.AttributeProto.AttributeType;
      return { name, type: isInteger ? INT : FLOAT, ...(isInteger ? { i: number } : { f: number }) };
    });
    node.push({ opType, domain, input, output, attribute });
    return output[0] ?? '';
  };
  const one = (/** @type {bigint} */ number, dims = [1]) => constant(BigInt64Array.of(number), dims);
  const linear = (
    /** @type {string} */ x,
    /** @type {Float32Array} */ matrix,
    /** @type {number[]} */ [rows = 0, columns = 0],
  ) => {
    const transposed = Float32Array.from(matrix, (_, i) => matrix[(i % rows) * columns + Math.floor(i / rows)] ?? 0);
    return add('MatMul', [x, constant(transposed, [columns, rows])]);
  };
  const normal = (/** @type {string} */ x) =>
    add('SimplifiedLayerNormalization', [x, constant(scale, [width])], { epsilon, axis: -1 });
  const half = headSize / 2;
  const angles = Float32Array.from({ length: context * half }, (_, i) => Math.floor(i / half) * theta ** (-(i % half) / half));
  const tables = [Math.cos, Math.sin].map((of) => constant(angles.map(of), [context, half]));
  const lengths = add('ReduceSum', ['attention_mask', one(1n)], { keepdims: 0 });
  const last = add('Cast', [add('Sub', [lengths, one(1n)])], { to: types.INT32 });
  const total = add('Cast', [add('Gather', [add('Shape', ['attention_mask']), one(1n, [])])], { to: types.INT32 });
  let x = add('Gather', [constant(embeddings, [vocabulary, width]), 'input_ids']);
  for (const [i, layer] of weights.entries()) {
    const before = normal(x);
    const projected = [layer.query, layer.key, layer.value].map((matrix, k) =>
      linear(before, matrix, [sizes.query, sizes.key, sizes.value][k] ?? []),
    );
    const caches = ['key', 'value'].map((name) => `past.${i}.${name}`);
    const presents = ['key', 'value'].map((name) => `present.${i}.${name}`);
    const attributes = { num_heads: heads, kv_num_heads: keyHeads, do_rotary: 1 };
    const inputs = [...projected, ...caches, last, total, ...tables];
    const attended = add('com.microsoft:GroupQueryAttention', inputs, attributes, [`a${i}`, ...presents]);
    const middle = add('Add', [x, linear(attended, layer.output, sizes.output)]);
    const rows = normal(middle);
    const gate = linear(rows, layer.gate, sizes.gate);
    const gated = add('Mul', [add('Mul', [gate, add('Sigmoid', [gate])]), linear(rows, layer.up, sizes.up)]);
    x = add('Add', [middle, linear(gated, layer.down, sizes.down)]);
  }
  const logits = linear(normal(x), head, [vocabulary, width]);
  add('Identity', [logits], {}, ['logits']);
  const cache = (/** @type {'past' | 'present'} */ kind, /** @type {string} */ length) =>
    cacheNames(kind).map((name) => value(name, types.FLOAT, 1, keyHeads, length, headSize));
  const input = [
    value('input_ids', types.INT64, 1, 'length'),
    value('attention_mask', types.INT64, 1, 'total'),
    ...cache('past', 'past'),
  ];
  const output = [value('logits', types.FLOAT, 1, 'length', vocabulary), ...cache('present', 'total')];
  return modelOf({ name: 'decoder', node, initializer, input, output });
}
