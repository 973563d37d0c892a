/** Convolutions with the sizes and paddings of ONNX. */
import { productOf } from '../../validation/tensor-size.js';
import { like, type Fields, type Node } from '../node.js';
import { broadcast, Output, reshaped, type Operand } from '../operand.js';
import { matMul } from './matrix-helpers.js';
import { padded } from './move-helpers.js';
import { minusZeroPoint, perChannel, zeros } from './tensor-helpers.js';
import { placesOf, type Places } from './window-helpers.js';

/** Sums of windows of the input times filters. `fields` may have an activation. */
export function convolve(node: Node, input: Operand, filter: Operand, bias: Operand | undefined, fields: Fields = {}): Operand {
  const rank = input.dims.length;
  if (filter.dims.length !== rank) throw new RangeError(`filters of ${filter.dims.length} dimensions for an input of ${rank}`);
  if (rank > 5) throw node.unsupported('a convolution', `${rank - 2} dimensions of space`, 'DirectML has up to 3');
  const places = placesOf(node, input.dims.slice(2), filter.dims.slice(2));
  const groupCount = node.int('group', 1);
  const dims = [input.dims[0] ?? 1, filter.dims[0] ?? 1, ...places.sizes];
  const biasTensor = bias && perChannel(node, bias, rank);
  if (productOf(dims) !== 0 && (productOf(input.dims) === 0 || productOf(filter.dims) === 0)) {
    return biasTensor === undefined ? zeros(node, input.dataType, dims) : node.packed(broadcast(biasTensor, dims));
  }
  const isWhole = groupCount === 1 && isOfWholeInput(input, filter, places);
  const edges = isWhole ? places.sizes.map(() => 0) : null;
  const { strides, dilations, startPadding, endPadding } = places;
  return node.add('convolution', {
    inputTensor: isWhole ? padded(node, input, [0, 0, ...startPadding], [0, 0, ...endPadding]) : input,
    filterTensor: filter,
    biasTensor,
    outputTensor: like(input, dims),
    mode: 'crossCorrelation',
    direction: 'forward',
    ...{ strides, dilations, startPadding: edges ?? startPadding, endPadding: edges ?? endPadding },
    groupCount,
    ...fields,
  });
}

/** True for the one place of a window as large as the input, for which DirectML ignores dilations and paddings. */
function isOfWholeInput(input: Operand, filter: Operand, { sizes, dilations, startPadding }: Places): boolean {
  const window = filter.dims.slice(2);
  const isOne = sizes.every((size) => size === 1) && window.every((size, i) => size === input.dims[i + 2]);
  return isOne && window.length < 3 && window.some((size, i) => size > 1 && (dilations[i] !== 1 || startPadding[i] !== 0));
}

/** The zero points of an input and its filters. */
export interface ZeroPoints {
  readonly input: Operand | undefined;
  readonly filter: Operand | undefined;
}

/** The sums of products of integers minus their zero points, as int32. */
export function convolveIntegers(node: Node, input: Operand, filter: Operand, zero: ZeroPoints): Operand {
  const rank = input.dims.length;
  const places = placesOf(node, input.dims.slice(2), filter.dims.slice(2));
  const dims = [input.dims[0] ?? 1, filter.dims[0] ?? 1, ...places.sizes];
  if (productOf(dims) !== 0 && productOf(input.dims) === 0) return zeros(node, 'int32', dims);
  if (rank > 4) return integersByProduct(node, input, filter, zero, places);
  const { strides, dilations, startPadding, endPadding } = places;
  return node.add('convolutionInteger', {
    inputTensor: input,
    inputZeroPointTensor: zero.input && perChannel(node, zero.input, rank),
    filterTensor: filter,
    filterZeroPointTensor: zero.filter && perChannel(node, zero.filter, rank),
    outputTensor: new Output('int32', dims),
    ...{ strides, dilations, startPadding, endPadding },
    groupCount: node.int('group', 1),
  });
}

/** In more dimensions: all windows as columns, times the filters. */
function integersByProduct(node: Node, input: Operand, filter: Operand, zero: ZeroPoints, places: Places): Operand {
  const { sizes, strides, dilations, startPadding, endPadding } = places;
  const [batch = 1, channels = 1] = input.dims;
  const windowSizes = filter.dims.slice(2);
  const columns = node.add('unfold', {
    inputTensor: minusZeroPoint(node, input, zero.input),
    outputTensor: new Output('int32', [batch, channels * productOf(windowSizes), productOf(sizes)]),
    ...{ windowSizes, strides, dilations, startPadding, endPadding },
  });
  const filterZero = zero.filter && perChannel(node, zero.filter, filter.dims.length, 0);
  return timesFilters(node, columns, minusZeroPoint(node, filter, filterZero), [batch, filter.dims[0] ?? 1, ...sizes]);
}

/** Columns of windows times filters, group by group. */
export function timesFilters(node: Node, columns: Operand, filter: Operand, dims: readonly number[]): Operand {
  const groups = node.int('group', 1);
  const [batch = 1, height = 1, places = 1] = columns.dims;
  const rows = [groups, (filter.dims[0] ?? 1) / groups, height / groups];
  if (rows.some((size) => !Number.isInteger(size))) throw new RangeError(`${groups} groups do not divide the channels`);
  const inner = node.reshape(columns, [batch, groups, height / groups, places]);
  return reshaped(matMul(node, node.reshape(filter, rows), inner), dims);
}
