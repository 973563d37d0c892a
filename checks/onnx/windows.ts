/** Convolutions, poolings and normalizations. */
import type { Random } from '../harness/random.js';
import type { Draw, Draws, OnnxCase } from './case.js';
import { between, eitherEnd, floatOf, numbers, order, productOf, range, Sketch, sizes, type Type } from './sketch.js';

const opsets = range(7, 22);

/** What windows have: sizes of space in which at least one window lies. */
interface Windows {
  readonly space: readonly number[];
  readonly kernel: readonly number[];
  /** True if a window may have no element of the input. */
  readonly canMiss: boolean;
  /** True if a window is larger than the input with its padding. */
  readonly isLarger: boolean;
}

/** Draws the attributes of windows in `rank` dimensions of space, for which the drawn input has room. */
function windows(sketch: Sketch, rank: number, isDilated: boolean, isPooling = false): Windows {
  const { random } = sketch;
  const kernel = numbers(rank, () => random.int(1, 4));
  const strides = random.chance(0.7) ? numbers(rank, () => random.int(1, 3)) : undefined;
  const dilations = isDilated && random.chance(0.5) ? numbers(rank, () => random.int(1, 3)) : undefined;
  sketch.attribute('strides', strides);
  sketch.attribute('dilations', dilations);
  const same = ['SAME_UPPER', 'SAME_LOWER'];
  // onnxruntime's poolings ignore dilations when they choose a padding, and choose negative ones for steps longer than a window.
  const hasSame = !isPooling || (dilations === undefined && kernel.every((size, i) => size >= (strides?.[i] ?? 1)));
  const mode = random.pick(['pads', 'pads', 'none', 'NOTSET', 'VALID', ...(hasSame ? same : [])]);
  const spans = kernel.map((size, i) => (size - 1) * (dilations?.[i] ?? 1) + 1);
  const pads = mode === 'pads' || mode === 'NOTSET' ? numbers(2 * rank, () => random.int(0, 2)) : undefined;
  if (pads !== undefined) {
    // A padding that a window does not reach beyond is what poolings require.
    for (const i of pads.keys()) pads[i] = Math.min(pads[i] ?? 0, (kernel[i % rank] ?? 1) - 1);
    sketch.attribute('pads', pads);
  }
  if (mode !== 'pads' && mode !== 'none') sketch.attribute('auto_pad', mode);
  const isLarger = isPooling && !mode.startsWith('SAME') && random.chance(0.1);
  const space = spans.map((span, i) => {
    const padding = (pads?.[i] ?? 0) + (pads?.[i + rank] ?? 0);
    const least = mode.startsWith('SAME') ? 1 : Math.max(1, span - padding);
    return isLarger ? Math.max(1, least + 1 - (strides?.[i] ?? 1)) : least + random.int(0, 4);
  });
  return { space, kernel, canMiss: dilations !== undefined && pads !== undefined, isLarger };
}

function conv(random: Random): OnnxCase {
  const sketch = new Sketch(random, opsets, 1);
  const rank = random.pick([1, 2, 2, 2, 3]);
  const { space, kernel } = windows(sketch, rank, true);
  const group = random.pick([1, 1, 2, 3]);
  const [batch, channels, filters] = [random.int(1, 2), group * random.int(1, 3), group * random.int(1, 3)];
  sketch.attribute('group', group === 1 && random.chance(0.5) ? undefined : group);
  sketch.maybe('kernel_shape', () => kernel);
  sketch.drawn('float32', [batch, channels, ...space]);
  sketch.drawn('float32', [filters, channels / group, ...kernel], 1, 0.6);
  if (random.chance(0.5)) sketch.drawn('float32', [filters], 1, 0.6);
  return sketch.finish('Conv');
}

function deformConv(random: Random): OnnxCase {
  const sketch = new Sketch(random, range(19, 22), 1);
  const kernel = sizes(random, 2, 3);
  const [stride, dilation, padding] = [random.int(1, 2), random.int(1, 2), random.int(0, 1)];
  const space = kernel.map((size) => (size - 1) * dilation + 1 + random.int(0, 3));
  const places = space.map((size, i) => {
    return Math.floor((size + 2 * padding - ((kernel[i] ?? 1) - 1) * dilation - 1) / stride) + 1;
  });
  const groups = random.int(1, 2);
  const [batch, channels, filters] = [random.int(1, 2), groups * random.int(1, 2), random.int(1, 3)];
  const elements = groups * productOf(kernel);
  sketch.attribute('kernel_shape', kernel);
  sketch.attribute('strides', [stride, stride]);
  sketch.attribute('dilations', [dilation, dilation]);
  sketch.attribute(
    'pads',
    numbers(4, () => padding),
  );
  sketch.attribute('offset_group', groups);
  sketch.drawn('float32', [batch, channels, ...space]);
  sketch.drawn('float32', [filters, channels, ...kernel], 1, 0.6);
  sketch.drawn('float32', [batch, 2 * elements, ...places], 2);
  if (random.chance(0.5)) sketch.drawn('float32', [filters], 1, 0.6);
  else sketch.none();
  if (random.chance(0.5)) sketch.drawn('float32', [batch, elements, ...places], 1);
  return sketch.finish('DeformConv', 1, 1e-4);
}

function convTranspose(random: Random): OnnxCase {
  const sketch = new Sketch(random, opsets, 1);
  const rank = random.pick([1, 2, 2, 2, 3]);
  const kernel = numbers(rank, () => random.int(1, 4));
  const strides = numbers(rank, () => random.int(1, 3));
  const dilations = numbers(rank, () => random.pick([1, 1, 2]));
  const space = sizes(random, rank, 5);
  const hasStrides = random.chance(0.8);
  const hasDilations = random.chance(0.6);
  if (hasStrides) sketch.attribute('strides', strides);
  if (hasDilations) sketch.attribute('dilations', dilations);
  const stride = (i: number) => (hasStrides ? (strides[i] ?? 1) : 1);
  const dilation = (i: number) => (hasDilations ? (dilations[i] ?? 1) : 1);
  const full = space.map((size, i) => (size - 1) * stride(i) + ((kernel[i] ?? 1) - 1) * dilation(i) + 1);
  const more = numbers(rank, () => 0).map((_, i) => random.int(0, Math.max(stride(i), dilation(i)) - 1));
  if (random.chance(0.4)) sketch.attribute('output_padding', more);
  // onnxruntime has smaller outputs for windows that do not reach the next place.
  const hasSame = full.every((size, i) => size >= (space[i] ?? 1) * stride(i));
  const same = hasSame ? ['SAME_UPPER', 'SAME_LOWER'] : [];
  const mode = random.pick(['pads', 'pads', 'none', 'VALID', 'shape', 'shape', ...same]);
  if (mode === 'pads') {
    const starts = full.map((size) => random.int(0, Math.min(2, Math.floor((size - 1) / 2))));
    const ends = full.map((size) => random.int(0, Math.min(2, Math.floor((size - 1) / 2))));
    sketch.attribute('pads', [...starts, ...ends]);
  } else if (mode === 'shape') {
    sketch.attribute(
      'output_shape',
      full.map((size, i) => Math.max(1, size + random.int(-3, stride(i) - 1))),
    );
    sketch.maybe('auto_pad', () => random.pick(['NOTSET', 'SAME_UPPER', 'SAME_LOWER']));
  } else if (mode !== 'none') sketch.attribute('auto_pad', mode);
  const group = random.pick([1, 1, 2, 3]);
  const [batch, channels, filters] = [random.int(1, 2), group * random.int(1, 2), random.int(1, 3)];
  sketch.attribute('group', group === 1 && random.chance(0.5) ? undefined : group);
  sketch.maybe('kernel_shape', () => kernel);
  sketch.drawn('float32', [batch, channels, ...space]);
  sketch.drawn('float32', [channels, filters, ...kernel], 1, 0.6);
  if (random.chance(0.5)) sketch.drawn('float32', [filters * group], 1, 0.6);
  return sketch.finish('ConvTranspose');
}

function pooling(operator: string) {
  return (random: Random): OnnxCase => {
    const sketch = new Sketch(random, opsets, 1);
    const { opset } = sketch;
    const rank = random.pick([1, 2, 2, 2, 3]);
    const isDilated = operator === 'MaxPool' ? opset >= 10 : operator === 'AveragePool' ? opset >= 19 : opset >= 18;
    const { space, kernel, canMiss, isLarger } = windows(sketch, rank, isDilated, true);
    // onnxruntime's mean of padding alone is 0, and ONNX's is not a number.
    if (operator === 'AveragePool' && canMiss) return pooling(operator)(random);
    sketch.attribute('kernel_shape', kernel);
    const rounds = operator === 'LpPool' ? opset >= 18 : opset >= 10;
    if (rounds) sketch.maybe('ceil_mode', () => random.int(0, 1));
    // Before opset 19, onnxruntime's means count what a window lacks.
    if (operator === 'AveragePool' && !(isLarger && opset < 19)) sketch.maybe('count_include_pad', () => random.int(0, 1));
    if (operator === 'LpPool') sketch.maybe('p', () => random.int(1, 4));
    const type =
      operator === 'MaxPool' && opset >= 12 ? random.pick(['float32', 'float32', 'int8', 'uint8'] as const) : 'float32';
    const dims = [random.int(1, 2), random.int(1, 3), ...space];
    sketch.drawn(type, dims);
    // In a window of padding alone, onnxruntime's index is any number.
    const hasIndices = operator === 'MaxPool' && !canMiss && random.chance(0.5);
    if (!hasIndices) return sketch.finish(operator);
    sketch.maybe('storage_order', () => random.int(0, 1));
    return sketch.finish(operator, 2);
  };
}

function globalPooling(operator: string) {
  return (random: Random): OnnxCase => {
    const sketch = new Sketch(random, opsets, 1);
    if (operator === 'GlobalLpPool') sketch.maybe('p', () => random.int(1, 4));
    sketch.drawn('float32', [...sizes(random, 2, 3), ...sizes(random, random.int(1, 3), 5)]);
    return sketch.finish(operator);
  };
}

function maxUnpool(random: Random): OnnxCase {
  const sketch = new Sketch(random, range(9, 22), 1);
  const rank = random.pick([1, 2, 2, 3]);
  const kernel = numbers(rank, () => random.int(1, 3));
  const strides = random.chance(0.8) ? numbers(rank, () => random.int(1, 3)) : undefined;
  const space = sizes(random, rank, 4);
  const full = space.map((size, i) => (size - 1) * (strides?.[i] ?? 1) + (kernel[i] ?? 1));
  const dims = [random.int(1, 2), random.int(1, 3)];
  const pads = random.chance(0.3) ? full.map((size) => random.int(0, Math.min(1, Math.floor((size - 1) / 2)))) : undefined;
  sketch.attribute('kernel_shape', kernel);
  sketch.attribute('strides', strides);
  sketch.attribute('pads', pads && [...pads, ...pads]);
  const natural = full.map((size, i) => size - 2 * (pads?.[i] ?? 0));
  const count = productOf([...dims, ...space]);
  sketch.drawn('float32', [...dims, ...space]);
  const limit = productOf([...dims, ...natural]);
  const places = limit >= count ? random.distinct(limit, limit).slice(0, count) : undefined;
  sketch.tensor('int64', [...dims, ...space], places ?? numbers(count, () => 0));
  if (places === undefined) return maxUnpool(random);
  // onnxruntime's indices count in a larger shape, but those of ONNX's test in the natural one.
  if (random.chance(0.4)) sketch.list('int64', [...dims, ...natural]);
  return sketch.finish('MaxUnpool');
}

function batchNormalization(random: Random): OnnxCase {
  const sketch = new Sketch(random, opsets, 1);
  const { opset } = sketch;
  const rank = random.int(2, 5);
  const dims = [random.int(1, 4), ...sizes(random, rank - 1, 4)];
  const isSpatial = opset >= 9 || random.chance(0.7);
  if (opset < 9 && (!isSpatial || random.chance(0.5))) sketch.attribute('spatial', isSpatial ? 1 : 0);
  const own = isSpatial ? [dims[1] ?? 1] : dims.slice(1);
  sketch.maybe('epsilon', () => floatOf(random, 1e-6, 0.1));
  const trains = opset >= 14 && random.chance(0.3);
  if (trains || random.chance(0.5)) sketch.maybe('momentum', () => floatOf(random, 0, 1));
  if (opset >= 14 && (trains || random.chance(0.3))) sketch.attribute('training_mode', trains ? 1 : 0);
  sketch.drawn('float32', dims);
  for (let i = 0; i < 3; i++) sketch.drawn('float32', own, 2, 0.6);
  sketch.tensor(
    'float32',
    own,
    numbers(productOf(own), () => between(random, 0.01, 4)),
    0.6,
  );
  return sketch.finish('BatchNormalization', trains && random.chance(0.7) ? 3 : 1, 2e-5);
}

function instanceNormalization(random: Random): OnnxCase {
  const sketch = new Sketch(random, opsets, 1);
  // Of one element, the result is the bias, beside which onnxruntime's rounding shows.
  const dims = [random.int(1, 3), random.int(1, 4), ...sizes(random, random.int(1, 3), 5, 2)];
  sketch.maybe('epsilon', () => floatOf(random, 1e-4, 0.1));
  sketch.drawn('float32', dims);
  sketch.drawn('float32', dims.slice(1, 2), 2, 0.6);
  sketch.drawn('float32', dims.slice(1, 2), 2, 0.6);
  return sketch.finish('InstanceNormalization', 1, 1e-4);
}

/** With a mean and a bias, or without them. */
function layerNormalization(operator: string, opsets: readonly number[], hasMean = true): Draw {
  return (random) => {
    const sketch = new Sketch(random, opsets, 1);
    const type = random.pick<Type>(['float32', 'float32', 'float16']);
    const rank = random.int(1, 5);
    const dims = sizes(random, rank, 6);
    const axis = random.int(0, rank - 1);
    const hasAxis = axis < rank - 1 || random.chance(0.5);
    if (hasAxis) sketch.attribute('axis', eitherEnd(random, axis, rank));
    sketch.maybe('epsilon', () => floatOf(random, 1e-4, 0.1));
    sketch.maybe('stash_type', () => 1);
    sketch.drawn(type, dims);
    sketch.drawn(type, dims.slice(axis), 2, 0.6);
    if (hasMean && random.chance(0.6)) sketch.drawn(type, dims.slice(axis), 2, 0.6);
    return sketch.finish(operator, hasMean ? random.pick([1, 1, 2, 3]) : 1, 1e-4);
  };
}

function groupNormalization(random: Random): OnnxCase {
  const sketch = new Sketch(random, range(18, 22), 1);
  const groups = random.int(1, 3);
  const channels = groups * random.int(1, 3);
  const dims = [random.int(1, 2), channels, ...sizes(random, random.int(1, 3), 5, 3)];
  const own = [sketch.opset >= 21 ? channels : groups];
  sketch.attribute('num_groups', groups);
  sketch.maybe('epsilon', () => floatOf(random, 1e-4, 0.1));
  sketch.drawn('float32', dims);
  sketch.drawn('float32', own, 2, 0.6);
  sketch.drawn('float32', own, 2, 0.6);
  return sketch.finish('GroupNormalization', 1, 5e-4);
}

function localResponse(random: Random): OnnxCase {
  const sketch = new Sketch(random, opsets, 1);
  // onnxruntime has odd sizes of images alone.
  sketch.attribute('size', random.pick([1, 3, 5, 7]));
  sketch.maybe('alpha', () => floatOf(random, 1e-4, 2));
  sketch.maybe('beta', () => floatOf(random, 0.1, 2));
  sketch.maybe('bias', () => floatOf(random, 0.5, 3));
  sketch.drawn('float32', [random.int(1, 2), random.int(1, 7), ...sizes(random, 2, 4)]);
  return sketch.finish('LRN');
}

function lpNormalization(random: Random): OnnxCase {
  const sketch = new Sketch(random, opsets, 1);
  const dims = sizes(random, random.int(1, 5), 5);
  sketch.maybe('axis', () => eitherEnd(random, random.int(0, dims.length - 1), dims.length));
  sketch.maybe('p', () => random.int(1, 2));
  const hasZeros = random.chance(0.2);
  const count = productOf(dims);
  sketch.tensor(
    'float32',
    dims,
    numbers(count, () => (hasZeros && random.chance(0.7) ? 0 : between(random, -3, 3))),
  );
  return sketch.finish('LpNormalization');
}

function meanVariance(random: Random): OnnxCase {
  const sketch = new Sketch(random, range(9, 22), 1);
  const rank = random.int(1, 5);
  if (rank !== 4 || random.chance(0.5)) {
    const count = random.int(1, rank);
    sketch.attribute(
      'axes',
      order(random, rank)
        .slice(0, count)
        .map((axis) => eitherEnd(random, axis, rank)),
    );
  }
  const dims = sizes(random, rank, 5, 2);
  // Elements that are all the same have no deviation, by which onnxruntime divides.
  sketch.tensor(
    'float32',
    dims,
    numbers(productOf(dims), () => between(random, -3, 3)),
  );
  return sketch.finish('MeanVarianceNormalization', 1, 1e-4);
}

export const windowDraws: Draws = {
  Conv: conv,
  ConvTranspose: convTranspose,
  DeformConv: deformConv,
  MaxPool: pooling('MaxPool'),
  AveragePool: pooling('AveragePool'),
  LpPool: pooling('LpPool'),
  GlobalMaxPool: globalPooling('GlobalMaxPool'),
  GlobalAveragePool: globalPooling('GlobalAveragePool'),
  GlobalLpPool: globalPooling('GlobalLpPool'),
  MaxUnpool: maxUnpool,
  BatchNormalization: batchNormalization,
  InstanceNormalization: instanceNormalization,
  LayerNormalization: layerNormalization('LayerNormalization', range(17, 22)),
  RMSNormalization: layerNormalization('RMSNormalization', [23, 24], false),
  SimplifiedLayerNormalization: layerNormalization('SimplifiedLayerNormalization', range(17, 22), false),
  GroupNormalization: groupNormalization,
  LRN: localResponse,
  LpNormalization: lpNormalization,
  MeanVarianceNormalization: meanVariance,
};
