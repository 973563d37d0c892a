/** Operators that move elements. */
import type { Random } from '../harness/random.js';
import type { Draws, OnnxCase } from './case.js';
import { eitherEnd, elementsOf, floatOf, numbers, order, productOf, range, Sketch, sizes, type Type } from './sketch.js';

const opsets = range(7, 22);
const allTypes: readonly Type[] = [
  'float32',
  'float32',
  'float32',
  'float64',
  'float16',
  'int32',
  'int64',
  'uint8',
  'int8',
  'bool',
];

function anyType(random: Random): Type {
  return random.pick(allTypes);
}

function slice(random: Random): OnnxCase {
  const sketch = new Sketch(random, opsets);
  const { opset } = sketch;
  const rank = random.int(1, 5);
  const dims = sizes(random, rank);
  const count = random.int(1, rank);
  const hasAxes = count < rank || random.chance(0.6);
  const chosen = hasAxes ? order(random, rank).slice(0, count) : range(0, rank - 1);
  const steps = chosen.map(() => (opset >= 10 ? random.pick([1, 1, 2, 3, -1, -2, -3, 100, -100]) : 1));
  const hasSteps = opset >= 10 && (steps.some((step) => step !== 1) ? random.chance(0.9) : random.chance(0.4));
  const limit = 2 ** 31 - 1;
  const place = (size: number, far: readonly number[]) =>
    random.chance(0.15) ? random.pick(far) : random.int(-size - 2, size + 2);
  const starts = chosen.map((axis) => place(dims[axis] ?? 1, [limit, -limit, 1000, -1000]));
  // Backwards, onnxruntime takes the largest number for the smallest.
  const ends = chosen.map((axis, i) => place(dims[axis] ?? 1, [(steps[i] ?? 1) > 0 ? limit : 999, -limit, 1000, -1000]));
  if (opset < 10) {
    sketch.drawn(anyType(random), dims);
    if (hasAxes) sketch.attribute('axes', chosen);
    sketch.attribute('starts', starts);
    sketch.attribute('ends', ends);
    return sketch.finish('Slice');
  }
  const type = random.pick(['int64', 'int32'] as const);
  sketch.drawn(anyType(random), dims);
  sketch.list(type, starts);
  sketch.list(type, ends);
  if (hasAxes)
    sketch.list(
      type,
      chosen.map((axis) => eitherEnd(random, axis, rank)),
    );
  else if (hasSteps) sketch.none();
  if (hasSteps) sketch.list(type, steps);
  return sketch.finish('Slice');
}

function pad(random: Random): OnnxCase {
  const sketch = new Sketch(random, opsets);
  const { opset } = sketch;
  const rank = random.int(1, 4);
  const dims = sizes(random, rank, 6, 2);
  const mode = random.pick(['constant', 'constant', 'edge', 'reflect', ...(opset >= 19 ? ['wrap'] : [])]);
  if (mode !== 'constant' || random.chance(0.3)) sketch.attribute('mode', mode);
  const hasAxes = opset >= 18 && random.chance(0.4);
  const chosen = hasAxes ? order(random, rank).slice(0, random.int(1, rank)) : range(0, rank - 1);
  const width = (size: number) => {
    if (random.chance(0.3)) return 0;
    // Two axes of one size: negative widths that leave at least an element.
    if (random.chance(0.2)) return -random.int(1, Math.max(1, Math.floor((size - 1) / 2)));
    return random.int(0, mode === 'reflect' ? Math.max(0, size - 2) : mode === 'wrap' ? size - 1 : 4);
  };
  const pads = [...chosen, ...chosen].map((axis) => width(dims[axis] ?? 1));
  for (const [i, axis] of chosen.entries()) {
    // Cuts at both ends leave something.
    const cut = Math.max(0, -(pads[i] ?? 0)) + Math.max(0, -(pads[i + chosen.length] ?? 0));
    if (cut >= (dims[axis] ?? 1)) pads[i] = 0;
  }
  if (mode === 'reflect' || mode === 'wrap')
    for (const i of pads.keys()) if (pads.some((each) => each < 0)) pads[i] = Math.max(0, pads[i] ?? 0);
  const type =
    opset < 11
      ? random.pick<Type>(['float32', 'float64'])
      : random.pick<Type>([
          'float32',
          'float32',
          'float64',
          'int32',
          'int64',
          'uint8',
          'int8',
          ...(opset >= 13 ? ['bool' as const] : []),
        ]);
  sketch.drawn(type, dims);
  if (opset < 11) {
    sketch.attribute('pads', pads);
    sketch.maybe('value', () => floatOf(random, -3, 3));
    return sketch.finish('Pad');
  }
  sketch.list('int64', pads);
  if (random.chance(0.6)) sketch.tensor(type, [], elementsOf(random, type, 1), 0.8);
  else if (hasAxes) sketch.none();
  if (hasAxes)
    sketch.list(
      random.pick(['int64', 'int32']),
      chosen.map((axis) => eitherEnd(random, axis, rank)),
    );
  return sketch.finish('Pad');
}

function concat(random: Random): OnnxCase {
  const sketch = new Sketch(random, opsets);
  const rank = random.int(1, 5);
  const dims = sizes(random, rank, 4);
  const axis = random.int(0, rank - 1);
  const type = anyType(random);
  sketch.attribute('axis', sketch.opset >= 11 ? eitherEnd(random, axis, rank) : axis);
  const count = random.int(1, 5);
  for (let i = 0; i < count; i++) sketch.drawn(type, dims.with(axis, random.int(sketch.opset >= 11 ? 0 : 1, 4)));
  return sketch.finish('Concat');
}

function split(random: Random): OnnxCase {
  const sketch = new Sketch(random, opsets);
  const { opset } = sketch;
  const rank = random.int(1, 5);
  const parts = random.int(1, 5);
  const each = random.int(1, 3);
  const isEven = random.chance(0.5);
  const lengths: number[] = isEven ? numbers(parts, () => each) : numbers(parts, () => random.int(opset >= 11 ? 0 : 1, 4));
  if (!lengths.some((length) => length > 0)) lengths[0] = 1;
  const axis = random.int(0, rank - 1);
  if (axis > 0 || random.chance(0.5)) sketch.attribute('axis', opset >= 11 ? eitherEnd(random, axis, rank) : axis);
  const total = lengths.reduce((sum, length) => sum + length, 0);
  // Rounded up, with a smaller last part, as of opset 18.
  const size = isEven && opset >= 18 ? Math.max(1, total - random.int(0, Math.min(each - 1, 2))) : total;
  sketch.drawn(anyType(random), sizes(random, rank, 4).with(axis, size));
  if (!isEven) {
    if (opset < 13) sketch.attribute('split', lengths);
    else sketch.list('int64', lengths);
  } else if (opset >= 18) sketch.attribute('num_outputs', parts);
  return sketch.finish('Split', parts);
}

function transpose(random: Random): OnnxCase {
  const sketch = new Sketch(random, opsets);
  const rank = random.int(1, 6);
  sketch.maybe('perm', () => order(random, rank), 0.8);
  sketch.drawn(anyType(random), sizes(random, rank, 4));
  return sketch.finish('Transpose');
}

function tile(random: Random): OnnxCase {
  const sketch = new Sketch(random, opsets);
  const rank = random.int(1, 5);
  sketch.drawn(
    random.pick<Type>(['float32', 'float32', 'float64', 'int32', 'int64', 'uint8', 'int8', 'bool']),
    sizes(random, rank, 4),
  );
  sketch.list('int64', sizes(random, rank, 3, random.chance(0.1) ? 0 : 1));
  return sketch.finish('Tile');
}

function depthToSpace(random: Random): OnnxCase {
  const sketch = new Sketch(random, opsets);
  const size = random.int(1, 3);
  sketch.attribute('blocksize', size);
  if (sketch.opset >= 11) sketch.maybe('mode', () => random.pick(['DCR', 'CRD']));
  sketch.drawn(random.pick<Type>(['float32', 'float32', 'float64']), [
    random.int(1, 3),
    size ** 2 * random.int(1, 3),
    ...sizes(random, 2, 4),
  ]);
  return sketch.finish('DepthToSpace');
}

function spaceToDepth(random: Random): OnnxCase {
  const sketch = new Sketch(random, opsets);
  const size = random.int(1, 3);
  sketch.attribute('blocksize', size);
  sketch.drawn(random.pick<Type>(['float32', 'float32', 'float64']), [
    ...sizes(random, 2, 3),
    ...sizes(random, 2, 3).map((each) => each * size),
  ]);
  return sketch.finish('SpaceToDepth');
}

function reverseSequence(random: Random): OnnxCase {
  const sketch = new Sketch(random, range(10, 22));
  const dims = sizes(random, random.int(2, 5), 5);
  const time = random.int(0, 1);
  if (time === 1 || random.chance(0.5)) {
    sketch.attribute('time_axis', time);
    sketch.attribute('batch_axis', 1 - time);
  }
  sketch.drawn(random.pick<Type>(['float32', 'float64', 'int32', 'int64', 'uint8', 'int8', 'bool']), dims);
  sketch.list(
    'int64',
    numbers(dims[1 - time] ?? 1, () => random.int(1, dims[time] ?? 1)),
    0.5,
  );
  return sketch.finish('ReverseSequence');
}

function trilu(random: Random): OnnxCase {
  const sketch = new Sketch(random, range(14, 22));
  const dims = sizes(random, random.int(2, 5), 5);
  sketch.maybe('upper', () => random.int(0, 1));
  sketch.drawn(random.pick<Type>(['float32', 'float32', 'float64', 'int64', 'bool']), dims);
  if (random.chance(0.6)) sketch.tensor('int64', random.pick([[], [1]]), [random.int(-7, 7)]);
  return sketch.finish('Trilu');
}

/** Indices into `size` elements, which may be counted from the end. */
function indices(random: Random, count: number, size: number, isSigned: boolean): number[] {
  return numbers(count, () => random.int(isSigned ? -size : 0, size - 1));
}

function gather(random: Random): OnnxCase {
  const sketch = new Sketch(random, opsets);
  const rank = random.int(1, 4);
  const dims = sizes(random, rank, 5);
  const axis = random.int(0, rank - 1);
  if (axis > 0 || random.chance(0.5)) sketch.attribute('axis', eitherEnd(random, axis, rank));
  const shape = sizes(random, random.int(0, 3), 4, random.chance(0.1) ? 0 : 1);
  sketch.drawn(anyType(random), dims);
  const type = random.pick(['int64', 'int32'] as const);
  sketch.tensor(type, shape, indices(random, productOf(shape), dims[axis] ?? 1, sketch.opset >= 11), 0.5);
  return sketch.finish('Gather');
}

function gatherElements(random: Random): OnnxCase {
  const sketch = new Sketch(random, range(11, 22));
  const rank = random.int(1, 5);
  const dims = sizes(random, rank, 5);
  const axis = random.int(0, rank - 1);
  if (axis > 0 || random.chance(0.5)) sketch.attribute('axis', eitherEnd(random, axis, rank));
  const shape = dims.map((size, i) => (i === axis ? random.int(1, 6) : random.int(1, size)));
  sketch.drawn(anyType(random), dims);
  sketch.tensor(random.pick(['int64', 'int32']), shape, indices(random, productOf(shape), dims[axis] ?? 1, true), 0.5);
  return sketch.finish('GatherElements');
}

function gatherNd(random: Random): OnnxCase {
  const sketch = new Sketch(random, range(11, 22));
  const rank = random.int(1, 5);
  const dims = sizes(random, rank, 4);
  const batches = sketch.opset >= 12 ? random.int(0, Math.min(2, rank - 1)) : 0;
  if (sketch.opset >= 12 && (batches > 0 || random.chance(0.3))) sketch.attribute('batch_dims', batches);
  const length = random.int(1, rank - batches);
  const shape = [...dims.slice(0, batches), ...sizes(random, random.int(0, 2), 4)];
  sketch.drawn(anyType(random), dims);
  const tuples = numbers(productOf(shape), () => 0).flatMap(() =>
    Array.from({ length }, (_, i) => random.int(-(dims[batches + i] ?? 1), (dims[batches + i] ?? 1) - 1)),
  );
  sketch.tensor('int64', [...shape, length], tuples, 0.5);
  return sketch.finish('GatherND');
}

function reduction(sketch: Sketch): string {
  const { opset, random } = sketch;
  const all = ['none', ...(opset >= 16 ? ['add', 'mul'] : []), ...(opset >= 18 ? ['min', 'max'] : [])];
  const name = random.pick(all);
  if (opset >= 16 && (name !== 'none' || random.chance(0.5))) sketch.attribute('reduction', name);
  return name;
}

function scatterElements(operator: 'Scatter' | 'ScatterElements') {
  return (random: Random): OnnxCase => {
    const sketch = new Sketch(random, operator === 'Scatter' ? [9, 10] : range(11, 22));
    const rank = random.int(1, 5);
    const dims = sizes(random, rank, 5);
    const axis = random.int(0, rank - 1);
    if (axis > 0 || random.chance(0.5)) sketch.attribute('axis', eitherEnd(random, axis, rank));
    const how = reduction(sketch);
    const size = dims[axis] ?? 1;
    // Without a reduction, each place is written once.
    const shape = dims.map((each, i) => (i === axis && how !== 'none' ? random.int(1, 6) : random.int(1, each)));
    const type =
      how === 'none'
        ? anyType(random)
        : random.pick<Type>(['float32', 'float64', 'int32', 'int64', 'uint8', 'int8', 'bool', 'bool']);
    const count = shape[axis] ?? 1;
    const inner = productOf(shape.slice(axis + 1));
    const lines = new Map<number, readonly number[]>();
    const places = numbers(productOf(shape), () => 0).map((_, i) => {
      if (how !== 'none') return random.int(-size, size - 1);
      const line = Math.floor(i / inner / count) * inner + (i % inner);
      const own = lines.get(line) ?? order(random, size);
      lines.set(line, own);
      return eitherEnd(random, own[Math.floor(i / inner) % count] ?? 0, size);
    });
    sketch.drawn(type, dims, how === 'mul' && type.startsWith('int') ? 5 : undefined);
    sketch.tensor(random.pick(['int64', 'int32']), shape, places, 0.5);
    sketch.drawn(type, shape, how === 'mul' && type.startsWith('int') ? 5 : undefined);
    return sketch.finish(operator);
  };
}

function scatterNd(random: Random): OnnxCase {
  const sketch = new Sketch(random, range(11, 22));
  const rank = random.int(1, 5);
  const dims = sizes(random, rank, 4);
  const how = reduction(sketch);
  const length = random.int(1, rank);
  const named = dims.slice(0, length);
  const limit = productOf(named);
  const shape = sizes(random, random.int(0, 2), 3);
  const count = productOf(shape);
  if (how === 'none' && count > limit) return scatterNd(random);
  const flat = how === 'none' ? random.distinct(limit, limit).slice(0, count) : numbers(count, () => random.int(0, limit - 1));
  const tuples = flat.flatMap((place) =>
    named.map((size, i) => eitherEnd(random, Math.floor(place / productOf(named.slice(i + 1))) % size, size)),
  );
  const type =
    how === 'none' ? anyType(random) : random.pick<Type>(['float32', 'float64', 'int32', 'int64', 'uint8', 'int8', 'bool']);
  sketch.drawn(type, dims, how === 'mul' && type.startsWith('int') ? 5 : undefined);
  sketch.tensor('int64', [...shape, length], tuples, 0.5);
  sketch.drawn(type, [...shape, ...dims.slice(length)], how === 'mul' && type.startsWith('int') ? 5 : undefined);
  return sketch.finish('ScatterND');
}

function oneHot(random: Random): OnnxCase {
  const sketch = new Sketch(random, range(9, 22));
  const dims = sizes(random, random.int(1, 4), 4);
  const depth = random.int(1, 6);
  const [given, values] = random.pick<readonly [Type, Type]>([
    ['int64', 'int64'],
    ['float32', 'float32'],
    ['int64', 'float32'],
    ['int32', 'float32'],
    ['int64', 'int32'],
    ['float32', 'int32'],
    ['int32', 'int32'],
  ]);
  sketch.maybe('axis', () => random.int(-dims.length - 1, dims.length));
  sketch.tensor(
    given,
    dims,
    numbers(productOf(dims), () => random.int(-depth - 1, depth + 1)),
  );
  const depthType = random.pick<Type>(
    given === 'int32' ? ['int32', 'float32'] : given === 'float32' ? ['float32', 'int64'] : ['int64', 'float32', 'int32'],
  );
  sketch.tensor(depthType, random.pick([[], [1]]), [depth], 0.8);
  sketch.drawn(values, [2]);
  return sketch.finish('OneHot');
}

/** Numbers of which about half are 0. */
function halfZeros(random: Random, type: Type, count: number): number[] {
  return elementsOf(random, type, count).map((element) =>
    random.chance(0.5) ? random.pick([0, 0, type === 'float32' ? -0 : 0]) : element,
  );
}

function nonZero(random: Random): OnnxCase {
  const sketch = new Sketch(random, range(9, 22));
  // onnxruntime has an output of one row for a single element without dimensions.
  const dims = sizes(random, random.int(1, 5), 5);
  const type = random.pick<Type>(['float32', 'int32', 'int64', 'uint8', 'bool']);
  sketch.tensor(type, dims, halfZeros(random, type, productOf(dims)));
  return sketch.finish('NonZero');
}

function compress(random: Random): OnnxCase {
  const sketch = new Sketch(random, range(9, 22));
  const rank = random.int(1, 5);
  const dims = sizes(random, rank, 5);
  const axis = random.int(0, rank - 1);
  const hasAxis = random.chance(0.7);
  if (hasAxis) sketch.attribute('axis', sketch.opset >= 11 ? eitherEnd(random, axis, rank) : axis);
  const size = hasAxis ? (dims[axis] ?? 1) : productOf(dims);
  const length = random.chance(0.3) ? random.int(1, size) : size;
  sketch.drawn(anyType(random), dims);
  sketch.drawn('bool', [length], undefined, 0.5);
  return sketch.finish('Compress');
}

function unique(random: Random): OnnxCase {
  const sketch = new Sketch(random, range(11, 22));
  const rank = random.int(1, 4);
  const dims = sizes(random, rank, 5);
  sketch.maybe('axis', () => eitherEnd(random, random.int(0, rank - 1), rank));
  sketch.maybe('sorted', () => random.int(0, 1));
  const type = random.pick<Type>(['float32', 'float32', 'float64', 'int64', 'int8']);
  sketch.tensor(
    type,
    dims,
    numbers(productOf(dims), () => random.int(-2, 2) * (type.startsWith('float') ? 0.7 : 1)),
  );
  const names = ['values', 'firsts', 'which', 'counts'];
  return sketch.finish('Unique', names.slice(0, random.int(1, 4)));
}

function centerCropPad(random: Random): OnnxCase {
  const sketch = new Sketch(random, range(18, 22));
  const rank = random.int(1, 5);
  const dims = sizes(random, rank, 6);
  const hasAxes = random.chance(0.5);
  const chosen = hasAxes ? order(random, rank).slice(0, random.int(1, rank)) : range(0, rank - 1);
  if (hasAxes)
    sketch.attribute(
      'axes',
      chosen.map((axis) => eitherEnd(random, axis, rank)),
    );
  sketch.drawn(random.pick<Type>(['float32', 'float32', 'float64', 'int32', 'int64', 'bool']), dims);
  sketch.list(
    random.pick(['int64', 'int32']),
    chosen.map(() => random.int(1, 8)),
  );
  return sketch.finish('CenterCropPad');
}

function col2Im(random: Random): OnnxCase {
  const sketch = new Sketch(random, range(18, 22));
  const rank = random.int(1, 3);
  const block = sizes(random, rank, 3);
  // onnxruntime ignores dilations unless there are two dimensions.
  const has = [random.chance(0.6), rank === 2 && random.chance(0.6), random.chance(0.6)];
  const strides = numbers(rank, () => (has[0] ? random.int(1, 3) : 1));
  const dilations = numbers(rank, () => (has[1] ? random.int(1, 2) : 1));
  const pads = numbers(2 * rank, () => (has[2] ? random.int(0, 1) : 0));
  const spans = block.map((size, i) => (size - 1) * (dilations[i] ?? 1) + 1);
  const image = spans.map((span, i) => Math.max(1, span - (pads[i] ?? 0) - (pads[i + rank] ?? 0)) + random.int(0, 4));
  const counts = image.map(
    (size, i) => Math.floor((size + (pads[i] ?? 0) + (pads[i + rank] ?? 0) - (spans[i] ?? 1)) / (strides[i] ?? 1)) + 1,
  );
  if (counts.some((count) => count < 1)) return col2Im(random);
  if (has[0]) sketch.attribute('strides', strides);
  if (has[1]) sketch.attribute('dilations', dilations);
  if (has[2]) sketch.attribute('pads', pads);
  sketch.drawn('float32', [random.int(1, 2), random.int(1, 3) * productOf(block), productOf(counts)]);
  sketch.list('int64', image);
  sketch.list('int64', block);
  return sketch.finish('Col2Im');
}

export const moveDraws: Draws = {
  Slice: slice,
  Pad: pad,
  Concat: concat,
  Split: split,
  Transpose: transpose,
  Tile: tile,
  DepthToSpace: depthToSpace,
  SpaceToDepth: spaceToDepth,
  ReverseSequence: reverseSequence,
  Trilu: trilu,
  Gather: gather,
  GatherElements: gatherElements,
  GatherND: gatherNd,
  Scatter: scatterElements('Scatter'),
  ScatterElements: scatterElements('ScatterElements'),
  ScatterND: scatterNd,
  OneHot: oneHot,
  NonZero: nonZero,
  Compress: compress,
  Unique: unique,
  CenterCropPad: centerCropPad,
  Col2Im: col2Im,
};
