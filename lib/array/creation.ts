/** Functions that create arrays. They take a device first, or the graph to which they add a value. */
import type { Device } from '../api/device.js';
import { fromCaller, fromCallerNow } from '../api/call-site.js';
import { Graph } from '../api/graphs/graph.js';
import { graphOfTree } from '../api/graphs/on-tensors.js';
import {
  diagonalMatrix,
  diagonalMatrix1,
  elementWiseIdentity as identity,
  fillValueConstant,
  fillValueSequence,
} from '../functions/index.js';
import type { Tensor } from '../api/memory/tensor.js';
import { Value } from '../graph/value.js';
import { isFloat } from '../tensors/data-types.js';
import type { DataType } from '../tensors/generated/enums.js';
import { argumentError, readOptions } from '../values/arguments.js';
import { describe, fieldError } from '../values/errors.js';
import { commonSizes } from './broadcast.js';
import { define, several } from './define.js';
import { inWordsOf, inWordsOfLater } from './inner-errors.js';
import { sizesOf } from './sizes.js';
import { arrayOf, dataTypeOption, numberOption, requireMatrices, wholeOption } from './values.js';
import type { Input, Output, TypeOf } from './types.js';

type Sizes = number | readonly number[];
type Place = Device | Graph;
/** The data type of a created array. Default: float32. */
export interface TypeOption<T extends DataType> {
  readonly dataType?: T | undefined;
}
/** A value in a graph, else the promise of a tensor. */
type Created<P extends Place, T extends DataType> = P extends Graph ? Value<T> : Promise<Tensor<T>>;
type Filled = <P extends Place, T extends DataType = 'float32'>(
  device: P,
  sizes: Sizes,
  options?: TypeOption<T>,
) => Created<P, T>;
/** Functions of operators take these in whatever way their descriptors say. */
type Make = (place: unknown, options: object) => unknown;

/** Adds a value to a graph, or runs an operator on a device. */
function create(method: string, place: unknown, work: () => unknown): unknown {
  if (Graph.is(place)) return fromCallerNow(() => inWordsOf(method, work));
  return fromCaller(() => inWordsOfLater(method, work));
}

function filled(method: string, place: unknown, sizes: unknown, value: unknown, options: unknown): unknown {
  return create(method, place, () => {
    const dataType = dataTypeOption(
      method,
      'options.dataType',
      readOptions(method, options, ['dataType']).get('dataType') ?? 'float32',
    );
    return (fillValueConstant as Make)(place, { value, outputTensor: { dataType, sizes: sizesOf(method, sizes) } });
  });
}

/** An array of zeros. */
export const zeros: Filled = ((place: unknown, sizes: unknown, options: unknown) =>
  filled('zeros', place, sizes, 0, options)) as Filled;
/** An array of ones. */
export const ones: Filled = ((place: unknown, sizes: unknown, options: unknown) =>
  filled('ones', place, sizes, 1, options)) as Filled;
/** An array that has a number everywhere. */
export const full = ((place: unknown, sizes: unknown, value: unknown, options: unknown) =>
  filled('full', place, sizes, value, options)) as <P extends Place, T extends DataType = 'float32'>(
  device: P,
  sizes: Sizes,
  value: number | bigint,
  options?: TypeOption<T>,
) => Created<P, T>;

const like = (name: string, valueOf: (given: readonly unknown[]) => readonly [value: unknown, options: unknown]) =>
  define(name, (x: unknown, ...given: readonly unknown[]) => {
    const { dataType, sizes } = arrayOf(name, x);
    const [value, options] = valueOf(given);
    const type = readOptions(name, options, ['dataType']).get('dataType') ?? dataType;
    return filled(name, graphOfTree([x]), sizes, value, { dataType: type });
  });
type Like = <A extends Input, T extends DataType = TypeOf<A>>(x: A, options?: TypeOption<T>) => Output<[A], T>;
/** Zeros with the sizes and the data type of another array. */
export const zerosLike = like('zerosLike', ([options]) => [0, options]) as Like;
/** Ones with the sizes and the data type of another array. */
export const onesLike = like('onesLike', ([options]) => [1, options]) as Like;
/** A number everywhere, with the sizes and the data type of another array. */
export const fullLike = like('fullLike', ([value, options]) => [value, options]) as <
  A extends Input,
  T extends DataType = TypeOf<A>,
>(
  x: A,
  value: number | bigint,
  options?: TypeOption<T>,
) => Output<[A], T>;

/** Options of `arange`. */
export interface RangeOptions<T extends DataType> extends TypeOption<T> {
  /** What is added from one number to the next. Default: 1. */
  readonly step?: number | undefined;
}
interface Arange {
  <P extends Place, T extends DataType = 'int32'>(device: P, stop: number, options?: RangeOptions<T>): Created<P, T>;
  <P extends Place, T extends DataType = 'int32'>(
    device: P,
    start: number,
    stop: number,
    options?: RangeOptions<T>,
  ): Created<P, T>;
}
/** The numbers from `start` (default: 0) to before `stop`: int32, or the data type that the options give. */
export const arange: Arange = ((place: unknown, ...given: readonly unknown[]) =>
  create('arange', place, () => {
    const isPair = typeof given[1] === 'number';
    const [start, stop] = isPair ? given : [0, given[0]];
    const read = readOptions('arange', given[isPair ? 2 : 1], ['step', 'dataType']);
    const step = read.get('step') ?? 1;
    const dataType = dataTypeOption('arange', 'options.dataType', read.get('dataType') ?? 'int32');
    for (const [name, number] of Object.entries({ start, stop, step })) {
      if (typeof number === 'number' && Number.isFinite(number) && (isFloat(dataType) || Number.isInteger(number))) continue;
      throw argumentError('arange', name, isFloat(dataType) ? 'a number' : `a whole number, as ${dataType} has`, number);
    }
    if (step === 0) throw argumentError('arange', 'step', 'a number other than 0', step);
    const count = Math.ceil((Number(stop) - Number(start)) / Number(step));
    if (count < 1) {
      const why = 'DirectML has no empty tensors';
      throw fieldError('ERR_SIZES', { operator: 'arange', field: 'stop' }, 'at least one number', describe(stop), { why });
    }
    const outputTensor = { dataType, sizes: [count] };
    return (fillValueSequence as Make)(place, { valueStart: start, valueDelta: step, outputTensor });
  })) as Arange;

/** `count` numbers in equal distances. The last one is `stop`, but for `endpoint: false`. */
export const linspace = ((place: unknown, start: unknown, stop: unknown, count: unknown, options: unknown) =>
  create('linspace', place, () => {
    const read = readOptions('linspace', options, ['dataType', 'endpoint']);
    const [from, to] = [numberOption('linspace', 'start', start), numberOption('linspace', 'stop', stop)];
    const dataType = dataTypeOption('linspace', 'options.dataType', read.get('dataType') ?? 'float32');
    if (!isFloat(dataType)) throw argumentError('linspace', 'options.dataType', 'one of floats', dataType);
    const many = wholeOption('linspace', 'count', count, 1);
    const steps = read.get('endpoint') === false ? many : Math.max(many - 1, 1);
    const outputTensor = { dataType, sizes: [many] };
    return (fillValueSequence as Make)(place, { valueStart: from, valueDelta: (to - from) / steps, outputTensor });
  })) as <P extends Place, T extends 'float32' | 'float16' = 'float32'>(
  device: P,
  start: number,
  stop: number,
  count: number,
  options?: TypeOption<T> & { readonly endpoint?: boolean | undefined },
) => Created<P, T>;

/** Options of `eye`. */
export interface EyeOptions<T extends DataType> extends TypeOption<T> {
  /** Default: as many as rows. */
  readonly columns?: number | undefined;
  /** The diagonal of the ones: 0 is the main one, those above are positive. Default: 0. */
  readonly k?: number | undefined;
}
/** A matrix with ones on a diagonal and zeros elsewhere. */
export const eye = ((place: unknown, rows: unknown, options: unknown) =>
  create('eye', place, () => {
    const read = readOptions('eye', options, ['dataType', 'columns', 'k']);
    const height = wholeOption('eye', 'rows', rows, 1);
    const width = wholeOption('eye', 'options.columns', read.get('columns') ?? height, 1);
    const offset = wholeOption('eye', 'options.k', read.get('k') ?? 0);
    const dataType = dataTypeOption('eye', 'options.dataType', read.get('dataType') ?? 'float32');
    return (diagonalMatrix as Make)(place, { offset, value: 1, outputTensor: { dataType, sizes: [height, width] } });
  })) as <P extends Place, T extends DataType = 'float32'>(device: P, rows: number, options?: EyeOptions<T>) => Created<P, T>;

/** Diagonals of matrices filled with zeros: from `first(k)` on, to before `end(k)`. */
const triangle = (
  name: string,
  [first, end]: readonly [(k: number, sizes: readonly number[]) => number, (k: number, sizes: readonly number[]) => number],
) =>
  define(name, (x: unknown, options: unknown) => {
    const value = arrayOf(name, x);
    const k = wholeOption(name, 'options.k', readOptions(name, options, ['k']).get('k') ?? 0);
    const { sizes } = value;
    requireMatrices(name, value);
    const [diagonalFillBegin, diagonalFillEnd] = [first(k, sizes), end(k, sizes)];
    if (diagonalFillBegin >= diagonalFillEnd) return identity(value as Value<'float32'>);
    const { dataType } = value;
    const fill = { inputTensor: value, valueDataType: dataType, value: 0, diagonalFillBegin, diagonalFillEnd };
    return (diagonalMatrix1 as Make)(graphOfTree([x]), fill);
  }) as <A extends Input>(x: A, options?: { readonly k?: number | undefined }) => Output<[A], TypeOf<A>>;
const rowsOf = (sizes: readonly number[]) => sizes.at(-2) ?? 1;
const columnsOf = (sizes: readonly number[]) => sizes.at(-1) ?? 1;
/** The lower triangles of matrices, up to the diagonal `k`; zeros above. */
export const tril = triangle('tril', [(k, sizes) => Math.max(k + 1, 1 - rowsOf(sizes)), (_, sizes) => columnsOf(sizes)]);
/** The upper triangles of matrices, from the diagonal `k` on; zeros below. */
export const triu = triangle('triu', [(_, sizes) => 1 - rowsOf(sizes), (k, sizes) => Math.min(k, columnsOf(sizes))]);

/**
 * Matrices of coordinates: each array, of one dimension, repeated along the dimensions of the others. With the indexing `'xy'`,
 * which is the default, the first array runs along the second dimension; with `'ij'`, along the first.
 */
export const meshgrid = define(
  'meshgrid',
  (arrays: unknown, options: unknown) => {
    if (!Array.isArray(arrays)) throw argumentError('meshgrid', 'arrays', 'an array of tensors', arrays);
    const indexing = readOptions('meshgrid', options, ['indexing']).get('indexing') ?? 'xy';
    if (indexing !== 'xy' && indexing !== 'ij') throw argumentError('meshgrid', 'options.indexing', "'xy' or 'ij'", indexing);
    const values = arrays.map((each: unknown, i) => arrayOf('meshgrid', each, `arrays[${i}]`));
    const isSwapped = indexing === 'xy' && values.length > 1;
    const shaped = values.map((value, i) => {
      if (value.sizes.length !== 1) {
        const place = { operator: 'meshgrid', field: `arrays[${i}]` };
        throw fieldError('ERR_DIMENSION_COUNT', place, 'one dimension', `${value.sizes.length}`);
      }
      const axis = isSwapped && i < 2 ? 1 - i : i;
      return value.reshape(values.map((_, place) => (place === axis ? (value.sizes[0] ?? 1) : 1)));
    });
    const sizes = commonSizes('meshgrid', shaped);
    return shaped.map((value) => identity(value.broadcastTo(sizes) as Value<'float32'>));
  },
  several,
) as <A extends Input>(arrays: readonly A[], options?: { readonly indexing?: 'xy' | 'ij' | undefined }) => OutputList<A>;

/** Several arrays: values if one of the inputs is one, else a promise of tensors. */
export type OutputList<A> =
  Output<[A], TypeOf<A>> extends infer Made ? (Made extends Promise<infer T> ? Promise<readonly T[]> : readonly Made[]) : never;
