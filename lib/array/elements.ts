/** Functions of each element: arithmetic with promoted data types, comparisons, and the functions of the standard. */
import {
  elementWiseAbs,
  elementWiseAcos,
  elementWiseAcosh,
  elementWiseAdd,
  elementWiseAsin,
  elementWiseAsinh,
  elementWiseAtan,
  elementWiseAtanYx,
  elementWiseAtanh,
  elementWiseBitAnd,
  elementWiseBitNot,
  elementWiseBitOr,
  elementWiseBitShiftLeft,
  elementWiseBitShiftRight,
  elementWiseBitXor,
  elementWiseCeil,
  elementWiseCos,
  elementWiseCosh,
  elementWiseDivide,
  elementWiseErf,
  elementWiseExp,
  elementWiseFloor,
  elementWiseIdentity,
  elementWiseIf,
  elementWiseIsInfinity,
  elementWiseIsNan,
  elementWiseLog,
  elementWiseLogicalAnd,
  elementWiseLogicalEquals,
  elementWiseLogicalGreaterThan,
  elementWiseLogicalGreaterThanOrEqual,
  elementWiseLogicalLessThan,
  elementWiseLogicalLessThanOrEqual,
  elementWiseLogicalNot,
  elementWiseLogicalOr,
  elementWiseLogicalXor,
  elementWiseMax,
  elementWiseMin,
  elementWiseModulusFloor,
  elementWiseMultiply,
  elementWiseNegate,
  elementWiseRecip,
  elementWiseRound,
  elementWiseSign,
  elementWiseSin,
  elementWiseSinh,
  elementWiseSqrt,
  elementWiseSubtract,
  elementWiseTan,
  elementWiseTanh,
} from '../functions/index.js';
import { Value } from '../graph/value.js';
import { bitsOf, isFloat, isSigned, isUnsigned } from '../tensors/data-types.js';
import type { DataType } from '../tensors/generated/enums.js';
import { argumentError } from '../values/arguments.js';
import { define } from './define.js';
import { apply, choicesOf, filled, floatsOf, maximumOf, minimumOf, operandsOf, test, truth, type Operator } from './operands.js';
import { arrayOf, as, dataTypeOption, floatOf, requireIntegers } from './values.js';
import type {
  Binary,
  BinaryBoolean,
  BinaryFloat,
  Input,
  InputOrNumber,
  Output,
  TypeOf,
  Unary,
  UnaryBoolean,
  UnaryFloat,
} from './types.js';

const ofBoth = (name: string, operator: Operator) =>
  define(name, (x: unknown, y: unknown) => apply(operator, ...operandsOf(name, x, y)));
const binary = (name: string, operator: Operator) => ofBoth(name, operator) as Binary;
/** Floats have bits, too, but the standard has no functions of these. */
const integersOf = (name: string, x: unknown, y: unknown) => {
  requireIntegers(name, 'x', x);
  requireIntegers(name, 'y', y);
  return operandsOf(name, x, y);
};
const ofBits = (name: string, operator: Operator) =>
  define(name, (x: unknown, y: unknown) => apply(operator, ...integersOf(name, x, y))) as Binary;
const compared = (name: string, operator: Operator) => ofBoth(name, operator) as BinaryBoolean;
const binaryFloat = (name: string, operator: Operator) =>
  define(name, (x: unknown, y: unknown) => apply(operator, ...floatsOf(name, x, y))) as BinaryFloat;
const unary = (name: string, operator: Operator) => define(name, (x: unknown) => apply(operator, arrayOf(name, x))) as Unary;
const unaryFloat = (name: string, operator: Operator) =>
  define(name, (x: unknown) => apply(operator, floatOf(name, x))) as UnaryFloat;
const logical = (name: string, operator: Operator) =>
  define(name, (x: unknown, y: unknown) => {
    const pair = [truth(name, x, 'x'), truth(name, y, 'y')];
    if (!pair.some((each) => Value.is(each))) throw argumentError(name, 'x', 'a tensor', x);
    return apply(operator, ...pair);
  }) as BinaryBoolean;

/** `x + y`. */
export const add = binary('add', elementWiseAdd);
/** `x - y`. */
export const subtract = binary('subtract', elementWiseSubtract);
/** `x · y`. */
export const multiply = binary('multiply', elementWiseMultiply);
/** `x / y`. Integers are divided as float32. */
export const divide = binaryFloat('divide', elementWiseDivide);
/** What remains of `x / y` rounded down: it has the sign of the divisor. */
export const remainder = define('remainder', (x: unknown, y: unknown) => {
  const [a, b] = operandsOf('remainder', x, y);
  const result = apply(elementWiseModulusFloor, a, b);
  if (!isFloat(result.dataType)) return result;
  const isInfinite = test(elementWiseIsInfinity, b, (divisor) => !Number.isFinite(divisor));
  if (isInfinite === 0) return result;
  // DirectML makes NaN of an infinite divisor: the dividend is the remainder, or the divisor if their signs differ.
  const isOther = apply(elementWiseLogicalLessThan, apply(elementWiseMultiply, a, b), 0);
  const own = apply(elementWiseIf, isOther, b, a);
  // NaN for an infinite dividend.
  const none = Value.is(a) ? apply(elementWiseSubtract, a, a) : Number.isFinite(Number(a)) ? 0 : NaN;
  const difference = apply(elementWiseSubtract, own, none);
  return isInfinite === 1 ? difference : apply(elementWiseIf, isInfinite, difference, result);
}) as Binary;
/** The angle of the point with the coordinates `y` and `x`, in radians. NaN if one of both is: DirectML makes numbers of it. */
export const atan2 = define('atan2', (x: unknown, y: unknown) => {
  const [a, b] = floatsOf('atan2', x, y);
  const [isFirst, isSecond] = [test(elementWiseIsNan, a, Number.isNaN), test(elementWiseIsNan, b, Number.isNaN)];
  return apply(elementWiseIf, apply(elementWiseLogicalOr, isFirst, isSecond), NaN, apply(elementWiseAtanYx, a, b));
}) as BinaryFloat;

/** The larger of both; NaN if one is. */
export const maximum = define('maximum', (x: unknown, y: unknown) => maximumOf('maximum', x, y)) as Binary;
/** The smaller of both; NaN if one is. */
export const minimum = define('minimum', (x: unknown, y: unknown) => minimumOf('minimum', x, y)) as Binary;

/** 1 where `x = y`. */
export const equal = compared('equal', elementWiseLogicalEquals);
/** 1 where `x ≠ y`. */
export const notEqual = compared('notEqual', (x: never, y: never) =>
  apply(elementWiseLogicalNot, apply(elementWiseLogicalEquals, x, y)),
);
/** 1 where `x < y`. */
export const less = compared('less', elementWiseLogicalLessThan);
/** 1 where `x ≤ y`. */
export const lessEqual = compared('lessEqual', elementWiseLogicalLessThanOrEqual);
/** 1 where `x > y`. */
export const greater = compared('greater', elementWiseLogicalGreaterThan);
/** 1 where `x ≥ y`. */
export const greaterEqual = compared('greaterEqual', elementWiseLogicalGreaterThanOrEqual);

/** 1 where neither is 0. */
export const logicalAnd = logical('logicalAnd', elementWiseLogicalAnd);
/** 1 where one of both is not 0. */
export const logicalOr = logical('logicalOr', elementWiseLogicalOr);
/** 1 where exactly one of both is not 0. */
export const logicalXor = logical('logicalXor', elementWiseLogicalXor);
/** 1 where `x` is 0. */
export const logicalNot = define('logicalNot', (x: unknown) => {
  const value = arrayOf('logicalNot', x);
  return value.dataType === 'uint8' ? apply(elementWiseLogicalNot, value) : apply(elementWiseLogicalEquals, value, 0);
}) as UnaryBoolean;
/** The bits that both integers have. */
export const bitwiseAnd = ofBits('bitwiseAnd', elementWiseBitAnd);
/** The bits that one of both integers has. */
export const bitwiseOr = ofBits('bitwiseOr', elementWiseBitOr);
/** The bits that exactly one of both integers has. */
export const bitwiseXor = ofBits('bitwiseXor', elementWiseBitXor);
/** All bits turned round. */
export const bitwiseInvert = define('bitwiseInvert', (x: unknown) => {
  requireIntegers('bitwiseInvert', 'x', x);
  return apply(elementWiseBitNot, arrayOf('bitwiseInvert', x));
}) as Unary;
/** `x · 2^y`. */
export const bitwiseLeftShift = shift('bitwiseLeftShift', elementWiseBitShiftLeft, (a, b, dataType) => {
  // A power of 2, in two factors that the signed integers have.
  const most = bitsOf(dataType) - 2;
  const [first, second] = [apply(elementWiseMin, b, most), apply(elementWiseMax, apply(elementWiseSubtract, b, most), 0)];
  const power = (exponent: Value) => as(apply(elementWiseBitShiftLeft, 1, as(exponent, unsigned(dataType))), dataType);
  return apply(elementWiseMultiply, apply(elementWiseMultiply, a, power(first)), power(second));
});
/** `x / 2^y`, rounded down. */
export const bitwiseRightShift = shift('bitwiseRightShift', elementWiseBitShiftRight, (a, b, dataType) => {
  // The bits of a negative number are turned round before and after.
  const isNegative = apply(elementWiseLogicalLessThan, a, 0);
  const turned = (operand: Value) => apply(elementWiseIf, isNegative, apply(elementWiseBitNot, operand), operand);
  return turned(as(apply(elementWiseBitShiftRight, as(turned(a), unsigned(dataType)), as(b, unsigned(dataType))), dataType));
});

/** DirectML shifts unsigned integers only. Its casts keep the nearest integer, not the bits. */
function shift(name: string, operator: Operator, ofSigned: (x: Value, y: Value, dataType: DataType) => Value): Binary {
  return define(name, (x: unknown, y: unknown) => {
    const [a, b] = integersOf(name, x, y);
    const array = (Value.is(a) ? a : b) as Value;
    if (!isSigned(array.dataType)) return apply(operator, a, b);
    return ofSigned(filled(a, array), filled(b, array), array.dataType);
  }) as Binary;
}

const unsigned = (dataType: DataType) => `u${dataType}` as DataType;

/** The magnitude. */
export const abs = define('abs', (x: unknown) => {
  const value = arrayOf('abs', x);
  return isUnsigned(value.dataType) ? apply(elementWiseIdentity, value) : apply(elementWiseAbs, value);
}) as Unary;
/** `-x`. Of unsigned integers, modulo 2 to the power of their bits. */
export const negative = define('negative', (x: unknown) => {
  const value = arrayOf('negative', x);
  return isUnsigned(value.dataType) ? apply(elementWiseSubtract, 0, value) : apply(elementWiseNegate, value);
}) as Unary;
/** -1, 0 or 1. */
export const sign = unary('sign', besideNaN(elementWiseSign));
/** `x²`. */
export const square = define('square', (x: unknown) => apply(elementWiseMultiply, arrayOf('square', x), x)) as Unary;
/** `1 / x`. */
export const reciprocal = unaryFloat('reciprocal', elementWiseRecip);
/** The square root. */
export const sqrt = unaryFloat('sqrt', elementWiseSqrt);
/** e to the power of `x`. */
export const exp = unaryFloat('exp', elementWiseExp);
/** The natural logarithm. */
export const log = unaryFloat('log', elementWiseLog);
/** The sine of an angle in radians. */
export const sin = unaryFloat('sin', elementWiseSin);
/** The cosine of an angle in radians. */
export const cos = unaryFloat('cos', elementWiseCos);
/** The tangent of an angle in radians. */
export const tan = unaryFloat('tan', elementWiseTan);
/** The angle with this sine, in radians. */
export const asin = unaryFloat('asin', elementWiseAsin);
/** The angle with this cosine, in radians. */
export const acos = unaryFloat('acos', elementWiseAcos);
/** The angle with this tangent, in radians. */
export const atan = unaryFloat('atan', besideNaN(elementWiseAtan));
/** The hyperbolic sine. */
export const sinh = unaryFloat('sinh', elementWiseSinh);
/** The hyperbolic cosine. */
export const cosh = unaryFloat('cosh', elementWiseCosh);
/** The hyperbolic tangent. */
export const tanh = unaryFloat('tanh', elementWiseTanh);
/** The inverse of `sinh`. Of the magnitude: DirectML makes inexact numbers of negative ones, and NaN of -Infinity. */
export const asinh = unaryFloat('asinh', (x: Value<'float32'>) => {
  const turned = (value: Value) =>
    apply(elementWiseIf, apply(elementWiseLogicalLessThan, x, 0), apply(elementWiseNegate, value), value);
  return turned(apply(elementWiseAsinh, turned(x)));
});
/** The inverse of `cosh`. */
export const acosh = unaryFloat('acosh', elementWiseAcosh);
/** The inverse of `tanh`. */
export const atanh = unaryFloat('atanh', elementWiseAtanh);
/** The error function. */
export const erf = unaryFloat('erf', elementWiseErf);
/** The logarithm to the base 2. */
export const log2 = scaledLog('log2', Math.LOG2E);
/** The logarithm to the base 10. */
export const log10 = scaledLog('log10', Math.LOG10E);

/** NaN of NaN, of which DirectML makes a number. */
function besideNaN(operator: Operator): (x: Value) => Value {
  return (x) => {
    const result = apply(operator, x);
    return isFloat(x.dataType) ? apply(elementWiseIf, apply(elementWiseIsNan, x), x, result) : result;
  };
}

function scaledLog(name: string, factor: number): UnaryFloat {
  return define(name, (x: unknown) => apply(elementWiseMultiply, apply(elementWiseLog, floatOf(name, x)), factor)) as UnaryFloat;
}

const rounding = (name: string, operator: Operator) =>
  define(name, (x: unknown) => {
    const value = arrayOf(name, x);
    return isFloat(value.dataType) ? apply(operator, value) : apply(elementWiseIdentity, value);
  }) as Unary;
/** Rounded up. Integers stay as they are, as in `floor`, `round` and `trunc`. */
export const ceil = rounding('ceil', elementWiseCeil);
/** Rounded down. */
export const floor = rounding('floor', elementWiseFloor);
/** Rounded to the nearest integer, halves to the nearest even one. */
export const round = rounding('round', elementWiseRound);
/** Rounded towards 0. */
export const trunc = rounding('trunc', (x: Value) =>
  apply(elementWiseIf, apply(elementWiseLogicalLessThan, x, 0), apply(elementWiseCeil, x), apply(elementWiseFloor, x)),
);

/** 1 where `x` is NaN. */
export const isnan = define('isnan', (x: unknown) => ofFloats('isnan', x, elementWiseIsNan, 0)) as UnaryBoolean;
/** 1 where `x` is infinite. */
export const isinf = define('isinf', (x: unknown) => ofFloats('isinf', x, elementWiseIsInfinity, 0)) as UnaryBoolean;
/** 1 where `x` is neither infinite nor NaN. */
export const isfinite = define('isfinite', (x: unknown) =>
  ofFloats('isfinite', x, (value: Value) => apply(elementWiseLogicalLessThan, apply(elementWiseAbs, value), Infinity), 1),
) as UnaryBoolean;

/** What the operator says of floats, and the same for all integers. */
function ofFloats(method: string, x: unknown, operator: Operator, otherwise: 0 | 1): Value {
  const value = arrayOf(method, x);
  if (isFloat(value.dataType)) return apply(operator, value);
  const isEqual = apply(elementWiseLogicalEquals, value, value);
  return otherwise === 1 ? isEqual : apply(elementWiseLogicalNot, isEqual);
}

/** The elements of `x` where the condition is not 0, else those of `y`. */
export const where = define('where', (condition: unknown, x: unknown, y: unknown) =>
  apply(elementWiseIf, truth('where', condition, 'condition'), ...choicesOf('where', x, y)),
) as <C extends Input, A extends InputOrNumber, B extends InputOrNumber>(
  condition: C,
  x: A,
  y: B,
) => Output<[C, A, B], TypeOf<A> extends never ? TypeOf<B> : TypeOf<A>>;

/** The array in another data type. */
export const astype = define('astype', (x: unknown, dataType: unknown) => {
  return as(arrayOf('astype', x), dataTypeOption('astype', 'dataType', dataType));
}) as <A extends Input, T extends DataType>(x: A, dataType: T) => Output<[A], T>;
