/** Cast, CastLike and BitCast: elements in other data types. */
import { bitsOf, isFloat, isSigned, isUnsigned, largestFloat16, wideRangeOf } from '../../tensors/data-types.js';
import type { DataType } from '../../tensors/generated/enums.js';
import type { ElementType } from '../element-types.js';
import { scalar } from '../make-data.js';
import { boolean, type Node } from '../node.js';
import { HostData, packedBytes, type Operand } from '../operand.js';
import { fromBlocks, plainBlock, toBlocks } from './blocks.js';
import { constantOf, mapInMemory, testInMemory } from './in-memory.js';
import type { Lowerings } from './lowering.js';

export const convertOperators: Lowerings = {
  Cast: (node) => convert(node, node.input(0), targetOf(node)),
  CastLike: (node) => convert(node, node.input(0), node.input(1)),
  BitCast: (node) => reinterpret(node, node.input(0), targetOf(node)),
};

function targetOf(node: Node): ElementType {
  const to = node.int('to');
  if (to === undefined) throw new RangeError('the attribute to is missing');
  return node.elementType(to);
}

/** The same numbers in another data type. Integers that are too large for it wrap around; floats are truncated. */
export function convert(node: Node, input: Operand, { dataType: to, isBool }: ElementType): Operand {
  const { dataType: from } = input;
  if (isBool) return toBool(node, input);
  if (from === to) return input.isBool ? { ...input, isBool: false } : input;
  if (bitsOf(from) === 4) return convert(node, fromNibbles(node, input), { dataType: to, isBool });
  if (bitsOf(to) === 4) {
    const floats = node.cast(lowBits(node, input, to), 'float32');
    return toBlocks(node, floats, plainBlock('float32', input.dims.length), to);
  }
  if (from === 'float64' || to === 'float64') return node.cast(input, to);
  if (isFloat(to)) return toFloat(node, input, to);
  return isFloat(from) ? node.cast(input, to) : toInteger(node, input, to);
}

function toBool(node: Node, input: Operand): Operand {
  if (input.isBool) return input;
  if (bitsOf(input.dataType) === 4) return toBool(node, fromNibbles(node, input));
  if (input.dataType === 'float64') return testInMemory(node, input, (element) => element !== 0);
  const isZero = node.combine('elementWiseLogicalEquals', input, scalar(input.dataType, 0), boolean);
  return node.map('elementWiseLogicalNot', isZero);
}

function toFloat(node: Node, input: Operand, to: DataType): Operand {
  // DirectML converts uint64 as if it were signed.
  if (input.dataType === 'uint64') return mapInMemory(node, input, Number, to);
  if (to !== 'float16' || bitsOf(input.dataType) === 8) return node.cast(input, to);
  return toHalf(node, node.cast(input, 'float32'));
}

/**
 * DirectML's cast to float16 truncates, and large numbers become 65504 instead of infinite. So the rest is added, which rounds.
 * The rest of an infinity is no number, for which the maximum takes its other operand.
 */
function toHalf(node: Node, input: Operand): Operand {
  const truncated = node.cast(input, 'float16');
  const excess = node.arithmetic('elementWiseSubtract', node.cast(truncated, 'float32'), input);
  const bounded = node.arithmetic('elementWiseMax', node.cast(excess, 'float16'), scalar('float16', -largestFloat16));
  return node.arithmetic('elementWiseSubtract', truncated, bounded);
}

/** DirectML's cast to 8 and 16 bits saturates: so the lowest bits are taken first. */
function toInteger(node: Node, input: Operand, to: DataType): Operand {
  if (to === 'uint64' && isSigned(input.dataType) && input.dataType !== 'int64') {
    return node.cast(node.cast(input, 'int64'), to);
  }
  const [own, other] = [wideRangeOf(input.dataType), wideRangeOf(to)];
  const fits = input.isBool || (other.low <= own.low && own.high <= other.high);
  return node.cast(bitsOf(to) >= 32 || fits ? input : lowBits(node, input, to), to);
}

/** The numbers wrapped to the bits of a smaller data type, as int32. */
function lowBits(node: Node, input: Operand, to: DataType): Operand {
  const bits = bitsOf(to);
  const number = (value: number) => scalar('int32', value);
  const low = node.arithmetic('elementWiseBitAnd', node.cast(input, 'int32'), number(2 ** bits - 1));
  if (isUnsigned(to)) return low;
  const half = number(2 ** (bits - 1));
  return node.arithmetic('elementWiseSubtract', node.arithmetic('elementWiseBitXor', low, half), half);
}

function fromNibbles(node: Node, input: Operand): Operand {
  return fromBlocks(node, input, plainBlock('float32', input.dims.length));
}

/** The same bits as elements of another data type. */
function reinterpret(node: Node, input: Operand, { dataType, isBool }: ElementType): Operand {
  if (bitsOf(dataType) !== bitsOf(input.dataType)) {
    throw new RangeError(`${input.dataType} and ${dataType} have different numbers of bits`);
  }
  if (dataType === input.dataType) return { ...input, isBool };
  const constant = constantOf(input);
  if (constant !== undefined) return { ...constant, dataType, isBool };
  const isWrapped = !isFloat(dataType) && !isFloat(input.dataType);
  if (isWrapped) return { ...convert(node, { ...input, isBool: false }, { dataType, isBool: false }), isBool };
  return node.computeOne([input], (given) => ({
    ...{ dataType, isBool, dims: input.dims, strides: null },
    data: new HostData(packedBytes(given)),
  }));
}
