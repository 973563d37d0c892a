/** Operators of onnxruntime on quantized tensors. */
import { productOf } from '../../validation/tensor-size.js';
import { hostOperand } from '../make-data.js';
import type { Node } from '../node.js';
import {
  broadcast,
  broadcastDims,
  isHost,
  Output,
  packedBytes,
  permuted,
  reshaped,
  type HostOperand,
  type Operand,
} from '../operand.js';
import type { Lowerings } from './lowering.js';
import { factorsOf, matMul, quantizationOf } from './matrix-helpers.js';
import { averagePool } from './pooling-helpers.js';
import { asNibbles, halvesOfBytes, scaleAt, toFloats, toIntegers, type Scale } from './quantized-helpers.js';
import { joined, partOf, taken } from './move-helpers.js';
import { constant, ones, reduced, upTo } from './tensor-helpers.js';

export const quantizedOperators: Lowerings = {
  'com.microsoft:QuantizeLinear': (node) => toIntegers(node, node.input(0), { ...scaleAt(node, 1), axis: axisOf(node) }),
  'com.microsoft:DequantizeLinear': (node) => toFloats(node, node.input(0), { ...scaleAt(node, 1), axis: axisOf(node) }),
  'com.microsoft:QLinearAdd': quantizedSum,
  'com.microsoft:QLinearMul': quantizedMultiple,
  'com.microsoft:QLinearSigmoid': (node) => mapped(node, (input) => node.map('activationSigmoid', input)),
  'com.microsoft:QLinearLeakyRelu': (node) =>
    mapped(node, (input) => node.map('activationLeakyRelu', input, { alpha: node.float('alpha', 0.01) })),
  'com.microsoft:QLinearSoftmax': (node) => mapped(node, (input) => softmax(node, input)),
  'com.microsoft:QLinearGlobalAveragePool': (node) =>
    mapped(node, (input) => inChannelOrder(node, input, (own) => reduced(node, 'average', own, spaceOf(own)))),
  'com.microsoft:QLinearAveragePool': (node) =>
    mapped(node, (input) => inChannelOrder(node, input, (own) => averagePool(node, own))),
  'com.microsoft:QLinearConcat': quantizedJoin,
  'com.microsoft:MatMulIntegerToFloat': productOfIntegers,
  'com.microsoft:DynamicQuantizeMatMul': dynamicProduct,
  'com.microsoft:MatMulNBits': blockProduct,
  'com.microsoft:GatherBlockQuantized': blockRows,
};

function axisOf(node: Node): number {
  const { dims } = node.input(0);
  return dims.length < 2 ? 0 : node.axis(node.int('axis', 1), dims.length);
}

/** A function of floats, on integers before and after. */
function mapped(node: Node, work: (input: Operand) => Operand): Operand {
  const input = node.input(0);
  return toIntegers(node, work(toFloats(node, input, scaleAt(node, 1))), scaleAt(node, 3), input.dataType);
}

function quantizedSum(node: Node): Operand {
  const [a, b] = [node.input(0), node.input(3)];
  const dims = broadcastDims(a.dims, b.dims);
  const single = (operand: Operand | undefined) => operand && node.reshape(operand, ones(Math.max(1, dims.length)));
  const [from, other, to] = [scaleAt(node, 1), scaleAt(node, 4), scaleAt(node, 6)];
  return node.add('elementWiseQuantizedLinearAdd', {
    aTensor: broadcast(a, dims),
    aScaleTensor: single(from.scale),
    aZeroPointTensor: single(from.zeroPoint),
    bTensor: broadcast(b, dims),
    bScaleTensor: single(other.scale),
    bZeroPointTensor: single(other.zeroPoint),
    outputScaleTensor: single(to.scale),
    outputZeroPointTensor: single(to.zeroPoint),
    outputTensor: new Output(to.zeroPoint?.dataType ?? a.dataType, dims),
  });
}

function spaceOf({ dims }: Operand): readonly number[] {
  return upTo(dims.length).slice(2);
}

/** With the channels before space, for the attribute `channels_last`. */
function inChannelOrder(node: Node, input: Operand, work: (input: Operand) => Operand): Operand {
  if (!node.flag('channels_last')) return work(input);
  const rank = input.dims.length;
  const made = work(permuted(input, [0, rank - 1, ...upTo(rank - 2).map((i) => i + 1)]));
  return permuted(made, [0, ...upTo(rank - 2).map((i) => i + 2), 1]);
}

/** Before opset 13 of ONNX, all dimensions from the axis on count as one. */
function softmax(node: Node, input: Operand): Operand {
  const rank = input.dims.length;
  const isOne = node.int('opset', 13) >= 13;
  const axis = node.axis(node.int('axis', isOne ? -1 : 1), rank);
  return node.map('activationSoftmax1', input, { axes: isOne ? [axis] : upTo(rank).slice(axis) });
}

function quantizedMultiple(node: Node): Operand {
  const [a, b] = [toFloats(node, node.input(0), scaleAt(node, 1)), toFloats(node, node.input(3), scaleAt(node, 4))];
  return toIntegers(node, node.arithmetic('elementWiseMultiply', a, b), scaleAt(node, 6), node.input(0).dataType);
}

/** The inputs come in threes, after the scale of the output: integers, scale, zero point. */
function quantizedJoin(node: Node): Operand {
  const to: Scale = scaleAt(node, 0);
  const count = Math.floor((node.items.length - 2) / 3);
  const floats = upTo(count).map((i) => toFloats(node, node.input(3 * i + 2), scaleAt(node, 3 * i + 3)));
  const axis = node.axis(node.int('axis', 0), floats[0]?.dims.length ?? 0);
  return toIntegers(node, joined(node, floats, axis), to, node.input(2).dataType);
}

interface Multiplier extends Scale {
  readonly matrix: Operand;
}

/** The product of quantized matrices as floats. */
function floatProduct(node: Node, a: Multiplier, b: Multiplier, bias: Operand | undefined): Operand {
  const factors = factorsOf(node, a.matrix, b.matrix);
  const { dims, fullDims } = factors;
  const outputTensor = new Output(a.scale.dataType, dims);
  const tensors = { ...pair(node, 'a', a, dims.at(-2) ?? 1), ...pair(node, 'b', b, dims.at(-1) ?? 1) };
  if (Object.values(tensors).includes(null)) throw node.unsupported('a scale', 'one that differs from matrix to matrix');
  const made = node.add('matrixMultiplyIntegerToFloat', { aTensor: factors.a, bTensor: factors.b, ...tensors, outputTensor });
  const product = reshaped(made, fullDims);
  return bias === undefined ? product : node.arithmetic('elementWiseAdd', product, bias);
}

/** Scale and zero point have the same sizes. */
function pair(node: Node, name: 'a' | 'b', { scale, zeroPoint }: Multiplier, count: number) {
  const [own, zero] = [scale, zeroPoint].map((each) => each && quantizationOf(node, each, count, name === 'a'));
  const most = [own, zero].find((each) => productOf(each?.dims ?? []) > 1)?.dims ?? [1];
  return {
    [`${name}ScaleTensor`]: own && broadcast(own, most),
    [`${name}ZeroPointTensor`]: zero && broadcast(zero, most),
  };
}

function productOfIntegers(node: Node): Operand {
  const a = { matrix: node.input(0), scale: node.input(2), zeroPoint: node.optional(4) };
  const b = { matrix: node.input(1), scale: node.input(3), zeroPoint: node.optional(5) };
  return floatProduct(node, a, b, node.optional(6));
}

/** The left matrix is quantized by the range of its own elements. */
function dynamicProduct(node: Node): Operand {
  const input = node.input(0);
  if (productOf(input.dims) === 0) return matMul(node, input, node.cast(node.input(1), 'float32'));
  const single = ones(Math.max(1, input.dims.length));
  const made = node.addAll('dynamicQuantizeLinear', {
    inputTensor: input,
    outputTensor: new Output('uint8', input.dims),
    outputScaleTensor: new Output('float32', single),
    outputZeroPointTensor: new Output('uint8', single),
  });
  const [matrix, scale, zeroPoint] = ['outputTensor', 'outputScaleTensor', 'outputZeroPointTensor'].map(
    (name) => made[name]?.[0],
  );
  if (matrix === undefined || scale === undefined || zeroPoint === undefined) throw new TypeError('nothing was quantized');
  const b = { matrix: node.input(1), scale: node.input(2), zeroPoint: node.optional(3) };
  return floatProduct(node, { matrix, scale, zeroPoint }, b, node.optional(4));
}

/** A product with a matrix whose columns are quantized in blocks. */
function blockProduct(node: Node): Operand {
  const [input, bytes] = [node.input(0), node.input(1)];
  const [inner, columns] = [node.int('K', 0), node.int('N', 0)];
  const size = node.int('block_size', 32);
  if (node.optional(4) !== undefined) throw node.unsupported('the input', 'g_idx');
  const blocks = Math.ceil(inner / size);
  const scale = node.reshape(node.input(2), [columns, blocks]);
  const full = blockFloats(node, bytes, { scale, dims: [columns, blocks * size], bits: node.int('bits', 4) });
  const weights = blocks * size === inner ? full : partOf(node, full, 1, 0, inner);
  const made = matMul(node, input, permuted(node.cast(weights, input.dataType), [1, 0]));
  const bias = node.optional(5);
  return bias === undefined ? made : node.arithmetic('elementWiseAdd', made, bias);
}

interface Blocks {
  readonly scale: Operand;
  readonly dims: readonly number[];
  readonly bits: number;
}

/** The weights as floats. Without zero points, the middle of the levels stands for 0. */
function blockFloats(node: Node, bytes: Operand, { scale, dims, bits }: Blocks): Operand {
  const given = node.optional(3);
  const [columns = 1, width = 1] = dims;
  if (bits !== 4 && bits !== 8) throw node.unsupported('the number of bits', `${bits}`);
  const levels = bits === 8 ? node.reshape(bytes, dims) : (asNibbles(bytes, dims) ?? spreadNibbles(node, bytes, dims));
  if (given !== undefined && given.dataType !== 'uint8') {
    const blocks = scale.dims[1] ?? 1;
    const none = zeroLevels(levels, [1, 1], 0);
    const plain = dequantized(node, levels, constant(scale.dataType, [1, 1], 1), none, dims);
    const apart = node.reshape(plain, [columns, blocks, width / blocks]);
    const per = (operand: Operand) => node.reshape(node.cast(operand, scale.dataType), [columns, blocks, 1]);
    const shifted = node.arithmetic('elementWiseSubtract', apart, per(given));
    return node.reshape(node.arithmetic('elementWiseMultiply', shifted, per(scale)), dims);
  }
  const zero = given === undefined ? zeroLevels(levels, scale.dims, 2 ** (bits - 1)) : zeroPoints(node, given, scale.dims, bits);
  const own = levels.dataType === 'uint4' ? asLevels(node, zero) : node.packed(zero);
  return dequantized(node, levels, scale, own, dims);
}

function spreadNibbles(node: Node, bytes: Operand, dims: readonly number[]): Operand {
  const [columns = 1, width = 1] = dims;
  return halvesOfBytes(node, node.reshape(bytes, [columns, width / 2]));
}

function zeroLevels({ dataType }: Operand, dims: readonly number[], value: number): HostOperand {
  return hostOperand(dataType, dims, new Array<number>(productOf(dims)).fill(value));
}

/** One zero point for each block. Those of 4 bits fill whole bytes in each row. */
function zeroPoints(node: Node, given: Operand, dims: readonly number[], bits: number): Operand {
  if (bits === 8) return node.reshape(given, dims);
  const [columns = 1, blocks = 1] = dims;
  const width = Math.ceil(blocks / 2);
  return node.computeOne([node.reshape(given, [columns, width])], (bytes) => {
    const packed = packedBytes(bytes);
    const elements = upTo(columns * blocks).map((i) => {
      const block = i % blocks;
      const byte = packed[Math.floor(i / blocks) * width + (block >> 1)] ?? 0;
      return block % 2 === 0 ? byte & 15 : byte >> 4;
    });
    return hostOperand('uint8', dims, elements);
  });
}

/** Small numbers as elements of 4 bits. */
function asLevels(node: Node, numbers: Operand): Operand {
  if (numbers.dataType === 'uint4') return numbers;
  return node.computeOne([numbers], (given) => hostOperand('uint4', numbers.dims, packedBytes(given)));
}

function dequantized(node: Node, levels: Operand, scale: Operand, zero: Operand, dims: readonly number[]): Operand {
  return node.add('dequantize', {
    inputTensor: levels,
    quantizationType: 'scaleZeroPoint',
    quantizationTensors: [node.packed(scale), zero],
    outputTensor: new Output(scale.dataType, dims),
  });
}

/** Rows of a table that is quantized in blocks of each row. */
function blockRows(node: Node): Operand {
  const [table, numbers, scale] = [node.input(0), node.input(1), node.input(2)];
  const rank = table.dims.length;
  const axis = node.axis(node.int('quantize_axis', 1), rank);
  if (rank !== 2 || axis !== 1 || node.axis(node.int('gather_axis', 0), rank) !== 0) {
    throw node.unsupported('the axes', 'others than rows that are quantized along themselves');
  }
  const bits = table.dataType === 'uint8' ? node.int('bits', 4) : 4;
  if (bits !== 4 && bits !== 8) throw node.unsupported('the number of bits', `${bits}`);
  const bytes = bits === 8 || table.dataType === 'uint8' ? table : asBytes(node, table);
  const rows = taken(node, bytes, 0, numbers);
  const spread = bits === 8 ? rows : halvesOfBytes(node, rows);
  const isSigned = table.dataType === 'int4';
  const levels = isSigned ? signed(node, spread) : spread;
  const scales = taken(node, scale, 0, numbers);
  return dequantized(node, levels, scales, rowZeros(node, { levels, scale, scales, numbers, bits }), levels.dims);
}

/** Pairs of elements of 4 bits as bytes. */
function asBytes(node: Node, { dims, data, dataType }: Operand): HostOperand {
  const [rows = 1, width = 1] = dims;
  const operand = { dataType: 'uint8' as const, isBool: false, strides: null, dims: [rows, width / 2], data };
  if (!isHost(operand) || width % 2 !== 0) throw node.unsupported('a table', `${dataType} in rows of ${width} elements`);
  return operand;
}

/** From 0 to 15, as from -8 to 7. */
function signed(node: Node, levels: Operand): Operand {
  const turned = node.arithmetic('elementWiseBitXor', levels, constant('uint8', levels.dims, 8));
  const wide = node.cast(turned, 'int32');
  return node.cast(node.arithmetic('elementWiseSubtract', wide, constant('int32', wide.dims, 8)), 'int8');
}

interface Rows {
  readonly levels: Operand;
  readonly scale: Operand;
  readonly scales: Operand;
  readonly numbers: Operand;
  readonly bits: number;
}

function rowZeros(node: Node, { levels, scale, scales, numbers, bits }: Rows): Operand {
  const given = node.optional(3);
  if (given === undefined) {
    const isCentered = node.input(0).dataType === 'uint8';
    return zeroLevels(levels, scales.dims, isCentered ? 2 ** (bits - 1) : 0);
  }
  const isPacked = given.dataType === 'uint8';
  const table = isPacked ? zeroPoints(node, given, scale.dims, bits) : nibbles(node, given, scale.dims);
  return taken(node, table, 0, numbers);
}

function nibbles(node: Node, given: Operand, dims: readonly number[]): Operand {
  const dataType = given.dataType === 'int4' ? 'int8' : 'uint8';
  const elements = node.numbers(given);
  return hostOperand(dataType, dims, elements);
}
