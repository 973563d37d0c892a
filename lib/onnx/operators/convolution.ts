/** Convolutions, transposed ones, and those of quantized tensors. */
import { productOf } from '../../tensors/tensor-size.js';
import { like, type Node } from '../node.js';
import { broadcast, Output, type Operand } from '../operand.js';
import { convolve, convolveIntegers, noSums, refuseMoreSpace, windowsOf } from './convolution-helpers.js';
import { deformableConvolution } from './deformable.js';
import type { Lowerings } from './lowering.js';
import { quantizeBytes } from './quantize.js';
import { ones, perChannel, plus } from './tensor-helpers.js';
import { halves, numbersOr } from './window-helpers.js';

export const convolutionOperators: Lowerings = {
  Conv: (node) => convolve(node, node.input(0), node.input(1), node.optional(2)),
  ConvTranspose: transposed,
  ConvInteger: (node) => convolveIntegers(node, node.input(0), node.input(1), node.optional(2), node.optional(3)),
  QLinearConv: quantized,
  DeformConv: deformableConvolution,
};

function transposed(node: Node): Operand {
  const [input, filter, bias] = [node.input(0), node.input(1), node.optional(2)];
  const space = input.dims.slice(2);
  refuseMoreSpace(node, space.length);
  const [strides, dilations] = ['strides', 'dilations'].map((name) => numbersOr(node, name, ones(space.length)));
  const lines = space.map((size, i) => {
    const span = ((filter.dims[i + 2] ?? 1) - 1) * (dilations?.[i] ?? 1) + 1;
    return lineOf(node, size, strides?.[i] ?? 1, span, i, space.length);
  });
  const groupCount = node.int('group', 1);
  const dims = [input.dims[0] ?? 1, (filter.dims[1] ?? 1) * groupCount, ...lines.map(({ size }) => size)];
  const biasTensor = bias && perChannel(node, bias, input.dims.length);
  const reachesNone = lines.some(({ size, outputPadding }) => outputPadding >= size);
  if (productOf(dims) !== 0 && reachesNone) return noSums(node, input, dims, biasTensor);
  // DirectML does not add the bias to its output padding.
  const isPadded = lines.some(({ outputPadding }) => outputPadding > 0);
  const made = node.add('convolution', {
    inputTensor: input,
    filterTensor: filter,
    biasTensor: isPadded ? null : biasTensor,
    outputTensor: like(input, dims),
    mode: 'crossCorrelation',
    direction: 'backward',
    ...{ strides, dilations, groupCount },
    startPadding: lines.map(({ startPadding }) => startPadding),
    endPadding: lines.map(({ endPadding }) => endPadding),
    outputPadding: lines.map(({ outputPadding }) => outputPadding),
  });
  return isPadded ? plus(node, made, biasTensor) : made;
}

/**
 * One dimension of the output of a transposed convolution. ONNX's output padding continues the convolution; only what is past its
 * end is padding for DirectML.
 */
function lineOf(node: Node, input: number, stride: number, span: number, axis: number, rank: number) {
  const full = (input - 1) * stride + span;
  const room = full + (numbersOr(node, 'output_padding', [])[axis] ?? 0);
  const shape = numbersOr(node, 'output_shape', []);
  const mode = node.text('auto_pad', 'NOTSET');
  const pads = mode === 'VALID' ? [] : numbersOr(node, 'pads', []);
  let [start, size] = [pads[axis] ?? 0, room - (pads[axis] ?? 0) - (pads[axis + rank] ?? 0)];
  if (shape.length > 0 || mode.startsWith('SAME')) {
    size = shape[shape.length - rank + axis] ?? input * stride;
    start = halves(node, Math.max(0, room - size)).start;
  }
  if (size < 0) throw new RangeError(`an output size is ${size}`);
  const reach = full - start;
  return { size, startPadding: start, endPadding: Math.max(0, reach - size), outputPadding: Math.max(0, size - reach) };
}

function quantized(node: Node): Operand {
  const [input, filter, bias] = [node.input(0), node.input(3), node.optional(8)];
  const rank = input.dims.length;
  const channels = (i: number) => perChannel(node, node.input(i), rank);
  const { dataType } = node.input(7);
  const biasTensor = bias && perChannel(node, bias, rank);
  if (rank > 4 || productOf(input.dims) === 0) {
    // DirectML's operator has no more dimensions.
    const sums = convolveIntegers(node, input, filter, node.input(2), node.input(5));
    const scale = node.arithmetic('elementWiseMultiply', channels(4), channels(1));
    const floats = node.arithmetic('elementWiseMultiply', node.cast(plus(node, sums, biasTensor), 'float32'), scale);
    return quantizeBytes(node, floats, { scale: channels(6), zeroPoint: channels(7) }, dataType);
  }
  const { dims, fields, groupCount } = windowsOf(node, input, filter);
  const [filterScale, filterZero] = [channels(4), channels(5)];
  const most = productOf(filterScale.dims) > 1 ? filterScale.dims : filterZero.dims;
  return node.add('quantizedLinearConvolution', {
    inputTensor: input,
    inputScaleTensor: channels(1),
    inputZeroPointTensor: channels(2),
    filterTensor: filter,
    filterScaleTensor: broadcast(filterScale, most),
    filterZeroPointTensor: broadcast(filterZero, most),
    biasTensor,
    outputScaleTensor: channels(6),
    outputZeroPointTensor: channels(7),
    outputTensor: new Output(dataType, dims),
    ...fields,
    groupCount,
  });
}
