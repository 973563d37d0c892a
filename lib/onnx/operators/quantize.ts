/** Floats as integers with a scale and a zero point, for a tensor, for each place of an axis, or for each block of an axis. */
import { bitsOf, isFloat, rangeOf } from '../../data-types/table.js';
import type { DataType } from '../../schema/generated/enums.js';
import { productOf } from '../../validation/tensor-size.js';
import { hostOperand, scalar } from '../make-data.js';
import { boolean, like, type Node } from '../node.js';
import { broadcast, Output, type Operand } from '../operand.js';
import { fromBlocks, plainBlock, toBlocks, type Blocks } from './blocks.js';
import { convert } from './convert.js';
import type { Lowerings } from './lowering.js';
import { reduceBy } from './reduce.js';

/** Which elements share a scale and a zero point. */
interface Grain {
  readonly dims: readonly number[];
  readonly axis: number;
  /** 0 for no blocks. */
  readonly blockSize: number;
}

function quantizeLinear(node: Node): Operand {
  const [input, scale, zeroPoint] = [node.input(0), node.input(1), node.optional(2)];
  const dataType = targetOf(node, zeroPoint);
  const precision = typeIn(node, 'precision') ?? scale.dataType;
  const grain = grainOf(node, input);
  const divided = isFloat(input.dataType) || precision !== 'float32' ? convertTo(node, input, precision) : input;
  return quantize(node, divided, { scale: convertTo(node, scale, precision), zeroPoint }, grain, dataType);
}

function dequantizeLinear(node: Node): Operand {
  const [input, given, zeroPoint] = [node.input(0), node.input(1), node.optional(2)];
  const scale = convertTo(node, given, typeIn(node, 'output_dtype') ?? given.dataType);
  return dequantize(node, input, { scale, zeroPoint }, grainOf(node, input));
}

/** The data type of an attribute; undefined for 0, which stands for none. */
function typeIn(node: Node, attribute: string): DataType | undefined {
  const number = node.int(attribute, 0);
  return number === 0 ? undefined : node.elementType(number).dataType;
}

function targetOf(node: Node, zeroPoint: Operand | undefined): DataType {
  const dataType = zeroPoint?.dataType ?? typeIn(node, 'output_dtype') ?? 'uint8';
  if (isFloat(dataType) || bitsOf(dataType) > 16) throw node.unsupported('the output', dataType);
  return dataType;
}

function grainOf(node: Node, { dims }: Operand): Grain {
  const axis = dims.length < 2 ? 0 : node.int('axis', 1);
  return { dims, axis: node.axis(axis, Math.max(1, dims.length)), blockSize: node.int('block_size', 0) };
}

function convertTo(node: Node, operand: Operand, dataType: DataType): Operand {
  return convert(node, operand, { dataType, isBool: false });
}

function quantize(node: Node, input: Operand, blocks: Blocks, grain: Grain, dataType: DataType): Operand {
  if (bitsOf(dataType) === 8 && grain.blockSize === 0) return quantizeBytes(node, input, blocks, grain, dataType);
  if (bitsOf(dataType) <= 8 && isRegular(blocks.scale, grain)) {
    return toBlocks(node, convertTo(node, input, blocks.scale.dataType), gathered(node, blocks, grain), dataType);
  }
  return quantizeBySteps(node, input, blocks, grain, dataType);
}

function quantizeBytes(node: Node, input: Operand, blocks: Blocks, grain: Grain, dataType: DataType): Operand {
  return node.add('elementWiseQuantizeLinear', {
    inputTensor: input,
    scaleTensor: spread(node, blocks.scale, grain),
    zeroPointTensor: blocks.zeroPoint && spread(node, blocks.zeroPoint, grain),
    outputTensor: new Output(dataType, input.dims),
  });
}

/** The rounded quotient and the zero point are added as float32, which is exact within the limits. */
function quantizeBySteps(node: Node, input: Operand, blocks: Blocks, grain: Grain, dataType: DataType): Operand {
  const scale = spread(node, blocks.scale, grain);
  const quotient = node.arithmetic('elementWiseDivide', convertTo(node, input, scale.dataType), scale);
  const rounded = node.cast(node.map('elementWiseRound', quotient, { roundingMode: 'halvesToNearestEven' }), 'float32');
  const near = clip(node, rounded, -(2 ** 20), 2 ** 20);
  const zero = blocks.zeroPoint && spread(node, convertTo(node, blocks.zeroPoint, 'float32'), grain);
  const shifted = zero === undefined ? near : node.arithmetic('elementWiseAdd', near, zero);
  const { low, high } = rangeOf(dataType);
  return convertTo(node, clip(node, shifted, low, high), dataType);
}

function clip(node: Node, input: Operand, min: number, max: number): Operand {
  return node.map('elementWiseClip1', input, { minMaxDataType: input.dataType, min, max });
}

function dequantize(node: Node, input: Operand, blocks: Blocks, grain: Grain): Operand {
  const bits = bitsOf(input.dataType);
  if (bits <= 8 && (bits === 4 || grain.blockSize > 0) && isRegular(blocks.scale, grain)) {
    return fromBlocks(node, input, gathered(node, blocks, grain));
  }
  if (bits === 4) return dequantizeBySteps(node, input, blocks, grain);
  return node.add('elementWiseDequantizeLinear', {
    inputTensor: input,
    scaleTensor: spread(node, blocks.scale, grain),
    zeroPointTensor: blocks.zeroPoint && spread(node, blocks.zeroPoint, grain),
    outputTensor: new Output(blocks.scale.dataType, input.dims),
  });
}

/** Elements of 4 bits cannot have strides, so they become floats before blocks are repeated. */
function dequantizeBySteps(node: Node, input: Operand, blocks: Blocks, grain: Grain): Operand {
  const scale = spread(node, blocks.scale, grain);
  const asFloats = (operand: Operand) => fromBlocks(node, operand, plainBlock(scale.dataType, operand.dims.length));
  const elements = asFloats(input);
  const zero = blocks.zeroPoint && spread(node, asFloats(blocks.zeroPoint), grain);
  const shifted = zero === undefined ? elements : node.arithmetic('elementWiseSubtract', elements, zero);
  return node.arithmetic('elementWiseMultiply', shifted, scale);
}

/** True if all blocks have the same size. */
function isRegular(scale: Operand, { dims, axis, blockSize }: Grain): boolean {
  if (blockSize === 0) return true;
  return blockSize * (scale.dims[axis] ?? 0) === dims[axis];
}

/** The scale and the zero point with as many dimensions as the elements. */
function gathered(node: Node, { scale, zeroPoint }: Blocks, grain: Grain): Blocks {
  const shaped = (operand: Operand) => node.reshape(operand, blockDims(operand, grain));
  return { scale: shaped(scale), zeroPoint: zeroPoint && shaped(zeroPoint) };
}

function blockDims(parameter: Operand, { dims, axis, blockSize }: Grain): readonly number[] {
  if (blockSize > 0) return parameter.dims;
  const count = productOf(parameter.dims);
  return dims.map((_, i) => (i === axis ? count : 1));
}

/** A scale or a zero point for each element. */
function spread(node: Node, parameter: Operand, grain: Grain): Operand {
  const { dims, axis, blockSize } = grain;
  const shaped = node.reshape(parameter, blockDims(parameter, grain));
  if (blockSize === 0) return broadcast(shaped, dims);
  if (shaped.dims.length !== dims.length) throw new RangeError('the scale has not as many dimensions as the input');
  const count = shaped.dims[axis] ?? 0;
  const each = node.reshape(shaped, shaped.dims.toSpliced(axis + 1, 0, 1));
  const repeated = node.copy(broadcast(each, each.dims.with(axis + 1, blockSize)));
  return start(node, node.reshape(repeated, shaped.dims.with(axis, count * blockSize)), dims);
}

/** The first elements along each axis. */
function start(node: Node, input: Operand, dims: readonly number[]): Operand {
  if (dims.every((size, i) => size === input.dims[i])) return input;
  if (dims.some((size, i) => size > (input.dims[i] ?? 0))) throw new RangeError('there are too few blocks');
  return node.add('slice1', {
    ...{ inputTensor: input, outputTensor: like(input, dims), inputWindowOffsets: dims.map(() => 0) },
    ...{ inputWindowSizes: dims, inputWindowStrides: dims.map(() => 1) },
  });
}

/** DirectML's operator multiplies by rounded reciprocals, so ONNX's function is computed step by step. */
function dynamicQuantizeLinear(node: Node): readonly Operand[] {
  const input = node.input(0);
  const axes = input.dims.map((_, i) => i);
  const zero = scalar('float32', 0);
  const extreme = (name: 'max' | 'min') => node.reshape(reduceBy(node, name, input, axes), []);
  const high = node.arithmetic('elementWiseMax', extreme('max'), zero);
  const low = node.arithmetic('elementWiseMin', extreme('min'), zero);
  const scale = scaleOf(node, low, high);
  const place = node.arithmetic('elementWiseSubtract', zero, node.arithmetic('elementWiseDivide', low, scale));
  const rounded = node.map('elementWiseRound', clip(node, place, 0, 255), { roundingMode: 'halvesToNearestEven' });
  const zeroPoint = node.cast(rounded, 'uint8');
  const grain = { dims: input.dims, axis: 0, blockSize: 0 };
  return [quantizeBytes(node, input, { scale, zeroPoint }, grain, 'uint8'), scale, zeroPoint];
}

/** 1 if all elements are 0, because no quotient would be a number. */
function scaleOf(node: Node, low: Operand, high: Operand): Operand {
  const width = node.arithmetic('elementWiseSubtract', high, low);
  const scale = node.arithmetic('elementWiseDivide', width, scalar('float32', 255));
  const isZero = node.combine('elementWiseLogicalEquals', scale, scalar('float32', 0), boolean);
  return node.add('elementWiseIf', {
    ...{ conditionTensor: isZero, aTensor: hostOperand('float32', [], [1]), bTensor: scale, outputTensor: like(scale) },
  });
}

/** Floats as integers with a scale and a zero point. */
export const quantizeOperators: Lowerings = {
  DequantizeLinear: dequantizeLinear,
  DynamicQuantizeLinear: dynamicQuantizeLinear,
  QuantizeLinear: quantizeLinear,
};
