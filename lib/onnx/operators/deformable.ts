/** DeformConv: a convolution whose windows have elements at any place, between which the input is interpolated. */
import { packedStrides, productOf } from '../../tensors/tensor-size.js';
import { hostOperand } from '../make-data.js';
import type { Node } from '../node.js';
import type { Operand } from '../operand.js';
import { timesFilters } from './convolution-helpers.js';
import { bordered, product, sumOfTaps, tapsAt } from './grid.js';
import { coordinatesOf } from './in-memory.js';
import { partOf } from './move-helpers.js';
import { ones, perChannel, upTo } from './tensor-helpers.js';
import { numbersOr } from './window-helpers.js';

export function deformableConvolution(node: Node): Operand {
  const type = node.input(0).dataType;
  const floats = (i: number) => node.cast(node.input(i), 'float32');
  const [input, filter, offset] = [floats(0), floats(1), floats(2)];
  const [bias, mask] = [node.optional(3), node.optional(4)].map((given) => given && node.cast(given, 'float32'));
  const [batch = 1, channels = 1, ...space] = input.dims;
  const [window, sizes] = [filter.dims.slice(2), offset.dims.slice(2)];
  const groups = node.int('offset_group', 1);
  const [elements, places] = [productOf(window), productOf(sizes)];
  const image = bordered(node, input);
  const lengths = image.dims.slice(2);
  const strides = packedStrides(lengths);
  const offsets = node.reshape(offset, [batch, groups, elements, space.length, places]);
  const flat = [batch, groups, 1, elements * places];
  const axes = space.map((size, axis) => {
    const moved = node.reshape(partOf(node, offsets, 3, axis, axis + 1), flat);
    const place = node.arithmetic('elementWiseAdd', moved, regularPlaces(node, axis, window, sizes));
    return tapsAt(node, place, 'linear', size, 1, strides[axis] ?? 1);
  });
  const lines = node.reshape(image, [batch, groups, channels / groups, productOf(lengths)]);
  const sampled = sumOfTaps(node, lines, axes.toReversed(), (value, weights) => {
    return product(
      node,
      value,
      weights.reduceRight((a, b) => product(node, a, b)),
    );
  });
  const weighted = mask === undefined ? sampled : product(node, sampled, node.reshape(mask, flat));
  const columns = node.reshape(weighted, [batch, channels * elements, places]);
  const sums = timesFilters(node, columns, filter, [batch, filter.dims[0] ?? 1, ...sizes]);
  const added = bias && node.arithmetic('elementWiseAdd', sums, perChannel(node, bias, input.dims.length));
  return node.cast(added ?? sums, type);
}

/** Where the elements of all windows would lie along a dimension without offsets. */
function regularPlaces(node: Node, axis: number, window: readonly number[], sizes: readonly number[]): Operand {
  const stride = numbersOr(node, 'strides', ones(sizes.length))[axis] ?? 1;
  const dilation = numbersOr(node, 'dilations', ones(sizes.length))[axis] ?? 1;
  const padding = node.ints('pads')?.[axis] ?? 0;
  const dims = [...window, ...sizes];
  const regular = upTo(productOf(dims)).map((i) => {
    const coordinates = coordinatesOf(i, dims);
    return (coordinates[window.length + axis] ?? 0) * stride - padding + (coordinates[axis] ?? 0) * dilation;
  });
  return hostOperand('float32', [regular.length], regular);
}
