/** DeformConv: a convolution whose windows have elements at any place, between which the input is interpolated. */
import { packedStrides, productOf } from '../../validation/tensor-size.js';
import { hostOperand } from '../make-data.js';
import { boolean, type Node } from '../node.js';
import { broadcast, Output, type Operand } from '../operand.js';
import { timesFilters } from './convolution-helpers.js';
import { partOf } from './move-helpers.js';
import { choose, constant, ones, perChannel, upTo } from './tensor-helpers.js';
import { numbersOr } from './window-helpers.js';

/** Along one dimension: the place before each element of the windows, and how far it is behind that. */
interface Coordinate {
  readonly before: Operand;
  readonly share: Operand;
}

export function deformableConvolution(node: Node): Operand {
  const type = node.input(0).dataType;
  const [input, filter, offset] = [0, 1, 2].map((i) => node.cast(node.input(i), 'float32'));
  if (input === undefined || filter === undefined || offset === undefined) throw new RangeError('an input is missing');
  const [batch = 1, channels = 1, ...space] = input.dims;
  const window = filter.dims.slice(2);
  const sizes = offset.dims.slice(2);
  const groups = node.int('offset_group', 1);
  const [elements, places] = [productOf(window), productOf(sizes)];
  const all = [batch, groups, elements, places];
  const offsets = node.reshape(offset, [batch, groups, elements, space.length, places]);
  const coordinates = space.map((_, axis) =>
    coordinateOf(node, partOf(node, offsets, 3, axis, axis + 1), all, axis, window, sizes),
  );
  const image = node.reshape(input, [batch, groups, channels / groups, productOf(space)]);
  const sampled = interpolated(node, image, coordinates, space);
  const mask = node.optional(4);
  const weights = mask && node.reshape(node.cast(mask, 'float32'), [batch, groups, 1, elements * places]);
  const weighted = weights === undefined ? sampled : node.arithmetic('elementWiseMultiply', sampled, weights);
  const columns = node.reshape(weighted, [batch, channels * elements, places]);
  const sums = timesFilters(node, columns, filter, [batch, filter.dims[0] ?? 1, ...sizes]);
  const bias = node.optional(3);
  const addend = bias && perChannel(node, node.cast(bias, 'float32'), input.dims.length);
  return node.cast(addend === undefined ? sums : node.arithmetic('elementWiseAdd', sums, addend), type);
}

/** Where the elements of all windows lie along a dimension: in the regular window, and moved by the offsets. */
function coordinateOf(
  node: Node,
  offsets: Operand,
  dims: readonly number[],
  axis: number,
  window: readonly number[],
  sizes: readonly number[],
): Coordinate {
  const stride = numbersOr(node, 'strides', ones(sizes.length))[axis] ?? 1;
  const dilation = numbersOr(node, 'dilations', ones(sizes.length))[axis] ?? 1;
  const padding = node.ints('pads')?.[axis] ?? 0;
  const [, , elements = 1, places = 1] = dims;
  const regular = upTo(elements * places).map((i) => {
    const element = indexAlong(Math.floor(i / places), window, axis);
    return indexAlong(i % places, sizes, axis) * stride - padding + element * dilation;
  });
  const base = hostOperand('float32', [elements, places], regular);
  const place = node.arithmetic('elementWiseAdd', node.reshape(offsets, dims), base);
  const before = node.map('elementWiseFloor', place);
  return { before, share: node.arithmetic('elementWiseSubtract', place, before) };
}

function indexAlong(index: number, sizes: readonly number[], axis: number): number {
  return Math.floor(index / (packedStrides(sizes)[axis] ?? 1)) % (sizes[axis] ?? 1);
}

/** The sum of the neighbors of each place, weighted by how near they are. */
function interpolated(node: Node, image: Operand, coordinates: readonly Coordinate[], space: readonly number[]): Operand {
  const corners = upTo(2 ** space.length).map((corner) => {
    const steps = space.map((_, axis) => (corner >> axis) & 1);
    return neighbor(node, image, coordinates, space, steps);
  });
  return corners.reduce((sum, each) => node.arithmetic('elementWiseAdd', sum, each));
}

/** The weighted elements at one neighbor of each place; 0 outside of the image. */
function neighbor(
  node: Node,
  image: Operand,
  coordinates: readonly Coordinate[],
  space: readonly number[],
  steps: readonly number[],
): Operand {
  const strides = packedStrides(space);
  const lines = coordinates.map(({ before, share }, axis) => {
    const step = steps[axis] ?? 0;
    const last = (space[axis] ?? 1) - 1;
    const index = node.scaled(before, 1, step);
    const inside = node.map('elementWiseClip', index, { min: 0, max: last });
    const place = node.cast(inside, 'int32');
    return {
      weight: step === 1 ? share : node.scaled(share, -1, 1),
      isInside: node.combine('elementWiseLogicalEquals', index, inside, boolean),
      place: node.arithmetic('elementWiseMultiply', place, constant('int32', place.dims, strides[axis] ?? 1)),
    };
  });
  const place = lines.map((line) => line.place).reduce((a, b) => node.arithmetic('elementWiseAdd', a, b));
  const weight = lines.map((line) => line.weight).reduce((a, b) => node.arithmetic('elementWiseMultiply', a, b));
  const isInside = lines.map((line) => line.isInside).reduce((a, b) => node.combine('elementWiseLogicalAnd', a, b, boolean));
  const flat = (operand: Operand) => {
    const [batch = 1, groups = 1, elements = 1, places = 1] = operand.dims;
    return node.reshape(operand, [batch, groups, 1, elements * places]);
  };
  const indices = flat(place);
  const dims = [...image.dims.slice(0, 3), indices.dims[3] ?? 1];
  const found = node.add('gatherElements', {
    inputTensor: image,
    indicesTensor: broadcast(indices, dims),
    outputTensor: new Output('float32', dims),
    axis: 3,
  });
  const known = choose(node, flat(isInside), found, constant('float32', [], 0));
  return node.arithmetic('elementWiseMultiply', known, flat(weight));
}
