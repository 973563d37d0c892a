/** Attention, as PyTorch's `scaled_dot_product_attention` and `MultiheadAttention` compute it. */
import { define } from '../array/define.js';
import { add, multiply, where } from '../array/elements.js';
import { matmul } from '../array/linear-algebra.js';
import { matrixTranspose } from '../array/shape.js';
import { arrayOf, constantIn, floatOf, packed } from '../array/values.js';
import { activationSoftmax1 } from '../functions/index.js';
import type { Input, Output, TypeOf } from '../functions/types.js';
import { Value } from '../graph/value.js';
import { isFloat } from '../tensors/data-types.js';
import { argumentError, booleanOption, readOptions } from '../values/arguments.js';
import { fieldError, list } from '../values/errors.js';
import { softmaxAlong } from './softmax-along.js';

type Float = Value<'float32'>;

/** Options of `attention`. */
export interface AttentionOptions {
  /** Integers, 0 where nothing is seen, or floats, which are added; repeated to `[..., queries, keys]`. */
  readonly mask?: Input | undefined;
  /** Whether query i only sees the keys up to i. Default: false. */
  readonly isCausal?: boolean | undefined;
  /** The factor of products. Default: 1 / √(size of a key). */
  readonly scale?: number | undefined;
}

/** `softmax(query · keyᵀ · scale) · value` of arrays `[..., queries, size]`, `[..., keys, size]` and `[..., keys, results]`. */
export const attention = define('attention', (query: unknown, key: unknown, value: unknown, options: unknown) => {
  const [q, k] = [floatOf('attention', query, 'query') as Float, floatOf('attention', key, 'key') as Float];
  const v = floatOf('attention', value, 'value') as Float;
  requireSize('key', k, -1, q.sizes.at(-1), 'query');
  requireSize('value', v, -2, k.sizes.at(-2), 'key');
  const read = readOptions('attention', options, ['mask', 'isCausal', 'scale']);
  const scale = read.get('scale') ?? 1 / Math.sqrt(q.sizes.at(-1) ?? 1);
  if (typeof scale !== 'number') throw argumentError('attention', 'scale', 'a number', scale);
  let scores: Value = multiply(matmul(q, matrixTranspose(k)), scale);
  const mask = read.get('mask');
  if (mask !== undefined) {
    const given = arrayOf('attention', mask, 'mask');
    scores = isFloat(given.dataType) ? add(scores, given) : where(given, scores, -Infinity);
  }
  if (booleanOption('attention', 'isCausal', read.get('isCausal') ?? false)) {
    const [queries = 1, keys = 1] = scores.sizes.slice(-2);
    const sees = Uint8Array.from({ length: queries * keys }, (_, i) => Number(i % keys <= Math.floor(i / keys)));
    scores = where(constantIn(q, 'uint8', [queries, keys], sees), scores, -Infinity);
  }
  const weights = softmaxAlong(activationSoftmax1, packed(scores), scores.sizes.length - 1);
  return matmul(weights, v);
}) as <A extends Input, B extends Input, C extends Input>(
  query: A,
  key: B,
  value: C,
  options?: AttentionOptions,
) => Output<[A, B, C], TypeOf<A>>;

/** Refuses keys that cannot be multiplied by queries, and values that there are more or less of than keys. */
function requireSize(name: string, { sizes }: Value, axis: -1 | -2, size: number | undefined, other: string): void {
  if (sizes.at(axis) === size) return;
  const expected = axis === -1 ? `[..., ${size}], as ${other} has` : `[..., ${size}, results], as ${other} has`;
  throw fieldError('ERR_SIZES', { operator: 'attention', field: `${name}.sizes` }, expected, list(sizes));
}
