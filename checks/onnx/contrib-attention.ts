/** Attention of ONNX Runtime. */
import type { Random } from '../harness/random.js';
import { shownKeys } from './attention.js';
import type { Draws, OnnxCase } from './case.js';
import { between, floatOf, numbers, productOf, range, Sketch } from './sketch.js';
import { bytes, drawTensor, factorRange } from './values.js';

const opsets = range(13, 21);
const tolerance = 5e-5;

interface Sizes {
  readonly batch: number;
  /** Without those of the past. */
  readonly keys: number;
  readonly total: number;
  readonly queries: number;
}

/** A mask of keys, in one of the forms that onnxruntime knows. */
function mask(sketch: Sketch, { batch, queries, total }: Sizes): void {
  const { random } = sketch;
  const kind = random.pick(['ends', 'limits', 'keys', 'keys', 'products']);
  const ends = numbers(batch, () => random.int(1, total));
  if (kind === 'ends') sketch.tensor('int32', [batch], ends);
  else if (kind === 'limits') sketch.tensor('int32', [2 * batch], [...ends, ...ends.map((end) => random.int(0, end - 1))]);
  else {
    const dims = kind === 'keys' ? [batch, total] : [batch, queries, total];
    sketch.tensor('int32', dims, shownKeys(random, dims).map(Number));
  }
}

/** With projections of integers. */
function quantizedAttention(random: Random): OnnxCase {
  const sketch = new Sketch(random, opsets, 1);
  const [batch, length, heads] = [random.int(1, 3), random.int(1, 4), random.int(1, 3)];
  const [inner, size] = [random.int(1, 5), random.int(1, 4)];
  const past = random.chance(0.3) ? random.int(1, 3) : 0;
  const [a, b] = [random.pick(bytes), random.pick(bytes)];
  sketch.attribute('num_heads', heads);
  sketch.maybe('unidirectional', () => random.int(0, 1));
  sketch.maybe('mask_filter_value', () => floatOf(random, -50000, -1000), 0.2);
  const width = 3 * heads * size;
  drawTensor(sketch, a, [batch, length, inner], factorRange(a));
  drawTensor(sketch, b, [inner, width], factorRange(b), 0.7);
  sketch.drawn('float32', [width], 1, 0.7);
  const count = random.chance(0.4) ? [width] : [1];
  sketch.tensor('float32', [], [between(random, 0.005, 0.03)], 0.9);
  const scales = numbers(productOf(count), () => between(random, 0.005, 0.03));
  sketch.tensor('float32', count, scales, 0.9);
  if (random.chance(0.4)) mask(sketch, { batch, keys: length, total: past + length, queries: length });
  else sketch.none();
  sketch.tensor(a, [], [random.int(0, 60)], 0.9);
  drawTensor(sketch, b, count, factorRange(b), 0.9);
  if (past > 0) sketch.drawn('float32', [2, batch, heads, past, size], 1);
  return sketch.finish('com.microsoft:QAttention', past > 0 ? 2 : 1, tolerance);
}

function attention(random: Random): OnnxCase {
  const sketch = new Sketch(random, opsets, 1);
  const [batch, length, heads] = [random.int(1, 3), random.int(1, 4), random.int(1, 3)];
  const [inner, size] = [random.int(1, 5), random.int(1, 4)];
  const hasOwnSizes = random.chance(0.3);
  const hasPast = !hasOwnSizes && random.chance(0.3);
  const past = hasPast ? random.int(0, 3) : 0;
  const valueSize = hasOwnSizes ? random.int(1, 4) : size;
  const widths = [heads * size, heads * size, heads * valueSize];
  sketch.attribute('num_heads', heads);
  if (hasOwnSizes) sketch.attribute('qkv_hidden_sizes', widths);
  sketch.maybe('unidirectional', () => random.int(0, 1));
  sketch.maybe('scale', () => floatOf(random, 0.1, 1), 0.3);
  sketch.maybe('mask_filter_value', () => floatOf(random, -50000, -1000), 0.2);
  const width = widths.reduce((sum, each) => sum + each, 0);
  sketch.drawn('float32', [batch, length, inner], 2);
  sketch.drawn('float32', [inner, width], 1, 0.7);
  sketch.drawn('float32', [width], 1, 0.7);
  const total = past + length;
  if (random.chance(0.4)) mask(sketch, { batch, keys: length, total, queries: length });
  else sketch.none();
  if (hasPast) sketch.drawn('float32', [2, batch, heads, past, size], 1);
  else sketch.none();
  if (random.chance(0.3)) sketch.drawn('float32', [random.pick([1, batch]), random.pick([1, heads]), length, total], 1);
  return sketch.finish('com.microsoft:Attention', hasPast ? 2 : 1, tolerance);
}

function multiHead(random: Random): OnnxCase {
  const sketch = new Sketch(random, opsets, 1);
  const [batch, queries, heads, size] = [random.int(1, 3), random.int(1, 4), random.int(1, 3), random.int(1, 4)];
  const form = random.pick(['apart', 'apart', 'packed', 'packedKeys', 'cross']);
  const keys = form === 'packed' ? queries : random.int(1, 5);
  const hasPast = form === 'apart' && random.chance(0.3);
  const past = hasPast ? random.int(1, 3) : 0;
  const valueSize = form === 'apart' && !hasPast ? random.int(1, 4) : size;
  const isSelf = form === 'apart' || form === 'packed';
  sketch.attribute('num_heads', heads);
  sketch.maybe('scale', () => floatOf(random, 0.1, 1), 0.3);
  // With more keys than queries, onnxruntime shows all keys to the last query.
  if (keys === queries) sketch.maybe('unidirectional', () => random.int(0, 1), 0.6);
  sketch.maybe('mask_filter_value', () => floatOf(random, -50000, -1000), 0.2);
  const width = heads * size;
  const flat = (length: number, each: number) => {
    sketch.drawn('float32', [batch, length, heads * each], 2);
  };
  if (form === 'packed') {
    sketch.drawn('float32', [batch, queries, heads, 3, size], 2);
    sketch.none();
    sketch.none();
  } else if (form === 'packedKeys') {
    flat(queries, size);
    sketch.drawn('float32', [batch, keys, heads, 2, size], 2);
    sketch.none();
  } else if (form === 'cross') {
    flat(queries, size);
    sketch.drawn('float32', [batch, heads, keys, size], 2);
    sketch.drawn('float32', [batch, heads, keys, size], 2);
  } else {
    flat(queries, size);
    flat(keys, size);
    flat(keys, valueSize);
  }
  if (isSelf && random.chance(0.4)) sketch.drawn('float32', [2 * width + heads * valueSize], 1, 0.7);
  else sketch.none();
  const total = past + keys;
  if (random.chance(0.3)) mask(sketch, { batch, keys, total, queries });
  else sketch.none();
  if (random.chance(0.3)) sketch.drawn('float32', [random.pick([1, batch]), random.pick([1, heads]), queries, total], 1);
  else sketch.none();
  if (hasPast) {
    sketch.drawn('float32', [batch, heads, past, size], 1);
    sketch.drawn('float32', [batch, heads, past, size], 1);
  }
  return sketch.finish('com.microsoft:MultiHeadAttention', hasPast ? 3 : 1, tolerance);
}

function groupQuery(random: Random): OnnxCase {
  const sketch = new Sketch(random, opsets, 1);
  const [batch, keyHeads] = [random.int(1, 3), random.int(1, 2)];
  const heads = keyHeads * random.int(1, 3);
  const turns = random.chance(0.5);
  const size = turns ? random.pick([16, 32]) : 8 * random.int(1, 2);
  const isFirst = random.chance(0.5);
  const past = isFirst ? 0 : random.int(1, 4);
  const queries = isFirst ? random.int(1, 5) : random.chance(0.8) ? 1 : batch === 1 ? random.int(1, 3) : 1;
  const total = past + queries;
  const isPacked = random.chance(0.3);
  sketch.attribute('num_heads', heads);
  sketch.attribute('kv_num_heads', keyHeads);
  sketch.maybe('scale', () => floatOf(random, 0.1, 1), 0.3);
  sketch.maybe('local_window_size', () => random.int(1, 4), 0.3);
  sketch.maybe('softcap', () => floatOf(random, 1, 5), 0.2);
  const hasSink = random.chance(0.2);
  if (!hasSink) sketch.maybe('smooth_softmax', () => random.int(0, 1), 0.2);
  if (turns) sketch.attribute('do_rotary', 1);
  if (turns) sketch.maybe('rotary_interleaved', () => random.int(0, 1));
  if (isPacked) {
    sketch.drawn('float32', [batch, queries, (heads + 2 * keyHeads) * size], 1);
    sketch.none();
    sketch.none();
  } else {
    sketch.drawn('float32', [batch, queries, heads * size], 1);
    sketch.drawn('float32', [batch, queries, keyHeads * size], 1);
    sketch.drawn('float32', [batch, queries, keyHeads * size], 1);
  }
  // The number of keys of each sample, minus 1. At least one sample has all of them.
  const lengths = numbers(batch, () => 0).map((_, i) => {
    if (i === 0 || isFirst || queries > 1) return total - 1;
    return random.int(queries, total) - 1;
  });
  // onnxruntime's cache has zeros after the keys of a sample.
  const cache = () =>
    numbers(batch * keyHeads * past * size, () => 0).map((_, i) => {
      const [sample, place] = [Math.floor(i / (keyHeads * past * size)), Math.floor(i / size) % past];
      return place <= (lengths[sample] ?? 0) - queries ? between(random, -1, 1) : 0;
    });
  if (isFirst && random.chance(0.5)) {
    sketch.none();
    sketch.none();
  } else {
    sketch.tensor('float32', [batch, keyHeads, past, size], cache());
    sketch.tensor('float32', [batch, keyHeads, past, size], cache());
  }
  sketch.tensor('int32', [batch], lengths);
  sketch.tensor('int32', [], [total], 0.6);
  if (turns) {
    const most = total + random.int(0, 3);
    const angles = numbers((most * size) / 2, () => between(random, -3, 3));
    sketch.tensor(
      'float32',
      [most, size / 2],
      angles.map((angle) => Math.fround(Math.cos(angle))),
      0.7,
    );
    sketch.tensor(
      'float32',
      [most, size / 2],
      angles.map((angle) => Math.fround(Math.sin(angle))),
      0.7,
    );
  }
  if (hasSink) {
    while (sketch.count < 11) sketch.none();
    sketch.drawn('float32', [heads], 2);
  }
  return sketch.finish('com.microsoft:GroupQueryAttention', 3, tolerance);
}

function rotary(random: Random): OnnxCase {
  const sketch = new Sketch(random, opsets, 1);
  const [batch, length, heads] = [random.int(1, 3), random.int(1, 4), random.int(1, 3)];
  const size = 2 * random.int(1, 5);
  const isPart = random.chance(0.3);
  const turning = isPart ? 2 * random.int(1, size / 2) : size;
  const isFlat = !isPart && random.chance(0.6);
  const most = length + random.int(0, 4);
  sketch.maybe('interleaved', () => random.int(0, 1));
  sketch.maybe('scale', () => floatOf(random, 0.5, 2), 0.3);
  if (isPart || random.chance(0.2)) {
    sketch.attribute('num_heads', heads);
    if (isPart) sketch.attribute('rotary_embedding_dim', turning);
  }
  sketch.drawn(
    'float32',
    isFlat || (isPart && random.chance(0.5)) ? [batch, length, heads * size] : [batch, heads, length, size],
  );
  if (random.chance(0.5)) sketch.tensor('int64', [1], [random.int(0, most - length)]);
  else
    sketch.tensor(
      'int64',
      [batch, length],
      numbers(batch * length, () => random.int(0, most - 1)),
    );
  const angles = numbers((most * turning) / 2, () => between(random, -3, 3));
  sketch.tensor(
    'float32',
    [most, turning / 2],
    angles.map((angle) => Math.fround(Math.cos(angle))),
    0.7,
  );
  sketch.tensor(
    'float32',
    [most, turning / 2],
    angles.map((angle) => Math.fround(Math.sin(angle))),
    0.7,
  );
  return sketch.finish('com.microsoft:RotaryEmbedding', 1, tolerance);
}

export const attentionDraws: Draws = {
  Attention: attention,
  QAttention: quantizedAttention,
  MultiHeadAttention: multiHead,
  GroupQueryAttention: groupQuery,
  RotaryEmbedding: rotary,
};
