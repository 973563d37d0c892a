/** Functions that make one element of many, along some dimensions or all. */
import {
  argmax as argmaxOperator,
  argmin as argminOperator,
  elementWiseAbs,
  elementWiseConstantPow,
  elementWiseDivide,
  elementWiseLog,
  elementWiseExp,
  elementWiseAdd,
  elementWiseMultiply,
  elementWiseSqrt,
  elementWiseSubtract,
  elementWiseLogicalEquals,
  elementWiseLogicalNot,
  reduce,
} from '../functions/index.js';
import { Value } from '../graph/value.js';
import { productOf } from '../tensors/tensor-size.js';
import { argumentError, readOptions } from '../values/arguments.js';
import { axesOf, axisOf } from './axes.js';
import { define } from './define.js';
import { arrayOf, as, flat, floatOf, numberOption, wide } from './values.js';
import type {
  AxisOptions,
  BooleanReduction,
  Floating,
  FloatReduction,
  IndexReduction,
  Input,
  Output,
  Reduction,
  SumReduction,
  TypeOf,
  VarianceReduction,
} from './types.js';

type Float = Value<'float32'>;
type Function = 'sum' | 'multiply' | 'max' | 'min' | 'average';

/** Which dimensions vanish, and what the result looks like without them. */
interface Plan {
  readonly axes: readonly number[];
  /** The result, whose reduced dimensions have size 1. */
  readonly shaped: (result: Value) => Value;
  readonly read: ReadonlyMap<string, unknown>;
}

function planOf(method: string, x: Value, options: unknown, more: readonly string[] = []): Plan {
  const read = readOptions(method, options, ['axis', 'keepDims', ...more]);
  const keepDims = read.get('keepDims') ?? false;
  if (typeof keepDims !== 'boolean') throw argumentError(method, 'keepDims', 'true or false', keepDims);
  const axes = [...axesOf(method, read.get('axis'), x.sizes.length)].sort((a, b) => a - b);
  const sizes = x.sizes.filter((_, axis) => !axes.includes(axis));
  const shaped = (result: Value) => (keepDims ? result : result.reshape(sizes.length === 0 ? [1] : sizes));
  return { axes, shaped, read };
}

function reduced(x: Value, name: Function, axes: readonly number[]): Value {
  return reduce(x as Float, { function: name, axes });
}

/** Reduces what `prepared` makes of the array, which is the array itself by default. */
const reduction = (name: string, operator: Function, prepared: (x: Value) => Value = (x) => x) =>
  define(name, (x: unknown, options: unknown) => {
    const value = prepared(arrayOf(name, x));
    const { axes, shaped } = planOf(name, value, options);
    return shaped(reduced(value, operator, axes));
  }) as Reduction;

export const sum = reduction('sum', 'sum', wide) as SumReduction;
export const prod = reduction('prod', 'multiply', wide) as SumReduction;
export const max = reduction('max', 'max');
export const min = reduction('min', 'min');
export const mean = reduction('mean', 'average', (x) => floatOf('mean', x)) as FloatReduction;

const { var: variance, std: deviation } = {
  var: spread('var', (value) => value),
  std: spread('std', (value) => elementWiseSqrt(value)),
};
export { variance as var, deviation as std };

function spread(name: string, of: (variance: Float) => Value): VarianceReduction {
  return define(name, (x: unknown, options: unknown) => {
    const value = floatOf(name, x) as Float;
    const { axes, shaped, read } = planOf(name, value, options, ['correction']);
    const correction = read.get('correction') ?? 0;
    if (typeof correction !== 'number') throw argumentError(name, 'correction', 'a number', correction);
    const distance = elementWiseSubtract(value, reduced(value, 'average', axes) as Float);
    const squares = reduced(elementWiseMultiply(distance, distance), 'sum', axes) as Float;
    const count = productOf(axes.map((axis) => value.sizes[axis] ?? 1));
    return shaped(of(elementWiseDivide(squares, count - correction)));
  }) as VarianceReduction;
}

/** Whether no element is 0 if the operator is `max`, and whether one is not 0 if it is `min`. */
const logical = (name: string, operator: Function) =>
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

export const countNonzero = define('countNonzero', (x: unknown, options: unknown) => {
  const value = arrayOf('countNonzero', x);
  const { axes, shaped } = planOf('countNonzero', value, options);
  const isOther = elementWiseLogicalNot(elementWiseLogicalEquals(value as Float, 0));
  return shaped(reduced(as(isOther, 'int32'), 'sum', axes));
}) as IndexReduction;

/** Options of `norm`. */
export interface NormOptions extends AxisOptions {
  /** The order: `(Σ|x|^ord)^(1/ord)`; the largest magnitude for Infinity, the smallest for -Infinity. Default: 2. */
  readonly ord?: number | undefined;
}
/** The norm of vectors. */
export const norm = define('norm', (x: unknown, options: unknown) => {
  const value = floatOf('norm', x) as Float;
  const { axes, shaped, read } = planOf('norm', value, options, ['ord']);
  const ord = numberOption('norm', 'ord', read.get('ord') ?? 2);
  if (ord === 0) throw argumentError('norm', 'ord', 'a number other than 0', ord);
  const sizes = elementWiseAbs(value);
  if (Math.abs(ord) === Infinity) return shaped(reduced(sizes, ord > 0 ? 'max' : 'min', axes));
  if (ord === 1) return shaped(reduced(sizes, 'sum', axes));
  if (ord === 2) return shaped(elementWiseSqrt(reduced(elementWiseMultiply(value, value), 'sum', axes) as Float));
  const powers = reduced(elementWiseConstantPow(sizes, { exponent: ord }), 'sum', axes) as Float;
  return shaped(elementWiseConstantPow(powers, { exponent: 1 / ord }));
}) as <A extends Input>(x: A, options?: NormOptions) => Output<[A], Floating<TypeOf<A>>>;

/** `log(Σ exp(x))`, without overflow. */
export const logsumexp = define('logsumexp', (x: unknown, options: unknown) => {
  const value = floatOf('logsumexp', x) as Float;
  const { axes, shaped } = planOf('logsumexp', value, options);
  const most = reduced(value, 'max', axes) as Float;
  const total = reduced(elementWiseExp(elementWiseSubtract(value, most)), 'sum', axes) as Float;
  return shaped(elementWiseAdd(elementWiseLog(total), most));
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
    const outputTensor = { dataType: 'int32' } as const;
    const index = operator(value as Float, { axes, axisDirection: 'increasing', outputTensor });
    return axis === undefined && read.get('keepDims') === true ? index.reshape(given.sizes.map(() => 1)) : shaped(index);
  }) as IndexReduction;
/** The index of the first largest element along an axis, or among all. */
export const argmax = position('argmax', argmaxOperator);
/** The index of the first smallest element along an axis, or among all. */
export const argmin = position('argmin', argminOperator);
