/** GridSample and AffineGrid: samples at places that a tensor names. */
import { productOf } from '../../validation/tensor-size.js';
import { empty, hostOperand } from '../make-data.js';
import { like, type Node } from '../node.js';
import { broadcast, reshaped, type Operand } from '../operand.js';
import type { Lowerings } from './lowering.js';
import { padded, partOf } from './move-helpers.js';

export const gridOperators: Lowerings = {
  GridSample(node) {
    const input = node.input(0);
    const grid = node.input(1);
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
    const count = productOf(sizes);
    const places = hostOperand('float32', [count, columns], homogeneous(sizes, node.flag('align_corners')));
    const made = node.add('gemm', {
      aTensor: broadcast(places, [batch, count, columns]),
      bTensor: theta,
      outputTensor: like(theta, [batch, count, rows]),
      transB: 'transpose',
    });
    return node.cast(reshaped(made, [batch, ...sizes, rows]), given.dataType);
  },
};

/** The coordinates of all elements, from -1 to 1, the last dimension first; and a 1 for each. */
function homogeneous(sizes: readonly number[], alignsCorners: boolean): readonly number[] {
  const lines = sizes.map((size) => {
    if (alignsCorners) return Array.from({ length: size }, (_, i) => (size === 1 ? 0 : -1 + (2 * i) / (size - 1)));
    return Array.from({ length: size }, (_, i) => -1 + (2 * i + 1) / size);
  });
  const points = lines.reduce<readonly (readonly number[])[]>(
    (before, line) => before.flatMap((point) => line.map((place) => [place, ...point])),
    [[]],
  );
  return points.flatMap((point) => [...point, 1]);
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

/** Samples as sums of elements times weights. */
function sampled(node: Node, input: Operand, grid: Operand, sampling: Sampling): Operand {
  const [batch = 1, channels = 1, ...space] = input.dims;
  const dims = [batch, channels, ...grid.dims.slice(1, -1)];
  if (productOf(dims) === 0) return empty(input.dataType, dims, input.isBool);
  const count = productOf(grid.dims.slice(1, -1));
  const places = node.reshape(grid, [batch, count, space.length]);
  // Elements outside are those of a border of zeros.
  const border = sampling.edges === 'zeros' ? 1 : 0;
  const widths = input.dims.map((_, i) => (i < 2 ? 0 : border));
  const elements = padded(node, input, widths, widths);
  const sizes = elements.dims.slice(2);
  const axes = space.map((size, i) => {
    // The grid names the last dimension first.
    const last = space.length - 1 - i;
    const place = node.reshape(partOf(node, places, 2, last, last + 1), [batch, 1, count]);
    return tapsOf(node, place, size, border, productOf(sizes.slice(i + 1)), sampling);
  });
  const flat = node.reshape(elements, [batch, channels, productOf(sizes)]);
  const parts = combinations(axes).map((taps) => {
    const index = summed(
      node,
      taps.map((tap) => tap.index),
    );
    const value = node.add('gatherElements', {
      inputTensor: flat,
      indicesTensor: broadcast(index, [batch, channels, count]),
      outputTensor: like(flat, [batch, channels, count]),
      axis: 2,
    });
    return taps.reduce(
      (result, { weight }) => (weight === undefined ? result : node.arithmetic('elementWiseMultiply', result, weight)),
      value,
    );
  });
  return reshaped(summed(node, parts), dims);
}

function summed(node: Node, all: readonly Operand[]): Operand {
  return all.reduce((sum, each) => node.arithmetic('elementWiseAdd', sum, each));
}

function combinations<T>(lists: readonly (readonly T[])[]): readonly (readonly T[])[] {
  return lists.reduce<readonly (readonly T[])[]>(
    (before, list) => before.flatMap((each) => list.map((one) => [...each, one])),
    [[]],
  );
}

/** The elements of a dimension that samples are made of, with indices that are multiplied by the stride. */
function tapsOf(node: Node, grid: Operand, size: number, border: number, stride: number, sampling: Sampling): readonly Tap[] {
  const { mode, edges, alignsCorners } = sampling;
  const limits: Limits = alignsCorners ? [0, size - 1] : [-0.5, size - 0.5];
  const exact = node.scaled(node.scaled(grid, 1, 1), (alignsCorners ? size - 1 : size) / 2, alignsCorners ? 0 : -0.5);
  const place = mode === 'nearest' ? node.map('elementWiseRound', exact, { roundingMode: 'halvesToNearestEven' }) : exact;
  const before = node.map('elementWiseFloor', place);
  const weights = mode === 'nearest' ? [undefined] : weightsAt(node, node.arithmetic('elementWiseSubtract', place, before), mode);
  const first = mode === 'cubic' ? -1 : 0;
  return weights.map((weight, i) => {
    const shifted = first + i === 0 ? before : node.scaled(before, 1, first + i);
    const reflected = edges === 'reflection' ? mirrored(node, shifted, limits) : shifted;
    const limited = clipped(node, reflected, -border, size - 1 + border);
    const index = node.cast(border === 0 ? limited : node.scaled(limited, 1, border), 'int32');
    return {
      index: stride === 1 ? index : node.arithmetic('elementWiseMultiply', index, hostOperand('int32', [], [stride])),
      weight,
    };
  });
}

type Limits = readonly [least: number, most: number];

function clipped(node: Node, input: Operand, min: number, max: number): Operand {
  return node.map('elementWiseClip1', input, { minMaxDataType: input.dataType, min, max });
}

/** Reflects places at the limits as often as it takes. */
function mirrored(node: Node, places: Operand, [least, most]: Limits): Operand {
  const range = most - least;
  if (range === 0) return clipped(node, places, least, most);
  const distance = node.map('elementWiseAbs', node.scaled(places, 1, -least));
  const rest = node.arithmetic('elementWiseModulusFloor', distance, hostOperand('float32', [], [2 * range]));
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
  const square = node.arithmetic('elementWiseMultiply', x, x);
  return node.scaled(node.arithmetic('elementWiseMultiply', node.scaled(x, a + 2, -(a + 3)), square), 1, 1);
}

/** The cubic kernel from the distance 1 to 2. */
function outer(node: Node, x: Operand): Operand {
  const first = node.arithmetic('elementWiseMultiply', node.scaled(x, a, -5 * a), x);
  return node.scaled(node.arithmetic('elementWiseMultiply', node.scaled(first, 1, 8 * a), x), 1, -4 * a);
}
