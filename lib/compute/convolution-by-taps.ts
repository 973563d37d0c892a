/**
 * Convolutions with few filters per input channel, such as depthwise ones. Laying out a window as a column would serve hardly any
 * product there. Instead the lines of the input are laid out, padded and spaced so that one tap takes evenly spaced elements for
 * a whole line of the output. The taps are added in the order in which the product of filters and columns is summed, zeros
 * outside the input included.
 */
import type { Rows, Target } from './multiply-block.js';
import { copyTaps, OUTSIDE, type SpatialTaps, type WindowTaps } from './window-taps.js';

/** One group of a convolution: its input channels, its filters, and where the sums go. */
export interface Group {
  /** The group's input channels, one after the other. */
  readonly images: Float64Array | Float32Array;
  readonly filters: Rows;
  /** One row per filter. Zero at first: taps are added to it. */
  readonly sums: Target;
}

/** True if a laid-out line has no more elements than all windows over it together. It has more if the windows are far apart. */
export function hasShortLines([, , width]: SpatialTaps): boolean {
  return lineLength(width) <= width.coordinates.length;
}

export function filterByTaps(taps: SpatialTaps, channels: number): (group: Group) => void {
  const [depth, height, width] = taps;
  const lines = new Float64Array((1 + channels * depth.inputSize * height.inputSize) * lineLength(width));
  const coordinates = lineCoordinates(width);
  return ({ images, filters, sums }) => {
    layOutLines(images, width.inputSize, coordinates, lines);
    for (let filter = 0; filter < filters.count; filter++) {
      const factors = filters.values.subarray(filters.start + filter * filters.length);
      let to = sums.start + filter * sums.stride;
      for (let z = 0; z < depth.outputSize; z++) {
        for (let y = 0; y < height.outputSize; y++, to += width.outputSize) {
          filterLine(lines, taps, channels, factors, z, y, sums.values, to);
        }
      }
    }
  };
}

function lineLength(width: WindowTaps): number {
  const taps = width.coordinates.length / width.outputSize;
  return (width.outputSize - 1) * width.positionStep + (taps - 1) * Math.abs(width.tapStep) + 1;
}

/**
 * The index in a laid-out line of the element under tap 0 at output position 0. With a negative tap step, the other taps lie
 * before it.
 */
function indexOfFirstTap({ tapStep, coordinates, outputSize }: WindowTaps): number {
  return Math.max(0, (1 - coordinates.length / outputSize) * tapStep);
}

/** The input coordinate of each element of a laid-out line; {@link OUTSIDE} if it is outside the input, or if no tap reads it. */
function lineCoordinates(width: WindowTaps): Uint32Array {
  const coordinates = new Uint32Array(lineLength(width)).fill(OUTSIDE);
  width.coordinates.forEach((coordinate, i) => {
    const [tap, position] = [Math.floor(i / width.outputSize), i % width.outputSize];
    coordinates[indexOfFirstTap(width) + tap * width.tapStep + position * width.positionStep] = coordinate;
  });
  return coordinates;
}

/** Lays out the lines of all channels. The first line stays zero; it stands for every line outside the input. */
function layOutLines(images: Float64Array | Float32Array, size: number, coordinates: Uint32Array, lines: Float64Array): void {
  let from = 0;
  for (let to = coordinates.length; to < lines.length; to += coordinates.length, from += size) {
    copyTaps(images, from, coordinates, 0, coordinates.length, lines, to);
  }
}

/** Adds the products of one filter to the output line at depth z and height y. */
function filterLine(
  lines: Float64Array,
  [depth, height, width]: SpatialTaps,
  channels: number,
  factors: Float64Array,
  z: number,
  y: number,
  sums: Float64Array,
  to: number,
): void {
  const length = lineLength(width);
  const first = indexOfFirstTap(width);
  const taps = width.coordinates.length / width.outputSize;
  let at = 0;
  for (let channel = 0; channel < channels; channel++) {
    for (let k = z; k < depth.coordinates.length; k += depth.outputSize) {
      const plane = depth.coordinates[k] ?? OUTSIDE;
      for (let j = y; j < height.coordinates.length; j += height.outputSize, at += taps) {
        const row = height.coordinates[j] ?? OUTSIDE;
        const line = plane === OUTSIDE || row === OUTSIDE ? 0 : 1 + (channel * depth.inputSize + plane) * height.inputSize + row;
        addTaps(sums, to, lines, line * length + first, width, factors, at, taps);
      }
    }
  }
}

/** Adds the products of one row of a filter with one line: three taps at a time, so that sums are read and written less often. */
function addTaps(
  sums: Float64Array,
  to: number,
  lines: Float64Array,
  from: number,
  { outputSize, positionStep, tapStep }: WindowTaps,
  factors: Float64Array,
  at: number,
  taps: number,
): void {
  let tap = 0;
  for (; tap + 2 < taps; tap += 3) {
    const a = factors[at + tap] ?? 0;
    const b = factors[at + tap + 1] ?? 0;
    const c = factors[at + tap + 2] ?? 0;
    addThree(sums, to, outputSize, lines, from + tap * tapStep, positionStep, tapStep, a, b, c);
  }
  for (; tap < taps; tap++) {
    addOne(sums, to, outputSize, lines, from + tap * tapStep, positionStep, factors[at + tap] ?? 0);
  }
}

function addThree(
  sums: Float64Array,
  to: number,
  count: number,
  lines: Float64Array,
  from: number,
  step: number,
  next: number,
  a: number,
  b: number,
  c: number,
): void {
  for (let i = 0; i < count; i++) {
    const x = from + i * step;
    sums[to + i] = (sums[to + i] ?? 0) + a * (lines[x] ?? 0) + b * (lines[x + next] ?? 0) + c * (lines[x + 2 * next] ?? 0);
  }
}

function addOne(
  sums: Float64Array,
  to: number,
  count: number,
  lines: Float64Array,
  from: number,
  step: number,
  factor: number,
): void {
  for (let i = 0; i < count; i++) sums[to + i] = (sums[to + i] ?? 0) + factor * (lines[from + i * step] ?? 0);
}
