/** Convolutions with the sizes and paddings of ONNX. */
import { productOf } from '../../tensors/tensor-size.js';
import { scalar } from '../make-data.js';
import { like, type Node } from '../node.js';
import { broadcast, Output, permuted, reshaped, type Operand } from '../operand.js';
import { matMul } from './matrix-helpers.js';
import { padded } from './move-helpers.js';
import { minusZeroPoint, perChannel, upTo, zeros } from './tensor-helpers.js';
import { placesOf } from './window-helpers.js';

/** The sizes of the output, and fields that say where windows lie. */
export function windowsOf(node: Node, input: Operand, filter: Operand) {
  const window = filter.dims.slice(2);
  const { sizes, strides, dilations, startPadding, endPadding } = placesOf(node, input.dims.slice(2), window);
  const dims = [input.dims[0] ?? 1, filter.dims[0] ?? 1, ...sizes];
  return { sizes, window, dims, fields: { strides, dilations, startPadding, endPadding }, groupCount: node.int('group', 1) };
}

/** Sums of windows of the input times filters. */
export function convolve(node: Node, input: Operand, filter: Operand, bias: Operand | undefined): Operand {
  const { sizes, window, dims, fields, groupCount } = windowsOf(node, input, filter);
  refuseMoreSpace(node, window.length);
  const { dilations, startPadding, endPadding } = fields;
  const biasTensor = bias && perChannel(node, bias, input.dims.length);
  if (productOf(dims) !== 0 && (productOf(input.dims) === 0 || productOf(filter.dims) === 0)) {
    return noSums(node, input, dims, biasTensor);
  }
  // For one window as large as the input, DirectML ignores dilations and paddings.
  const isOne = groupCount === 1 && window.length < 3 && window.every((size, i) => sizes[i] === 1 && size === input.dims[i + 2]);
  const isWhole = isOne && window.some((size, i) => size > 1 && (dilations[i] !== 1 || startPadding[i] !== 0));
  const none = sizes.map(() => 0);
  return node.add('convolution', {
    inputTensor: isWhole ? padded(node, input, [0, 0, ...startPadding], [0, 0, ...endPadding]) : input,
    filterTensor: filter,
    biasTensor,
    outputTensor: like(input, dims),
    mode: 'crossCorrelation',
    direction: 'forward',
    ...fields,
    ...(isWhole ? { startPadding: none, endPadding: none } : {}),
    groupCount,
  });
}

export function refuseMoreSpace(node: Node, count: number): void {
  if (count > 3) throw node.unsupported('a convolution', `${count} dimensions of space`, 'DirectML has up to 3');
}

/** The sums of no products, plus the bias. */
export function noSums(node: Node, { dataType }: Operand, dims: readonly number[], bias: Operand | undefined): Operand {
  return node.packed(broadcast(bias ?? scalar(dataType, 0), dims));
}

/** The sums of products of integers minus their zero points, as int32. */
export function convolveIntegers(
  node: Node,
  input: Operand,
  filter: Operand,
  inputZero?: Operand,
  filterZero?: Operand,
): Operand {
  const rank = input.dims.length;
  const { sizes, window, dims, fields, groupCount } = windowsOf(node, input, filter);
  if (productOf(dims) !== 0 && productOf(input.dims) === 0) return zeros(node, 'int32', dims);
  if (rank <= 4) {
    return node.add('convolutionInteger', {
      inputTensor: input,
      inputZeroPointTensor: inputZero && perChannel(node, inputZero, rank),
      filterTensor: filter,
      filterZeroPointTensor: filterZero && perChannel(node, filterZero, rank),
      outputTensor: new Output('int32', dims),
      ...fields,
      groupCount,
    });
  }
  // In more dimensions: all windows as columns, times the filters.
  const [batch = 1, channels = 1] = input.dims;
  const columns = node.add('unfold', {
    inputTensor: minusZeroPoint(node, input, inputZero),
    outputTensor: new Output('int32', [batch, channels * productOf(window), productOf(sizes)]),
    windowSizes: window,
    ...fields,
  });
  const zero = filterZero && perChannel(node, filterZero, rank, 0);
  return timesFilters(node, columns, minusZeroPoint(node, filter, zero), dims);
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

/** A tensor whose channels lie after space, with these before it. */
export function channelsFirst(input: Operand): Operand {
  const rank = input.dims.length;
  return permuted(input, [0, rank - 1, ...upTo(rank - 1).slice(1)]);
}

/** The other way around. */
export function channelsLast(input: Operand): Operand {
  return permuted(input, [0, ...upTo(input.dims.length).slice(2), 1]);
}
