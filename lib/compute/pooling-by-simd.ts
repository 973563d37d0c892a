/** Sums and maxima of pooling windows by SIMD, of as many images at a time as fit in a part of its memory. */
import { productOf } from '../tensors/tensor-size.js';
import { pool, type Combine, type HasLength, type WindowAxis } from './pooling-axes.js';
import { simdWith, type Simd } from './simd.js';

/** In bytes, for images and results of each dimension. */
const MEMORY = 2 ** 20;

/** Copying fewer elements would take longer than pooling them. */
const FEW_ELEMENTS = 64;

/** How elements are combined, and what they are. */
interface Pooling<Elements> {
  readonly bytesPerElement: number;
  readonly allocate: (length: number) => Elements;
  readonly memory: (simd: Simd) => Elements;
  readonly combine: 'keepLarger' | 'add';
}

export const MAXIMA: Pooling<Float32Array> = {
  bytesPerElement: 4,
  allocate: (length) => new Float32Array(length),
  memory: ({ float32 }) => float32,
  combine: 'keepLarger',
};

export const SUMS: Pooling<Float64Array> = {
  bytesPerElement: 8,
  allocate: (length) => new Float64Array(length),
  memory: ({ float64 }) => float64,
  combine: 'add',
};

/** A part of the memory, in elements. */
interface Part extends HasLength {
  readonly start: number;
}

/** Combines each window with `initial`. Returns null if the engine has no SIMD, or if it does not pay. */
export function poolBySimd<Elements extends Float32Array | Float64Array>(
  values: Float32Array | Float64Array,
  axes: readonly WindowAxis[],
  { bytesPerElement, allocate, memory, combine }: Pooling<Elements>,
  initial: number,
): Elements | null {
  const image = productOf(axes.map(({ imageSize }) => imageSize));
  // Of the results along the last dimension, along the last two, and so on.
  const sizes = axes.map((_, axis) => productOf(axes.map(({ imageSize, outputSize }, i) => (i < axis ? imageSize : outputSize))));
  const bytes = sizes.reduce((sum, size) => sum + size, image) * bytesPerElement;
  const images = values.length / image;
  const some = Math.max(1, Math.min(images, Math.floor(MEMORY / bytes)));
  const simd = values.length < FEW_ELEMENTS ? null : simdWith(some * bytes);
  if (simd === null) return null;
  const elements = memory(simd);
  const { [combine]: combineRuns } = simd.exports;
  const at = ({ start }: Part, element: number) => (start + element) * bytesPerElement;
  const combineParts: Combine<Part, Part> = (target, to, toStep, source, from, fromStep, count, inner) =>
    combineRuns(at(target, to), toStep * bytesPerElement, at(source, from), fromStep * bytesPerElement, count, inner);
  const pooled = sizes[0] ?? 1;
  const results = allocate(images * pooled);
  for (let first = 0; first < images; first += some) {
    let used = Math.min(some, images - first) * image;
    elements.set(values.subarray(first * image, first * image + used));
    const allocatePart = (length: number): Part => {
      const start = used;
      used += length;
      elements.fill(initial, start, used);
      return { start, length };
    };
    const { start, length } = pool<Part, Part>({ start: 0, length: used }, axes, allocatePart, combineParts);
    results.set(elements.subarray(start, start + length), first * pooled);
  }
  return results;
}
