/** Where the elements of a resized axis lie in the input, and what each is made of. */
import type { Node } from '../node.js';
import type { Numbers } from './in-memory.js';

export type Resizing = ReturnType<typeof resizingOf>;

/** How Resize computes, as in its attributes. */
export function resizingOf(node: Node, isUpsample: boolean, isOld: boolean) {
  const mode = node.text('mode', 'nearest');
  return {
    mode: isUpsample && mode === 'bilinear' ? 'linear' : mode,
    coordinates: node.text('coordinate_transformation_mode', isOld ? 'asymmetric' : 'half_pixel'),
    nearest: node.text('nearest_mode', isUpsample ? 'floor' : isOld ? 'simple' : 'round_prefer_floor'),
    cubic: node.float('cubic_coeff_a', -0.75),
    isAntialiased: node.flag('antialias'),
    excludesOutside: node.flag('exclude_outside'),
    extrapolation: node.float('extrapolation_value', 0),
  };
}

/** An axis that is resized. */
export interface ResizedAxis {
  readonly axis: number;
  readonly size: number;
  readonly output: number;
  readonly scale: number;
  /** The part of the input that is resized, from 0 to 1. */
  readonly region: readonly [start: number, end: number];
}

/** An axis with the place of each of its elements in the input. */
export interface Placed extends ResizedAxis {
  readonly positions: Numbers;
  /** DirectML computes a position as `(o - output) / scale - input`. Undefined if it has no such positions. */
  readonly offsets: { readonly scale: number; readonly input: number; readonly output: number } | undefined;
}

/** Positions are `shift + ((o - output) * times / over - input)`. */
interface Line {
  readonly times: number;
  readonly over: number;
  readonly input?: number;
  readonly output?: number;
  readonly shift?: number;
}

const first: Line = { times: 0, over: 1 };
const half = ({ scale }: ResizedAxis): Line => ({ times: 1, over: scale, input: 0.5, output: -0.5 });

/** By the mode of coordinates. */
const lines: Readonly<Record<string, ((axis: ResizedAxis) => Line) | undefined>> = {
  __proto__: null as never,
  half_pixel: half,
  pytorch_half_pixel: (axis) => (axis.output > 1 ? half(axis) : first),
  half_pixel_symmetric: (axis) => ({ ...half(axis), shift: (axis.size / 2) * (1 - axis.output / (axis.scale * axis.size)) }),
  asymmetric: ({ scale }) => ({ times: 1, over: scale }),
  tf_half_pixel_for_nn: ({ scale }) => ({ times: 1, over: scale, output: -0.5 }),
  align_corners: ({ size, output, scale }) => (output === 1 || size === 1 ? first : { times: size - 1, over: scale * size - 1 }),
};

/** Undefined for an unknown mode of coordinates. */
export function placed(axis: ResizedAxis, coordinates: string): Placed | undefined {
  const { size, scale, output: count, region } = axis;
  const positions = (position: (o: number) => number) => Array.from({ length: count }, (_, o) => position(o));
  if (coordinates === 'tf_crop_and_resize') {
    const [start, length, last] = [region[0], region[1] - region[0], scale * size - 1];
    const offset = (o: number) => (last === 0 ? (length * (size - 1)) / 2 : (o * length * (size - 1)) / last);
    return { ...axis, positions: positions((o) => offset(o) + start * (size - 1)), offsets: undefined };
  }
  const line = lines[coordinates]?.(axis);
  if (line === undefined) return undefined;
  const { times, over, input = 0, output = 0, shift = 0 } = line;
  // With the scale 2^20 all positions are nearly 0.
  const own = { scale: times === 0 ? 2 ** 20 : over / times, input: input - shift, output };
  const isAllowed = own.scale > 2 ** -22 && own.scale < Infinity;
  const placeOf = (o: number) => shift + (((o - output) * times) / over - input);
  return { ...axis, positions: positions(placeOf), offsets: isAllowed ? own : undefined };
}

/** Finds the element of a position. DirectML adds something to a position before it rounds it in a direction. */
type Rounding = readonly [placeOf: (position: number) => number, shift: number, direction: 'increasing' | 'decreasing'];

const roundings: Readonly<Record<string, Rounding | undefined>> = {
  __proto__: null as never,
  round_prefer_floor: [(position) => -Math.round(-position), -0.5, 'increasing'],
  round_prefer_ceil: [Math.round, 0.5, 'decreasing'],
  floor: [Math.floor, 0, 'decreasing'],
  ceil: [Math.ceil, 0, 'increasing'],
};

/** Undefined for an unknown mode. Before opset 11 it was `simple`, as ONNX Runtime computes it. */
export function roundingOf(mode: string, scale: number): Rounding | undefined {
  return roundings[mode === 'simple' ? (scale < 1 ? 'ceil' : 'floor') : mode];
}

/** How much of each element of the input each element of the output has: a row for each of these. */
export function weightsOf({ size, scale, positions }: Placed, resizing: Resizing): readonly Numbers[] {
  return positions.map((position) => {
    const row = new Array<number>(size).fill(0);
    // An element that lies at the position itself counts as the one behind it.
    const before = Math.ceil(position) - 1;
    const taps = tapsOf(position - before, scale, resizing).map(([offset, weight]) => [before + offset, weight] as const);
    const used = resizing.excludesOutside ? taps.filter(([place]) => place >= 0 && place < size) : taps;
    const sum = resizing.excludesOutside ? used.reduce((total, [, weight]) => total + weight, 0) : 1;
    for (const [place, weight] of used) {
      const i = Math.max(0, Math.min(size - 1, place));
      row[i] = (row[i] ?? 0) + weight / (sum === 0 ? 1 : sum);
    }
    return row;
  });
}

/** The elements around a position, counted from the one before it, and their weights. */
function tapsOf(ratio: number, scale: number, resizing: Resizing): readonly (readonly [offset: number, weight: number])[] {
  const isCubic = resizing.mode === 'cubic';
  const factor = resizing.isAntialiased ? Math.min(scale, 1) : 1;
  const kernel = isCubic ? (x: number) => cubic(x, resizing.cubic) : (x: number) => Math.max(0, 1 - x);
  const start = Math.floor((isCubic ? -2 : -1) / factor) + 1;
  const taps = Array.from({ length: 2 - 2 * start }, (_, i) => {
    return [start + i, kernel(Math.abs(start + i - ratio) * factor)] as const;
  });
  if (!resizing.isAntialiased) return taps;
  const sum = taps.reduce((total, [, weight]) => total + weight, 0);
  return taps.map(([offset, weight]) => [offset, weight / sum] as const);
}

/** The cubic kernel of Keys at a distance. */
function cubic(x: number, a: number): number {
  if (x <= 1) return ((a + 2) * x - (a + 3)) * x * x + 1;
  return x < 2 ? ((a * x - 5 * a) * x + 8 * a) * x - 4 * a : 0;
}
