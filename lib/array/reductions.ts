/** Functions that make one element of many, along some dimensions or all. */
import {
  argmax as argmaxOperator,
  argmin as argminOperator,
  elementWiseAbs,
  elementWiseDivide,
  elementWiseIf,
  elementWiseLogicalLessThan,
  elementWiseLog,
  elementWiseExp,
  elementWiseAdd,
  elementWiseMultiply,
  elementWiseSqrt,
  elementWiseSubtract,
  elementWiseLogicalEquals,
  elementWiseLogicalNot,
} from '../functions/index.js';
import { Value } from '../graph/value.js';
import { productOf } from '../tensors/tensor-size.js';
import { argumentError, readOptions } from '../values/arguments.js';
import { axisOf } from './axes.js';
import { define } from './define.js';
import { extreme, planOf, reduced, unlessNaN } from './reduction-plan.js';
import { arrayOf, as, flat, floatOf, narrowFloat, wide, wideFloat } from './values.js';
import type { BooleanReduction, FloatReduction, IndexReduction, Reduction, SumReduction, VarianceReduction } from './types.js';

type Float = Value<'float32'>;

/** Reduces what `prepared` makes of the array, which is the array itself by default. */
const reduction = (name: string, of: (x: Value, axes: readonly number[]) => Value, prepared: (x: Value) => Value = (x) => x) =>
  define(name, (x: unknown, options: unknown) => {
    const value = prepared(arrayOf(name, x));
    const { axes, shaped } = planOf(name, value, options);
    return shaped(of(value, axes));
  }) as Reduction;

/** The sum. Integers of 8 and 16 bits are added in 32 bits. */
export const sum = reduction('sum', (x, axes) => reduced(x, 'sum', axes), wide) as SumReduction;
/** The product. Integers of 8 and 16 bits are multiplied in 32 bits. */
export const prod = reduction('prod', (x, axes) => reduced(x, 'multiply', axes), wide) as SumReduction;
/** The largest element; NaN if one element is. */
export const max = reduction('max', (x, axes) => extreme(x, 'max', axes));
/** The smallest element; NaN if one element is. */
export const min = reduction('min', (x, axes) => extreme(x, 'min', axes));
/** The mean, as a float. */
export const mean = reduction(
  'mean',
  (x, axes) => reduced(x, 'average', axes),
  (x) => floatOf('mean', x),
) as FloatReduction;

/** The mean of the squares of the distances from the mean, with `correction` subtracted from the number of elements. */
const variance = spread('var', (value) => value);
/** The root of `var`. */
const deviation = spread('std', (value) => elementWiseSqrt(value));
export { variance as var, deviation as std };

function spread(name: string, of: (variance: Float) => Value): VarianceReduction {
  return define(name, (x: unknown, options: unknown) => {
    const given = floatOf(name, x);
    const { axes, shaped, read } = planOf(name, given, options, ['correction']);
    const correction = read.get('correction') ?? 0;
    if (typeof correction !== 'number') throw argumentError(name, 'correction', 'a number', correction);
    const value = wideFloat(given);
    const distance = elementWiseSubtract(value, reduced(value, 'average', axes) as Float);
    const squares = reduced(elementWiseMultiply(distance, distance), 'sum', axes) as Float;
    const count = productOf(axes.map((axis) => value.sizes[axis] ?? 1));
    return shaped(narrowFloat(of(elementWiseDivide(squares, count - correction)), given.dataType));
  }) as VarianceReduction;
}

/** Whether no element is 0 if the operator is `max`, and whether one is not 0 if it is `min`. */
const logical = (name: string, operator: 'max' | 'min') =>
  define(name, (x: unknown, options: unknown) => {
    const value = arrayOf(name, x);
    const { axes, shaped } = planOf(name, value, options);
    const isZero = elementWiseLogicalEquals(value as Float, 0);
    return shaped(elementWiseLogicalNot(reduced(isZero, operator, axes) as Value<'uint8'>));
  }) as BooleanReduction;
/** 1 if all elements are not 0. */
export const all = logical('all', 'max');
/** 1 if one element is not 0. */
export const any = logical('any', 'min');

/** How many elements are not 0. */
export const countNonzero = define('countNonzero', (x: unknown, options: unknown) => {
  const value = arrayOf('countNonzero', x);
  const { axes, shaped } = planOf('countNonzero', value, options);
  const isOther = elementWiseLogicalNot(elementWiseLogicalEquals(value as Float, 0));
  return shaped(reduced(as(isOther, 'int32'), 'sum', axes));
}) as IndexReduction;

/** `log(Σ exp(x))`, without overflow. */
export const logsumexp = define('logsumexp', (x: unknown, options: unknown) => {
  const given = floatOf('logsumexp', x);
  const { axes, shaped } = planOf('logsumexp', given, options);
  const value = wideFloat(given);
  const most = reduced(value, 'max', axes) as Float;
  const shift = elementWiseIf(elementWiseLogicalLessThan(elementWiseAbs(most), Infinity), most, 0);
  const total = reduced(elementWiseExp(elementWiseSubtract(value, shift)), 'sum', axes) as Float;
  return shaped(narrowFloat(elementWiseAdd(elementWiseLog(total), shift), given.dataType));
}) as FloatReduction;

const position = (name: string, operator: typeof argmaxOperator) =>
  define(name, (x: unknown, options: unknown) => {
    const given = arrayOf(name, x);
    const read = readOptions(name, options, ['axis', 'keepDims']);
    const axis = read.get('axis');
    const value = axis === undefined ? flat(given) : given;
    const { axes, shaped } = planOf(name, value, {
      ...Object.fromEntries(read),
      axis: axisOf(name, axis ?? 0, value.sizes.length),
    });
    const found = { axes, axisDirection: 'increasing', outputTensor: { dataType: 'int32' } } as const;
    const index = unlessNaN(value, axes, operator(value as Float, found), (isNaN) => argmaxOperator(isNaN, found));
    return axis === undefined && read.get('keepDims') === true ? index.reshape(given.sizes.map(() => 1)) : shaped(index);
  }) as IndexReduction;
/** The index of the first largest element along an axis, or among all; that of the first NaN if there is one. */
export const argmax = position('argmax', argmaxOperator);
/** The index of the first smallest element along an axis, or among all; that of the first NaN if there is one. */
export const argmin = position('argmin', argminOperator);
