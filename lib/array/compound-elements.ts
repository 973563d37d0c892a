/** Functions of each element that are several operators: without overflow, and exact where a difference would cancel. */
import {
  elementWiseAbs,
  elementWiseAdd,
  elementWiseDivide,
  elementWiseExp,
  elementWiseIdentity,
  elementWiseIf,
  elementWiseLog,
  elementWiseIsInfinity,
  elementWiseLogicalAnd,
  elementWiseLogicalEquals,
  elementWiseLogicalGreaterThan,
  elementWiseLogicalLessThan,
  elementWiseLogicalNot,
  elementWiseLogicalOr,
  elementWiseModulusFloor,
  elementWiseMultiply,
  elementWiseNegate,
  elementWisePow,
  elementWiseRecip,
  elementWiseRound,
  elementWiseSqrt,
  elementWiseSubtract,
} from '../functions/index.js';
import { Value } from '../graph/value.js';
import { isFloat } from '../tensors/data-types.js';
import { argumentError } from '../values/arguments.js';
import { define } from './define.js';
import { apply, filled, floatsOf, maximumOf, minimumOf, operandsOf, type Operand } from './operands.js';
import { arrayOf, floatOf } from './values.js';
import type { Binary, BinaryFloat, Input, InputOrNumber, Output, TypeOf, Unary, UnaryBoolean, UnaryFloat } from './types.js';

const add = (x: Operand, y: Operand) => apply(elementWiseAdd, x, y);
const subtract = (x: Operand, y: Operand) => apply(elementWiseSubtract, x, y);
const multiply = (x: Operand, y: Operand) => apply(elementWiseMultiply, x, y);
const divide = (x: Operand, y: Operand) => apply(elementWiseDivide, x, y);
const choose = (condition: Value, x: Operand, y: Operand) => apply(elementWiseIf, condition, x, y);
const isLess = (x: Operand, y: Operand) => apply(elementWiseLogicalLessThan, x, y);
const isMore = (x: Operand, y: Operand) => apply(elementWiseLogicalGreaterThan, x, y);
const isEqual = (x: Operand, y: Operand) => apply(elementWiseLogicalEquals, x, y);
const both = (x: Value, y: Value) => apply(elementWiseLogicalAnd, x, y);
const either = (x: Value, y: Value) => apply(elementWiseLogicalOr, x, y);
const not = (x: Value) => apply(elementWiseLogicalNot, x);
const absolute = (x: Value) => apply(elementWiseAbs, x);
/** `c0 + x (c1 + x (c2 + …))` */
const polynomial = (x: Value, coefficients: readonly number[]) =>
  coefficients
    .slice(0, -1)
    .reduceRight<Operand>((sum, coefficient) => add(multiply(x, sum), coefficient), coefficients.at(-1) ?? 0) as Value;

/** The array itself. */
export const positive = define('positive', (x: unknown) => apply(elementWiseIdentity, arrayOf('positive', x))) as Unary;

/** Limited to at least `min` and at most `max`, either of which may be null. NaN stays. */
export const clip = define('clip', (x: unknown, min: unknown = null, max: unknown = null) => {
  const value = arrayOf('clip', x);
  const limits: readonly unknown[] = [min, max];
  const operand = (limit: unknown, name: string): Operand | null => {
    if (limit === null || typeof limit === 'number' || typeof limit === 'bigint' || Value.is(limit)) return limit;
    throw argumentError('clip', name, 'a tensor, a number, or null', limit);
  };
  const [least, most] = [operand(limits[0], 'min'), operand(limits[1], 'max')];
  const above = least === null ? value : maximumOf('clip', value, least);
  const within = most === null ? above : minimumOf('clip', above, most);
  return within === value ? apply(elementWiseIdentity, value) : within;
}) as <A extends Input, B extends InputOrNumber | null = null, C extends InputOrNumber | null = null>(
  x: A,
  min?: B,
  max?: C,
) => Output<[A, Exclude<B, null>, Exclude<C, null>], TypeOf<A>>;

/** `x` to the power of `y`. Of integers, modulo 2 to the power of their bits; to the power of a negative integer, truncated. */
export const pow = define('pow', (x: unknown, y: unknown) => {
  const [base, exponent] = operandsOf('pow', x, y);
  const power = apply(elementWisePow, base, exponent);
  return isFloat(power.dataType) && !isPlain(base, exponent)
    ? special(filled(base, power), filled(exponent, power), power)
    : power;
}) as Binary;

/** Whether one of both is a number with which DirectML has NumPy's powers. */
function isPlain(base: Operand, exponent: Operand): boolean {
  if (!Value.is(exponent)) return Number.isInteger(Number(exponent)) && exponent > 0;
  return !Value.is(base) && base > 0 && base < Infinity && Number(base) !== 1;
}

/**
 * The powers of which DirectML makes 0 or NaN: those of 0 to the power of 0 or less, and those with an infinite base or exponent.
 * They are 1, 0 or infinite, or NaN because of a NaN.
 */
function special(base: Value, exponent: Value, power: Value): Value {
  const isFinite = (operand: Value) => isLess(absolute(operand), Infinity);
  const isOrdinary = both(both(isFinite(base), isFinite(exponent)), not(both(isEqual(base, 0), not(isMore(exponent, 0)))));
  const [isSmall, isLarge] = [isLess(absolute(base), 1), isMore(absolute(base), 1)];
  const isZero = either(both(isSmall, isMore(exponent, 0)), both(isLarge, isLess(exponent, 0)));
  const isInfinite = either(both(isLarge, isMore(exponent, 0)), both(isSmall, isLess(exponent, 0)));
  const isNegative = both(negativeSign(base), isEqual(apply(elementWiseModulusFloor, exponent, 2), 1));
  const isOne = either(
    either(isEqual(exponent, 0), isEqual(base, 1)),
    both(isEqual(base, -1), apply(elementWiseIsInfinity, exponent)),
  );
  const infinite = choose(isInfinite, choose(isNegative, -Infinity, filled(Infinity, power)), add(base, exponent));
  return choose(isOrdinary, power, choose(isOne, 1, choose(isZero, 0, infinite)));
}

/** The magnitude of `x` with the sign of `y`. */
export const copysign = define('copysign', (x: unknown, y: unknown) => {
  const [a, b] = floatsOf('copysign', x, y);
  const like = (Value.is(a) ? a : b) as Value;
  const magnitude = absolute(filled(a, like));
  return choose(negativeSign(filled(b, like)), apply(elementWiseNegate, magnitude), magnitude);
}) as BinaryFloat;

/** 1 for what is negative, also for -0. */
export const signbit = define('signbit', (x: unknown) => negativeSign(floatOf('signbit', x))) as UnaryBoolean;

/** The reciprocal of -0 is infinite, and negative. */
function negativeSign(x: Value): Value {
  return isLess(choose(isEqual(x, 0), apply(elementWiseRecip, x), x), 0);
}

/** The quotient, rounded down. */
export const floorDivide = define('floorDivide', (x: unknown, y: unknown) => {
  const [a, b] = operandsOf('floorDivide', x, y);
  const quotient = divide(subtract(a, apply(elementWiseModulusFloor, a, b)), b);
  return isFloat(quotient.dataType) ? apply(elementWiseRound, quotient, { roundingMode: 'halvesToNearestEven' }) : quotient;
}) as Binary;

/** `√(x² + y²)`, without overflow; infinite if one is, also beside NaN. */
export const hypot = define('hypot', (x: unknown, y: unknown) => {
  const given = floatsOf('hypot', x, y);
  const like = given.find((each) => Value.is(each)) as Value;
  const [a, b] = [absolute(filled(given[0], like)), absolute(filled(given[1], like))];
  const isFirst = isLess(b, a);
  const [large, small] = [choose(isFirst, a, b), choose(isFirst, b, a)];
  const ratio = divide(small, choose(isEqual(large, 0), 1, large));
  const length = multiply(large, apply(elementWiseSqrt, add(multiply(ratio, ratio), 1)));
  return choose(either(isEqual(a, Infinity), isEqual(b, Infinity)), Infinity, length);
}) as BinaryFloat;

/** `log(exp(x) + exp(y))`, without overflow. */
export const logaddexp = define('logaddexp', (x: unknown, y: unknown) => {
  const [a, b] = floatsOf('logaddexp', x, y);
  const [large, small] = [maximumOf('logaddexp', a, b), minimumOf('logaddexp', a, b)];
  const distance = choose(isEqual(large, small), 0, subtract(small, large));
  return add(large, logOfOneAnd(apply(elementWiseExp, distance)));
}) as BinaryFloat;

/** `exp(x) - 1`, exact near 0. */
export const expm1 = define('expm1', (x: unknown) => {
  const value = floatOf('expm1', x);
  // The terms of the series: each coefficient is the one before, divided by one more.
  const series = multiply(value, polynomial(value, [1, 1 / 2, 1 / 6, 1 / 24, 1 / 120, 1 / 720, 1 / 5040]));
  return choose(isLess(absolute(value), 0.4), series, subtract(apply(elementWiseExp, value), 1));
}) as UnaryFloat;

/** `log(1 + x)`, exact near 0. */
export const log1p = define('log1p', (x: unknown) => logOfOneAnd(floatOf('log1p', x))) as UnaryFloat;

function logOfOneAnd(x: Value): Value {
  const ratio = divide(x, add(x, 2));
  const square = multiply(ratio, ratio);
  const series = multiply(multiply(ratio, 2), polynomial(square, [1, 1 / 3, 1 / 5, 1 / 7, 1 / 9, 1 / 11]));
  return choose(isLess(absolute(x), 0.4), series, apply(elementWiseLog, add(x, 1)));
}
