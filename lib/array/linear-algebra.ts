/** Products of matrices and vectors. */
import { bothSizes } from '../functions/broadcast.js';
import { gemm } from '../functions/index.js';
import type { Value } from '../graph/value.js';
import { isFloat } from '../tensors/data-types.js';
import { productOf } from '../tensors/tensor-size.js';
import { fieldError, list } from '../values/errors.js';
import { contracted, ordered } from './contraction.js';
import { define } from './define.js';
import { arrayOf, as, packed } from './values.js';
import { promoted, type Promoted } from './promotion.js';
import type { Input, Output, TypeOf } from './types.js';

type Float = Value<'float32'>;
type Product = <A extends Input, B extends Input>(x: A, y: B) => Output<[A, B], Promoted<TypeOf<A>, TypeOf<B>>>;

/**
 * The product of matrices. Dimensions before the last two are repeated as in `add`. A vector is a row in the place of `x`, and a
 * column in the place of `y`.
 */
export const matmul = define('matmul', (x: unknown, y: unknown) => {
  const [first, second] = [arrayOf('matmul', x), arrayOf('matmul', y, 'y')];
  const dataType = promoted('matmul', first.dataType, second.dataType);
  const a = as(first.sizes.length === 1 ? packed(first).reshape([1, ...first.sizes]) : first, dataType);
  const b = as(second.sizes.length === 1 ? packed(second).reshape([...second.sizes, 1]) : second, dataType);
  const [rows = 1, inner = 1] = a.sizes.slice(-2);
  const [length = 1, columns = 1] = b.sizes.slice(-2);
  if (inner !== length) {
    const expected = `${inner} ${second.sizes.length === 1 ? 'elements' : 'rows'}, as many as ${list(first.sizes)} has columns`;
    throw fieldError('ERR_SIZES', { operator: 'matmul', field: 'y.sizes' }, expected, list(second.sizes));
  }
  const batch = batchOf(a.sizes.slice(0, -2), b.sizes.slice(0, -2), first, second);
  const result = isFloat(dataType) ? multiplied(a, b, batch) : ofIntegers(a, b, batch);
  const sizes = [...batch, ...(first.sizes.length === 1 ? [] : [rows]), ...(second.sizes.length === 1 ? [] : [columns])];
  return packed(result).reshape(sizes.length === 0 ? [1] : sizes);
}) as Product;

/** DirectML multiplies no matrices of these: all products are made, and added up. */
function ofIntegers(a: Value, b: Value, batch: readonly number[]): Value {
  const labels = batch.map((_, i) => `${i}`);
  const own = (value: Value, ...last: readonly string[]) => ({
    value,
    labels: [...labels.slice(batch.length + 2 - value.sizes.length), ...last],
  });
  const kept = [...labels, 'row', 'column'];
  return ordered(contracted(own(a, 'row', 'inner'), own(b, 'inner', 'column'), kept), kept);
}

/** Packed, in whatever sizes. */
function multiplied(a: Value, b: Value, batch: readonly number[]): Value {
  const [rows = 1, inner = 1] = a.sizes.slice(-2);
  const [, columns = 1] = b.sizes.slice(-2);
  const count = productOf(batch);
  // One matrix on the right: all rows on the left are one matrix.
  if (b.sizes.length === 2 || productOf(b.sizes) === inner * columns) {
    const matrix = b.sizes.length === 2 ? b : packed(b).reshape([inner, columns]);
    const left = a.sizes.length === 2 ? a : packed(a).reshape([productOf(a.sizes) / inner, inner]);
    if (productOf(a.sizes) === count * rows * inner) return gemm(left as Float, matrix as Float);
  }
  const repeated = (x: Value, ...matrix: readonly number[]) => {
    const whole = x.broadcastTo([...batch, ...matrix]);
    return batch.length <= 2 ? whole : packed(whole).reshape([count, ...matrix]);
  };
  return gemm(repeated(a, rows, inner) as Float, repeated(b, inner, columns) as Float);
}

function batchOf(a: readonly number[], b: readonly number[], x: Value, y: Value): readonly number[] {
  const batch = bothSizes(a, b);
  if (batch !== null) return batch;
  const expected = `sizes whose first ones repeat to those of ${list(x.sizes)}`;
  throw fieldError('ERR_SIZES', { operator: 'matmul', field: 'y.sizes' }, expected, list(y.sizes));
}
