/** Operators that resize images, or take samples between their elements. */
import type { Random } from '../harness/random.js';
import type { Draws, OnnxCase } from './case.js';
import { between, eitherEnd, floatOf, numbers, order, productOf, range, Sketch, sizes, type Type } from './sketch.js';

const coordinates = ['half_pixel', 'pytorch_half_pixel', 'asymmetric', 'align_corners', 'tf_crop_and_resize'];

/** A factor: a simple one mostly, with which the sizes are exact. */
function scale(random: Random): number {
  return random.chance(0.6) ? random.pick([0.25, 0.5, 1, 1, 1.5, 2, 2, 3, 4]) : between(random, 0.3, 3.5);
}

function resize(random: Random): OnnxCase {
  const sketch = new Sketch(random, range(10, 22), 1);
  const { opset } = sketch;
  const mode = random.pick(opset === 10 ? ['nearest', 'linear'] : ['nearest', 'linear', 'cubic']);
  // The element nearest to a center between two elements is either of them, by rounding.
  const symmetric = opset >= 19 && mode !== 'nearest' ? ['half_pixel_symmetric'] : [];
  const old = opset < 13 ? ['tf_half_pixel_for_nn'] : [];
  const coordinate = random.pick([...coordinates, ...symmetric, ...old]);
  const isRegion = coordinate === 'tf_crop_and_resize' && opset >= 11;
  if (mode !== 'nearest' || random.chance(0.5)) sketch.attribute('mode', mode);
  const hasCoordinate = opset >= 11 && (isRegion || random.chance(0.7));
  if (hasCoordinate) sketch.attribute('coordinate_transformation_mode', coordinate);
  const isAntialiased = opset >= 18 && mode !== 'nearest' && coordinate !== 'tf_crop_and_resize' && random.chance(0.3);
  if (isAntialiased) sketch.attribute('antialias', 1);
  if (opset >= 11) {
    if (mode === 'nearest') {
      sketch.maybe('nearest_mode', () => random.pick(['round_prefer_floor', 'round_prefer_ceil', 'floor', 'ceil']), 0.8);
    }
    if (mode === 'cubic') sketch.maybe('cubic_coeff_a', () => floatOf(random, -1, -0.3), 0.5);
    if (mode === 'cubic') sketch.maybe('exclude_outside', () => random.int(0, 1), 0.5);
    if (hasCoordinate && isRegion) sketch.maybe('extrapolation_value', () => floatOf(random, -3, 3));
  }
  const rank = mode === 'nearest' ? random.int(1, 5) : mode === 'cubic' ? random.pick([2, 4]) : random.pick([1, 2, 3, 4, 4, 5]);
  const resized =
    mode === 'cubic' ? 2 : mode === 'linear' ? Math.min(rank, random.int(1, rank === 4 ? 2 : 3)) : random.int(1, rank);
  const axes = mode === 'nearest' ? order(random, rank).slice(0, resized) : range(rank - resized, rank - 1);
  const dims = sizes(random, rank, 6);
  const listed = opset >= 18 && random.chance(0.4) ? axes : range(0, rank - 1);
  const named = listed === axes;
  const hasSizes = opset >= 11 && random.chance(0.5);
  const hasWholeSizes = isRegion || isAntialiased || coordinate === 'align_corners';
  const keepsRatio = hasSizes && opset >= 18 && !hasWholeSizes && random.chance(0.8);
  // onnxruntime leaves axes that count from the end as they are if the ratio is kept.
  if (named) sketch.attribute('axes', keepsRatio ? axes : axes.map((axis) => eitherEnd(random, axis, rank)));
  if (keepsRatio) sketch.attribute('keep_aspect_ratio_policy', random.pick(['stretch', 'not_larger', 'not_smaller']));
  // onnxruntime converts to integers towards zero, and ONNX to the nearest.
  const types: readonly Type[] = mode === 'nearest' ? ['float32', 'float32', 'int32', 'uint8', 'int8'] : ['float32'];
  const type = random.pick(types);
  // With a scale of 1, onnxruntime takes all of the axis, whatever the region.
  const isWhole = (axis: number) => !axes.includes(axis);
  // With these coordinates, onnxruntime counts whole elements, and ONNX's tests parts of them.
  const isExact = hasCoordinate && (isRegion || coordinate === 'align_corners');
  const drawn = listed.map((axis) => {
    const [size, factor] = [dims[axis] ?? 1, scale(random)];
    if (isWhole(axis)) return 1;
    if (isRegion) return random.pick([2, 3]);
    // onnxruntime's antialiasing leaves an axis as it is if its size is the same.
    if (isAntialiased && Math.floor(size * factor) === size) return 1;
    return Math.floor(size * factor) < 1 || (isExact && !Number.isInteger(size * factor)) ? 2 : factor;
  });
  // onnxruntime copies the input if no size changes.
  const isSame = listed.every((axis, i) => Math.floor((dims[axis] ?? 1) * (drawn[i] ?? 1)) === dims[axis]);
  const factors = isSame ? drawn.map(() => 1) : drawn;
  sketch.drawn(type, dims);
  if (opset === 10) {
    sketch.tensor('float32', [factors.length], factors, 0.8);
    return sketch.finish('Resize', 1, 1e-4);
  }
  if (isRegion) {
    const starts = listed.map((axis) => (isWhole(axis) ? 0 : between(random, -0.3, 0.5)));
    const ends = listed.map((axis) => (isWhole(axis) ? 1 : between(random, 0.5, 1.3)));
    sketch.tensor('float32', [2 * listed.length], [...starts, ...ends], 0.8);
  } else if (opset < 13 || random.chance(0.2)) sketch.tensor('float32', [0], [], 1);
  else sketch.none();
  if (!hasSizes) {
    sketch.tensor('float32', [factors.length], factors, 0.8);
    return sketch.finish('Resize', 1, 1e-4);
  }
  if (opset < 13) sketch.tensor('float32', [0], [], 1);
  else sketch.none();
  sketch.list(
    'int64',
    listed.map((axis) => (isWhole(axis) ? (dims[axis] ?? 1) : random.int(isRegion ? 7 : 1, 9))),
  );
  return sketch.finish('Resize', 1, 1e-4);
}

function upsample(random: Random): OnnxCase {
  const sketch = new Sketch(random, [7, 8, 9], 1);
  const mode = random.pick(['nearest', 'linear']);
  const rank = mode === 'nearest' ? random.int(1, 5) : random.pick([2, 4]);
  const dims = sizes(random, rank, 5);
  const factors = dims.map((_, i) => (mode === 'linear' && i < rank - 2 ? 1 : random.pick([1, 1.5, 2, 2.3, 3])));
  sketch.maybe('mode', () => mode, mode === 'nearest' ? 0.5 : 1);
  sketch.drawn(mode === 'linear' ? 'float32' : random.pick<Type>(['float32', 'float32', 'int32', 'uint8']), dims);
  if (sketch.opset < 9) sketch.attribute('scales', { floats: factors });
  else sketch.tensor('float32', [rank], factors, 0.8);
  return sketch.finish('Upsample', 1, 1e-4);
}

function gridSample(random: Random): OnnxCase {
  const sketch = new Sketch(random, range(16, 22), 1);
  const isNew = sketch.opset >= 20;
  const rank = isNew ? random.pick([2, 2, 3]) : 2;
  const cubic = isNew ? 'cubic' : 'bicubic';
  const mode = random.pick(rank === 3 ? ['nearest', 'linear'] : ['nearest', isNew ? 'linear' : 'bilinear', cubic]);
  sketch.maybe('mode', () => mode, mode.endsWith('linear') ? 0.6 : 1);
  sketch.maybe('padding_mode', () => random.pick(['zeros', 'border', 'reflection']), 0.8);
  sketch.maybe('align_corners', () => random.int(0, 1));
  const batch = random.int(1, 2);
  sketch.drawn('float32', [batch, random.int(1, 3), ...sizes(random, rank, 5)]);
  const grid = [batch, ...sizes(random, rank, 4), rank];
  const limit = random.pick([1, 1, 1.5, 3]);
  sketch.tensor(
    'float32',
    grid,
    numbers(productOf(grid), () => between(random, -limit, limit)),
    0.5,
  );
  return sketch.finish('GridSample', 1, 1e-4);
}

function affineGrid(random: Random): OnnxCase {
  const sketch = new Sketch(random, range(20, 22), 1);
  const rank = random.pick([2, 3]);
  const batch = random.int(1, 3);
  const isAligned = random.chance(0.4);
  if (isAligned || random.chance(0.4)) sketch.attribute('align_corners', isAligned ? 1 : 0);
  sketch.drawn('float32', [batch, rank, rank + 1]);
  // Of one element, the corners are the end for onnxruntime, and the center for PyTorch.
  sketch.list('int64', [batch, random.int(1, 3), ...sizes(random, rank, 5, isAligned ? 2 : 1)]);
  return sketch.finish('AffineGrid');
}

function roiAlign(random: Random): OnnxCase {
  const sketch = new Sketch(random, range(10, 22), 1);
  const [batch, channels, height, width] = [random.int(1, 3), random.int(1, 3), random.int(2, 7), random.int(2, 7)];
  sketch.maybe('mode', () => random.pick(['avg', 'max']));
  sketch.maybe('output_height', () => random.int(1, 4));
  sketch.maybe('output_width', () => random.int(1, 4));
  sketch.maybe('sampling_ratio', () => random.int(0, 3));
  const factor = random.pick([1, 0.5, 0.25, 0.77]);
  if (factor !== 1 || random.chance(0.5)) sketch.attribute('spatial_scale', { float: factor });
  if (sketch.opset >= 16) sketch.maybe('coordinate_transformation_mode', () => random.pick(['half_pixel', 'output_half_pixel']));
  const count = random.int(1, 4);
  sketch.drawn('float32', [batch, channels, height, width]);
  const regions = numbers(count, () => 0).flatMap(() => {
    const [left, top] = [between(random, -1, width - 1), between(random, -1, height - 1)];
    const [right, bottom] = [left + between(random, 0.1, width), top + between(random, 0.1, height)];
    return [left, top, right, bottom].map((place) => Math.fround(place / factor));
  });
  sketch.tensor('float32', [count, 4], regions);
  sketch.tensor(
    'int64',
    [count],
    numbers(count, () => random.int(0, batch - 1)),
  );
  return sketch.finish('RoiAlign', 1, 1e-4);
}

/** Regions of whole images, of which some reach beyond them. */
function maxRoiPool(random: Random): OnnxCase {
  const sketch = new Sketch(random, range(7, 22));
  const [batch, channels, height, width] = [random.int(1, 3), random.int(1, 3), random.int(2, 7), random.int(2, 7)];
  const factor = random.pick([1, 0.5, 0.25, 0.77]);
  if (factor !== 1 || random.chance(0.5)) sketch.attribute('spatial_scale', { float: factor });
  sketch.attribute('pooled_shape', [random.int(1, 4), random.int(1, 4)]);
  sketch.drawn('float32', [batch, channels, height, width]);
  const count = random.int(1, 4);
  const regions = numbers(count, () => 0).flatMap(() => {
    const [left, top] = [random.int(0, width - 1), random.int(0, height - 1)];
    const corners = [left, top, left + random.int(0, width), top + random.int(0, height)];
    return [random.int(0, batch - 1), ...corners.map((place) => Math.fround((place + between(random, -0.4, 0.4)) / factor))];
  });
  sketch.tensor('float32', [count, 5], regions);
  return sketch.finish('MaxRoiPool');
}

export const resizeDraws: Draws = {
  Resize: resize,
  Upsample: upsample,
  GridSample: gridSample,
  AffineGrid: affineGrid,
  RoiAlign: roiAlign,
  MaxRoiPool: maxRoiPool,
};
