/** Operators about sizes. */
import type { Random } from '../harness/random.js';
import type { Draws, OnnxCase } from './case.js';
import type { Attribute } from '../networks/small-model.js';
import { between, eitherEnd, numbers, order, range, Sketch, type Type } from './sketch.js';
import { anySizes, drawTensor, isFloat, narrowed, specials } from './values.js';

const opsets = range(7, 22);
const types: readonly Type[] = [
  ...(['float32', 'float16', 'float64', 'bool', 'int8', 'uint8', 'int16', 'uint16', 'int32', 'uint32', 'int64'] as const),
  'uint64',
];

function anyTensor(sketch: Sketch, dims: readonly number[]): void {
  drawTensor(sketch, sketch.random.pick(types), dims, { special: specials });
}

/** Other sizes of as many elements, of which some are 0 for those of the input, and one is -1 for what is left. */
function reshape(random: Random): OnnxCase {
  const sketch = new Sketch(random, opsets);
  const dims = anySizes(random);
  anyTensor(sketch, dims);
  const given = regrouped(random, dims);
  const keepsZero = sketch.opset >= 14 && random.chance(0.3);
  if (keepsZero) sketch.attribute('allowzero', 1);
  else if (sketch.opset >= 14) sketch.maybe('allowzero', () => 0, 0.3);
  const asked = given.map((size, i) => (!keepsZero && size === dims[i] && random.chance(0.4) ? 0 : size));
  const place =
    asked.length > 0 && !(keepsZero && asked.includes(0)) && random.chance(0.5) ? random.int(0, asked.length - 1) : -1;
  sketch.list('int64', place < 0 ? asked : asked.with(place, -1));
  return sketch.finish('Reshape');
}

/** Neighboring sizes multiplied, with ones between them. */
function regrouped(random: Random, dims: readonly number[]): number[] {
  const result: number[] = [];
  for (const size of dims) {
    const last = result.length - 1;
    if (last >= 0 && random.chance(0.5)) result[last] = (result[last] ?? 1) * size;
    else result.push(size);
    if (result.length < 5 && random.chance(0.15)) result.push(1);
  }
  return random.chance(0.2) ? result.reverse() : result;
}

function squeeze(random: Random): OnnxCase {
  const sketch = new Sketch(random, opsets);
  const dims = anySizes(random).map((size) => (random.chance(0.5) ? 1 : size));
  anyTensor(sketch, dims);
  const ones = [...dims.keys()].filter((axis) => dims[axis] === 1 && random.chance(0.7));
  const axes = order(random, ones.length).map((i) => eitherEnd(random, ones[i] ?? 0, dims.length));
  if (axes.length > 0 && random.chance(0.8)) giveAxes(sketch, axes);
  return sketch.finish('Squeeze');
}

/** An input from opset 13 on. */
function giveAxes(sketch: Sketch, axes: readonly number[]): void {
  if (sketch.opset < 13) sketch.attribute('axes', axes);
  else sketch.list('int64', axes);
}

function unsqueeze(random: Random): OnnxCase {
  const sketch = new Sketch(random, opsets);
  const dims = anySizes(random, 0, 4);
  anyTensor(sketch, dims);
  const rank = dims.length + random.int(1, 3);
  const axes = order(random, rank).slice(0, rank - dims.length);
  giveAxes(sketch, sketch.opset < 11 ? axes : axes.map((axis) => eitherEnd(random, axis, rank)));
  return sketch.finish('Unsqueeze');
}

/** Both the tensor and the sizes broadcast. */
function expand(random: Random): OnnxCase {
  const sketch = new Sketch(random, range(8, 22));
  const dims = anySizes(random);
  anyTensor(sketch, narrowed(random, dims));
  sketch.list('int64', narrowed(random, dims));
  return sketch.finish('Expand');
}

function rangeCase(random: Random): OnnxCase {
  const sketch = new Sketch(random, range(11, 22));
  const type = random.pick<Type>(['float32', 'float64', 'int16', 'int32', 'int64']);
  const [start, limit] = isFloat(type)
    ? [between(random, -9, 9), between(random, -9, 9)]
    : [random.int(-20, 20), random.int(-20, 20)];
  const step = isFloat(type) ? between(random, 0.3, 3) : random.int(1, 5);
  const delta = random.chance(0.1) || start > limit ? -step : step;
  for (const number of [start, limit, delta]) sketch.tensor(type, [], [number], 0.6);
  return sketch.finish('Range');
}

function constantOfShape(random: Random): OnnxCase {
  const sketch = new Sketch(random, range(9, 22));
  const type = random.pick(types);
  sketch.list('int64', anySizes(random));
  const value = type === 'bool' ? random.int(0, 1) : type === 'float16' ? 0x3e66 : random.int(0, 99);
  sketch.maybe('value', () => ({ tensor: [type, [1], [value]] }));
  return sketch.finish('ConstantOfShape');
}

const eyeTypes = { float32: 1, uint8: 2, int32: 6, int64: 7, float16: 10, float64: 11, uint64: 13 } as const;

function eyeLike(random: Random): OnnxCase {
  const sketch = new Sketch(random, range(9, 22));
  const dims = anySizes(random, 2, 2);
  drawTensor(sketch, random.pick(['float32', 'float64', 'int32', 'int64', 'uint64']), dims);
  sketch.maybe('dtype', () => random.pick(Object.values(eyeTypes)), 0.4);
  sketch.maybe('k', () => random.int(-8, 8));
  return sketch.finish('EyeLike');
}

function flatten(random: Random): OnnxCase {
  const sketch = new Sketch(random, opsets);
  const dims = anySizes(random, 1);
  anyTensor(sketch, dims);
  const least = sketch.opset < 11 ? 0 : -dims.length;
  sketch.maybe('axis', () => random.int(least, dims.length));
  return sketch.finish('Flatten');
}

/** `start` and `end` may lie outside of the sizes. */
function shape(random: Random): OnnxCase {
  const sketch = new Sketch(random, opsets);
  anyTensor(sketch, anySizes(random));
  if (sketch.opset >= 15) {
    sketch.maybe('start', () => random.int(-7, 7));
    sketch.maybe('end', () => random.int(-7, 7));
  }
  return sketch.finish('Shape');
}

function size(random: Random): OnnxCase {
  const sketch = new Sketch(random, opsets);
  anyTensor(sketch, anySizes(random));
  return sketch.finish('Size');
}

/** A tensor without inputs, in one of several attributes. */
function constant(random: Random): OnnxCase {
  const sketch = new Sketch(random, range(12, 22));
  const integers = numbers(random.int(1, 5), () => random.int(-9, 9));
  const floats = integers.map(() => between(random, -4, 4));
  const [name, value] = random.pick<[string, Attribute]>([
    ['value', { tensor: ['float32', [floats.length, 1], floats] }],
    ['value_int', integers[0] ?? 0],
    ['value_ints', integers],
    ['value_float', { float: floats[0] ?? 0 }],
    ['value_floats', { floats }],
  ]);
  sketch.attribute(name, value);
  return sketch.finish('Constant');
}

export const shapeDraws: Draws = {
  Constant: constant,
  Reshape: reshape,
  Squeeze: squeeze,
  Unsqueeze: unsqueeze,
  Expand: expand,
  Range: rangeCase,
  ConstantOfShape: constantOfShape,
  EyeLike: eyeLike,
  Flatten: flatten,
  Shape: shape,
  Size: size,
};
