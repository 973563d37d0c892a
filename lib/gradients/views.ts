/** Gradients of views: elements that are read in another layout than that in which they were written. */
import { along, packed, padded, type Expression, type Operations } from '../descriptors/gradient.js';
import { equal } from '../descriptors/checks.js';
import { productOf, sameStrides, stridesOf, type Layout } from '../tensors/tensor-size.js';

/** A dimension with more than one element. */
interface Dimension {
  readonly axis: number;
  readonly size: number;
  readonly stride: number;
}

type Run = readonly [size: number, stride: number];

/**
 * The gradient in the layout of the source, from that in the layout of a view: sums along dimensions that the view repeats, puts
 * the others into another order or other sizes, and zeros into gaps. Undefined for windows that overlap.
 */
export function fromView(gradient: Expression, view: Layout, source: Layout, o: Operations): Expression | undefined {
  if (equal(view.sizes, source.sizes) && sameStrides(view.sizes, view.strides, source.strides)) return gradient;
  const repeated = view.sizes.flatMap((size, axis) => (size > 1 && stridesOf(view)[axis] === 0 ? [axis] : []));
  const sum = repeated.length === 0 ? gradient : o.reduce(gradient, { function: 'sum', axes: repeated });
  const [from, to] = [dimensionsOf(view), dimensionsOf(source)];
  const inOrder = sum.transpose(orderOf(from, sum.sizes.length));
  const line = lineOf(inOrder, from, to, o);
  if (line === undefined) return undefined;
  const order = orderOf(to, source.sizes.length);
  const made = line.reshape(order.map((axis) => source.sizes[axis] ?? 1));
  return made.transpose(order.map((_, axis) => order.indexOf(axis)));
}

/** The elements in the order of memory, as those of the source. */
function lineOf(
  inOrder: Expression,
  from: readonly Dimension[],
  to: readonly Dimension[],
  o: Operations,
): Expression | undefined {
  const flat = packed(inOrder, o).reshape([productOf(inOrder.sizes)]);
  const [runs, wanted] = [merged(from), merged(to)];
  if (JSON.stringify(runs) === JSON.stringify(wanted)) return flat;
  const [count, step] = wanted[0] ?? [1, 1];
  return wanted.length > 1 || step !== 1 ? undefined : withGaps(flat, runs, count, o);
}

/** Zeros take the place of the elements that the runs leave out. The innermost run is spread first. */
function withGaps(flat: Expression, runs: readonly Run[], count: number, o: Operations): Expression | undefined {
  let made = flat.reshape([productOf(flat.sizes), 1]);
  let used = 1;
  for (const [size, stride] of runs.toReversed()) {
    if (used > stride) return undefined;
    const fitted = ofLength(made, stride, o);
    made = fitted.reshape([productOf(fitted.sizes) / size / stride, size * stride]);
    used += (size - 1) * stride;
  }
  return ofLength(made, count, o).reshape([count]);
}

/** The lines with zeros at their ends, or without such zeros. */
function ofLength(lines: Expression, length: number, o: Operations): Expression {
  const own = lines.sizes[1] ?? 1;
  return own < length ? padded(lines, 1, 0, length - own, o) : own === length ? lines : along(lines, 1, 0, length, o);
}

/** Outermost in memory first, without those that repeat elements. */
function dimensionsOf(layout: Layout): readonly Dimension[] {
  const strides = stridesOf(layout);
  return layout.sizes
    .map((size, axis) => ({ axis, size, stride: strides[axis] ?? 0 }))
    .filter(({ size, stride }) => size > 1 && stride > 0)
    .sort((a, b) => b.stride - a.stride);
}

/** All dimensions, those of one element last. */
function orderOf(dimensions: readonly Dimension[], count: number): number[] {
  const first = dimensions.map(({ axis }) => axis);
  const rest = Array.from({ length: count }, (_, axis) => axis).filter((axis) => !first.includes(axis));
  return [...first, ...rest];
}

/** Runs of elements as sizes and strides, outermost first: neighbours that are one run are merged. */
function merged(dimensions: readonly Dimension[]): Run[] {
  const runs: Run[] = [];
  for (const { size, stride } of dimensions) {
    const last = runs.at(-1);
    if (last?.[1] === size * stride) runs[runs.length - 1] = [last[0] * size, stride];
    else runs.push([size, stride]);
  }
  return runs;
}
