/** Functions with arrays of indices. An index counts from the end if it is negative. What lies outside is not checked. */
import { graphOfTree } from '../api/graphs/on-tensors.js';
import { fromCaller } from '../api/call-site.js';
import type { Tensor } from '../api/memory/tensor.js';
import {
  cast,
  elementWiseAdd,
  elementWiseIf,
  elementWiseLogicalEquals,
  elementWiseLogicalLessThan,
  elementWiseLogicalLessThanOrEqual,
  elementWiseLogicalNot,
  elementWiseMultiply,
  fillValueSequence,
  gather,
  gatherElements,
  gatherNd1,
  nonzeroCoordinates,
  reduce,
  scatterNd,
  slice1,
} from '../functions/index.js';
import { bothSizes } from '../functions/broadcast.js';
import type { Value } from '../graph/value.js';
import type { DataType } from '../tensors/generated/enums.js';
import { productOf } from '../tensors/tensor-size.js';
import { argumentError, readOptions } from '../values/arguments.js';
import { fieldError, list } from '../values/errors.js';
import { axisOf } from './axes.js';
import { contracted } from './contraction.js';
import { define } from './define.js';
import { part } from './parts.js';
import { promoted } from './promotion.js';
import { arrayOf, as, constantIn, dataTypeOption, flat, packed, requireIntegers, requireTensor, wholeOption } from './values.js';
import type { Input, Output, TypeOf } from './types.js';

type Sizes = readonly number[];
type Float = Value<'float32'>;
type Indices = Value<'int32'>;
/** Operators take arrays of any data type here. */
type Make = (...args: readonly unknown[]) => Value;
type Taken = <A extends Input, I extends Input>(
  x: A,
  indices: I,
  options?: { readonly axis?: number | undefined },
) => Output<[A, I], TypeOf<A>>;

const sizesOrOne = (sizes: Sizes) => (sizes.length === 0 ? [1] : sizes);

/** Indices in one of the data types that operators take. */
function indicesOf(method: string, given: unknown): Value {
  const indices = arrayOf(method, given, 'indices');
  requireIntegers(method, 'indices', indices);
  const { dataType } = indices;
  return dataType === 'int64' || dataType === 'uint64' || dataType === 'uint32' ? indices : as(indices, 'int32');
}

/** The parts of an array at indices along an axis; without an axis, the elements in row-major order. */
export const take = define('take', (x: unknown, indices: unknown, options: unknown) => {
  const given = readOptions('take', options, ['axis']).get('axis');
  const value = given === undefined ? flat(arrayOf('take', x)) : arrayOf('take', x);
  const places = indicesOf('take', indices);
  const axis = axisOf('take', given ?? 0, value.sizes.length);
  const count = value.sizes.length;
  const [before, after] = [value.sizes.slice(0, axis), value.sizes.slice(axis + 1)];
  const line = packed(places).reshape([...new Array<number>(count - 1).fill(1), productOf(places.sizes)]);
  return gather(value as Float, line as Indices, { axis, indexDimensions: 1 }).reshape([...before, ...places.sizes, ...after]);
}) as Taken;

/** Along an axis, by default the last, the element at each index. The other sizes are repeated as in `add`. */
export const takeAlongAxis = define('takeAlongAxis', (x: unknown, indices: unknown, options: unknown) => {
  const [value, places] = [arrayOf('takeAlongAxis', x), indicesOf('takeAlongAxis', indices)];
  const axis = axisOf('takeAlongAxis', readOptions('takeAlongAxis', options, ['axis']).get('axis') ?? -1, value.sizes.length);
  const others = (sizes: Sizes) => sizes.with(axis, 1);
  const both = places.sizes.length === value.sizes.length ? bothSizes(others(value.sizes), others(places.sizes)) : null;
  if (both === null) {
    const expected = `sizes that but for the axis broadcast with ${list(value.sizes)}`;
    throw fieldError('ERR_SIZES', { operator: 'takeAlongAxis', field: 'indices.sizes' }, expected, list(places.sizes));
  }
  const repeated = (own: Value) => own.broadcastTo(both.with(axis, own.sizes[axis] ?? 1));
  return gatherElements(repeated(value) as Float, repeated(places) as Indices, { axis });
}) as Taken;

/** The coordinates of elements or parts: the last dimension of the indices. */
function coordinatesOf(method: string, x: Value, indices: unknown): Value {
  const places = indicesOf(method, indices);
  if ((places.sizes.at(-1) ?? 1) <= x.sizes.length) return places;
  const expected = `at most ${x.sizes.length} coordinates in the last dimension, as ${list(x.sizes)} has dimensions`;
  throw fieldError('ERR_SIZES', { operator: method, field: 'indices.sizes' }, expected, list(places.sizes));
}

/** As operators want them: equally many dimensions, of which the first ones are 1. */
function leveled(values: readonly Value[]): readonly Value[] {
  const count = Math.max(...values.map(({ sizes }) => sizes.length));
  return values.map((value) => packed(value).reshape([...new Array<number>(count - value.sizes.length).fill(1), ...value.sizes]));
}

/**
 * The elements or parts at coordinates, which are the last dimension of the indices: `[[0, 1], [2, 0]]` takes `x[0, 1]` and
 * `x[2, 0]`.
 */
export const at = define('at', (x: unknown, indices: unknown) => {
  const value = arrayOf('at', x);
  const places = coordinatesOf('at', value, indices);
  const sizes = sizesOrOne([...places.sizes.slice(0, -1), ...value.sizes.slice(places.sizes.at(-1) ?? 1)]);
  const counts = { inputDimensionCount: value.sizes.length, indicesDimensionCount: places.sizes.length };
  const length = Math.max(value.sizes.length, places.sizes.length, sizes.length);
  const [first, second] = [value, places].map((own) =>
    packed(own).reshape([...new Array<number>(length - own.sizes.length).fill(1), ...own.sizes]),
  );
  const outputTensor = { dataType: value.dataType, sizes: [...new Array<number>(length - sizes.length).fill(1), ...sizes] };
  return (gatherNd1 as Make)(first, second, { ...counts, outputTensor }).reshape(sizes);
}) as <A extends Input, I extends Input>(x: A, indices: I) => Output<[A, I], TypeOf<A>>;

/** The sizes of what lies at coordinates, and the values for them in the data type of the array. */
function updatesOf(method: string, x: Value, places: Value, values: unknown): Value {
  const sizes = sizesOrOne([...places.sizes.slice(0, -1), ...x.sizes.slice(places.sizes.at(-1) ?? 1)]);
  const given = as(arrayOf(method, values, 'values'), x.dataType);
  if (bothSizes(given.sizes, sizes)?.join() === sizes.join()) return given.broadcastTo(sizes);
  const expected = `sizes that can be repeated to ${list(sizes)}`;
  throw fieldError('ERR_SIZES', { operator: method, field: 'values.sizes' }, expected, list(given.sizes));
}

type Updated = <A extends Input, I extends Input, V extends Input>(x: A, indices: I, values: V) => Output<[A, I, V], TypeOf<A>>;

/** A copy of the array with other elements or parts at coordinates, as those of `at`. Of equal coordinates, one wins. */
export const atSet = define('atSet', (x: unknown, indices: unknown, values: unknown) => {
  const value = arrayOf('atSet', x);
  const places = coordinatesOf('atSet', value, indices);
  const [first, second, third] = leveled([value, places, updatesOf('atSet', value, places, values)]);
  const counts = { inputDimensionCount: value.sizes.length, indicesDimensionCount: places.sizes.length };
  return (scatterNd as Make)(first, second, third, counts).reshape(value.sizes);
}) as Updated;

/**
 * The array with values added to elements or parts at coordinates, as those of `at`; all values of equal coordinates are added.
 * DirectML has no operator for that: values are multiplied with a matrix, which has a row for each of them and a column for each
 * place.
 */
export const atAdd = define('atAdd', (x: unknown, indices: unknown, values: unknown) => {
  const value = arrayOf('atAdd', x);
  const places = coordinatesOf('atAdd', value, indices);
  const length = places.sizes.at(-1) ?? 1;
  const count = productOf(places.sizes) / length;
  const [heights, width] = [value.sizes.slice(0, length), productOf(value.sizes.slice(length))];
  const updates = packed(updatesOf('atAdd', value, places, values)).reshape([count, width]);
  const rows = as(packed(places), 'int32').reshape([count, length]) as Indices;
  const place = heights.reduce<Indices>((before, size, axis) => {
    const own = part(rows, 1, axis, 1) as Indices;
    const fromStart = elementWiseIf(elementWiseLogicalLessThan(own, 0), elementWiseAdd(own, size), own);
    return axis === 0 ? fromStart : elementWiseAdd(elementWiseMultiply(before, size), fromStart);
  }, rows);
  const height = productOf(heights);
  const isPlace = elementWiseLogicalEquals(place, constantIn(x, 'int32', [height], [...new Array(height).keys()]));
  const picks = { value: as(isPlace, value.dataType), labels: ['update', 'place'] };
  const sums = contracted(picks, { value: updates, labels: ['update', 'own'] }, ['place', 'own']).value;
  return elementWiseAdd(value as Float, sums.reshape(value.sizes) as Float);
}) as Updated;

/** 1 at the place that an index gives along a new axis, by default the last, and 0 elsewhere, also for an index outside. */
export const oneHot = define('oneHot', (indices: unknown, count: unknown, options: unknown) => {
  const places = indicesOf('oneHot', indices);
  const read = readOptions('oneHot', options, ['axis', 'dataType']);
  const axis = axisOf('oneHot', read.get('axis') ?? -1, places.sizes.length + 1);
  const dataType = dataTypeOption('oneHot', 'options.dataType', read.get('dataType') ?? 'float32');
  const size = wholeOption('oneHot', 'count', count, 1);
  const outputTensor = {
    dataType: places.dataType,
    sizes: Array.from({ length: places.sizes.length + 1 }, (_, i) => (i === axis ? size : 1)),
  };
  const numbers = (fillValueSequence as Make)(graphOfTree([indices]), { valueStart: 0, valueDelta: 1, outputTensor });
  const higher = packed(places).reshape(places.sizes.toSpliced(axis, 0, 1));
  return as(elementWiseLogicalEquals(higher as Float, numbers as Float), dataType);
}) as <I extends Input, T extends DataType = 'float32'>(
  indices: I,
  count: number,
  options?: { readonly axis?: number | undefined; readonly dataType?: T | undefined },
) => Output<[I], T>;

/**
 * Where values would be inserted in a sorted array so that it stays sorted: before equal elements with the side `'left'`, which is
 * the default, behind them with `'right'`. Compares each value with each element.
 */
export const searchSorted = define('searchSorted', (x: unknown, values: unknown, options: unknown) => {
  const [sorted, wanted] = [arrayOf('searchSorted', x), arrayOf('searchSorted', values, 'values')];
  const side = readOptions('searchSorted', options, ['side']).get('side') ?? 'left';
  if (side !== 'left' && side !== 'right') throw argumentError('searchSorted', 'options.side', "'left' or 'right'", side);
  if (sorted.sizes.length !== 1) {
    throw fieldError('ERR_DIMENSION_COUNT', { operator: 'searchSorted', field: 'x' }, 'one dimension', `${sorted.sizes.length}`);
  }
  const dataType = promoted('searchSorted', sorted.dataType, wanted.dataType);
  const higher = as(packed(wanted).reshape([...wanted.sizes, 1]), dataType) as Float;
  const isBefore = side === 'left' ? elementWiseLogicalLessThan : elementWiseLogicalLessThanOrEqual;
  const before = isBefore(as(sorted, dataType) as Float, higher);
  return reduce(as(before, 'int32') as Indices, { function: 'sum', axes: [wanted.sizes.length] }).reshape(wanted.sizes);
}) as <A extends Input, V extends Input>(
  x: A,
  values: V,
  options?: { readonly side?: 'left' | 'right' | undefined },
) => Output<[A, V], 'int32'>;

/** The coordinates of all elements that are not 0, row by row. */
const coordinates = define('nonzero', (x: unknown) => {
  const isOther = elementWiseLogicalNot(elementWiseLogicalEquals(arrayOf('nonzero', x) as Float, 0));
  return nonzeroCoordinates(isOther);
}) as (
  x: unknown,
) => Promise<{ readonly outputCountTensor: Tensor<'uint32'>; readonly outputCoordinatesTensor: Tensor<'uint32'> }>;

/**
 * The indices of the elements that are not 0, in one array for each dimension. How many there are is read, so it is no function of
 * values: in `jit` and in graphs it is refused.
 */
export function nonzero(x: Tensor | Promise<Tensor>): Promise<readonly Tensor<'int32'>[]> {
  return fromCaller(async () => {
    requireTensor('nonzero', x);
    const { outputCountTensor, outputCoordinatesTensor } = await coordinates(x);
    const count = await outputCountTensor.item();
    if (count === 0) {
      const why = 'DirectML has no empty tensors';
      throw fieldError('ERR_SIZES', { operator: 'nonzero', field: 'x' }, 'at least one element that is not 0', 'none', { why });
    }
    const dimensions = outputCoordinatesTensor.sizes.at(-1) ?? 1;
    return Promise.all(
      Array.from({ length: dimensions }, async (_, axis) => {
        const windows = { inputWindowOffsets: [0, axis], inputWindowSizes: [count, 1], inputWindowStrides: [1, 1] };
        const column = await slice1(outputCoordinatesTensor, { ...windows, outputTensor: { sizes: [count, 1] } });
        return (await cast(column, { outputTensor: { dataType: 'int32' } })).reshape([count]);
      }),
    );
  });
}
