/** Norms of vectors and of matrices. */
import {
  elementWiseAbs,
  elementWiseConstantPow,
  elementWiseLogicalEquals,
  elementWiseLogicalNot,
  elementWiseMultiply,
  elementWiseRecip,
  elementWiseSqrt,
} from '../functions/index.js';
import type { Value } from '../graph/value.js';
import { argumentError, booleanOption, readOptions } from '../values/arguments.js';
import { define } from './define.js';
import { extreme, planOf, reduced } from './reduction-plan.js';
import { as, floatOf, narrowFloat, numberOption, requireMatrices, wideFloat } from './values.js';
import type { AxisOptions, Floating, Input, Output, TypeOf } from './types.js';

type Float = Value<'float32'>;

/** Options of `norm`. */
export interface NormOptions extends AxisOptions {
  /**
   * The order: `(Σ|x|^ord)^(1/ord)`; the largest magnitude for Infinity, the smallest for -Infinity, and for 0 how many elements
   * are not 0. Default: 2.
   */
  readonly ord?: number | undefined;
}
type VectorNorm = <A extends Input>(x: A, options?: NormOptions) => Output<[A], Floating<TypeOf<A>>>;

/** The norm of vectors. */
export const norm = vectorNormOf('norm');
/** The norm of vectors: `norm` by the name of the standard. */
export const vectorNorm = vectorNormOf('vectorNorm');

function vectorNormOf(name: string): VectorNorm {
  return define(name, (x: unknown, options: unknown) => {
    const value = floatOf(name, x) as Float;
    const { axes, shaped, read } = planOf(name, value, options, ['ord']);
    return shaped(normOf(value, numberOption(name, 'ord', read.get('ord') ?? 2), axes));
  }) as VectorNorm;
}

function normOf(x: Float, ord: number, axes: readonly number[]): Value {
  return narrowFloat(wideNormOf(wideFloat(x), ord, axes), x.dataType);
}

function wideNormOf(x: Float, ord: number, axes: readonly number[]): Value {
  if (ord === 2) return elementWiseSqrt(reduced(elementWiseMultiply(x, x), 'sum', axes) as Float);
  if (ord === 0) return reduced(as(elementWiseLogicalNot(elementWiseLogicalEquals(x, 0)), x.dataType), 'sum', axes);
  const sizes = elementWiseAbs(x);
  if (Math.abs(ord) === Infinity) return extreme(sizes, ord > 0 ? 'max' : 'min', axes);
  if (ord === 1) return reduced(sizes, 'sum', axes);
  // Of 0, DirectML makes 0 also to the power of a negative number.
  const power = (base: Float, exponent: number) => elementWiseConstantPow(base, { exponent });
  const powers = power(ord < 0 ? elementWiseRecip(sizes) : sizes, Math.abs(ord));
  const root = power(reduced(powers, 'sum', axes) as Float, Math.abs(1 / ord));
  return ord < 0 ? elementWiseRecip(root) : root;
}

/** Options of `matrixNorm`. */
export interface MatrixNormOptions {
  /**
   * `'fro'`: the root of the sum of squares; 1 and -1: the largest and the smallest sum of magnitudes in a column; Infinity and
   * -Infinity: those in a row. Default: `'fro'`.
   */
  readonly ord?: 'fro' | number | undefined;
  /** Whether the result keeps the dimensions of matrices, with size 1. Default: false. */
  readonly keepDims?: boolean | undefined;
}

/**
 * The norm of matrices, which are the last two dimensions. Those by singular values (2, -2, `'nuc'`) are not there.
 *
 * @throws {DirectMLError} ERR_DIMENSION_COUNT for less than two dimensions, ERR_INVALID_ARGUMENT for another order.
 */
export const matrixNorm = define('matrixNorm', (x: unknown, options: unknown) => {
  const value = floatOf('matrixNorm', x) as Float;
  const count = value.sizes.length;
  requireMatrices('matrixNorm', value);
  const read = readOptions('matrixNorm', options, ['ord', 'keepDims']);
  const keepDims = booleanOption('matrixNorm', 'keepDims', read.get('keepDims') ?? false);
  const ord = read.get('ord') ?? 'fro';
  const { axes, shaped } = planOf('matrixNorm', value, { axis: [-2, -1], keepDims });
  if (ord === 'fro') return shaped(normOf(value, 2, axes));
  if (typeof ord !== 'number' || (Math.abs(ord) !== 1 && Math.abs(ord) !== Infinity)) {
    throw argumentError('matrixNorm', 'ord', "'fro', 1, -1, Infinity or -Infinity", ord);
  }
  const sums = reduced(elementWiseAbs(value), 'sum', [Math.abs(ord) === 1 ? count - 2 : count - 1]);
  return shaped(extreme(sums, ord > 0 ? 'max' : 'min', axes));
}) as <A extends Input>(x: A, options?: MatrixNormOptions) => Output<[A], Floating<TypeOf<A>>>;
