/** Sums of products of two arrays, whose dimensions have labels. What all products of arrays are made of. */
import { elementWiseMultiply, gemm, reduce } from '../functions/index.js';
import type { Value } from '../graph/value.js';
import { isFloat } from '../tensors/data-types.js';
import { productOf } from '../tensors/tensor-size.js';
import { narrow, packed, wide } from './values.js';

type Float = Value<'float32'>;

/** An array and a label for each dimension. No label is there twice. */
export interface Labelled {
  readonly value: Value;
  readonly labels: readonly string[];
}

/** The sum over dimensions that are not in `kept`. */
export function summed({ value, labels }: Labelled, kept: readonly string[]): Labelled {
  const axes = [...labels.keys()].filter((axis) => !kept.includes(labels[axis] ?? ''));
  if (axes.length === 0) return { value, labels };
  const sizes = value.sizes.filter((_, axis) => !axes.includes(axis));
  const sum = narrow(reduce(wide(value) as Float, { function: 'sum', axes }), value.dataType);
  return { value: sum.reshape(sizes.length === 0 ? [1] : sizes), labels: labels.filter((label) => kept.includes(label)) };
}

/** The dimensions in another order. */
export function ordered({ value, labels }: Labelled, order: readonly string[]): Value {
  if (labels.join() === order.join()) return value;
  return value.transpose(order.map((label) => labels.indexOf(label)));
}

/**
 * The product of two arrays, summed over the labels of both that are not in `kept`. Arrays have the same data type, and the same
 * size for a label of both, unless one of them has 1.
 */
export function contracted(x: Labelled, y: Labelled, kept: readonly string[]): Labelled {
  const [a, b] = repeated(summed(x, [...y.labels, ...kept]), summed(y, [...x.labels, ...kept]));
  const shared = a.labels.filter((label) => b.labels.includes(label));
  const batch = shared.filter((label) => kept.includes(label));
  const inner = shared.filter((label) => !kept.includes(label));
  const rows = a.labels.filter((label) => !shared.includes(label));
  const columns = b.labels.filter((label) => !shared.includes(label));
  const labels = [...batch, ...rows, ...columns];
  const sizeOf = (label: string) => a.value.sizes[a.labels.indexOf(label)] ?? b.value.sizes[b.labels.indexOf(label)] ?? 1;
  const count = (own: readonly string[]) => productOf(own.map(sizeOf));
  const sizes = labels.map(sizeOf);
  // A vector has one row or column.
  const matrix = (own: Labelled, order: readonly string[], ...last: readonly number[]) => {
    const value = ordered(own, order);
    const wanted = batch.length === 0 ? last : [count(batch), ...last];
    return value.sizes.join() === wanted.join() ? value : packed(value).reshape(wanted);
  };
  const isMatrix = isFloat(a.value.dataType);
  const left = matrix(a, [...batch, ...rows, ...inner], count(rows), count(inner), ...(isMatrix ? [] : [1]));
  const right = matrix(b, [...batch, ...inner, ...columns], ...(isMatrix ? [] : [1]), count(inner), count(columns));
  const product = isMatrix ? gemm(left as Float, right as Float) : productOfIntegers(left, right);
  return { value: product.reshape(sizes.length === 0 ? [1] : sizes), labels };
}

/** DirectML multiplies no matrices of these. */
function productOfIntegers(left: Value, right: Value): Value {
  const products = elementWiseMultiply(wide(left) as Float, wide(right) as Float);
  return narrow(reduce(products, { function: 'sum', axes: [products.sizes.length - 2] }), left.dataType);
}

/** With equal sizes for the labels of both: a size of 1 is repeated. */
function repeated(a: Labelled, b: Labelled): readonly [Labelled, Labelled] {
  const sizeOf = ({ value, labels }: Labelled, label: string) => value.sizes[labels.indexOf(label)] ?? 1;
  const fill = (own: Labelled, other: Labelled): Labelled => {
    const { value, labels } = own;
    const sizes = value.sizes.map((size, axis) => (size === 1 ? sizeOf(other, labels[axis] ?? '') : size));
    return { value: sizes.join() === value.sizes.join() ? value : value.broadcastTo(sizes), labels };
  };
  return [fill(a, b), fill(b, a)];
}
