/**
 * Cases of resampling. Values are 1 to 2 in magnitude, so that an error of a weight shows as much anywhere; positions are
 * exact, or stay clear of where another neighbour is taken.
 */
import type { OperatorDescriptor } from 'node-directml';
import type { Random } from '../../random.js';
import { base64, type ConformanceCase, type DataType } from '../case.js';
import { anyInteger } from '../element-values.js';
import { fillTensor, randomSizes, randomTensor } from '../layout.js';
import { floatElement } from './reduce.js';

type Resample = Extract<OperatorDescriptor['type'], `resample${string}`>;

const FLOATS: readonly DataType[] = ['float32', 'float16'];
const TYPES: readonly DataType[] = [...FLOATS, 'int8', 'uint8'];
const MODES = ['nearestNeighbor', 'linear'] as const;
const DIRECTIONS = ['increasing', 'decreasing'] as const;

export function upsample2d(random: Random, index: number): ConformanceCase {
  const dataType = FLOATS[index % 2] ?? 'float32';
  const sizes = randomSizes(random, 4 + (Math.floor(index / 2) % 2), 60);
  const scaleSize = { width: random.int(1, 4), height: random.int(1, 4) };
  const scaled = sizes.map((size, axis) => size * ([scaleSize.height, scaleSize.width][axis - sizes.length + 2] ?? 1));
  const inputTensor = randomTensor(random, dataType, sizes, 'input');
  return {
    descriptor: {
      type: 'upsample2d',
      inputTensor,
      outputTensor: randomTensor(random, dataType, scaled, 'output'),
      scaleSize,
      interpolationMode: random.pick(MODES),
    },
    data: { inputTensor: base64(fillTensor(random, inputTensor, () => element(random, dataType))) },
  };
}

interface Offsets {
  readonly inputPixelOffsets: readonly number[];
  readonly outputPixelOffsets: readonly number[];
}

interface Shape extends Offsets {
  readonly dataType: DataType;
  readonly sizes: readonly number[];
  readonly targets: readonly number[];
  readonly scales: readonly number[];
  readonly isPacked?: boolean;
}

interface Asked {
  readonly types: readonly DataType[];
  readonly isNearest: boolean;
  /** The offsets are those of pixels' centers. */
  readonly isUsual: boolean;
}

/** One or two dimensions change their size, and others may be shifted. */
function shapeOf(random: Random, index: number, { types, isNearest, isUsual }: Asked): Shape {
  const { dataType, rank } = kindOf(index, types);
  const sizes = randomSizes(random, rank, 60);
  const axes = random.distinct(Math.min(rank, random.int(1, 2)), rank);
  const scales = sizes.map((_, axis) => (axes.includes(axis) ? scaleOf(random, dataType) : 1));
  const free = random.chance(0.3);
  const targets = sizes.map((size, axis) => {
    const target = Math.max(1, Math.floor(size * (scales[axis] ?? 1)));
    return axes.includes(axis) ? Math.min(free ? target + random.int(0, 2) : target, 24) : size;
  });
  const offsets = sizes.map((_, axis): Pair => {
    if (!axes.includes(axis)) return random.chance(0.6) ? [0, 0] : shift(random, dataType, isNearest);
    return isUsual ? [0.5, -0.5] : [offset(random, dataType, -1.5, 2), offset(random, dataType, -2, 1.5)];
  });
  const shape = { dataType, sizes, targets, scales, ...transposed(offsets) };
  return isClear(shape, isNearest) ? shape : { ...shape, scales: scales.map((scale) => 2 ** Math.round(Math.log2(scale))) };
}

function kindOf(index: number, types: readonly DataType[]): { readonly dataType: DataType; readonly rank: number } {
  return { dataType: types[index % types.length] ?? 'float32', rank: (Math.floor(index / types.length) % 4) + 1 };
}

/** Of an input and of an output. */
type Pair = readonly [before: number, after: number];

/** Of a dimension that keeps its size. Where the two cancel, an interpolated element is the same whatever is rounded. */
function shift(random: Random, dataType: DataType, isNearest: boolean): Pair {
  const isRounded = !isNearest && dataType.startsWith('float') && random.chance(0.5);
  const before = isRounded ? Math.fround(random.fraction()) : offset(random, dataType, -1.5, 2);
  return [before, isRounded || random.chance(0.5) ? -before : offset(random, dataType, -2, 1.5)];
}

/** A multiple of a quarter; of integers a half, for the products of their weights shall be exact. */
function offset(random: Random, dataType: DataType, low: number, high: number): number {
  const steps = dataType.startsWith('float') ? 4 : 2;
  return random.int(low * steps, high * steps) / steps;
}

function transposed(offsets: readonly Pair[]): Offsets {
  return { inputPixelOffsets: offsets.map(([before]) => before), outputPixelOffsets: offsets.map(([, after]) => after) };
}

/** Of integers a power of two, for their results are cut off, which a rounded weight would show. */
function scaleOf(random: Random, dataType: DataType): number {
  return !dataType.startsWith('float') || random.chance(0.5) ? 2 ** random.int(-2, 2) : Math.fround(0.2 + random.fraction() * 3);
}

/**
 * No output coordinate lies within 1/1000 of a whole or a half in the input, whichever kind of offset is meant. Where it is
 * interpolated, and an offset outside of 0 to 1 keeps it from going on smoothly, not before that offset counts.
 */
function isClear({ targets, sizes, scales, inputPixelOffsets, outputPixelOffsets }: Shape, isNearest: boolean): boolean {
  return scales.every((scale, axis) => {
    const offsets = [inputPixelOffsets[axis] ?? 0, outputPixelOffsets[axis] ?? 0];
    const [inner = 0] = offsets;
    if (scale === 1 || (!isNearest && inner >= 0 && inner <= 1)) return true;
    const count = Math.max(targets[axis] ?? 1, sizes[axis] ?? 1);
    return Array.from({ length: count }, (_, i) => i).every((i) =>
      [offsets, offsets.toReversed()].every(([before = 0, after = 0]) => {
        const doubled = 2 * ((i - after) / scale - (isNearest ? before : 0));
        return Math.abs(doubled - Math.round(doubled)) > 0.002;
      }),
    );
  });
}

/**
 * Sizes that go down by up to 16, in passes of up to 2. Integers have sizes of powers of two, by which weights are exact, and
 * extrapolate too: of floats each pass would magnify the last one's errors, and of tensors that are not packed it is not known
 * in which layout DirectML has what lies between two passes, on which the extrapolated elements depend.
 */
function shrinkage(random: Random, index: number): Shape {
  const { dataType, rank } = kindOf(index, TYPES);
  const isFloat = dataType.startsWith('float');
  const sizes = randomSizes(random, rank, 60).map((size) => (isFloat ? size : 2 ** Math.floor(Math.log2(size))));
  const targets = sizes.map((size) =>
    isFloat ? random.int(Math.ceil(size / 16), size) : 2 ** random.int(Math.max(Math.log2(size) - 4, 0), Math.log2(size) + 1),
  );
  const asked = random.int(0, rank - 1);
  const scales = sizes.map((size, axis) => (axis === asked ? 0.25 : Math.fround((targets[axis] ?? 1) / size)));
  const isPacked = !isFloat && random.chance(0.5);
  const offsets = sizes.map((): Pair => {
    if (random.chance(0.3)) return [0.5, -0.5];
    const before = isPacked ? offset(random, dataType, -0.5, 1.5) : offset(random, dataType, 0, 1);
    return [before, random.chance(0.3) ? -before : offset(random, dataType, -1, 1)];
  });
  return { dataType, sizes, targets, scales, isPacked, ...transposed(offsets) };
}

const resampling =
  (type: Exclude<Resample, `${string}Grad${string}`>) =>
  (random: Random, index: number): ConformanceCase => {
    const interpolationMode = random.pick(MODES);
    const isNearest = interpolationMode === 'nearestNeighbor';
    const antialiased = type === 'resample3' && random.chance(0.5);
    const isUsual = type === 'resample' || random.chance(0.4);
    const shape = antialiased && !isNearest ? shrinkage(random, index) : shapeOf(random, index, { types: TYPES, isNearest, isUsual });
    const { dataType, sizes, targets, scales, isPacked = false, ...given } = shape;
    const inputTensor = isPacked ? { dataType, sizes } : randomTensor(random, dataType, sizes, 'input');
    const outputTensor = isPacked ? { dataType, sizes: targets } : randomTensor(random, dataType, targets, 'output');
    const common = { inputTensor, outputTensor, interpolationMode, scales };
    const roundingDirection = random.pick(DIRECTIONS);
    const data = { inputTensor: base64(fillTensor(random, inputTensor, () => element(random, dataType))) };
    switch (type) {
      case 'resample':
        return { descriptor: { type, ...common }, data };
      case 'resample1':
        return { descriptor: { type, ...common, ...given }, data };
      case 'resample2':
        return { descriptor: { type, ...common, ...given, roundingDirection }, data };
      case 'resample3':
        return { descriptor: { type, ...common, ...given, antialiased, roundingDirection }, data };
    }
  };

const gradient =
  (type: Extract<Resample, `${string}Grad${string}`>) =>
  (random: Random, index: number): ConformanceCase => {
    const interpolationMode = random.pick(MODES);
    const asked = { types: FLOATS, isNearest: interpolationMode === 'nearestNeighbor', isUsual: random.chance(0.4) };
    const { dataType, sizes, targets, ...fields } = shapeOf(random, index, asked);
    const inputGradientTensor = randomTensor(random, dataType, targets, 'input');
    const outputGradientTensor = randomTensor(random, dataType, sizes, 'output');
    const common = { inputGradientTensor, outputGradientTensor, interpolationMode, ...fields };
    const data = { inputGradientTensor: base64(fillTensor(random, inputGradientTensor, () => element(random, dataType))) };
    if (type === 'resampleGrad') return { descriptor: { type, ...common }, data };
    return { descriptor: { type, ...common, roundingDirection: random.pick(DIRECTIONS) }, data };
  };

export const resample = resampling('resample');
export const resample1 = resampling('resample1');
export const resample2 = resampling('resample2');
export const resample3 = resampling('resample3');
export const resampleGrad = gradient('resampleGrad');
export const resampleGrad1 = gradient('resampleGrad1');

function element(random: Random, dataType: DataType): number | bigint {
  if (!dataType.startsWith('float')) return anyInteger(random, dataType);
  return floatElement(dataType, (1 + random.fraction()) * (random.chance(0.5) ? 1 : -1));
}
