/** Operators of onnxruntime on quantized tensors. */
import { bitsOf } from '../../tensors/data-types.js';
import type { DataType } from '../../tensors/generated/enums.js';
import { hostOperand, scalar } from '../make-data.js';
import type { Node } from '../node.js';
import { broadcast, broadcastDims, HostData, isHost, Output, packedBytes, permuted, type Operand } from '../operand.js';
import { softmaxAxes } from './activation.js';
import { fromBlocks, packedConstant, plainBlock, type Blocks } from './blocks.js';
import { channelsFirst, channelsLast } from './convolution-helpers.js';
import type { Lowerings } from './lowering.js';
import { integerProduct } from './matrix.js';
import { matMul, quantizedProduct } from './matrix-helpers.js';
import { joined, partOf, taken } from './move-helpers.js';
import { averagePool, spaceOf } from './pooling.js';
import { dequantize, dequantizeLinear, grainOf, quantize } from './quantize.js';
import { choose, constant, minusZeroPoint, ones, plus, reduced, upTo } from './tensor-helpers.js';

export const quantizedOperators: Lowerings = {
  'com.microsoft:QuantizeLinear': (node) =>
    toIntegers(node, node.input(0), scaleAt(node, 1), 'uint8', grainOf(node, node.input(0))),
  'com.microsoft:DequantizeLinear': dequantizeLinear,
  'com.microsoft:QLinearAdd': quantizedSum,
  'com.microsoft:QLinearMul': quantizedMultiple,
  'com.microsoft:QLinearSigmoid': (node) => mapped(node, (input) => node.map('activationSigmoid', input)),
  'com.microsoft:QLinearLeakyRelu': (node) =>
    mapped(node, (input) => node.map('activationLeakyRelu', input, { alpha: node.float('alpha', 0.01) })),
  'com.microsoft:QLinearSoftmax': (node) =>
    mapped(node, (input) => node.map('activationSoftmax1', input, { axes: softmaxAxes(node, input, node.int('opset', 13)) })),
  'com.microsoft:QLinearGlobalAveragePool': (node) => mapped(node, (input) => reduced(node, 'average', input, spaceOf(input))),
  'com.microsoft:QLinearAveragePool': (node) => mapped(node, (input) => averagePool(node, input)),
  'com.microsoft:QLinearConcat': quantizedJoin,
  'com.microsoft:QLinearWhere': quantizedChoice,
  'com.microsoft:QGemm': quantizedGemm,
  'com.microsoft:MatMulIntegerToFloat': (node) =>
    floatProduct(
      node,
      node.input(0),
      node.input(1),
      scaleAndZeroPoint(node, 2, 4),
      scaleAndZeroPoint(node, 3, 5),
      node.optional(6),
    ),
  'com.microsoft:DynamicQuantizeMatMul': dynamicProduct,
  'com.microsoft:MatMulNBits': blockProduct,
  'com.microsoft:GatherBlockQuantized': blockRows,
};

export function scaleAndZeroPoint(node: Node, scale: number, zeroPoint: number): Blocks {
  return { scale: node.input(scale), zeroPoint: node.optional(zeroPoint) };
}

/** The scale and the zero point that follow each other. */
function scaleAt(node: Node, first: number): Blocks {
  return scaleAndZeroPoint(node, first, first + 1);
}

/** Computed in 32 bits for integers of 16 bits. */
function toIntegers(
  node: Node,
  input: Operand,
  { scale, zeroPoint }: Blocks,
  byDefault: DataType,
  grain?: ReturnType<typeof grainOf>,
) {
  const dataType = zeroPoint?.dataType ?? byDefault;
  const own = bitsOf(dataType) === 16 ? node.cast(scale, 'float32') : scale;
  return quantize(node, input, { scale: own, zeroPoint }, dataType, grain);
}

/** A function of floats, on integers before and after. Its channels lie before space. */
function mapped(node: Node, work: (input: Operand) => Operand): Operand {
  const input = node.input(0);
  const floats = dequantize(node, input, scaleAt(node, 1));
  const made = node.flag('channels_last') ? channelsLast(work(channelsFirst(floats))) : work(floats);
  return toIntegers(node, made, scaleAt(node, 3), input.dataType);
}

function quantizedSum(node: Node): Operand {
  const [a, b] = [node.input(0), node.input(3)];
  const dims = broadcastDims(a.dims, b.dims);
  const single = (i: number) => {
    const operand = node.optional(i);
    return operand && node.reshape(operand, ones(Math.max(1, dims.length)));
  };
  return node.add('elementWiseQuantizedLinearAdd', {
    aTensor: broadcast(a, dims),
    aScaleTensor: single(1),
    aZeroPointTensor: single(2),
    bTensor: broadcast(b, dims),
    bScaleTensor: single(4),
    bZeroPointTensor: single(5),
    outputScaleTensor: single(6),
    outputZeroPointTensor: single(7),
    outputTensor: new Output(node.optional(7)?.dataType ?? a.dataType, dims),
  });
}

function quantizedMultiple(node: Node): Operand {
  const [a, b] = [dequantize(node, node.input(0), scaleAt(node, 1)), dequantize(node, node.input(3), scaleAt(node, 4))];
  return toIntegers(node, node.arithmetic('elementWiseMultiply', a, b), scaleAt(node, 6), node.input(0).dataType);
}

/** The inputs come in threes, after the scale of the output: integers, scale, zero point. */
function quantizedJoin(node: Node): Operand {
  const count = Math.floor((node.items.length - 2) / 3);
  const floats = upTo(count).map((i) => dequantize(node, node.input(3 * i + 2), scaleAt(node, 3 * i + 3)));
  const axis = node.axis(node.int('axis', 0), floats[0]?.dims.length ?? 0);
  return toIntegers(node, joined(node, floats, axis), scaleAt(node, 0), node.input(2).dataType);
}

function quantizedChoice(node: Node): Operand {
  const [a, b] = [dequantize(node, node.input(1), scaleAt(node, 2)), dequantize(node, node.input(4), scaleAt(node, 5))];
  return toIntegers(node, choose(node, node.input(0), a, b), scaleAt(node, 7), node.input(1).dataType);
}

/** The output has floats without a zero point. */
function quantizedGemm(node: Node): Operand {
  const matrix = (i: number, flag: string) => (node.flag(flag) ? permuted(node.input(i), [1, 0]) : node.input(i));
  const sums = integerProduct(node, matrix(0, 'transA'), matrix(3, 'transB'), node.optional(2), node.optional(5));
  const all = node.cast(plus(node, sums, node.optional(6)), 'float32');
  const alpha = node.float('alpha', 1);
  const scale = node.arithmetic('elementWiseMultiply', node.input(1), node.input(4));
  const floats = node.arithmetic('elementWiseMultiply', all, alpha === 1 ? scale : node.scaled(scale, alpha));
  return node.optional(8) === undefined ? floats : toIntegers(node, floats, scaleAt(node, 7), node.input(0).dataType);
}

/** The product of quantized matrices as floats. */
export function floatProduct(
  node: Node,
  a: Operand,
  b: Operand,
  aScale: Blocks,
  bScale: Blocks,
  bias: Operand | undefined,
): Operand {
  const scales = { a: aScale, b: bScale };
  const product = quantizedProduct(node, 'matrixMultiplyIntegerToFloat', [a, b], scales, aScale.scale.dataType);
  if (product === null) throw node.unsupported('a scale', 'one that differs from matrix to matrix, or that of no elements');
  return plus(node, product, bias);
}

/** The left matrix is quantized by the range of its own elements. */
function dynamicProduct(node: Node): Operand {
  const [input, b] = [node.input(0), node.input(1)];
  if (input.dims.includes(0)) return matMul(node, input, node.cast(b, 'float32'));
  const single = ones(Math.max(1, input.dims.length));
  const a = node.addAll('dynamicQuantizeLinear', {
    inputTensor: input,
    outputTensor: new Output('uint8', input.dims),
    outputScaleTensor: new Output('float32', single),
    outputZeroPointTensor: new Output('uint8', single),
  });
  const scale = { scale: a.outputScaleTensor, zeroPoint: a.outputZeroPointTensor };
  return floatProduct(node, a.outputTensor, b, scale, scaleAt(node, 2), node.optional(4));
}

/** A product with a matrix whose columns are quantized in blocks. */
function blockProduct(node: Node): Operand {
  const [input, inner, columns, size] = [node.input(0), node.int('K', 0), node.int('N', 0), node.int('block_size', 32)];
  if (node.optional(4) !== undefined) throw node.unsupported('the input', 'g_idx');
  const blocks = Math.ceil(inner / size);
  const full = blockFloats(node, node.reshape(node.input(2), [columns, blocks]), [columns, blocks * size]);
  const weights = partOf(node, full, 1, 0, inner);
  const made = matMul(node, input, permuted(node.cast(weights, input.dataType), [1, 0]));
  return plus(node, made, node.optional(5));
}

/** The weights as floats. Without zero points, the middle of the levels stands for 0. */
function blockFloats(node: Node, scale: Operand, dims: readonly number[]): Operand {
  const [bytes, given] = [node.input(1), node.optional(3)];
  const [columns = 1, width = 1] = dims;
  const bits = bitCount(node);
  const levels =
    bits === 8
      ? node.reshape(bytes, dims)
      : (asNibbles(bytes, dims) ?? halvesOfBytes(node, node.reshape(bytes, [columns, width / 2])));
  if (given === undefined) {
    return fromBlocks(node, levels, { scale, zeroPoint: packedConstant(levels.dataType, scale.dims, 2 ** (bits - 1)) });
  }
  if (given.dataType === 'uint8') {
    return fromBlocks(node, levels, { scale, zeroPoint: zeroPoints(node, given, scale.dims, levels.dataType) });
  }
  const blocks = scale.dims[1] ?? 1;
  const apart = node.reshape(fromBlocks(node, levels, plainBlock(scale.dataType, 2)), [columns, blocks, width / blocks]);
  const per = (operand: Operand) => node.reshape(node.cast(operand, scale.dataType), [columns, blocks, 1]);
  const shifted = node.arithmetic('elementWiseSubtract', apart, per(given));
  return node.reshape(node.arithmetic('elementWiseMultiply', shifted, per(scale)), dims);
}

function bitCount(node: Node): number {
  const bits = node.int('bits', 4);
  if (bits !== 4 && bits !== 8) throw node.unsupported('the number of bits', `${bits}`);
  return bits;
}

/** One zero point for each block. Those of 4 bits fill whole bytes in each row. */
function zeroPoints(node: Node, given: Operand, dims: readonly number[], dataType: DataType): Operand {
  if (bitCount(node) === 8) return node.reshape(given, dims);
  const [columns = 1, blocks = 1] = dims;
  const width = Math.ceil(blocks / 2);
  return node.computeOne([node.reshape(given, [columns, width])], (host) => {
    const bytes = packedBytes(host);
    const halves = upTo(columns * blocks).map((i) => {
      const block = i % blocks;
      return ((bytes[Math.floor(i / blocks) * width + (block >> 1)] ?? 0) >> (4 * (block % 2))) & 15;
    });
    return hostOperand(dataType, dims, halves);
  });
}

/** Views of the same bytes as other data types, so that the device gets each only once. */
const views = new WeakMap<HostData, HostData>();

/** Bytes that each hold two elements of 4 bits, the first in the low half. Null if only a run has them. */
function asNibbles(bytes: Operand, dims: readonly number[]): Operand | null {
  if (!isHost(bytes) || bytes.data.supply !== null || bytes.strides !== null) return null;
  const data = views.get(bytes.data) ?? new HostData(bytes.data.bytes);
  views.set(bytes.data, data);
  return { ...bytes, dataType: 'uint4', dims, data };
}

/** The two halves of each byte as elements of their own: the last dimension has twice as many. */
function halvesOfBytes(node: Node, bytes: Operand): Operand {
  const { dims } = bytes;
  const low = node.arithmetic('elementWiseBitAnd', bytes, constant('uint8', dims, 15));
  const high = node.arithmetic('elementWiseBitShiftRight', bytes, constant('uint8', dims, 4));
  const halves = [low, high].map((half) => node.reshape(half, [...dims, 1]));
  return node.reshape(joined(node, halves, dims.length), dims.with(-1, 2 * (dims.at(-1) ?? 0)));
}

/** Rows of a table that is quantized in blocks of each row. */
function blockRows(node: Node): Operand {
  const [table, numbers, scale, given] = [node.input(0), node.input(1), node.input(2), node.optional(3)];
  const [rows = 1, width = 1] = table.dims;
  const rank = table.dims.length;
  const axis = node.axis(node.int('quantize_axis', 1), rank);
  if (rank !== 2 || axis !== 1 || node.axis(node.int('gather_axis', 0), rank) !== 0) {
    throw node.unsupported('the axes', 'others than rows that are quantized along themselves');
  }
  const isBytes = table.dataType === 'uint8';
  if (!isBytes && (!isHost(table) || width % 2 !== 0)) {
    throw node.unsupported('a table', `${table.dataType} in rows of ${width} elements`);
  }
  const bytes = isBytes ? table : { ...table, dataType: 'uint8' as const, dims: [rows, width / 2] };
  const found = taken(node, bytes, 0, numbers);
  const unsigned = isBytes && bitCount(node) === 8 ? found : halvesOfBytes(node, found);
  const eight = scalar('uint8', 8);
  const turned = () => minusZeroPoint(node, node.arithmetic('elementWiseBitXor', unsigned, eight), eight);
  // From 0 to 15, as from -8 to 7.
  const levels = table.dataType === 'int4' ? node.cast(turned(), 'int8') : unsigned;
  const scales = taken(node, scale, 0, numbers);
  if (given === undefined) {
    const middle = isBytes ? 2 ** (bitCount(node) - 1) : 0;
    return fromBlocks(node, levels, { scale: scales, zeroPoint: packedConstant(levels.dataType, scales.dims, middle) });
  }
  const zeros = isBytes
    ? zeroPoints(node, given, scale.dims, 'uint8')
    : hostOperand(levels.dataType, scale.dims, node.numbers(given));
  return fromBlocks(node, levels, { scale: scales, zeroPoint: taken(node, zeros, 0, numbers) });
}
