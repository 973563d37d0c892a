/** GridSample and AffineGrid: samples at places that a tensor names. */
import { productOf } from '../../tensors/tensor-size.js';
import { empty, hostOperand, scalar } from '../make-data.js';
import { like, type Node } from '../node.js';
import { broadcast, permuted, reshaped, type Operand } from '../operand.js';
import type { Numbers } from './in-memory.js';
import type { Lowerings } from './lowering.js';
import { matMul } from './matrix-helpers.js';
import { padded, partOf } from './move-helpers.js';
import { upTo } from './tensor-helpers.js';

export const gridOperators: Lowerings = {
  GridSample(node) {
    const [input, grid] = [node.input(0), node.input(1)];
    const given = node.text('mode', node.opset < 20 ? 'bilinear' : 'linear');
    const mode = { bilinear: 'linear', bicubic: 'cubic' }[given] ?? given;
    if (mode !== 'linear' && mode !== 'cubic' && mode !== 'nearest') throw node.unsupported('the mode', given);
    const edges = node.text('padding_mode', 'zeros');
    if (edges !== 'zeros' && edges !== 'border' && edges !== 'reflection') throw node.unsupported('the padding mode', edges);
    if (grid.dataType === 'float64') throw node.unsupported('the data type of the grid', 'float64');
    const isFloat = input.dataType === 'float32' || input.dataType === 'float16';
    if (!isFloat && mode !== 'nearest') throw node.unsupported(`the data type in mode ${given}`, input.dataType);
    const images = isFloat && mode !== 'nearest' ? node.cast(input, 'float32') : input;
    const made = sampled(node, images, node.cast(grid, 'float32'), { mode, edges, alignsCorners: node.flag('align_corners') });
    return node.cast(made, input.dataType);
  },
  AffineGrid(node) {
    const given = node.input(0);
    const sizes = node.numbers(node.input(1)).slice(2);
    if (given.dataType === 'float64') throw node.unsupported('the data type', 'float64');
    const theta = node.cast(given, 'float32');
    const [batch = 1, rows = 1, columns = 1] = theta.dims;
    const places = hostOperand('float32', [productOf(sizes), columns], homogeneous(sizes, node.flag('align_corners')));
    const made = matMul(node, places, permuted(theta, [0, 2, 1]));
    return node.cast(reshaped(made, [batch, ...sizes, rows]), given.dataType);
  },
};

/** The coordinates of all elements, from -1 to 1, the last dimension first; and a 1 for each. */
function homogeneous(sizes: Numbers, alignsCorners: boolean): Numbers {
  const lines = sizes.map((size) =>
    upTo(size).map((i) => {
      if (alignsCorners) return size === 1 ? 0 : -1 + (2 * i) / (size - 1);
      return -1 + (2 * i + 1) / size;
    }),
  );
  return combinations(lines).flatMap((point) => [...point.toReversed(), 1]);
}

interface Sampling {
  readonly mode: 'linear' | 'cubic' | 'nearest';
  readonly edges: 'zeros' | 'border' | 'reflection';
  readonly alignsCorners: boolean;
}

/** An element near a place along a dimension: its index, and its weight unless it is the only one. */
interface Tap {
  readonly index: Operand;
  readonly weight: Operand | undefined;
}

function sampled(node: Node, input: Operand, grid: Operand, sampling: Sampling): Operand {
  const [batch = 1, channels = 1, ...space] = input.dims;
  const dims = [batch, channels, ...grid.dims.slice(1, -1)];
  if (productOf(dims) === 0) return empty(input.dataType, dims, input.isBool);
  const count = productOf(grid.dims.slice(1, -1));
  const places = node.reshape(grid, [batch, count, space.length]);
  const isBordered = sampling.edges === 'zeros';
  const elements = isBordered ? bordered(node, input) : input;
  const sizes = elements.dims.slice(2);
  const axes = space.map((size, i) => {
    // The grid names the last dimension first.
    const last = space.length - 1 - i;
    const place = node.reshape(partOf(node, places, 2, last, last + 1), [batch, 1, count]);
    return gridTaps(node, place, size, productOf(sizes.slice(i + 1)), sampling);
  });
  const flat = node.reshape(elements, [batch, channels, productOf(sizes)]);
  const weighed = (value: Operand, weights: readonly Operand[]) => weights.reduce((a, b) => product(node, a, b), value);
  return reshaped(sumOfTaps(node, flat, axes, weighed), dims);
}

/** With zeros around, which stand for all elements outside. */
export function bordered(node: Node, input: Operand): Operand {
  const widths = input.dims.map((_, i) => (i < 2 ? 0 : 1));
  return padded(node, input, widths, widths);
}

/** Samples as sums of elements, which the last dimension has, times the weights of each combination of taps. */
export function sumOfTaps(
  node: Node,
  elements: Operand,
  axes: readonly (readonly Tap[])[],
  weighed: (value: Operand, weights: readonly Operand[]) => Operand,
): Operand {
  const sum = (all: readonly Operand[]) => all.reduce((a, b) => node.arithmetic('elementWiseAdd', a, b));
  const parts = combinations(axes).map((taps) => {
    const index = sum(taps.map((tap) => tap.index));
    const dims = elements.dims.with(-1, index.dims.at(-1) ?? 1);
    const value = node.add('gatherElements', {
      ...{ inputTensor: elements, indicesTensor: broadcast(index, dims) },
      ...{ outputTensor: like(elements, dims), axis: dims.length - 1 },
    });
    return weighed(
      value,
      taps.flatMap(({ weight }) => weight ?? []),
    );
  });
  return sum(parts);
}

function combinations<T>(lists: readonly (readonly T[])[]): readonly (readonly T[])[] {
  return lists.reduce<readonly (readonly T[])[]>(
    (before, list) => before.flatMap((each) => list.map((one) => [...each, one])),
    [[]],
  );
}

export function product(node: Node, a: Operand, b: Operand): Operand {
  return node.arithmetic('elementWiseMultiply', a, b);
}

/** The elements of a dimension that samples are made of. */
function gridTaps(node: Node, grid: Operand, size: number, stride: number, sampling: Sampling): readonly Tap[] {
  const { mode, edges, alignsCorners } = sampling;
  const exact = node.scaled(node.scaled(grid, 1, 1), (alignsCorners ? size - 1 : size) / 2, alignsCorners ? 0 : -0.5);
  const place = mode === 'nearest' ? node.map('elementWiseRound', exact, { roundingMode: 'halvesToNearestEven' }) : exact;
  const [least, most] = alignsCorners ? [0, size - 1] : [-0.5, size - 0.5];
  const moved = (shifted: Operand) => (edges === 'reflection' ? mirrored(node, shifted, least, most) : shifted);
  return tapsAt(node, place, mode, size, edges === 'zeros' ? 1 : 0, stride, moved);
}

/** The elements around places, with indices that are multiplied by the stride. */
export function tapsAt(
  node: Node,
  place: Operand,
  mode: Sampling['mode'],
  size: number,
  border: number,
  stride: number,
  moved = (shifted: Operand) => shifted,
): readonly Tap[] {
  const before = node.map('elementWiseFloor', place);
  const weights = mode === 'nearest' ? [undefined] : weightsAt(node, node.arithmetic('elementWiseSubtract', place, before), mode);
  const first = mode === 'cubic' ? -1 : 0;
  return weights.map((weight, i) => {
    const shifted = first + i === 0 ? before : node.scaled(before, 1, first + i);
    const limits = { minMaxDataType: 'float32', min: -border, max: size - 1 + border };
    const limited = node.map('elementWiseClip1', moved(shifted), limits);
    const index = node.cast(border === 0 ? limited : node.scaled(limited, 1, border), 'int32');
    return { index: stride === 1 ? index : product(node, index, scalar('int32', stride)), weight };
  });
}

/** Reflects places at the limits as often as it takes. */
function mirrored(node: Node, places: Operand, least: number, most: number): Operand {
  const range = most - least;
  if (range === 0) return places;
  const distance = node.map('elementWiseAbs', node.scaled(places, 1, -least));
  const rest = node.arithmetic('elementWiseModulusFloor', distance, scalar('float32', 2 * range));
  const fromMost = node.map('elementWiseAbs', node.scaled(rest, 1, -range));
  return node.scaled(fromMost, -1, range + least);
}

/** The weights of 2 or 4 elements for the distance from the one before. */
function weightsAt(node: Node, ratio: Operand, mode: 'linear' | 'cubic'): readonly Operand[] {
  const rest = node.scaled(ratio, -1, 1);
  if (mode === 'linear') return [rest, ratio];
  return [outer(node, node.scaled(ratio, 1, 1)), inner(node, ratio), inner(node, rest), outer(node, node.scaled(rest, 1, 1))];
}

const a = -0.75;

/** The cubic kernel up to the distance 1. */
function inner(node: Node, x: Operand): Operand {
  const square = product(node, x, x);
  return node.scaled(product(node, node.scaled(x, a + 2, -(a + 3)), square), 1, 1);
}

/** The cubic kernel from the distance 1 to 2. */
function outer(node: Node, x: Operand): Operand {
  const first = product(node, node.scaled(x, a, -5 * a), x);
  return node.scaled(product(node, node.scaled(first, 1, 8 * a), x), 1, -4 * a);
}
