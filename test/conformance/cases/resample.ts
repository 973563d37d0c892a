/**
 * Cases of resampling. Values are 1 to 2 in magnitude, so that an error of a weight shows as much anywhere; positions are
 * exact, or stay clear of where the nearest neighbour changes.
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

interface Shape {
  readonly dataType: DataType;
  readonly sizes: readonly number[];
  readonly targets: readonly number[];
  readonly scales: readonly number[];
  readonly inputPixelOffsets: readonly number[];
  readonly outputPixelOffsets: readonly number[];
}

/** One or two dimensions change their size. */
function shapeOf(random: Random, index: number, types: readonly DataType[], isNearest: boolean): Shape {
  const dataType = types[index % types.length] ?? 'float32';
  const rank = (Math.floor(index / types.length) % 4) + 1;
  const sizes = randomSizes(random, rank, 60);
  const axes = random.distinct(Math.min(rank, random.int(1, 2)), rank);
  const scales = sizes.map((_, axis) => (axes.includes(axis) ? scaleOf(random, dataType) : 1));
  const free = random.chance(0.3);
  const targets = sizes.map((size, axis) => {
    const target = Math.max(1, Math.floor(size * (scales[axis] ?? 1)));
    return axes.includes(axis) ? Math.min(free ? target + random.int(0, 2) : target, 24) : size;
  });
  const isUsual = random.chance(0.5);
  // With the opposite signs DirectML reads other elements at the edges.
  const offset = (usual: number) => (isUsual ? usual : usual * random.pick([0, 0.5, 1]));
  const inputPixelOffsets = sizes.map((_, axis) => (axes.includes(axis) ? offset(0.5) : 0));
  const outputPixelOffsets = sizes.map((_, axis) => (axes.includes(axis) ? offset(-0.5) : 0));
  const shape = { dataType, sizes, targets, scales, inputPixelOffsets, outputPixelOffsets };
  return isNearest && !isClear(shape) ? { ...shape, scales: scales.map((scale) => 2 ** Math.round(Math.log2(scale))) } : shape;
}

/** Of integers a power of two, for their results are cut off, which a rounded weight would show. */
function scaleOf(random: Random, dataType: DataType): number {
  return !dataType.startsWith('float') || random.chance(0.5) ? 2 ** random.int(-2, 2) : Math.fround(0.2 + random.fraction() * 3);
}

/** No output coordinate lies within 1/1000 of a whole or a half in the input, whichever kind of offset is meant. */
function isClear({ targets, sizes, scales, inputPixelOffsets, outputPixelOffsets }: Shape): boolean {
  return scales.every((scale, axis) => {
    const offsets = [inputPixelOffsets[axis] ?? 0, outputPixelOffsets[axis] ?? 0];
    const count = Math.max(targets[axis] ?? 1, sizes[axis] ?? 1);
    return scale === 1 || Array.from({ length: count }, (_, i) => i).every((i) =>
      [offsets, offsets.toReversed()].every(([before = 0, after = 0]) => {
        const doubled = 2 * ((i - after) / scale - before);
        return Math.abs(doubled - Math.round(doubled)) > 0.002;
      }),
    );
  });
}

const resampling =
  (type: Exclude<Resample, `${string}Grad${string}`>) =>
  (random: Random, index: number): ConformanceCase => {
    const interpolationMode = random.pick(MODES);
    const isNearest = interpolationMode === 'nearestNeighbor';
    const { dataType, sizes, targets, scales, ...given } = shapeOf(random, index, TYPES, isNearest);
    const inputTensor = randomTensor(random, dataType, sizes, 'input');
    const outputTensor = randomTensor(random, dataType, targets, 'output');
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
        return { descriptor: { type, ...common, ...antialiasing(random, dataType, given), roundingDirection }, data };
    }
  };

/** With offsets that do not cancel DirectML shifts dimensions that have their size already, too. */
function antialiasing(random: Random, dataType: DataType, given: Pick<Shape, 'inputPixelOffsets' | 'outputPixelOffsets'>) {
  if (!dataType.startsWith('float') || random.chance(0.5)) return { ...given, antialiased: false };
  return { ...given, outputPixelOffsets: given.inputPixelOffsets.map((offset) => -offset), antialiased: true };
}

const gradient =
  (type: Extract<Resample, `${string}Grad${string}`>) =>
  (random: Random, index: number): ConformanceCase => {
    const interpolationMode = random.pick(MODES);
    const { dataType, sizes, targets, ...fields } = shapeOf(random, index, FLOATS, interpolationMode === 'nearestNeighbor');
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
