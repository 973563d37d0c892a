/** Where the elements of a resized axis lie in the input, and what each is made of. */

/** How Resize computes, as in its attributes. */
export interface Resizing {
  readonly mode: string;
  readonly coordinates: string;
  readonly nearest: string;
  readonly cubic: number;
  readonly isAntialiased: boolean;
  readonly excludesOutside: boolean;
  readonly extrapolation: number;
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

/** The numbers that DirectML computes a position with: `(o - outputOffset) / scale - inputOffset`. */
export interface Offsets {
  readonly scale: number;
  readonly input: number;
  readonly output: number;
}

/** Undefined for an unknown mode of coordinates. */
export function positionsOf(axis: ResizedAxis, coordinates: string): readonly number[] | undefined {
  const position = positionIn(axis, coordinates);
  return position && Array.from({ length: axis.output }, (_, i) => position(i));
}

function positionIn({ size, output, scale, region }: ResizedAxis, coordinates: string): ((o: number) => number) | undefined {
  const width = scale * size;
  const [start, end] = region;
  const half = (o: number) => (o + 0.5) / scale - 0.5;
  switch (coordinates) {
    case 'half_pixel':
      return half;
    case 'pytorch_half_pixel':
      return output > 1 ? half : () => 0;
    case 'half_pixel_symmetric':
      return (o) => (size / 2) * (1 - output / width) + half(o);
    case 'asymmetric':
      return (o) => o / scale;
    case 'tf_half_pixel_for_nn':
      return (o) => (o + 0.5) / scale;
    case 'align_corners':
      return width === 1 ? () => 0 : (o) => (o * (size - 1)) / (width - 1);
    case 'tf_crop_and_resize':
      if (width === 1) return () => ((end - start) * (size - 1)) / 2 + start * (size - 1);
      return (o) => (o * (end - start) * (size - 1)) / (width - 1) + start * (size - 1);
    default:
      return undefined;
  }
}

/** Undefined where DirectML has no such positions. */
export function offsetsOf({ size, output, scale }: ResizedAxis, coordinates: string): Offsets | undefined {
  const width = scale * size;
  const half = { scale, input: 0.5, output: -0.5 };
  /** Every position is 0. */
  const first = { scale: 2 ** 20, input: 0, output: 0 };
  switch (coordinates) {
    case 'half_pixel':
      return half;
    case 'pytorch_half_pixel':
      return output > 1 ? half : first;
    case 'half_pixel_symmetric':
      return { ...half, input: 0.5 - (size / 2) * (1 - output / width) };
    case 'asymmetric':
      return { scale, input: 0, output: 0 };
    case 'tf_half_pixel_for_nn':
      return { scale, input: 0, output: -0.5 };
    case 'align_corners':
      if (output === 1 || size === 1) return first;
      return width > 1 ? { scale: (width - 1) / (size - 1), input: 0, output: 0 } : undefined;
    default:
      return undefined;
  }
}

/** The nearest element to a position. Undefined for an unknown mode. */
export function nearestPlace(position: number, mode: string, scale: number): number | undefined {
  const before = Math.floor(position);
  const rest = position - before;
  switch (mode) {
    case 'round_prefer_floor':
      return rest <= 0.5 ? before : before + 1;
    case 'round_prefer_ceil':
      return rest < 0.5 ? before : before + 1;
    case 'floor':
      return before;
    case 'ceil':
      return Math.ceil(position);
    case 'simple':
      // Before opset 11, when there was no mode, as ONNX Runtime computes it.
      return scale < 1 ? Math.ceil(position) : before;
    default:
      return undefined;
  }
}

/** What DirectML adds to the position, and how it rounds that. */
export function nearestRounding(mode: string, scale: number): readonly [shift: number, direction: 'increasing' | 'decreasing'] {
  if (mode === 'round_prefer_floor') return [-0.5, 'increasing'];
  if (mode === 'round_prefer_ceil') return [0.5, 'decreasing'];
  return mode === 'ceil' || (mode === 'simple' && scale < 1) ? [0, 'increasing'] : [0, 'decreasing'];
}

/** How much of each element of the input each element of the output has: a row for each of these. */
export function weightsOf(axis: ResizedAxis, positions: readonly number[], resizing: Resizing): readonly number[] {
  const { size } = axis;
  const weights = new Array<number>(size * positions.length).fill(0);
  for (const [row, position] of positions.entries()) {
    // An element that lies at the position itself counts as the one behind it.
    const before = Math.ceil(position) - 1;
    const taps = tapsOf(position - before, axis.scale, resizing).map(([offset, weight]) => [before + offset, weight] as const);
    const used = resizing.excludesOutside ? taps.filter(([place]) => place >= 0 && place < size) : taps;
    const sum = resizing.excludesOutside ? used.reduce((total, [, weight]) => total + weight, 0) : 1;
    for (const [place, weight] of used) {
      const i = row * size + Math.max(0, Math.min(size - 1, place));
      weights[i] = (weights[i] ?? 0) + weight / (sum === 0 ? 1 : sum);
    }
  }
  return weights;
}

/** The elements around a position, counted from the one before it, and their weights. */
function tapsOf(ratio: number, scale: number, resizing: Resizing): readonly (readonly [offset: number, weight: number])[] {
  const isCubic = resizing.mode === 'cubic';
  const factor = resizing.isAntialiased ? Math.min(scale, 1) : 1;
  const kernel = isCubic ? (x: number) => cubic(x, resizing.cubic) : (x: number) => Math.max(0, 1 - x);
  const first = Math.floor((isCubic ? -2 : -1) / factor) + 1;
  const taps = Array.from({ length: 2 - 2 * first }, (_, i) => {
    return [first + i, kernel(Math.abs(first + i - ratio) * factor)] as const;
  });
  if (!resizing.isAntialiased) return taps;
  const sum = taps.reduce((total, [, weight]) => total + weight, 0);
  return taps.map(([offset, weight]) => [offset, weight / sum] as const);
}

/** The cubic kernel of Keys at a distance. */
export function cubic(x: number, a: number): number {
  if (x <= 1) return ((a + 2) * x - (a + 3)) * x * x + 1;
  return x < 2 ? ((a * x - 5 * a) * x + 8 * a) * x - 4 * a : 0;
}
