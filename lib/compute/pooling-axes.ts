/**
 * Combines the elements of windows along one dimension after the other, whatever the elements are and however two of them are
 * combined.
 */

/** The windows along one dimension. */
export interface WindowAxis {
  /** The size of the image. */
  readonly imageSize: number;
  /** The number of windows, and the distance between them. */
  readonly outputSize: number;
  readonly stride: number;
  readonly taps: readonly Tap[];
}

/** One element of the windows, for those windows in which it lies inside the image and not in the padding. */
interface Tap {
  /** The output position of the first of these windows, and how many there are. */
  readonly position: number;
  readonly count: number;
  /** The image element that the first of them reads. */
  readonly element: number;
}

export interface HasLength {
  readonly length: number;
}

/** Combines `count` runs of `inner` adjacent source elements with as many runs of the target. A step leads to the next run. */
export type Combine<Source, Target> = (
  target: Target,
  to: number,
  toStep: number,
  source: Source,
  from: number,
  fromStep: number,
  count: number,
  inner: number,
) => void;

/** With this few output positions, looping over them is mostly overhead. */
const FEW_POSITIONS = 16;

/** Combines along one dimension after the other, the last one first. */
export function pool<Source, Target extends Source & HasLength>(
  values: Source & HasLength,
  axes: readonly WindowAxis[],
  allocate: (length: number) => Target,
  combine: Combine<Source, Target>,
  inner = 1,
): Target {
  const last = axes.at(-1);
  if (last === undefined) throw new TypeError('pooling has no windows');
  const pooled = poolAlong(values, last, inner, allocate, combine);
  return axes.length === 1 ? pooled : pool(pooled, axes.slice(0, -1), allocate, combine, inner * last.outputSize);
}

export function poolAlong<Source, Target extends Source & HasLength>(
  source: Source & HasLength,
  { imageSize, outputSize, stride, taps }: WindowAxis,
  inner: number,
  allocate: (length: number) => Target,
  combine: Combine<Source, Target>,
): Target {
  const blocks = source.length / (imageSize * inner);
  const target = allocate(blocks * outputSize * inner);
  // The inner loop runs over whichever there are more of, so that the runs are few and long: the output positions of a block, or
  // the blocks of one position.
  if (inner === 1 && outputSize <= FEW_POSITIONS) {
    for (const { position, count, element } of taps) {
      for (let i = 0; i < count; i++)
        combine(target, position + i, outputSize, source, element + i * stride, imageSize, blocks, 1);
    }
    return target;
  }
  for (let block = 0; block < blocks; block++) {
    for (const { position, count, element } of taps) {
      const [to, from] = [(block * outputSize + position) * inner, (block * imageSize + element) * inner];
      combine(target, to, inner, source, from, stride * inner, count, inner);
    }
  }
  return target;
}
