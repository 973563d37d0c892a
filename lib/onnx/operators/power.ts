/** Pow. DirectML computes powers by logarithms, so that whole ones are not exact; and it computes those of integers in 32 bits. */
import { bitsOf, isFloat, wrapped } from '../../tensors/data-types.js';
import type { DataType } from '../../tensors/generated/enums.js';
import { productOf } from '../../tensors/tensor-size.js';
import { hostOperand, scalar } from '../make-data.js';
import { boolean, like, type Node } from '../node.js';
import { broadcast, broadcastDims, elementsOf, numbersOf, type Operand } from '../operand.js';
import { combineInMemory, constantOf } from './in-memory.js';
import { choose } from './tensor-helpers.js';

export function power(node: Node, base: Operand, exponent: Operand): Operand {
  const dims = broadcastDims(base.dims, exponent.dims);
  if (base.dataType === 'float64') return combineInMemory(node, base, exponent, Math.pow);
  const constant = constantOf(exponent);
  if (constant !== undefined && productOf(constant.dims) === 1) {
    const made = constantPower(node, broadcast(base, dims), numbersOf(constant)[0] ?? NaN);
    if (made !== undefined) return made;
  }
  return isFloat(base.dataType) ? floatPower(node, base, exponent, dims) : integerPower(node, base, exponent, dims);
}

/** Undefined if the power is computed as those of other exponents. */
function constantPower(node: Node, base: Operand, exponent: number): Operand | undefined {
  if (exponent === 0) return broadcast(scalar(base.dataType, 1), base.dims);
  if (exponent === 1) return base;
  if (!isFloat(base.dataType)) return Number.isInteger(exponent) && exponent > 1 ? repeated(node, base, exponent) : undefined;
  if (exponent < 0) {
    const inverse = constantPower(node, base, -exponent);
    return inverse && node.map('elementWiseRecip', inverse);
  }
  if (exponent === 0.5) return node.map('elementWiseSqrt', base);
  if (exponent === 2 || exponent === 3 || exponent === 4) return repeated(node, base, exponent);
  return Number.isFinite(exponent) ? node.map('elementWiseConstantPow', base, { exponent }) : undefined;
}

/** Multiplies by squaring. */
function repeated(node: Node, base: Operand, exponent: number): Operand {
  if (exponent === 1) return base;
  const half = repeated(node, base, Math.floor(exponent / 2));
  const square = node.arithmetic('elementWiseMultiply', half, half);
  return exponent % 2 === 0 ? square : node.arithmetic('elementWiseMultiply', square, base);
}

/** DirectML has 0 for any power of 0. Each number to the 0 is 1, and 0 to a negative number is infinite. */
function floatPower(node: Node, base: Operand, given: Operand, dims: readonly number[]): Operand {
  const exponent = given.dataType === 'float16' ? given : node.cast(given, 'float32');
  const positive = plainPower(node, base, node.map('elementWiseAbs', exponent), dims);
  const zero = scalar(exponent.dataType, 0);
  const isNegative = node.combine('elementWiseLogicalLessThan', exponent, zero, boolean);
  const isZero = node.combine('elementWiseLogicalEquals', exponent, zero, boolean);
  const signed = choose(node, isNegative, node.map('elementWiseRecip', positive), positive);
  return choose(node, isZero, scalar(base.dataType, 1), signed);
}

function plainPower(node: Node, base: Operand, exponent: Operand, dims: readonly number[]): Operand {
  const [inputTensor, exponentTensor] = [broadcast(base, dims), broadcast(exponent, dims)];
  return node.add('elementWisePow', { inputTensor, exponentTensor, outputTensor: like(base, dims) });
}

function integerPower(node: Node, base: Operand, exponent: Operand, dims: readonly number[]): Operand {
  const isInt32 = base.dataType === 'int32' || base.dataType === 'uint32';
  if (isInt32 && !isFloat(exponent.dataType) && bitsOf(exponent.dataType) <= 32) return plainPower(node, base, exponent, dims);
  return node.computeOne([base, exponent], (...given) => {
    const [bases = [], exponents = []] = given.map((operand) => elementsOf(broadcast(operand, dims)));
    const elements = bases.map((element, i) => integerPowerOf(base.dataType, element, exponents[i] ?? NaN));
    return hostOperand(base.dataType, dims, elements);
  });
}

/** Whole powers wrap around. The fractions of others are dropped. */
function integerPowerOf(dataType: DataType, base: number | bigint, exponent: number | bigint): bigint {
  if (exponent < 0 || !Number.isInteger(Number(exponent))) {
    const value = Number(base) ** Number(exponent);
    return Number.isFinite(value) ? BigInt(Math.trunc(value)) : 0n;
  }
  let result = 1n;
  let square = BigInt(base);
  for (let rest = BigInt(exponent); rest > 0n; rest >>= 1n) {
    if (rest & 1n) result = wrapped(dataType, result * square);
    square = wrapped(dataType, square * square);
  }
  return result;
}
