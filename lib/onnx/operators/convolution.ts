/** Convolutions, transposed ones, and those of quantized tensors. */
import { productOf } from '../../validation/tensor-size.js';
import { like, type Node } from '../node.js';
import { broadcast, Output, type Operand } from '../operand.js';
import { convolve, convolveIntegers } from './convolution-helpers.js';
import { deformableConvolution } from './deformable.js';
import type { Lowerings } from './lowering.js';
import { ones, perChannel, zeros } from './tensor-helpers.js';
import { halves, numbersOr, placesOf } from './window-helpers.js';

export const convolutionOperators: Lowerings = {
  Conv: (node) => convolve(node, node.input(0), node.input(1), node.optional(2)),
  ConvTranspose: transposed,
  ConvInteger: (node) =>
    convolveIntegers(node, node.input(0), node.input(1), { input: node.optional(2), filter: node.optional(3) }),
  QLinearConv: quantized,
  DeformConv: deformableConvolution,
};

/** One dimension of the output of a transposed convolution. */
interface Line {
  readonly size: number;
  readonly startPadding: number;
  readonly endPadding: number;
  /** What follows the last place that an element of the input reaches. */
  readonly outputPadding: number;
}

function transposed(node: Node): Operand {
  const [input, filter, bias] = [node.input(0), node.input(1), node.optional(2)];
  const space = input.dims.slice(2);
  if (space.length > 3) throw node.unsupported('a convolution', `${space.length} dimensions of space`, 'DirectML has up to 3');
  const strides = numbersOr(node, 'strides', ones(space.length));
  const dilations = numbersOr(node, 'dilations', ones(space.length));
  const lines = space.map((size, i) => {
    const span = ((filter.dims[i + 2] ?? 1) - 1) * (dilations[i] ?? 1) + 1;
    return lineOf(node, size, strides[i] ?? 1, span, i, space.length);
  });
  const groupCount = node.int('group', 1);
  const dims = [input.dims[0] ?? 1, (filter.dims[1] ?? 1) * groupCount, ...lines.map(({ size }) => size)];
  const biasTensor = bias && perChannel(node, bias, input.dims.length);
  if (productOf(dims) !== 0 && lines.some(({ size, outputPadding }) => outputPadding >= size)) {
    // No element of the input reaches the output.
    return biasTensor === undefined ? zeros(node, input.dataType, dims) : node.packed(broadcast(biasTensor, dims));
  }
  // DirectML does not add the bias to its output padding.
  const isPadded = lines.some(({ outputPadding }) => outputPadding > 0);
  const made = node.add('convolution', {
    inputTensor: input,
    filterTensor: filter,
    biasTensor: isPadded ? null : biasTensor,
    outputTensor: like(input, dims),
    mode: 'crossCorrelation',
    direction: 'backward',
    strides,
    dilations,
    startPadding: lines.map(({ startPadding }) => startPadding),
    endPadding: lines.map(({ endPadding }) => endPadding),
    outputPadding: lines.map(({ outputPadding }) => outputPadding),
    groupCount,
  });
  return isPadded && biasTensor !== undefined ? node.arithmetic('elementWiseAdd', made, biasTensor) : made;
}

/** ONNX's output padding continues the convolution; only what is past its end is padding for DirectML. */
function lineOf(node: Node, input: number, stride: number, span: number, axis: number, rank: number): Line {
  const full = (input - 1) * stride + span;
  const { start, size } = placeIn(node, input, full, stride, axis, rank);
  const reach = full - start;
  if (size < 0) throw new RangeError(`an output size is ${size}`);
  return { size, startPadding: start, endPadding: Math.max(0, reach - size), outputPadding: Math.max(0, size - reach) };
}

/** Where the output begins in the full convolution, and its size. */
function placeIn(node: Node, input: number, full: number, stride: number, axis: number, rank: number) {
  const more = numbersOr(node, 'output_padding', [])[axis] ?? 0;
  const shape = numbersOr(node, 'output_shape', []);
  const isSame = node.text('auto_pad', 'NOTSET').startsWith('SAME');
  if (shape.length > 0 || isSame) {
    const size = shape[shape.length - rank + axis] ?? input * stride;
    return { size, start: halves(node, Math.max(0, full + more - size)).start };
  }
  const pads = node.text('auto_pad', 'NOTSET') === 'VALID' ? [] : numbersOr(node, 'pads', []);
  const [start, end] = [pads[axis] ?? 0, pads[axis + rank] ?? 0];
  return { size: full + more - start - end, start };
}

function quantized(node: Node): Operand {
  const [input, filter, bias] = [node.input(0), node.input(3), node.optional(8)];
  const rank = input.dims.length;
  const outputZero = node.input(7);
  const places = placesOf(node, input.dims.slice(2), filter.dims.slice(2));
  const dims = [input.dims[0] ?? 1, filter.dims[0] ?? 1, ...places.sizes];
  if (rank > 4 || productOf(input.dims) === 0) return quantizedInSteps(node);
  const { strides, dilations, startPadding, endPadding } = places;
  const [filterScaleTensor, filterZeroPointTensor] = sameSizes(
    perChannel(node, node.input(4), rank),
    perChannel(node, node.input(5), rank),
  );
  return node.add('quantizedLinearConvolution', {
    inputTensor: input,
    inputScaleTensor: perChannel(node, node.input(1), rank),
    inputZeroPointTensor: perChannel(node, node.input(2), rank),
    filterTensor: filter,
    filterScaleTensor,
    filterZeroPointTensor,
    biasTensor: bias && perChannel(node, bias, rank),
    outputScaleTensor: perChannel(node, node.input(6), rank),
    outputZeroPointTensor: perChannel(node, outputZero, rank),
    outputTensor: new Output(outputZero.dataType, dims),
    ...{ strides, dilations, startPadding, endPadding },
    groupCount: node.int('group', 1),
  });
}

function sameSizes(a: Operand, b: Operand): readonly [Operand, Operand] {
  const dims = productOf(a.dims) > 1 ? a.dims : b.dims;
  return [broadcast(a, dims), broadcast(b, dims)];
}

/** For more dimensions than DirectML's operator has. */
function quantizedInSteps(node: Node): Operand {
  const [input, filter, bias] = [node.input(0), node.input(3), node.optional(8)];
  const rank = input.dims.length;
  const sums = convolveIntegers(node, input, filter, { input: node.input(2), filter: node.input(5) });
  const all = bias === undefined ? sums : node.arithmetic('elementWiseAdd', sums, perChannel(node, bias, rank));
  const inputScale = perChannel(node, node.input(1), rank);
  const scale = node.arithmetic('elementWiseMultiply', perChannel(node, node.input(4), rank), inputScale);
  const outputZero = node.input(7);
  return node.add('elementWiseQuantizeLinear', {
    inputTensor: node.arithmetic('elementWiseMultiply', node.cast(all, 'float32'), scale),
    scaleTensor: broadcast(perChannel(node, node.input(6), rank), all.dims),
    zeroPointTensor: broadcast(perChannel(node, outputZero, rank), all.dims),
    outputTensor: new Output(outputZero.dataType, all.dims),
  });
}
