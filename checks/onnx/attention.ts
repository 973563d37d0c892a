/** Attention of ONNX, and what stands around it in a model. */
import type { Random } from '../harness/random.js';
import type { Draws, OnnxCase } from './case.js';
import { between, floatOf, numbers, productOf, range, Sketch, sizes, type Type } from './sketch.js';

const tolerance = 5e-5;

/** With heads apart or next to each other, and as many of the optional inputs and outputs as onnxruntime takes together. */
function attention(random: Random): OnnxCase {
  const sketch = new Sketch(random, [23, 24], 1);
  const type = random.pick<Type>(['float32', 'float32', 'float32', 'float16']);
  const [batch, keyHeads, queries, keys] = [random.int(1, 3), random.int(1, 2), random.int(1, 4), random.int(1, 5)];
  const heads = keyHeads * random.int(1, 3);
  const size = random.int(1, 5);
  const valueSize = random.chance(0.5) ? size : random.int(1, 5);
  const isFlat = random.chance(0.5);
  const past = random.chance(0.3) ? random.int(1, 3) : 0;
  const hasLengths = sketch.opset >= 24 && past === 0 && random.chance(0.4);
  if (isFlat) sketch.attribute('q_num_heads', heads);
  if (isFlat) sketch.attribute('kv_num_heads', keyHeads);
  // onnxruntime shows all keys to a single query.
  const isCausal = (queries > 1 || keys === 1) && random.chance(0.4);
  if (isCausal || random.chance(0.3)) sketch.attribute('is_causal', Number(isCausal));
  const mask = random.pick(['none', 'bool', 'numbers'] as const);
  sketch.maybe('scale', () => floatOf(random, 0.1, 1), 0.3);
  sketch.maybe('softcap', () => floatOf(random, 0.5, 3), 0.3);
  sketch.maybe('softmax_precision', () => 1, 0.2);
  const hasStage = !hasLengths && random.chance(0.3);
  // For hidden keys, onnxruntime's biased products are the lowest number, and not -Infinity.
  const modes = isCausal || mask === 'bool' ? [0, 1, 3] : range(0, 3);
  if (hasStage) sketch.maybe('qk_matmul_output_mode', () => random.pick(modes), 0.8);
  const part = (count: number, length: number, own: number) => {
    sketch.drawn(type, isFlat ? [batch, length, count * own] : [batch, count, length, own], 2);
  };
  part(heads, queries, size);
  part(keyHeads, keys, size);
  part(keyHeads, keys, valueSize);
  if (mask === 'none') sketch.none();
  else drawMask(sketch, mask === 'bool' ? 'bool' : type, [batch, heads, queries, past + keys]);
  for (const own of [size, valueSize]) {
    if (past > 0) sketch.drawn(type, [batch, keyHeads, past, own], 2);
    else sketch.none();
  }
  if (hasLengths) {
    sketch.tensor(
      'int64',
      [batch],
      numbers(batch, () => random.int(Math.min(keys, queries), keys)),
      0,
    );
  }
  const presents = past > 0 || random.chance(0.2) ? ['key', 'value'] : ['-', '-'];
  const outputs = ['out', ...presents, ...(hasStage ? ['stage'] : [])];
  return sketch.finish('Attention', outputs, type === 'float16' ? 5e-3 : tolerance);
}

/** True for what is seen, or a number that is added. */
function drawMask(sketch: Sketch, type: Type, [batch = 1, heads = 1, queries = 1, keys = 1]: readonly number[]): void {
  const { random } = sketch;
  // From opset 24 on, a mask may end before the keys do.
  const shown = sketch.opset >= 24 && random.chance(0.2) ? random.int(1, keys) : keys;
  const outer = random.pick([[], [random.pick([1, heads])], [random.pick([1, batch]), random.pick([1, heads])]]);
  const dims = [...outer, queries, shown];
  const isSeen = shownKeys(random, dims);
  if (type === 'bool') sketch.tensor(type, dims, isSeen.map(Number));
  else {
    const closed = random.chance(0.5) ? -Infinity : -2;
    sketch.tensor(
      type,
      dims,
      isSeen.map((seen) => (seen ? between(random, -1, 1) : closed)),
    );
  }
}

/** Which keys the last dimension shows: at least the first one. */
export function shownKeys(random: Random, dims: readonly number[]): readonly boolean[] {
  const keys = dims.at(-1) ?? 1;
  return Array.from({ length: productOf(dims) }, (_, i) => i % keys === 0 || random.chance(0.6));
}

function rotary(random: Random): OnnxCase {
  const sketch = new Sketch(random, [23, 24], 1);
  const [batch, length, heads, size] = [random.int(1, 3), random.int(1, 4), random.int(1, 3), 2 * random.int(1, 5)];
  const isFlat = random.chance(0.5);
  const turning = random.chance(0.3) ? 2 * random.int(1, size / 2) : size;
  if (isFlat || random.chance(0.2)) sketch.attribute('num_heads', heads);
  if (turning !== size) sketch.attribute('rotary_embedding_dim', turning);
  sketch.maybe('interleaved', () => random.int(0, 1));
  sketch.drawn('float32', isFlat ? [batch, length, heads * size] : [batch, heads, length, size]);
  const isLookedUp = random.chance(0.6);
  const most = length + random.int(0, 4);
  const dims = [...(isLookedUp ? [most] : [batch, length]), turning / 2];
  sketch.drawn('float32', dims, 1);
  sketch.drawn('float32', dims, 1);
  const places = () => random.int(0, most - 1);
  if (isLookedUp) sketch.tensor('int64', [batch, length], numbers(batch * length, places));
  return sketch.finish('RotaryEmbedding', 1, tolerance);
}

/** Caches of keys or values, into which each sample writes at its own place. */
function tensorScatter(random: Random): OnnxCase {
  const sketch = new Sketch(random, [24]);
  const dims = sizes(random, random.int(2, 4), 5);
  const axis = random.int(1, dims.length - 1);
  const [batch = 1, length = 1] = [dims[0], dims[axis]];
  const written = random.int(1, length);
  const isCircular = random.chance(0.4);
  const type = random.pick<Type>(['float32', 'float16', 'int32', 'uint8', 'int64']);
  if (axis !== dims.length - 2 || random.chance(0.3)) sketch.attribute('axis', random.chance(0.5) ? axis : axis - dims.length);
  if (isCircular || random.chance(0.4)) sketch.attribute('mode', isCircular ? 'circular' : 'linear');
  sketch.drawn(type, dims);
  sketch.drawn(type, dims.with(axis, written));
  const first = () => random.int(0, isCircular ? length - 1 : length - written);
  if (random.chance(0.8)) sketch.tensor('int64', [batch], numbers(batch, first));
  return sketch.finish('TensorScatter');
}

export const attentionDraws: Draws = { Attention: attention, RotaryEmbedding: rotary, TensorScatter: tensorScatter };
