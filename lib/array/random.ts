/**
 * Random numbers from keys, as in jax: a function of a key and sizes, which returns the same numbers in each call, on each device
 * and in each version. So a program needs a new key for each draw: from `split` or `foldIn`.
 *
 * The bits are those of Philox 4x32-10. What becomes of them are integers, and floats by operations that are exact on every device.
 */
import { contextOf, type Device } from '../api/device.js';
import type { Tensor } from '../api/memory/tensor.js';
import {
  elementWiseAdd,
  elementWiseBitAnd,
  elementWiseBitCount,
  elementWiseBitNot,
  elementWiseBitOr,
  elementWiseBitShiftLeft,
  elementWiseBitShiftRight,
  elementWiseClip,
  elementWiseLogicalLessThan,
  elementWiseLogicalLessThanOrEqual,
  elementWiseMultiply,
  elementWiseSubtract,
  gather,
  join,
  randomGenerator,
  split as splitOperator,
  topK1,
} from '../functions/index.js';
import type { Input, Output, OutputArray, TypeOf } from '../functions/types.js';
import { Value } from '../graph/value.js';
import type { DataType } from '../tensors/generated/enums.js';
import { productOf } from '../tensors/tensor-size.js';
import { argumentError, byteCount, readOptions } from '../values/arguments.js';
import { describe, fieldError, list } from '../values/errors.js';
import { axisOf } from './axes.js';
import { define } from './define.js';
import { coefficientsOf } from './normal-table.js';
import { sizesOf } from './sizes.js';
import { arrayOf, as, constantIn, finiteOption, packed } from './values.js';

type Bits = Value<'uint32'>;
type Key = Input<'uint32'>;
type Sizes = readonly number[];

/** The last word of the counter, so that a key gives other bits for each purpose. */
const purposes = { bits: 0, split: 1, foldIn: 2 } as const;
const twoTo32 = 2 ** 32;

const aKey = { argument: 'key', expected: 'a key, which key, split and foldIn make' };
const withKey = (name: string, build: (...args: never[]) => unknown) => define(name, build, aKey);

/** A key from a seed: a whole number, or a bigint of 64 bits. */
export function key(device: Device, seed: number | bigint): Tensor<'uint32'> {
  if (contextOf(device) === undefined) throw argumentError('key', 'device', 'a device', device);
  const whole = typeof seed === 'bigint' ? seed : BigInt(byteCount('key', 'seed', seed));
  if (whole !== BigInt.asUintN(64, whole)) {
    throw fieldError('ERR_OUT_OF_RANGE', { operator: 'key', field: 'seed' }, '64 bits', describe(seed));
  }
  return device.tensor(Uint32Array.of(Number(whole & 0xffff_ffffn), Number(whole >> 32n)));
}

/** So many new keys, by default two, from one that should not be used again. */
export const split = withKey('split', (from: unknown, count: unknown = 2) => {
  const total = byteCount('split', 'count', count, 1);
  const words = wordsOf('split', from, 2 * total, purposes.split);
  if (total === 1) return [words];
  return splitOperator(words, { axis: 0, outputTensors: Array.from({ length: total }, () => ({ sizes: [2] })) });
}) as <K extends Key>(key: K, count?: number) => OutputArray<[K], 'uint32'>;

/** A new key from a key and a number, such as that of a step: a number from 0 to 2^32 - 1, or a tensor of one integer. */
export const foldIn = withKey('foldIn', (from: unknown, data: unknown) => {
  const key = keyOf('foldIn', from);
  const counter = [0, 0, purposes.foldIn];
  if (!Value.is(data)) return generated(key, constantIn(key, 'uint32', [4], [wordOf(data), ...counter]), 2);
  if (productOf(data.sizes) !== 1) {
    throw fieldError('ERR_SIZES', { operator: 'foldIn', field: 'data' }, 'one element', list(data.sizes));
  }
  const word = as(packed(data).reshape([1]), 'uint32') as Bits;
  return generated(key, join([word, constantIn(key, 'uint32', [3], counter)], { axis: 0 }), 2);
}) as <K extends Key>(key: K, data: number | Input) => Output<[K], 'uint32'>;

/** Random bits: 32 of them in each element. */
export const bits = withKey('bits', (from: unknown, sizes: unknown) => bitsIn('bits', from, sizes)) as <K extends Key>(
  key: K,
  sizes: Sizes,
) => Output<[K], 'uint32'>;

/** Options of `uniform`. */
export interface UniformOptions<T extends 'float32' | 'float16' = 'float32' | 'float16'> {
  /** The smallest number that occurs. Default: 0. */
  readonly low?: number | undefined;
  /** All numbers are below it; those of float16 may be rounded to it. Default: 1. */
  readonly high?: number | undefined;
  /** Default: float32. */
  readonly dataType?: T | undefined;
}

/** Numbers from `low` to below `high`, all equally likely: multiples of 2^-24 of their distance, of 2^-11 in float16. */
export const uniform = withKey('uniform', (from: unknown, sizes: unknown, options: unknown) => {
  const read = readOptions('uniform', options, ['low', 'high', 'dataType']);
  const low = finiteOption('uniform', 'low', read.get('low') ?? 0);
  const high = finiteOption('uniform', 'high', read.get('high') ?? 1);
  if (low >= high) throw fieldError('ERR_OUT_OF_RANGE', { operator: 'uniform', field: 'high' }, `more than ${low}`, `${high}`);
  const half = isHalf('uniform', read.get('dataType'));
  const unit = fractions(bitsIn('uniform', from, sizes), half ? 11 : 24);
  const placed = low === 0 && high === 1 ? unit : between(unit, low, high);
  return half ? as(placed, 'float16') : placed;
}) as <K extends Key, T extends 'float32' | 'float16' = 'float32'>(
  key: K,
  sizes: Sizes,
  options?: UniformOptions<T>,
) => Output<[K], T>;

/** Normally distributed numbers with mean 0 and standard deviation 1, up to 6.6. The probability of each tail is right to 10^-5. */
export const normal = withKey('normal', (from: unknown, sizes: unknown, options: unknown) => {
  const half = isHalf('normal', readOptions('normal', options, ['dataType']).get('dataType'));
  const wanted = sizesOf('normal', sizes);
  const first = wordsOf('normal', from, productOf(wanted), purposes.bits);
  const second = wordsOf('normal', from, productOf(wanted), purposes.bits, 1);
  // The number of zeros at the end of the first word is the octave of the probability. The second word has the sign, the piece, and
  // the place in the piece.
  const zeros = elementWiseBitAnd(elementWiseBitNot(first), elementWiseSubtract(first, 1));
  const octave = elementWiseBitCount(zeros, { outputTensor: { dataType: 'uint32' } });
  const row = elementWiseBitOr(elementWiseBitShiftLeft(octave, 5), elementWiseBitShiftRight(second, 27));
  const place = fractions(elementWiseBitShiftLeft(second, 5), 24);
  const coefficient = (power: number): Value<'float32'> => {
    const all = coefficientsOf(power);
    return gather(constantIn(from, 'float32', [all.length], all), row, { axis: 0, indexDimensions: 1 });
  };
  let z = coefficient(3);
  for (const power of [2, 1, 0]) z = elementWiseAdd(elementWiseMultiply(z, place), coefficient(power));
  return as(z.reshape(wanted), half ? 'float16' : 'float32');
}) as <K extends Key, T extends 'float32' | 'float16' = 'float32'>(
  key: K,
  sizes: Sizes,
  options?: { readonly dataType?: T | undefined },
) => Output<[K], T>;

const integerRanges = {
  int8: [-128, 128],
  int16: [-(2 ** 15), 2 ** 15],
  int32: [-(2 ** 31), 2 ** 31],
  uint8: [0, 256],
  uint16: [0, 2 ** 16],
  uint32: [0, twoTo32],
} as const;
type IntegerType = keyof typeof integerRanges;

/** Options of `integers`. */
export interface IntegersOptions<T extends IntegerType = IntegerType> {
  /** The smallest number that occurs. Default: 0. */
  readonly low?: number | undefined;
  /** All numbers are below it. */
  readonly high: number;
  /** Default: int32. */
  readonly dataType?: T | undefined;
}

/** Integers from `low` to `high - 1`. Their probabilities differ by less than 2^-64, because 64 bits make each of them. */
export const integers = withKey('integers', (from: unknown, sizes: unknown, options: unknown) => {
  const read = readOptions('integers', options, ['low', 'high', 'dataType']);
  const dataType = read.get('dataType') ?? 'int32';
  if (!isIntegerType(dataType)) throw argumentError('integers', 'dataType', Object.keys(integerRanges).join(', '), dataType);
  const [least, end] = integerRanges[dataType];
  const within = (name: string, value: unknown, from: number, to: number): number => {
    if (typeof value === 'number' && Number.isInteger(value) && value >= from && value <= to) return value;
    const place = { operator: 'integers', field: name };
    throw fieldError('ERR_OUT_OF_RANGE', place, `a whole number from ${from} to ${to}`, describe(value));
  };
  const low = within('low', read.get('low') ?? 0, least, end - 1);
  const high = within('high', read.get('high'), low + 1, end);
  const wanted = sizesOf('integers', sizes);
  const below = scaled('integers', from, productOf(wanted), high - low);
  // Modulo 2^32, so that negative numbers come out right in int32.
  const moved = low === 0 ? below : elementWiseAdd(below, low < 0 ? low + twoTo32 : low);
  const signed = least < 0 ? as(moved, 'int32') : moved;
  return as(signed, dataType).reshape(wanted);
}) as <K extends Key, T extends IntegerType = 'int32'>(key: K, sizes: Sizes, options: IntegersOptions<T>) => Output<[K], T>;

/** The numbers from 0 to below a count in random order, or an array with its parts along an axis in random order. */
export const permutation = withKey('permutation', (from: unknown, x: unknown, options: unknown) => {
  const value = typeof x === 'number' ? null : arrayOf('permutation', x);
  const axis = axisOf('permutation', readOptions('permutation', options, ['axis']).get('axis') ?? 0, value?.sizes.length ?? 1);
  const count = value === null ? byteCount('permutation', 'x', x, 1) : (value.sizes[axis] ?? 1);
  const sorted = (words: Bits): Bits => topK1(words, { axis: 0, k: count, axisDirection: 'increasing' }).outputIndexTensor;
  const at = <T extends DataType>(array: Value<T>, indices: Bits): Value<T> =>
    gather(array as Value<'uint32'>, indices, { axis: 0, indexDimensions: 1 }) as unknown as Value<T>;
  // Sorted by numbers of 64 bits: by the low words, and then by the high ones, among which equal ones keep their order.
  const byLow = sorted(wordsOf('permutation', from, count, purposes.bits));
  const byHigh = sorted(at(wordsOf('permutation', from, count, purposes.bits, 1), byLow));
  const order = at(byLow, byHigh);
  if (value === null) return as(order, 'int32');
  const indices = order.reshape([...value.sizes.slice(1).map(() => 1), count]);
  return gather(value as Value<'float32'>, indices, { axis, indexDimensions: 1 });
}) as <K extends Key, X extends number | Input>(
  key: K,
  x: X,
  options?: { readonly axis?: number | undefined },
) => X extends Input ? Output<[K, X], TypeOf<X>> : Output<[K], 'int32'>;

/** 1 with the probability `p`, by default 0.5, else 0. `p` is exact to 2^-32, or to 2^-24 in a tensor, whose sizes are repeated. */
export const bernoulli = withKey('bernoulli', (from: unknown, sizes: unknown, options: unknown) => {
  const words = bitsIn('bernoulli', from, sizes);
  const p = readOptions('bernoulli', options, ['p']).get('p') ?? 0.5;
  if (Value.is(p)) return elementWiseLogicalLessThan(fractions(words, 24), as(p, 'float32') as Value<'float32'>);
  const limit = Math.round(finiteOption('bernoulli', 'p', p) * twoTo32);
  if (limit < 0 || limit > twoTo32) {
    throw fieldError('ERR_OUT_OF_RANGE', { operator: 'bernoulli', field: 'p' }, '0 to 1', describe(p));
  }
  return limit === 0 ? elementWiseLogicalLessThan(words, 0) : elementWiseLogicalLessThanOrEqual(words, limit - 1);
}) as <K extends Key, P extends number | Input = number>(
  key: K,
  sizes: Sizes,
  options?: { readonly p?: P | undefined },
) => Output<[K, P], 'uint8'>;

/** Words of one of several sequences that a key has for a purpose. */
function wordsOf(method: string, from: unknown, count: number, purpose: number, sequence = 0): Bits {
  const key = keyOf(method, from);
  return generated(key, constantIn(key, 'uint32', [4], [0, 0, sequence, purpose]), count);
}

function bitsIn(method: string, from: unknown, sizes: unknown): Bits {
  const wanted = sizesOf(method, sizes);
  return wordsOf(method, from, productOf(wanted), purposes.bits).reshape(wanted);
}

function keyOf(method: string, from: unknown): Bits {
  if (Value.is(from) && from.dataType === 'uint32' && from.sizes.length === 1 && from.sizes[0] === 2) return from as Bits;
  const given = Value.is(from) ? `${from.dataType} ${list(from.sizes)}` : describe(from);
  throw fieldError('ERR_INVALID_ARGUMENT', { operator: method, field: aKey.argument }, aKey.expected, given);
}

/** Words from a counter of four words and a key on. */
function generated(key: Bits, counter: Bits, count: number): Bits {
  return randomGenerator(join([counter, key], { axis: 0 }), { outputTensor: { sizes: [count] } }).outputTensor;
}

function wordOf(data: unknown): number {
  if (typeof data === 'number' && data === data >>> 0) return data;
  throw argumentError('foldIn', 'data', 'a whole number from 0 to 2^32 - 1, or a tensor of one', data);
}

/** The first bits of words as fractions of 1. */
function fractions(words: Bits, count: number): Value<'float32'> {
  const whole = as(elementWiseBitShiftRight(words, 32 - count), 'float32') as Value<'float32'>;
  return elementWiseMultiply(whole, 2 ** -count);
}

/** Cut between product and sum, so that no device computes both with one rounding, and so that no sum is rounded up to `high`. */
function between(unit: Value<'float32'>, low: number, high: number): Value<'float32'> {
  const [from, to] = [Math.fround(low), Math.fround(high)];
  const scaled = elementWiseMultiply(unit, Math.fround(to - from));
  let max = below(Math.fround((below(to) + to) / 2 - from));
  while (Math.fround(from + max) >= to) max = below(max);
  return elementWiseAdd(elementWiseClip(scaled, { min: 0, max: Math.max(0, max) }), from);
}

/** The float32 before this one. */
function below(x: number): number {
  const float = Float32Array.of(x);
  const word = new Int32Array(float.buffer);
  if (x === 0) return -(2 ** -149);
  word[0] = (word[0] ?? 0) + (x > 0 ? -1 : 1);
  return float[0] ?? 0;
}

/** The whole part of `bits · span / 2^64` for 64 random bits, from the lowest 16 of them on: no step exceeds 32 bits. */
function scaled(method: string, from: unknown, count: number, span: number): Bits {
  const [low, high] = [wordsOf(method, from, count, purposes.bits), wordsOf(method, from, count, purposes.bits, 1)];
  if (span === twoTo32) return high;
  const half = (word: Bits) => elementWiseBitAnd(word, 0xffff);
  const upper = (word: Bits) => elementWiseBitShiftRight(word, 16);
  const [spanLow, spanHigh] = [span % 65536, Math.floor(span / 65536)];
  const next = (before: Bits | null, part: Bits): Bits => {
    const product = elementWiseMultiply(part, spanLow);
    const carried = upper(before === null ? product : elementWiseAdd(product, spanHigh === 0 ? before : half(before)));
    if (spanHigh === 0) return carried;
    const main = elementWiseMultiply(part, spanHigh);
    return elementWiseAdd(before === null ? main : elementWiseAdd(main, upper(before)), carried);
  };
  return [upper(low), half(high), upper(high)].reduce(next, next(null, half(low)));
}

function isHalf(method: string, dataType: unknown): boolean {
  if (dataType === undefined || dataType === 'float32' || dataType === 'float16') return dataType === 'float16';
  throw argumentError(method, 'dataType', "'float32' or 'float16'", dataType);
}

function isIntegerType(value: unknown): value is IntegerType {
  return typeof value === 'string' && Object.hasOwn(integerRanges, value);
}
