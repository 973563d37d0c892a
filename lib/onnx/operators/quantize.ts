/** Floats as integers with a scale and a zero point, for a tensor, for each place of an axis, or for each block of an axis. */
import { bitsOf, isFloat, rangeOf } from '../../tensors/data-types.js';
import type { DataType } from '../../tensors/generated/enums.js';
import { productOf } from '../../tensors/tensor-size.js';
import { scalar } from '../make-data.js';
import { boolean, type Node } from '../node.js';
import { broadcast, Output, type Operand } from '../operand.js';
import { fromBlocks, plainBlock, toBlocks, type Blocks } from './blocks.js';
import { convert } from './convert.js';
import type { Lowerings } from './lowering.js';
import { cornerOf } from './move-helpers.js';
import { reduceBy } from './reduce.js';
import { choose, plus, upTo } from './tensor-helpers.js';

export const quantizeOperators: Lowerings = {
  DequantizeLinear: dequantizeLinear,
  DynamicQuantizeLinear: dynamicQuantizeLinear,
  QuantizeLinear: quantizeLinear,
};

/** Which elements share a scale and a zero point: those at one place of the axis, or those of a block unless its size is 0. */
interface Grain {
  readonly axis: number;
  readonly blockSize: number;
}

const whole: Grain = { axis: 0, blockSize: 0 };

function quantizeLinear(node: Node): Operand {
  const [input, scale, zeroPoint] = [node.input(0), node.input(1), node.optional(2)];
  const dataType = zeroPoint?.dataType ?? typeIn(node, 'output_dtype') ?? 'uint8';
  const precision = typeIn(node, 'precision') ?? scale.dataType;
  const divided = isFloat(input.dataType) || precision !== 'float32' ? convertTo(node, input, precision) : input;
  return quantize(node, divided, { scale: convertTo(node, scale, precision), zeroPoint }, dataType, grainOf(node, input));
}

export function dequantizeLinear(node: Node): Operand {
  const [input, given, zeroPoint] = [node.input(0), node.input(1), node.optional(2)];
  const scale = convertTo(node, given, typeIn(node, 'output_dtype') ?? given.dataType);
  return dequantize(node, input, { scale, zeroPoint }, grainOf(node, input));
}

/** The data type of an attribute; undefined for 0, which stands for none. */
function typeIn(node: Node, attribute: string): DataType | undefined {
  const number = node.int(attribute, 0);
  return number === 0 ? undefined : node.elementType(number).dataType;
}

export function grainOf(node: Node, { dims }: Operand): Grain {
  const axis = dims.length < 2 ? 0 : node.int('axis', 1);
  return { axis: node.axis(axis, Math.max(1, dims.length)), blockSize: node.int('block_size', 0) };
}

function convertTo(node: Node, operand: Operand, dataType: DataType): Operand {
  return convert(node, operand, { dataType, isBool: false });
}

export function quantize(node: Node, input: Operand, blocks: Blocks, dataType: DataType, grain = whole): Operand {
  const { dims } = input;
  const bits = bitsOf(dataType);
  if (isFloat(dataType) || bits > 16) throw node.unsupported('the output', dataType);
  if (bits === 4 || (bits === 8 && grain.blockSize > 0)) {
    const regular = regularBlocks(node, blocks, dims, grain);
    if (regular !== null) return toBlocks(node, convertTo(node, input, blocks.scale.dataType), regular, dataType);
  }
  const scale = spread(node, blocks.scale, dims, grain);
  if (bits === 8 && grain.blockSize === 0) {
    const zeroPoint = blocks.zeroPoint && spread(node, blocks.zeroPoint, dims, grain);
    return quantizeBytes(node, input, { scale, zeroPoint }, dataType);
  }
  const quotient = node.arithmetic('elementWiseDivide', convertTo(node, input, scale.dataType), scale);
  const rounded = node.cast(round(node, quotient), 'float32');
  const zero = blocks.zeroPoint && spread(node, convertTo(node, blocks.zeroPoint, 'float32'), dims, grain);
  const shifted = plus(node, rounded, zero);
  const { low, high } = rangeOf(dataType);
  return convertTo(node, clip(node, shifted, low, high), dataType);
}

/** With a scale and a zero point that broadcast. */
export function quantizeBytes(node: Node, input: Operand, { scale, zeroPoint }: Blocks, dataType: DataType): Operand {
  return node.add('elementWiseQuantizeLinear', {
    inputTensor: input,
    scaleTensor: broadcast(scale, input.dims),
    zeroPointTensor: zeroPoint && broadcast(zeroPoint, input.dims),
    outputTensor: new Output(dataType, input.dims),
  });
}

function round(node: Node, input: Operand): Operand {
  return node.map('elementWiseRound', input, { roundingMode: 'halvesToNearestEven' });
}

function clip(node: Node, input: Operand, min: number, max: number): Operand {
  return node.map('elementWiseClip1', input, { minMaxDataType: input.dataType, min, max });
}

export function dequantize(node: Node, input: Operand, blocks: Blocks, grain = whole): Operand {
  const { dims } = input;
  const bits = bitsOf(input.dataType);
  const regular = bits === 4 || (bits === 8 && grain.blockSize > 0) ? regularBlocks(node, blocks, dims, grain) : null;
  if (regular !== null) return fromBlocks(node, input, regular);
  const scaleTensor = spread(node, blocks.scale, dims, grain);
  if (bits > 4) {
    const zeroPointTensor = blocks.zeroPoint && spread(node, blocks.zeroPoint, dims, grain);
    return dequantizeWhole(node, input, { scale: scaleTensor, zeroPoint: zeroPointTensor });
  }
  // Elements of 4 bits cannot have strides, so they become floats before blocks are repeated.
  const asFloats = (operand: Operand) => fromBlocks(node, operand, plainBlock(scaleTensor.dataType, operand.dims.length));
  const zero = blocks.zeroPoint && spread(node, asFloats(blocks.zeroPoint), dims, grain);
  const elements = asFloats(input);
  const shifted = zero === undefined ? elements : node.arithmetic('elementWiseSubtract', elements, zero);
  return node.arithmetic('elementWiseMultiply', shifted, scaleTensor);
}

/** Of integers of at least 8 bits, with a scale and a zero point that broadcast. */
export function dequantizeWhole(node: Node, input: Operand, { scale, zeroPoint }: Blocks): Operand {
  const { dims } = input;
  return node.add('elementWiseDequantizeLinear', {
    inputTensor: input,
    scaleTensor: broadcast(scale, dims),
    zeroPointTensor: zeroPoint && broadcast(zeroPoint, dims),
    outputTensor: new Output(scale.dataType, dims),
  });
}

/** The scale and the zero point in as many dimensions as the elements; null if not all blocks have the same size. */
function regularBlocks(node: Node, { scale, zeroPoint }: Blocks, dims: readonly number[], grain: Grain): Blocks | null {
  const { axis, blockSize } = grain;
  if (blockSize > 0 && blockSize * (scale.dims[axis] ?? 0) !== dims[axis]) return null;
  const shaped = (operand: Operand) => node.reshape(operand, blockDims(operand, dims, grain));
  return { scale: shaped(scale), zeroPoint: zeroPoint && shaped(zeroPoint) };
}

function blockDims(parameter: Operand, dims: readonly number[], { axis, blockSize }: Grain): readonly number[] {
  return blockSize > 0 ? parameter.dims : dims.map((_, i) => (i === axis ? productOf(parameter.dims) : 1));
}

/** A scale or a zero point for each element. */
function spread(node: Node, parameter: Operand, dims: readonly number[], grain: Grain): Operand {
  const { axis, blockSize } = grain;
  const shaped = node.reshape(parameter, blockDims(parameter, dims, grain));
  if (blockSize === 0) return broadcast(shaped, dims);
  if (shaped.dims.length !== dims.length) throw new RangeError('the scale has not as many dimensions as the input');
  const size = (shaped.dims[axis] ?? 0) * blockSize;
  if (size < (dims[axis] ?? 0)) throw new RangeError('there are too few blocks');
  const each = node.reshape(shaped, shaped.dims.toSpliced(axis + 1, 0, 1));
  const repeated = node.copy(broadcast(each, each.dims.with(axis + 1, blockSize)));
  return cornerOf(node, node.reshape(repeated, shaped.dims.with(axis, size)), dims);
}

/** DirectML's operator multiplies by rounded reciprocals, so ONNX's function is computed step by step. */
function dynamicQuantizeLinear(node: Node): readonly Operand[] {
  const input = node.input(0);
  const zero = scalar('float32', 0);
  const extreme = (name: 'max' | 'min') => node.reshape(reduceBy(node, name, input, upTo(input.dims.length)), []);
  const high = node.arithmetic('elementWiseMax', extreme('max'), zero);
  const low = node.arithmetic('elementWiseMin', extreme('min'), zero);
  const width = node.arithmetic('elementWiseSubtract', high, low);
  const quotient = node.arithmetic('elementWiseDivide', width, scalar('float32', 255));
  // 1 if all elements are 0, because no quotient would be a number.
  const isZero = node.combine('elementWiseLogicalEquals', quotient, zero, boolean);
  const scale = choose(node, isZero, scalar('float32', 1), quotient);
  const place = node.arithmetic('elementWiseSubtract', zero, node.arithmetic('elementWiseDivide', low, scale));
  const zeroPoint = node.cast(round(node, clip(node, place, 0, 255)), 'uint8');
  return [quantizeBytes(node, input, { scale, zeroPoint }, 'uint8'), scale, zeroPoint];
}
