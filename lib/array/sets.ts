/** Which different elements an array has. How many is read, so these are no functions of values: `jit` and graphs refuse them. */
import { fromCaller } from '../api/call-site.js';
import { Tensor } from '../api/memory/tensor.js';
import { elementWiseLogicalEquals, elementWiseLogicalNot, elementWiseSubtract, padding1, topK1 } from '../functions/index.js';
import type { Value } from '../graph/value.js';
import type { DataType } from '../tensors/generated/enums.js';
import { argumentError } from '../values/arguments.js';
import { cumulativeSum } from './cumulative.js';
import { define } from './define.js';
import { atSet, nonzero, take } from './indexing.js';
import { inWordsOfLater } from './inner-errors.js';
import { part } from './parts.js';
import { arrayOf, as, flat, requireTensor } from './values.js';

type Float = Value<'float32'>;
type Given<T extends DataType> = Tensor<T> | Promise<Tensor<T>>;

/** The different elements of an array in order, and what is known of them. */
export interface Unique<T extends DataType> {
  readonly values: Tensor<T>;
  /** Where each is first, in row-major order. */
  readonly indices: Tensor<'int32'>;
  /** For each element of the array, the index of its value; with the sizes of the array. */
  readonly inverseIndices: Tensor<'int32'>;
  /** How often each is there. */
  readonly counts: Tensor<'int32'>;
}

/** All elements in order, their places in the array, and 1 where one differs from the one before. */
const ordered = define('uniqueAll', (x: unknown) => {
  const value = flat(arrayOf('uniqueAll', x));
  const [count = 1] = value.sizes;
  const { outputValueTensor, outputIndexTensor } = topK1(value as Float, { axis: 0, k: count, axisDirection: 'increasing' });
  const padding = { startPadding: [1], endPadding: [0], paddingValue: 1 };
  const isFirst =
    count === 1
      ? elementWiseLogicalEquals(outputValueTensor, outputValueTensor)
      : padding1(elementWiseLogicalNot(elementWiseLogicalEquals(...neighbours(outputValueTensor))), padding);
  return { sorted: outputValueTensor, order: as(outputIndexTensor, 'int32'), isFirst };
}) as unknown as <T extends DataType>(
  x: Given<T>,
) => Promise<{ readonly sorted: Tensor<T>; readonly order: Tensor<'int32'>; readonly isFirst: Tensor<'uint8'> }>;

function neighbours(x: Value): readonly [Float, Float] {
  const count = (x.sizes[0] ?? 1) - 1;
  return [part(x, 0, 1, count) as Float, part(x, 0, 0, count) as Float];
}

/** How far it is from each place to the next one, and from the last one to the end. */
const distances = define('uniqueCounts', (places: unknown, count: unknown) => {
  const value = arrayOf('uniqueCounts', places);
  const ends = padding1(value as Float, { startPadding: [0], endPadding: [1], paddingValue: count as number });
  return elementWiseSubtract(...neighbours(ends));
}) as unknown as (places: Tensor<'int32'>, count: number) => Promise<Tensor<'int32'>>;

const ranks = define('uniqueInverse', (isFirst: unknown) => {
  const counts = as(arrayOf('uniqueInverse', isFirst), 'int32') as Value<'int32'>;
  return elementWiseSubtract(cumulativeSum(counts), 1);
}) as unknown as (isFirst: Tensor<'uint8'>) => Promise<Tensor<'int32'>>;

function unique<T extends DataType, Name extends keyof Unique<T>>(
  method: string,
  x: Given<T>,
  names: readonly Name[],
): Promise<Pick<Unique<T>, Name>> {
  const work = async () => {
    requireTensor(method, x);
    const given: unknown = await x;
    if (!Tensor.is(given)) throw argumentError(method, 'x', 'a tensor', given);
    const { sorted, order, isFirst } = await ordered(given);
    const [places] = (await nonzero(isFirst)) as readonly [Tensor<'int32'>];
    const [count = 1] = sorted.sizes;
    const make: { readonly [Key in keyof Unique<T>]: () => Promise<Unique<T>[Key]> } = {
      values: () => take(sorted, places) as Promise<Tensor<T>>,
      indices: () => take(order, places),
      inverseIndices: async () => (await atSet(order, order.reshape([count, 1]), ranks(isFirst))).reshape(given.sizes),
      counts: () => distances(places, count),
    };
    const made = await Promise.all(names.map(async (name) => [name, await make[name]()] as const));
    return Object.fromEntries(made) as unknown as Pick<Unique<T>, Name>;
  };
  return fromCaller(() => inWordsOfLater(method, work)) as Promise<Pick<Unique<T>, Name>>;
}

/** The different elements in order. */
export async function uniqueValues<T extends DataType>(x: Given<T>): Promise<Tensor<T>> {
  const { values } = await unique('uniqueValues', x, ['values']);
  return values;
}

/** The different elements in order, and how often each is there. */
export function uniqueCounts<T extends DataType>(x: Given<T>): Promise<Pick<Unique<T>, 'values' | 'counts'>> {
  return unique('uniqueCounts', x, ['values', 'counts']);
}

/** The different elements in order, and for each element of the array the index of its value. */
export function uniqueInverse<T extends DataType>(x: Given<T>): Promise<Pick<Unique<T>, 'values' | 'inverseIndices'>> {
  return unique('uniqueInverse', x, ['values', 'inverseIndices']);
}

/** The different elements in order, where each is first, the index of each element's value, and how often each is there. */
export function uniqueAll<T extends DataType>(x: Given<T>): Promise<Unique<T>> {
  return unique('uniqueAll', x, ['values', 'indices', 'inverseIndices', 'counts']);
}
