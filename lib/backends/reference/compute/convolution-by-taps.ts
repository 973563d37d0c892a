/**
 * Convolutions with few filters for each input channel, as depthwise ones have: a window would be laid out for hardly
 * any product. The lines of the input are laid out instead, padded and spaced so that one tap takes evenly spaced
 * elements for a whole line of the output. The taps come in the order in which the product of filters and columns is
 * summed, zeros outside the input too.
 */
import type { Rows, Target } from './multiply-block.js';
import { copyTaps, type SpaceTaps, type WindowTaps } from './window-taps.js';

/** The filters of one group and what they are applied to. */
export interface Group {
  /** The group's channels, one after the other. */
  readonly images: Float64Array | Float32Array;
  readonly filters: Rows;
  /** Zeros until the sums are there, a row for each filter. */
  readonly sums: Target;
}

/** Whether there is less to lay out of a line than the windows over it, which are far apart where there is not. */
export function hasShortLines([, , width]: SpaceTaps): boolean {
  return lineLength(width) <= width.coordinates.length;
}

export function filterByTaps(taps: SpaceTaps, channels: number): (group: Group) => void {
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
  return (width.outputSize - 1) * width.placeStep + (taps - 1) * Math.abs(width.tapStep) + 1;
}

/** Where the first tap's element for the first place is, behind those of all others where taps go backward. */
function firstOf({ tapStep, coordinates, outputSize }: WindowTaps): number {
  return Math.max(0, (1 - coordinates.length / outputSize) * tapStep);
}

/** The coordinate in the input of each element of a line; -1 outside, and where no tap looks. */
function lineCoordinates(width: WindowTaps): Int32Array {
  const coordinates = new Int32Array(lineLength(width)).fill(-1);
  width.coordinates.forEach((coordinate, i) => {
    const [tap, place] = [Math.floor(i / width.outputSize), i % width.outputSize];
    coordinates[firstOf(width) + tap * width.tapStep + place * width.placeStep] = coordinate;
  });
  return coordinates;
}

/** The first line stays one of zeros, for whatever lies outside the input. */
function layOutLines(images: Float64Array | Float32Array, size: number, coordinates: Int32Array, lines: Float64Array): void {
  let from = 0;
  for (let to = coordinates.length; to < lines.length; to += coordinates.length, from += size) {
    copyTaps(images, from, coordinates, 0, coordinates.length, lines, to);
  }
}

/** Applies one filter for the line of the output at depth z and height y. */
function filterLine(
  lines: Float64Array,
  [depth, height, width]: SpaceTaps,
  channels: number,
  factors: Float64Array,
  z: number,
  y: number,
  sums: Float64Array,
  to: number,
): void {
  const length = lineLength(width);
  const first = firstOf(width);
  const taps = width.coordinates.length / width.outputSize;
  let at = 0;
  for (let channel = 0; channel < channels; channel++) {
    for (let k = z; k < depth.coordinates.length; k += depth.outputSize) {
      const plane = depth.coordinates[k] ?? -1;
      for (let j = y; j < height.coordinates.length; j += height.outputSize, at += taps) {
        const row = height.coordinates[j] ?? -1;
        const line = plane < 0 || row < 0 ? 0 : 1 + (channel * depth.inputSize + plane) * height.inputSize + row;
        addTaps(sums, to, lines, line * length + first, width, factors, at, taps);
      }
    }
  }
}

/** Adds what one row of a filter takes of a line, three taps at a time, so that sums are read and written less often. */
function addTaps(
  sums: Float64Array,
  to: number,
  lines: Float64Array,
  from: number,
  { outputSize, placeStep, tapStep }: WindowTaps,
  factors: Float64Array,
  at: number,
  taps: number,
): void {
  let tap = 0;
  for (; tap + 2 < taps; tap += 3) {
    const a = factors[at + tap] ?? 0;
    const b = factors[at + tap + 1] ?? 0;
    const c = factors[at + tap + 2] ?? 0;
    addThree(sums, to, outputSize, lines, from + tap * tapStep, placeStep, tapStep, a, b, c);
  }
  for (; tap < taps; tap++) {
    addOne(sums, to, outputSize, lines, from + tap * tapStep, placeStep, factors[at + tap] ?? 0);
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
