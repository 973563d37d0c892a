/** Quantization of blocks of elements, each with a scale and a zero point. */
import type { DataType } from '../../tensors/generated/enums.js';
import { isUnsigned } from '../../tensors/data-types.js';
import { productOf } from '../../tensors/tensor-size.js';
import { hostOperand } from '../make-data.js';
import type { Node } from '../node.js';
import { checkedLength, Output, type HostOperand, type Operand } from '../operand.js';
import { ones } from './tensor-helpers.js';

/** A scale and a zero point for each block, in as many dimensions as the elements. Each size divides theirs. */
export interface Blocks {
  readonly scale: Operand;
  readonly zeroPoint: Operand | undefined;
}

/** Integers of 4 or 8 bits as floats of the scale's data type. */
export function fromBlocks(node: Node, input: Operand, blocks: Blocks): Operand {
  const outputTensor = new Output(blocks.scale.dataType, input.dims);
  return node.add('dequantize', { inputTensor: input, ...tensorsOf(node, blocks, input.dataType), outputTensor });
}

/** Floats as integers of 4 or 8 bits: rounded, halves to even, and saturated. */
export function toBlocks(node: Node, input: Operand, blocks: Blocks, dataType: DataType): Operand {
  const outputTensor = new Output(dataType, input.dims);
  return node.add('quantize', { inputTensor: input, ...tensorsOf(node, blocks, dataType), outputTensor });
}

/** One block with the scale 1. */
export function plainBlock(dataType: DataType, rank: number): Blocks {
  return { scale: packedConstant(dataType, ones(rank), 1), zeroPoint: undefined };
}

/** Without a zero point, DirectML takes the middle of an unsigned data type instead of 0. */
function tensorsOf(node: Node, { scale, zeroPoint }: Blocks, dataType: DataType) {
  const zero = zeroPoint ?? (isUnsigned(dataType) ? packedConstant(dataType, scale.dims, 0) : undefined);
  const quantizationTensors = [scale, zero].filter((each) => each !== undefined).map((each) => node.packed(each));
  return { quantizationType: zero === undefined ? 'scale' : 'scaleZeroPoint', quantizationTensors };
}

/** The same number everywhere, without strides, which elements of 4 bits cannot have. */
export function packedConstant(dataType: DataType, dims: readonly number[], value: number): HostOperand {
  return hostOperand(dataType, dims, new Array<number>(checkedLength(productOf(dims))).fill(value));
}
