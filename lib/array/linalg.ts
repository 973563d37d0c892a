/**
 * Linear algebra of batches of small matrices, which are the last two dimensions, by the names of the array API standard. A graph
 * has some nodes for each column, so matrices have at most 64 rows. Everything is computed in float32.
 *
 * DirectML has no operator for singular values and eigenvalues, so svd, eigh, qr, pinv and matrixRank are not there.
 */
import { elementWiseAbs, elementWiseIdentity, elementWiseLog, elementWiseSign, gemm } from '../functions/index.js';
import { bothSizes } from '../functions/broadcast.js';
import type { Tensor } from '../api/memory/tensor.js';
import type { Value } from '../graph/value.js';
import { isFloat } from '../tensors/data-types.js';
import { productOf } from '../tensors/tensor-size.js';
import { booleanOption, readOptions } from '../values/arguments.js';
import { fieldError, list } from '../values/errors.js';
import { define } from './define.js';
import { eliminated, lowerTriangles, signed, solutions } from './elimination.js';
import { promoted, type Promoted } from './promotion.js';
import { reduced } from './reduction-plan.js';
import { arrayOf, as, constantIn, floatOf, packed, requireMatrices, wholeOption } from './values.js';
import type { Floating, Input, Output, TypeOf, UnaryFloat } from './types.js';

export { matmul } from './linear-algebra.js';
export { matrixNorm, norm, vectorNorm, type MatrixNormOptions, type NormOptions } from './norms.js';
export { cross, diagonal, outer, tensordot, trace, vecdot } from './products.js';
export { matrixTranspose } from './shape.js';

type Float = Value<'float32'>;
type Sizes = readonly number[];

/** With as many rows, graphs stay small enough to be compiled in a moment. */
const mostRows = 64;

/**
 * The determinants of square matrices: `[1]` for one matrix.
 *
 * @throws {DirectMLError} ERR_DIMENSION_COUNT for less than two dimensions, ERR_SIZES for matrices that are not square or have more
 * than 64 rows, ERR_DATA_TYPE for float64.
 */
export const det = define('det', (x: unknown) => {
  const { matrices, placed } = squaresOf('det', x);
  const found = eliminated(matrices, true);
  return placed(signed(reduced(found.pivots, 'multiply', [1]) as Float, found), []);
}) as UnaryFloat;

/** Signs and logarithms: values if the matrices are a value, else promised tensors. */
export type SignAndLogarithm<A> =
  Output<[A], Floating<TypeOf<A>>> extends infer Made
    ? Made extends Promise<infer T extends Tensor>
      ? Promise<{ readonly sign: T; readonly logabsdet: T }>
      : { readonly sign: Made; readonly logabsdet: Made }
    : never;

/**
 * The signs of the determinants of square matrices, and the logarithms of their magnitudes: 0 and -Infinity for singular ones.
 *
 * @throws {DirectMLError} those of `det`
 */
export const slogdet = define('slogdet', (x: unknown) => {
  const { matrices, placed } = squaresOf('slogdet', x);
  const found = eliminated(matrices, true);
  const sign = signed(reduced(elementWiseSign(found.pivots), 'multiply', [1]) as Float, found);
  return { sign: placed(sign, []), logabsdet: placed(reduced(elementWiseLog(elementWiseAbs(found.pivots)), 'sum', [1]), []) };
}) as <A extends Input>(x: A) => SignAndLogarithm<A>;

/**
 * The inverses of square matrices. Those of singular ones have elements that are infinite or NaN.
 *
 * @throws {DirectMLError} those of `det`
 */
export const inv = define('inv', (x: unknown) => {
  const { matrices, placed } = squaresOf('inv', x);
  return placed(inverse(matrices));
}) as UnaryFloat;

function inverse(matrices: Float): Float {
  return solutions(matrices, identityLike(matrices));
}

/**
 * What multiplied by square matrices `x` gives `y`: vectors if `y` has one dimension, else matrices. Other dimensions are repeated
 * as in `add`. Solutions of singular matrices have elements that are infinite or NaN.
 *
 * @throws {DirectMLError} those of `det`; ERR_SIZES if `y` has not as many rows as `x`
 */
export const solve = define('solve', (x: unknown, y: unknown) => {
  const { value, size } = squaresOf('solve', x);
  const given = arrayOf('solve', y, 'y');
  const result = promoted('solve', arrayOf('solve', x).dataType, given.dataType);
  const isVector = given.sizes.length === 1;
  const right = isVector ? packed(given).reshape([...given.sizes, 1]) : given;
  const batch = bothSizes(value.sizes.slice(0, -2), right.sizes.slice(0, -2));
  if (right.sizes.at(-2) !== size || batch === null) {
    const rows = `${size} ${isVector ? 'elements' : 'rows'}`;
    const expected = `${rows}, as many as ${list(value.sizes)} has, and sizes before that broadcast with its first ones`;
    throw fieldError('ERR_SIZES', { operator: 'solve', field: 'y.sizes' }, expected, list(given.sizes));
  }
  const columns = right.sizes.at(-1) ?? 1;
  const ofBatch = (own: Float, width: number) => inBatch(own.broadcastTo([...batch, size, width]));
  const found = solutions(ofBatch(computable('solve', value), size), ofBatch(computable('solve', right, 'y'), columns));
  return as(found, isFloat(result) ? result : 'float32').reshape([...batch, size, ...(isVector ? [] : [columns])]);
}) as <A extends Input, B extends Input>(x: A, y: B) => Output<[A, B], Floating<Promoted<TypeOf<A>, TypeOf<B>>>>;

/**
 * The lower triangles L of symmetric, positive definite matrices L Lᵀ, of which it reads the lower triangles. With `upper`, it
 * reads the upper triangles and gives Lᵀ. Other matrices give NaN.
 *
 * @throws {DirectMLError} those of `det`
 */
export const cholesky = define('cholesky', (x: unknown, options: unknown) => {
  const isUpper = booleanOption('cholesky', 'upper', readOptions('cholesky', options, ['upper']).get('upper') ?? false);
  const { matrices, placed } = squaresOf('cholesky', x);
  const turned = (own: Float): Float => (isUpper ? (packed(own.transpose([0, 2, 1])) as Float) : own);
  return placed(turned(lowerTriangles(turned(matrices))));
}) as <A extends Input>(x: A, options?: { readonly upper?: boolean | undefined }) => Output<[A], Floating<TypeOf<A>>>;

/**
 * Square matrices multiplied `n` times with themselves; their inverses if `n` is negative.
 *
 * @throws {DirectMLError} those of `det`; ERR_INVALID_ARGUMENT if `n` is no whole number
 */
export const matrixPower = define('matrixPower', (x: unknown, n: unknown) => {
  const times = wholeOption('matrixPower', 'n', n);
  const { matrices, placed } = squaresOf('matrixPower', x);
  let [square, result]: [Float, Float | undefined] = [times < 0 ? inverse(matrices) : matrices, undefined];
  for (let rest = Math.abs(times); rest > 0; rest = Math.floor(rest / 2)) {
    if (rest % 2 === 1) result = result === undefined ? square : gemm(result, square);
    if (rest > 1) square = gemm(square, square);
  }
  return placed(elementWiseIdentity(result ?? identityLike(matrices)));
}) as <A extends Input>(x: A, n: number) => Output<[A], Floating<TypeOf<A>>>;

function identityLike(matrices: Float): Float {
  const [, n = 1] = matrices.sizes;
  const ones = Array.from({ length: n * n }, (_, i) => Number(i % (n + 1) === 0));
  return constantIn(matrices, 'float32', [1, n, n], ones).broadcastTo(matrices.sizes);
}

/** Square matrices in float32 and one batch, and how results come back: in the data type, and as many as there are matrices. */
function squaresOf(method: string, x: unknown) {
  const value = floatOf(method, x);
  requireMatrices(method, value);
  const [rows = 1, size = 1] = value.sizes.slice(-2);
  if (rows !== size || size > mostRows) {
    const expected = `square matrices of at most ${mostRows} rows`;
    throw fieldError('ERR_SIZES', { operator: method, field: 'x.sizes' }, expected, list(value.sizes));
  }
  const batch = value.sizes.slice(0, -2);
  const { dataType } = value;
  const placed = (result: Value, matrix: Sizes = [size, size]) => {
    const sizes = [...batch, ...matrix];
    return as(result, dataType).reshape(sizes.length === 0 ? [1] : sizes);
  };
  return { value, size, placed, matrices: inBatch(computable(method, value)) };
}

/** In float32. */
function computable(method: string, value: Value, name = 'x'): Float {
  if (value.dataType !== 'float64') return as(value, 'float32') as Float;
  throw fieldError('ERR_DATA_TYPE', { operator: method, field: name }, 'float32, float16 or integers', 'float64');
}

function inBatch(matrices: Float): Float {
  const [rows = 1, columns = 1] = matrices.sizes.slice(-2);
  return packed(matrices).reshape([productOf(matrices.sizes.slice(0, -2)), rows, columns]) as Float;
}
