/** Quantization, and products of integers. */
import type { Random } from '../harness/random.js';
import type { Draws, OnnxCase } from './case.js';
import { between, eitherEnd, numbers, productOf, range, Sketch, sizes, type Type } from './sketch.js';
import { bytes, drawTensor, factorRange, isFloat } from './values.js';

const limits = { int8: [-128, 127], uint8: [0, 255], int16: [-32768, 32767], uint16: [0, 65535], int32: [0, 0] } as const;
const typeNumbers = { uint8: 2, int8: 3, uint16: 4, int16: 5 } as const;

interface Grain {
  /** Undefined for one scale of the whole tensor. */
  readonly axis: number | undefined;
  /** The sizes of the scale. */
  readonly dims: readonly number[];
}

/** One scale for the tensor, for each place of an axis, or for each block of an axis. */
function grain(sketch: Sketch, dims: readonly number[]): Grain {
  const { random, opset } = sketch;
  const rank = dims.length;
  const kind =
    rank === 0 ? 'tensor' : random.pick(['tensor', ...(opset >= 13 ? ['axis'] : []), ...(opset >= 21 ? ['blocks'] : [])]);
  if (kind === 'tensor') return { axis: undefined, dims: [] };
  const axis = random.int(0, rank - 1);
  // The default is 1.
  if (axis !== 1 || random.chance(0.5)) sketch.attribute('axis', eitherEnd(random, axis, rank));
  if (kind === 'axis') return { axis, dims: [dims[axis] ?? 1] };
  const blockSize = random.int(1, dims[axis] ?? 1);
  sketch.attribute('block_size', blockSize);
  return { axis, dims: dims.with(axis, Math.ceil((dims[axis] ?? 1) / blockSize)) };
}

function scales(sketch: Sketch, type: Type, dims: readonly number[], low = 0.02, high = 0.5): void {
  const scale = () => between(sketch.random, low, high);
  sketch.tensor(type, dims, numbers(productOf(dims), scale), 0.7);
}

/** onnxruntime divides in float32: these quotients are exact in float16 too. */
function halfScales(sketch: Sketch, dims: readonly number[]): void {
  const scale = () => sketch.random.pick([0.0625, 0.125, 0.25, 0.5]);
  sketch.tensor('float16', dims, numbers(productOf(dims), scale), 0.7);
}

function zeroPoints(sketch: Sketch, type: keyof typeof limits, dims: readonly number[], constants = 0.7): void {
  const [low, high] = limits[type];
  drawTensor(sketch, type, dims, { low, high }, constants);
}

function quantizeLinear(random: Random): OnnxCase {
  const sketch = new Sketch(random, range(10, 22));
  const { opset } = sketch;
  const dims = sizes(random, random.int(0, 4), 5);
  const type =
    opset >= 19 ? random.pick<Type>(['float32', 'float32', 'float16', 'int32']) : random.pick<Type>(['float32', 'int32']);
  const to = opset >= 21 ? random.pick(['uint8', 'int8', 'uint16', 'int16'] as const) : random.pick(bytes);
  const { dims: scaleDims } = grain(sketch, dims);
  // onnxruntime quantizes infinities wrongly in blocks, in float16, and to 16 bits.
  const special = opset < 19 ? [Infinity, -Infinity, 70000] : [30000];
  drawTensor(sketch, type, dims, isFloat(type) ? { low: -20, high: 20, special } : { low: -99, high: 99 });
  if (type === 'float16') halfScales(sketch, scaleDims);
  else scales(sketch, 'float32', scaleDims);
  if (random.chance(0.7)) {
    zeroPoints(sketch, to, scaleDims);
    if (opset >= 21) sketch.maybe('output_dtype', () => typeNumbers[to], 0.3);
  } else if (opset >= 21) sketch.maybe('output_dtype', () => typeNumbers[to]);
  return sketch.finish('QuantizeLinear');
}

function dequantizeLinear(random: Random): OnnxCase {
  const sketch = new Sketch(random, range(10, 22));
  const { opset } = sketch;
  const dims = sizes(random, random.int(0, 4), 5);
  const from = random.pick(['uint8', 'int8', 'int32', ...(opset >= 21 ? (['uint16', 'int16'] as const) : [])] as const);
  const { dims: scaleDims } = grain(sketch, dims);
  drawTensor(sketch, from, dims, { low: -50000, high: 50000 });
  scales(sketch, opset >= 19 ? random.pick(['float32', 'float32', 'float16']) : 'float32', scaleDims);
  if (random.chance(0.7)) zeroPoints(sketch, from, scaleDims);
  return sketch.finish('DequantizeLinear');
}

function dynamicQuantizeLinear(random: Random): OnnxCase {
  const sketch = new Sketch(random, range(11, 22));
  const [low, high] = random.pick([
    [-4, 4],
    [-4, -1],
    [2, 5],
    [0, 0],
  ] as const);
  drawTensor(sketch, 'float32', sizes(random, random.int(1, 4), 5), { low, high });
  return sketch.finish('DynamicQuantizeLinear', 3);
}

/** The sizes of two tensors whose product is a matrix, or a batch of matrices that broadcasts. */
function factors(random: Random): readonly [a: number[], b: number[]] {
  const [rows, inner, columns] = [random.int(1, 6), random.int(1, 7), random.int(1, 6)];
  const batch = sizes(random, random.int(0, 2), 3);
  const narrow = () => batch.slice(random.int(0, batch.length)).map((size) => (random.chance(0.3) ? 1 : size));
  return [
    [...narrow(), rows, inner],
    [...narrow(), inner, columns],
  ];
}

/** onnxruntime has only one zero point for the first tensor. */
function matMulInteger(random: Random): OnnxCase {
  const sketch = new Sketch(random, range(10, 22));
  const [a, b] = factors(random);
  const types = [random.pick(bytes), random.pick(bytes)] as const;
  drawTensor(sketch, types[0], a, factorRange(types[0]));
  drawTensor(sketch, types[1], b, factorRange(types[1]));
  const count = random.int(0, 2);
  if (count > 0) drawTensor(sketch, types[0], random.pick([[], [1]]), factorRange(types[0]), 0.7);
  if (count > 1)
    drawTensor(sketch, types[1], b.length === 2 && random.chance(0.5) ? [b[1] ?? 1] : [], factorRange(types[1]), 0.7);
  return sketch.finish('MatMulInteger');
}

function qLinearMatMul(random: Random): OnnxCase {
  const sketch = new Sketch(random, range(10, 20));
  const [a, b] = factors(random);
  const [left, right] = random.pick([
    ['uint8', 'uint8'],
    ['uint8', 'int8'],
    ['int8', 'int8'],
  ] as const);
  const columns = b.length === 2 && random.chance(0.5) ? [b[1] ?? 1] : [];
  drawTensor(sketch, left, a, factorRange(left));
  scales(sketch, 'float32', []);
  drawTensor(sketch, left, [], factorRange(left), 0.7);
  drawTensor(sketch, right, b, factorRange(right), 0.7);
  scales(sketch, 'float32', columns);
  zeroPoints(sketch, right, columns);
  scales(sketch, 'float32', [], 5, 40);
  zeroPoints(sketch, left, []);
  return sketch.finish('QLinearMatMul');
}

interface Windows {
  readonly input: readonly number[];
  readonly filter: readonly number[];
}

/** The sizes of a convolution, whose attributes it draws. */
function windows(sketch: Sketch): Windows {
  const { random } = sketch;
  const rank = random.pick([1, 2, 2, 2, 3]);
  const kernel = numbers(rank, () => random.int(1, 3));
  const group = random.pick([1, 1, 2, 3]);
  const [channels, filters] = [random.int(1, 3), group * random.int(1, 3)];
  const dilations = numbers(rank, () => random.pick([1, 1, 2]));
  sketch.maybe('strides', () => numbers(rank, () => random.int(1, 3)));
  if (random.chance(0.5)) sketch.attribute('dilations', dilations);
  else dilations.fill(1);
  sketch.maybe('kernel_shape', () => kernel);
  if (group > 1 || random.chance(0.3)) sketch.attribute('group', group);
  const mode = random.pick(['none', 'pads', 'pads', 'NOTSET', 'SAME_UPPER', 'SAME_LOWER', 'VALID']);
  if (mode === 'pads' || mode === 'NOTSET')
    sketch.attribute(
      'pads',
      numbers(2 * rank, () => random.int(0, 2)),
    );
  if (mode !== 'pads' && mode !== 'none') sketch.attribute('auto_pad', mode);
  const space = kernel.map((size, i) => (size - 1) * (dilations[i] ?? 1) + random.int(1, 4));
  return { input: [random.int(1, 2), group * channels, ...space], filter: [filters, channels, ...kernel] };
}

function convInteger(random: Random): OnnxCase {
  const sketch = new Sketch(random, range(10, 22));
  const { input, filter } = windows(sketch);
  const types = [random.pick(bytes), random.pick(bytes)] as const;
  drawTensor(sketch, types[0], input, factorRange(types[0]));
  drawTensor(sketch, types[1], filter, factorRange(types[1]), 0.7);
  const count = random.int(0, 2);
  if (count > 0) drawTensor(sketch, types[0], [], factorRange(types[0]), 0.7);
  if (count > 1) drawTensor(sketch, types[1], [], factorRange(types[1]), 0.7);
  return sketch.finish('ConvInteger');
}

function qLinearConv(random: Random): OnnxCase {
  const sketch = new Sketch(random, range(10, 22));
  const { input, filter } = windows(sketch);
  const [left, right] = random.pick([
    ['uint8', 'uint8'],
    ['uint8', 'int8'],
    ['int8', 'int8'],
  ] as const);
  const channels = random.chance(0.5) ? [filter[0] ?? 1] : [];
  drawTensor(sketch, left, input, factorRange(left));
  scales(sketch, 'float32', []);
  drawTensor(sketch, left, [], factorRange(left), 0.7);
  drawTensor(sketch, right, filter, factorRange(right), 0.8);
  scales(sketch, 'float32', channels);
  // onnxruntime has only one zero point for the filter.
  const zeroPoint = random.int(limits[right][0], limits[right][1]);
  sketch.tensor(
    right,
    channels,
    numbers(productOf(channels), () => zeroPoint),
    0.8,
  );
  scales(sketch, 'float32', [], 5, 40);
  zeroPoints(sketch, left, []);
  if (random.chance(0.5)) drawTensor(sketch, 'int32', [filter[0] ?? 1], { low: -900, high: 900 }, 0.8);
  return sketch.finish('QLinearConv');
}

export const quantizationDraws: Draws = {
  QuantizeLinear: quantizeLinear,
  DequantizeLinear: dequantizeLinear,
  DynamicQuantizeLinear: dynamicQuantizeLinear,
  MatMulInteger: matMulInteger,
  QLinearMatMul: qLinearMatMul,
  ConvInteger: convInteger,
  QLinearConv: qLinearConv,
};
