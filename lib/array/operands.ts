/** The operands of functions of each element: arrays and numbers, with the data type that they have together. */
import {
  elementWiseIf,
  elementWiseIsNan,
  elementWiseLogicalEquals,
  elementWiseLogicalGreaterThanOrEqual,
  elementWiseLogicalLessThan,
  elementWiseLogicalLessThanOrEqual,
  elementWiseLogicalNot,
  elementWiseLogicalOr,
  elementWiseMax,
  elementWiseMin,
} from '../functions/index.js';
import { Value } from '../graph/value.js';
import { isFloat } from '../tensors/data-types.js';
import type { DataType } from '../tensors/generated/enums.js';
import { argumentError } from '../values/arguments.js';
import { promoted } from './promotion.js';
import { arrayOf, as, floatOf, noOperand } from './values.js';

/** An array or a number in a graph. */
export type Operand = Value | number | bigint;
/** Any function of operators with these operands: which data types it takes is its own affair. */
export type Operator = (...operands: never[]) => unknown;

function operandOf(method: string, x: unknown, name: string): Operand {
  if (Value.is(x) || typeof x === 'number' || typeof x === 'bigint') return x;
  if (typeof x === 'boolean') return Number(x);
  throw noOperand(method, name, 'a tensor or a number', x);
}

/** Both with the data type that they have together. One of them is an array. */
export function operandsOf(method: string, x: unknown, y: unknown): readonly [Operand, Operand] {
  const pair = choicesOf(method, x, y);
  if (!pair.some((each) => Value.is(each))) throw argumentError(method, 'x', 'a tensor', x);
  return pair;
}

/** Both with the data type that they have together. Both may be numbers. */
export function choicesOf(method: string, x: unknown, y: unknown): readonly [Operand, Operand] {
  const [a, b] = [operandOf(method, x, 'x'), operandOf(method, y, 'y')];
  if (!Value.is(a) || !Value.is(b)) return [a, b];
  const dataType = promoted(method, a.dataType, b.dataType);
  return [as(a, dataType), as(b, dataType)];
}

export function floatsOf(method: string, x: unknown, y: unknown): readonly [Operand, Operand] {
  const [a, b] = operandsOf(method, x, y);
  return [Value.is(a) ? floatOf(method, a) : a, Value.is(b) ? floatOf(method, b) : b];
}

export const apply = (operator: Operator, ...operands: readonly unknown[]): Value => operator(...(operands as never[])) as Value;

/** 1 for what is not 0. */
export function truth(method: string, x: unknown, name = 'x'): Operand {
  const operand = operandOf(method, x, name);
  if (!Value.is(operand)) return Number(operand !== 0 && operand !== 0n);
  if (operand.dataType === 'uint8') return apply(elementWiseLogicalNot, apply(elementWiseLogicalNot, operand));
  return apply(elementWiseLogicalNot, apply(elementWiseLogicalEquals, operand, 0));
}

/** What the operator says of an array, and `ofNumber` of a number. */
export function test(operator: Operator, x: Operand, ofNumber: (x: number) => boolean): Operand {
  return Value.is(x) ? apply(operator, x) : Number(ofNumber(Number(x)));
}

/** DirectML's operators of floats pass over NaN. */
function extremeOf(name: string, ofIntegers: Operator, isBetter: Operator, x: unknown, y: unknown): Value {
  const [a, b] = operandsOf(name, x, y);
  const array = Value.is(a) ? a : b;
  if (!Value.is(array) || !isFloat(array.dataType)) return apply(ofIntegers, a, b);
  const isFirst = apply(isBetter, a, b);
  return apply(elementWiseIf, apply(elementWiseLogicalOr, isFirst, test(elementWiseIsNan, a, Number.isNaN)), a, b);
}

/** `maximum` in a function of this name. */
export function maximumOf(name: string, x: unknown, y: unknown): Value {
  return extremeOf(name, elementWiseMax, elementWiseLogicalGreaterThanOrEqual, x, y);
}

export function minimumOf(name: string, x: unknown, y: unknown): Value {
  return extremeOf(name, elementWiseMin, elementWiseLogicalLessThanOrEqual, x, y);
}

/** A number as an array like another one. */
export function filled(x: Operand, like: Value): Value {
  return Value.is(x) ? x : apply(elementWiseIf, apply(elementWiseLogicalLessThan, like, like), like, x);
}

/** The arrays with the data type that they have together. */
export function alike(method: string, arrays: unknown): readonly Value[] {
  if (!Array.isArray(arrays) || arrays.length === 0) throw argumentError(method, 'arrays', 'an array of tensors', arrays);
  const values = arrays.map((each: unknown, i) => arrayOf(method, each, `arrays[${i}]`));
  const dataType = values.map((value): DataType => value.dataType).reduce((a, b) => promoted(method, a, b));
  return values.map((value) => as(value, dataType));
}
