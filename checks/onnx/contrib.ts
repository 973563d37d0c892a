/** Operators of ONNX Runtime's own domain, which its tools write into models. */
import type { Random } from '../harness/random.js';
import type { Draw, Draws, OnnxCase } from './case.js';
import { attentionDraws } from './contrib-attention.js';
import { quantizedNetwork } from './recurrents.js';
import { between, eitherEnd, floatOf, numbers, productOf, range, Sketch, sizes } from './sketch.js';
import { bytes, drawTensor, factorRange, narrowed, type Bytes } from './values.js';

const opsets = range(13, 21);

function start(random: Random): Sketch {
  return new Sketch(random, opsets, 1);
}

function biased(operator: string, hasBias: (random: Random) => boolean, more?: (sketch: Sketch) => void): Draw {
  return (random) => {
    const sketch = start(random);
    const dims = sizes(random, random.int(1, 4), 6);
    more?.(sketch);
    sketch.drawn('float32', dims);
    if (hasBias(random)) sketch.drawn('float32', dims.slice(-1), 1, 0.6);
    return sketch.finish(`com.microsoft:${operator}`, 1, 1e-4);
  };
}

function skipNormalization(operator: string, hasBeta: boolean): Draw {
  return (random) => {
    const sketch = start(random);
    const [batch, length, size] = [random.int(1, 3), random.int(1, 4), random.int(1, 9)];
    const dims = random.chance(0.7) ? [batch, length, size] : [length, size];
    const skip =
      dims.length === 3 && random.chance(0.3)
        ? random.pick([
            [1, length, size],
            [length, size],
          ])
        : dims;
    sketch.maybe('epsilon', () => floatOf(random, 1e-5, 0.1), 0.8);
    sketch.drawn('float32', dims);
    sketch.drawn('float32', skip);
    sketch.drawn('float32', [size], 2, 0.6);
    if (hasBeta) {
      if (random.chance(0.6)) sketch.drawn('float32', [size], 2, 0.6);
      else sketch.none();
    }
    if (random.chance(0.5)) sketch.drawn('float32', [size], 2, 0.6);
    // onnxruntime's CPU has no mean and no deviation.
    const outputs = random.chance(0.5) ? ['sum'] : ['sum', '-', '-', 'skipped'];
    return sketch.finish(`com.microsoft:${operator}`, outputs, 1e-4);
  };
}

/** The inputs of an embedding, up to the mask. */
function tables(random: Random, table: (sketch: Sketch, dims: readonly number[]) => void) {
  const sketch = start(random);
  const [batch, length, size] = [random.int(1, 3), random.int(1, 5), random.int(1, 8)];
  const [words, places, kinds] = [random.int(1, 9), length + random.int(0, 3), random.int(1, 3)];
  const hasSegments = random.chance(0.6);
  const isMasked = random.chance(0.5);
  sketch.maybe('epsilon', () => floatOf(random, 1e-5, 0.1), 0.8);
  const ids = (most: number) => numbers(batch * length, () => random.int(0, most - 1));
  sketch.tensor('int32', [batch, length], ids(words));
  if (hasSegments) sketch.tensor('int32', [batch, length], ids(kinds));
  else sketch.none();
  table(sketch, [words, size]);
  table(sketch, [places, size]);
  if (hasSegments) table(sketch, [kinds, size]);
  else sketch.none();
  table(sketch, [size]);
  table(sketch, [size]);
  if (isMasked) {
    // The words that the mask shows come first.
    const counts = numbers(batch, () => random.int(0, length));
    sketch.tensor(
      'int32',
      [batch, length],
      counts.flatMap((count) => range(1, length).map((i) => (i <= count ? 1 : 0))),
    );
  } else sketch.none();
  return { sketch, hasSegments, isMasked, batch, length, places };
}

function embedding(random: Random): OnnxCase {
  const { sketch, isMasked, batch, length, places } = tables(random, (own, dims) => own.drawn('float32', dims, 2, 0.7));
  if (isMasked) sketch.attribute('mask_index_type', 1);
  if (random.chance(0.3)) {
    const own = random.chance(0.5) ? batch : 1;
    sketch.tensor(
      'int32',
      [own, length],
      numbers(own * length, () => random.int(0, places - 1)),
    );
  }
  const outputs = isMasked ? ['sum', 'mask'] : random.chance(0.5) ? ['sum'] : ['sum', '-', 'all'];
  return sketch.finish('com.microsoft:EmbedLayerNormalization', outputs, 1e-4);
}

function quantizedEmbedding(random: Random): OnnxCase {
  const type = random.pick(bytes);
  const { sketch, hasSegments, isMasked } = tables(random, (own, dims) => {
    levels(own, type, dims, 0.7);
  });
  const five = (draw: () => void) => {
    for (let i = 0; i < 5; i++) {
      if (i === 2 && !hasSegments) sketch.none();
      else draw();
    }
  };
  five(() => sketch.tensor('float32', [], [between(random, 0.01, 0.05)], 0.9));
  five(() => levels(sketch, type, [], 0.9));
  return sketch.finish('com.microsoft:QEmbedLayerNormalization', isMasked ? ['sum', 'mask'] : ['sum'], 1e-4);
}

/** An activation of fused operators, with its parameters. */
const activations: Readonly<Record<string, (random: Random) => readonly number[]>> = {
  Relu: () => [],
  Tanh: () => [],
  Sigmoid: () => [],
  LeakyRelu: (random) => [between(random, 0.01, 0.9)],
  Clip: (random) => [between(random, -2, 0), between(random, 0.1, 2)],
  HardSigmoid: (random) => [between(random, 0.1, 0.5), between(random, 0.1, 0.9)],
};

function fusedConvolution(random: Random): OnnxCase {
  const sketch = start(random);
  const rank = random.pick([1, 2, 2]);
  const kernel = sizes(random, rank, 3);
  const group = random.pick([1, 1, 2]);
  const [channels, filters] = [group * random.int(1, 3), group * random.int(1, 3)];
  const pads = kernel.map((size) => random.int(0, size - 1));
  const strides = sizes(random, rank, 2);
  const space = kernel.map((size) => size + random.int(0, 4));
  sketch.attribute('kernel_shape', kernel);
  sketch.attribute('pads', [...pads, ...pads]);
  sketch.attribute('strides', strides);
  if (group > 1) sketch.attribute('group', group);
  const name = random.pick(Object.keys(activations));
  sketch.attribute('activation', name);
  const parameters = activations[name]?.(random) ?? [];
  if (parameters.length > 0) sketch.attribute('activation_params', { floats: parameters });
  const batch = random.int(1, 2);
  sketch.drawn('float32', [batch, channels, ...space]);
  sketch.drawn('float32', [filters, channels / group, ...kernel], 1, 0.6);
  if (random.chance(0.6)) sketch.drawn('float32', [filters], 1, 0.6);
  else sketch.none();
  if (random.chance(0.4)) {
    const output = space.map((size, i) => Math.floor((size + 2 * (pads[i] ?? 0) - (kernel[i] ?? 1)) / (strides[i] ?? 1)) + 1);
    sketch.drawn('float32', [batch, filters, ...output]);
  }
  return sketch.finish('com.microsoft:FusedConv');
}

function fusedProduct(random: Random): OnnxCase {
  const sketch = start(random);
  const rank = random.int(2, 4);
  const batch = sizes(random, rank - 2, 3);
  const [rows, inner, columns] = [random.int(1, 5), random.int(1, 6), random.int(1, 5)];
  sketch.maybe('alpha', () => floatOf(random, -2, 2));
  /** The dimensions before the transpositions. */
  const stored = (outer: readonly number[], first: number, second: number, name: 'A' | 'B') => {
    const isTurned = random.chance(0.4);
    const isOuterTurned = outer.length > 0 && random.chance(0.3);
    if (isTurned || random.chance(0.2)) sketch.attribute(`trans${name}`, isTurned ? 1 : 0);
    if (isOuterTurned || random.chance(0.2)) sketch.attribute(`transBatch${name}`, isOuterTurned ? 1 : 0);
    const [row, column] = isTurned ? [second, first] : [first, second];
    // The first of the stored dimensions comes last but one.
    return isOuterTurned ? [row, ...outer, column] : [...outer, row, column];
  };
  sketch.drawn('float32', stored(batch, rows, inner, 'A'));
  sketch.drawn('float32', stored(batch, inner, columns, 'B'));
  return sketch.finish('com.microsoft:FusedMatMul');
}

function fusedGemm(random: Random): OnnxCase {
  const sketch = start(random);
  const [rows, inner, columns] = [random.int(1, 6), random.int(1, 7), random.int(1, 6)];
  const [turnsA, turnsB] = [random.chance(0.4), random.chance(0.4)];
  if (turnsA) sketch.attribute('transA', 1);
  if (turnsB) sketch.attribute('transB', 1);
  sketch.maybe('alpha', () => floatOf(random, -2, 2));
  sketch.maybe('beta', () => floatOf(random, -2, 2));
  const name = random.pick([
    'Relu',
    'Tanh',
    'Sigmoid',
    'LeakyRelu',
    'HardSigmoid',
    'Elu',
    'Selu',
    'Softplus',
    'Softsign',
    'ThresholdedRelu',
  ]);
  sketch.attribute('activation', name);
  const isPlain = ['Relu', 'Tanh', 'Sigmoid', 'Softplus', 'Softsign'].includes(name);
  if (!isPlain) sketch.attribute('activation_alpha', floatOf(random, 0.1, 1.9));
  if (name === 'HardSigmoid') sketch.attribute('activation_beta', floatOf(random, 0.1, 0.9));
  if (name === 'Selu') sketch.attribute('activation_gamma', floatOf(random, 0.1, 1.9));
  // Small, because onnxruntime's curves are less exact near their ends.
  sketch.drawn('float32', turnsA ? [inner, rows] : [rows, inner], 1);
  sketch.drawn('float32', turnsB ? [columns, inner] : [inner, columns], 1);
  if (random.chance(0.6)) sketch.drawn('float32', random.pick([[rows, columns], [columns], [rows, 1], [1]]));
  return sketch.finish('com.microsoft:FusedGemm', 1, 2e-5);
}

function distances(random: Random): OnnxCase {
  const sketch = start(random);
  const size = random.int(1, 6);
  const type = random.pick(['float32', 'float64'] as const);
  sketch.attribute('metric', random.pick(['euclidean', 'sqeuclidean']));
  sketch.drawn(type, [random.int(1, 5), size]);
  sketch.drawn(type, [random.int(1, 5), size]);
  return sketch.finish('com.microsoft:CDist', 1, 1e-5);
}

function triangle(random: Random): OnnxCase {
  const sketch = start(random);
  sketch.maybe('upper', () => random.int(0, 1));
  sketch.drawn(random.pick(['float32', 'float64', 'int64', 'bool']), sizes(random, random.int(2, 5), 5));
  if (random.chance(0.6)) sketch.tensor('int64', [], [random.int(-7, 7)]);
  return sketch.finish('com.microsoft:Trilu');
}

/** Quantized elements of the whole type. */
function levels(sketch: Sketch, type: Bytes, dims: readonly number[], constants?: number): void {
  const low = type === 'int8' ? -128 : 0;
  sketch.tensor(
    type,
    dims,
    numbers(productOf(dims), () => sketch.random.int(low, low + 255)),
    constants,
  );
}

/** A scale and a zero point, each one number. */
function quantization(sketch: Sketch, type: Bytes, low = 0.01, high = 0.1, isWhole = false): void {
  const { random } = sketch;
  sketch.tensor('float32', [], [between(random, low, high)], 0.9);
  if (isWhole || random.chance(0.8))
    sketch.tensor(type, [], [random.int(type === 'int8' ? -40 : 60, type === 'int8' ? 40 : 190)], 0.9);
  else sketch.none();
}

/** One level more or less, where other roundings lie between. */
const oneLevel = 1 / 100;

function quantizedBinary(operator: string): Draw {
  return (random) => {
    const sketch = start(random);
    const type = random.pick(bytes);
    const dims = sizes(random, random.int(1, 4), 5);
    const isLeft = random.chance(0.5);
    levels(sketch, type, isLeft ? dims : narrowed(random, dims));
    quantization(sketch, type);
    levels(sketch, type, isLeft ? narrowed(random, dims) : dims);
    quantization(sketch, type);
    quantization(sketch, type, 0.02, 0.2);
    return sketch.finish(`com.microsoft:${operator}`, 1, oneLevel);
  };
}

function quantizedUnary(operator: string, rank?: number, more?: (sketch: Sketch) => void): Draw {
  return (random) => {
    const sketch = start(random);
    const type = random.pick(bytes);
    more?.(sketch);
    levels(sketch, type, sizes(random, rank ?? random.int(1, 4), 6));
    quantization(sketch, type);
    // Without the last zero point, onnxruntime ends its process.
    quantization(sketch, type, 0.01, 0.05, true);
    return sketch.finish(`com.microsoft:${operator}`, 1, oneLevel);
  };
}

function quantizedAverage(random: Random): OnnxCase {
  const sketch = start(random);
  const type = random.pick(bytes);
  const rank = random.pick([1, 2, 2, 3]);
  const kernel = sizes(random, rank, 3);
  const pads = kernel.map((size) => random.int(0, size - 1));
  const space = kernel.map((size) => size + random.int(0, 4));
  const isLast = random.chance(0.3);
  sketch.attribute('kernel_shape', kernel);
  sketch.maybe('pads', () => [...pads, ...pads]);
  sketch.maybe('strides', () => sizes(random, rank, 3));
  // With both, onnxruntime counts what is beyond the padding too.
  sketch.maybe(random.pick(['ceil_mode', 'count_include_pad']), () => random.int(0, 1));
  if (isLast) sketch.attribute('channels_last', 1);
  const [batch, channels] = [random.int(1, 2), random.int(1, 3)];
  levels(sketch, type, isLast ? [batch, ...space, channels] : [batch, channels, ...space]);
  quantization(sketch, type);
  quantization(sketch, type);
  return sketch.finish('com.microsoft:QLinearAveragePool', 1, oneLevel);
}

function quantizedSoftmax(random: Random): OnnxCase {
  const sketch = start(random);
  const type = random.pick(bytes);
  // Of a single element, onnxruntime's result is 0.
  const dims = sizes(random, random.int(1, 4), 6, 2);
  const opset = random.pick([11, 13, 13]);
  sketch.attribute('opset', opset);
  sketch.attribute('axis', eitherEnd(random, random.int(0, dims.length - 1), dims.length));
  levels(sketch, type, dims);
  quantization(sketch, type);
  // Large magnitudes, so that the tolerance is few levels.
  sketch.tensor('float32', [], [between(random, 0.01, 0.017)], 0.9);
  sketch.tensor(type, [], [type === 'int8' ? -128 : 128], 0.9);
  return sketch.finish('com.microsoft:QLinearSoftmax', 1, 1 / 40);
}

function quantizedJoin(random: Random): OnnxCase {
  const sketch = start(random);
  const type = random.pick(bytes);
  const dims = sizes(random, random.int(1, 4), 4);
  const axis = random.int(0, dims.length - 1);
  sketch.attribute('axis', eitherEnd(random, axis, dims.length));
  quantization(sketch, type, 0.02, 0.1, true);
  for (let i = random.int(1, 4); i > 0; i--) {
    levels(sketch, type, dims.with(axis, random.int(1, 4)));
    quantization(sketch, type, 0.01, 0.1, true);
  }
  return sketch.finish('com.microsoft:QLinearConcat', 1, oneLevel);
}

function productOfIntegers(random: Random): OnnxCase {
  const sketch = start(random);
  const [a, b] = [random.pick(bytes), random.pick(bytes)];
  const [rows, inner, columns] = [random.int(1, 5), random.int(1, 8), random.int(1, 6)];
  const batch = sizes(random, random.int(0, 2), 3);
  const isPerColumn = random.chance(0.4);
  const count = isPerColumn ? [columns] : random.pick([[], [1]]);
  const scale = () => between(random, 0.01, 0.1);
  drawTensor(sketch, a, [...batch, rows, inner], factorRange(a));
  drawTensor(sketch, b, [inner, columns], factorRange(b), 0.7);
  sketch.tensor('float32', random.pick([[], [1]]), [scale()], 0.5);
  sketch.tensor('float32', count, numbers(productOf(count), scale), 0.7);
  if (random.chance(0.7)) levels(sketch, a, random.pick([[], [1]]), 0.7);
  else sketch.none();
  if (random.chance(0.7)) levels(sketch, b, count, 0.7);
  else sketch.none();
  if (random.chance(0.5)) sketch.drawn('float32', [columns], 2, 0.7);
  return sketch.finish('com.microsoft:MatMulIntegerToFloat');
}

function dynamicProduct(random: Random): OnnxCase {
  const sketch = start(random);
  const type = random.pick(bytes);
  const [rows, inner, columns] = [random.int(1, 5), random.int(2, 8), random.int(1, 6)];
  const batch = sizes(random, random.int(0, 2), 3);
  const count = random.chance(0.4) ? [columns] : random.pick([[], [1]]);
  // The ends of the range make the scale 1/64, and no element lies halfway between two levels.
  const elements = numbers(productOf([...batch, rows, inner]), () => {
    return (random.int(-99, 154) + between(random, -0.4, 0.4)) / 64;
  });
  elements[0] = -100 / 64;
  elements[elements.length - 1] = 155 / 64;
  sketch.tensor('float32', [...batch, rows, inner], elements);
  drawTensor(sketch, type, [inner, columns], factorRange(type), 0.7);
  sketch.tensor(
    'float32',
    count,
    numbers(productOf(count), () => between(random, 0.01, 0.1)),
    0.7,
  );
  if (random.chance(0.7)) levels(sketch, type, count, 0.7);
  else sketch.none();
  if (random.chance(0.5)) sketch.drawn('float32', [columns], 2, 0.7);
  return sketch.finish('com.microsoft:DynamicQuantizeMatMul', 1, 1e-5);
}

function quantizedChoice(random: Random): OnnxCase {
  const sketch = start(random);
  const type = random.pick(bytes);
  const dims = sizes(random, random.int(1, 4), 5);
  sketch.drawn('bool', narrowed(random, dims));
  // With numbers that only the run gives, onnxruntime ends its process.
  const grid = (low: number, high: number) => {
    sketch.tensor('float32', [], [between(random, low, high)], 1);
    levels(sketch, type, [], 1);
  };
  for (let i = 0; i < 2; i++) {
    levels(sketch, type, i === 0 ? dims : narrowed(random, dims));
    grid(0.01, 0.1);
  }
  grid(0.02, 0.2);
  return sketch.finish('com.microsoft:QLinearWhere', 1, oneLevel);
}

function quantizedGemm(random: Random): OnnxCase {
  const sketch = start(random);
  const [a, b] = [random.pick(bytes), random.pick(bytes)];
  const [rows, inner, columns] = [random.int(1, 5), random.int(1, 8), random.int(1, 6)];
  const [turnsA, turnsB] = [random.chance(0.4), random.chance(0.4)];
  if (turnsA) sketch.attribute('transA', 1);
  if (turnsB) sketch.attribute('transB', 1);
  sketch.maybe('alpha', () => floatOf(random, 0.2, 2));
  drawTensor(sketch, a, turnsA ? [inner, rows] : [rows, inner], factorRange(a));
  quantization(sketch, a, 0.01, 0.1, true);
  drawTensor(sketch, b, turnsB ? [columns, inner] : [inner, columns], factorRange(b), 0.7);
  const count = random.chance(0.4) ? columns : 1;
  const scales = numbers(count, () => between(random, 0.01, 0.1));
  sketch.tensor('float32', count === 1 ? [] : [count], scales, 0.9);
  levels(sketch, b, count === 1 ? [] : [count], 0.9);
  const isQuantized = random.chance(0.6);
  if (random.chance(0.6)) {
    const biases = numbers(columns, () => random.int(-3000, 3000));
    sketch.tensor('int32', random.pick([[columns], [1, columns]]), biases, 0.9);
  } else sketch.none();
  if (isQuantized) quantization(sketch, a, 0.5, 2, true);
  return sketch.finish('com.microsoft:QGemm', 1, isQuantized ? oneLevel : 1e-5);
}

function blockProduct(random: Random): OnnxCase {
  const sketch = start(random);
  const bits = random.pick([4, 4, 4, 8]);
  const size = random.pick([16, 32, 64]);
  const [inner, columns] = [random.int(1, 80), random.int(1, 6)];
  const blocks = Math.ceil(inner / size);
  sketch.attribute('K', inner);
  sketch.attribute('N', columns);
  sketch.attribute('bits', bits);
  sketch.attribute('block_size', size);
  sketch.maybe('accuracy_level', () => random.pick([0, 1]), 0.3);
  sketch.drawn('float32', [...sizes(random, random.int(1, 2), 3), inner]);
  levels(sketch, 'uint8', [columns, blocks, (size * bits) / 8], 0.9);
  const scales = random.pick([[columns * blocks], [columns, blocks]]);
  sketch.tensor(
    'float32',
    scales,
    numbers(columns * blocks, () => between(random, -0.1, 0.1)),
    0.9,
  );
  const width = Math.ceil((blocks * bits) / 8);
  const kind = random.pick(['none', 'packed', 'packed', 'floats']);
  if (kind === 'packed') levels(sketch, 'uint8', random.pick([[columns * width], [columns, width]]), 0.9);
  else if (kind === 'floats') sketch.drawn('float32', scales, 9, 0.9);
  else sketch.none();
  sketch.none();
  if (random.chance(0.4)) sketch.drawn('float32', [columns], 2, 0.7);
  return sketch.finish('com.microsoft:MatMulNBits', 1, 2e-5);
}

function blockRows(random: Random): OnnxCase {
  const sketch = start(random);
  const bits = random.pick([4, 8]);
  const size = random.pick([16, 32]);
  const [rows, width] = [random.int(1, 6), size * random.int(1, 3)];
  const blocks = Math.ceil(width / size);
  sketch.attribute('bits', bits);
  sketch.attribute('block_size', size);
  sketch.attribute('gather_axis', 0);
  sketch.attribute('quantize_axis', random.pick([1, -1]));
  const shape = sizes(random, random.int(1, 2), 4);
  levels(sketch, 'uint8', [rows, (width * bits) / 8], 0.9);
  sketch.tensor(
    random.pick(['int32', 'int64']),
    shape,
    numbers(productOf(shape), () => random.int(0, rows - 1)),
  );
  sketch.tensor(
    'float32',
    [rows, blocks],
    numbers(rows * blocks, () => between(random, 0.01, 0.1)),
    0.9,
  );
  if (random.chance(0.6)) levels(sketch, 'uint8', [rows, Math.ceil((blocks * bits) / 8)], 0.9);
  return sketch.finish('com.microsoft:GatherBlockQuantized');
}

const always = () => true;
const sometimes = (random: Random) => random.chance(0.6);

function named(draws: Draws): Draws {
  return Object.fromEntries(Object.entries(draws).map(([name, draw]) => [`com.microsoft:${name}`, draw]));
}

export const contribDraws: Draws = named({
  FastGelu: biased('FastGelu', sometimes),
  BiasGelu: biased('BiasGelu', always),
  Gelu: biased('Gelu', () => false),
  QuickGelu: biased(
    'QuickGelu',
    () => false,
    (sketch) => sketch.maybe('alpha', () => floatOf(sketch.random, 0.3, 3)),
  ),
  SkipLayerNormalization: skipNormalization('SkipLayerNormalization', true),
  SkipSimplifiedLayerNormalization: skipNormalization('SkipSimplifiedLayerNormalization', false),
  EmbedLayerNormalization: embedding,
  QEmbedLayerNormalization: quantizedEmbedding,
  FusedConv: fusedConvolution,
  FusedMatMul: fusedProduct,
  FusedGemm: fusedGemm,
  CDist: distances,
  Trilu: triangle,
  QLinearAdd: quantizedBinary('QLinearAdd'),
  QLinearMul: quantizedBinary('QLinearMul'),
  QLinearSigmoid: quantizedUnary('QLinearSigmoid'),
  QLinearLeakyRelu: quantizedUnary('QLinearLeakyRelu', undefined, (sketch) => {
    sketch.maybe('alpha', () => floatOf(sketch.random, 0.01, 0.9));
  }),
  QLinearGlobalAveragePool: quantizedUnary('QLinearGlobalAveragePool', 4, (sketch) => {
    sketch.maybe('channels_last', () => sketch.random.int(0, 1));
  }),
  QLinearAveragePool: quantizedAverage,
  QLinearSoftmax: quantizedSoftmax,
  QLinearConcat: quantizedJoin,
  QLinearWhere: quantizedChoice,
  QGemm: quantizedGemm,
  MatMulIntegerToFloat: productOfIntegers,
  DynamicQuantizeMatMul: dynamicProduct,
  MatMulNBits: blockProduct,
  GatherBlockQuantized: blockRows,
  ...attentionDraws,
  DynamicQuantizeLSTM: quantizedNetwork,
});
