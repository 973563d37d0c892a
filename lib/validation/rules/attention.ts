/** Multi-head attention: values, weighed by how well their keys match queries. */
import { list } from '../../errors.js';
import type { Resolved, ResolvedTensor } from '../resolved.js';
import { dimensionCountOf } from '../settle.js';
import { strict, strictly } from '../strict.js';
import {
  equal,
  has,
  inRange,
  refuse,
  rightAlign,
  sameDataType,
  sameDimensionCount,
  sizesUnlessGiven,
  tensorOf,
  type Rule,
  type WithOptionalTensors,
} from './rule.js';

/** Queries, keys and values: each has the lengths of batch and sequence, and the size of what one head has of one place. */
interface Part {
  readonly name: PartName;
  readonly batch: number;
  readonly length: number;
  readonly headSize: number;
}

interface HeadCounts {
  readonly query: number;
  readonly keyValue: number;
}

type PartName = 'query' | 'key' | 'value';
type Stacked = 'stackedQueryKeyTensor' | 'stackedKeyValueTensor' | 'stackedQueryKeyValueTensor';
type Source = `${PartName}Tensor` | Stacked;

type Attention = Resolved<'multiheadAttention' | 'multiheadAttention1'>;

/** Where queries, keys and values can be: in tensors of their own, or stacked in this order. */
const LAYOUTS: readonly (readonly Source[])[] = [
  ['queryTensor', 'keyTensor', 'valueTensor'],
  ['stackedQueryKeyTensor', 'valueTensor'],
  ['queryTensor', 'stackedKeyValueTensor'],
  ['stackedQueryKeyValueTensor'],
];
const STACKED: Readonly<Record<Stacked, readonly PartName[]>> = {
  stackedQueryKeyTensor: ['query', 'key'],
  stackedKeyValueTensor: ['key', 'value'],
  stackedQueryKeyValueTensor: ['query', 'key', 'value'],
};
const UNSTACKED = { queryTensor: 'query', keyTensor: 'key', valueTensor: 'value' } as const;

/**
 * Queries, keys and values are each given once: as `queryTensor`, `keyTensor` and `valueTensor`, or two or three of them stacked.
 * `queryTensor` is [batch, sequence, heads · head size], `keyTensor` [batch, key sequence, heads · head size], and
 * `valueTensor` [batch, key sequence, heads · value head size]; stacked ones are [batch, sequence, heads, 2 or 3, head size].
 * `outputTensor` is [batch, sequence, heads · value head size], with the dimension count of those that are not stacked.
 * `pastKeyTensor` and `pastValueTensor` are given both or not at all: [batch, heads, past sequence, head size or value head size].
 * The total sequence is the past one and the key sequence. `outputPresentKeyTensor` and `outputPresentValueTensor` are
 * [batch, heads, total sequence, head size or value head size].
 * `biasTensor` is [heads · (2 · head size + value head size)]: queries', keys', values'.
 * `relativePositionBiasTensor` is [batch, heads, sequence, total sequence].
 * `maskTensor` is there unless `maskType` is `'none'`: [1, batch] for `'keySequenceLength'`, [2, batch] for
 * `'keySequenceEndStart'`, [3 · batch + 2] for `'keyQuerySequenceLengthStartEnd'`, and for `'boolean'` as `relativePositionBiasTensor`.
 * Dimensions of 1 may stand in front. All tensors but the mask have one data type.
 * Sizes that are left out have no dimensions of 1 in front, but for the dimension count of `outputTensor`.
 */
export const multiheadAttention: Rule<'multiheadAttention'> = (operator) => {
  const heads = inRange(operator, 'headCount', 1, 0xffffffff);
  attends(operator, { query: heads, keyValue: heads });
};

/**
 * As `multiheadAttention`, but `queryHeadCount` is a multiple of `keyValueHeadCount`: queries of several heads share the
 * keys and values of one. Queries and keys that are stacked have as many heads.
 * `pastSequenceLengthsTensor`, [batch], packed, says how much `outputPresentKeyTensor` and `outputPresentValueTensor` hold
 * already: new keys and values are written behind it, and `maskFilterValue` keeps a query from what is after its own place.
 * Both are there then, [batch, heads, capacity, head size or value head size], with room for the new ones;
 * `pastKeyTensor`, `pastValueTensor`, `maskTensor` and `relativePositionBiasTensor` are not.
 * The sizes of `outputPresentKeyTensor` must be given beside `pastSequenceLengthsTensor`.
 */
export const multiheadAttention1: Rule<'multiheadAttention1'> = (operator) => {
  const query = inRange(operator, 'queryHeadCount', 1, 0xffffffff);
  const keyValue = inRange(operator, 'keyValueHeadCount', 1, 0xffffffff);
  const stacked = (['stackedQueryKeyTensor', 'stackedQueryKeyValueTensor'] as const).find((name) => has(operator, name));
  if (stacked !== undefined && query !== keyValue) {
    const why = `as queryHeadCount, for ${stacked} has both`;
    throw refuse(operator, 'ERR_FIELD_COMBINATION', 'keyValueHeadCount', `${query}`, `${keyValue}`, why);
  }
  if (query % keyValue !== 0) {
    throw refuse(operator, 'ERR_FIELD_COMBINATION', 'queryHeadCount', `a multiple of ${keyValue}, keyValueHeadCount`, `${query}`);
  }
  attends(operator, { query, keyValue });
};

function attends(operator: Attention, heads: HeadCounts): void {
  const sources = sourcesOf(operator);
  sameTypes(operator, sources);
  const parts = sources.flatMap((source) => partsOf(operator, source, heads));
  const [query, key, value] = (['query', 'key', 'value'] as const).map((name) => parts.find((part) => part.name === name));
  if (query === undefined || key === undefined || value === undefined) throw new TypeError('a layout has all three');
  sameSizesOfParts(operator, query, key, value);
  const { batch } = query;
  const isCached = operator.type === 'multiheadAttention1' && operator.pastSequenceLengthsTensor !== null;
  const past = isCached ? 0 : pastLength(operator);
  const total = isCached ? capacity(operator, operator.pastSequenceLengthsTensor, batch, key.length) : past + key.length;
  const cache = (length: number, { headSize }: Part): number[] => [batch, heads.keyValue, length, headSize];
  fits(
    operator,
    'outputTensor',
    [batch, query.length, heads.query * value.headSize],
    '[batch, sequence, heads · value head size]',
  );
  fits(operator, 'pastKeyTensor', cache(past, key), '[batch, heads, past sequence, head size]');
  fits(operator, 'pastValueTensor', cache(past, value), '[batch, heads, past sequence, value head size]');
  fits(operator, 'outputPresentKeyTensor', cache(total, key), '[batch, heads, total sequence, head size]');
  fits(operator, 'outputPresentValueTensor', cache(total, value), '[batch, heads, total sequence, value head size]');
  const hidden = heads.query * query.headSize + heads.keyValue * (key.headSize + value.headSize);
  fits(operator, 'biasTensor', [hidden], 'one for each element of a query, a key and a value');
  const scores = [batch, heads.query, query.length, total];
  fits(operator, 'relativePositionBiasTensor', scores, SCORES);
  maskFits(operator, batch, scores);
}

const SCORES = '[batch, heads, sequence, total sequence]';

/** The tensors that hold queries, keys and values. */
function sourcesOf(operator: Attention): readonly Source[] {
  const all = new Set(LAYOUTS.flat());
  const given = [...all].filter((name) => has(operator, name));
  const layout = LAYOUTS.find((names) => names.length === given.length && names.every((name) => given.includes(name)));
  if (layout === undefined) {
    const expected = LAYOUTS.map((names) => names.join(' and ')).join('; or ');
    throw refuse(operator, 'ERR_FIELD_COMBINATION', 'queryTensor', expected, given.join(', ') || 'none of them');
  }
  return layout;
}

function sameTypes(operator: Attention, sources: readonly Source[]): void {
  const rest = ['biasTensor', 'relativePositionBiasTensor', 'pastKeyTensor', 'pastValueTensor'] as const;
  const outputs = ['outputTensor', 'outputPresentKeyTensor', 'outputPresentValueTensor'] as const;
  strictly('attention-data-types', () => sameDataType(operator, ...sources, ...rest, ...outputs));
  const unstacked = sources.filter((source) => !isStacked(source));
  if (unstacked.length > 0) sameDimensionCount(operator, 'outputTensor', ...unstacked);
}

function isStacked(source: Source): source is Stacked {
  return Object.hasOwn(STACKED, source);
}

function partsOf(operator: Attention, source: Source, heads: HeadCounts): Part[] {
  const sizes = operator[source]?.sizes ?? [];
  if (isStacked(source)) {
    const stacked = STACKED[source];
    const [batch = 1, length = 1, , , headSize = 1] = sizes;
    const count = stacked.includes('query') ? heads.query : heads.keyValue;
    fits(operator, source, [batch, length, count, stacked.length, headSize], '[batch, sequence, heads, stacked, head size]');
    return stacked.map((name) => ({ name, batch, length, headSize }));
  }
  const name = UNSTACKED[source];
  const count = name === 'query' ? heads.query : heads.keyValue;
  const [batch = 1, length = 1, hidden = 1] = sizes.slice(-3);
  fits(operator, source, [batch, length, hidden], '[batch, sequence, heads · head size]');
  if (hidden % count !== 0) {
    const at = `${source}.sizes[${sizes.length - 1}]`;
    const error = refuse(operator, 'ERR_SIZES', at, `a multiple of ${count}, the number of heads`, `${hidden}`);
    throw strict('attention-head-sizes', error);
  }
  return [{ name, batch, length, headSize: hidden / count }];
}

function sameSizesOfParts(operator: Attention, query: Part, key: Part, value: Part): void {
  const check = (what: string, expected: number, given: number, why: string): void => {
    if (given !== expected) throw refuse(operator, 'ERR_SIZES', what, `${expected}`, `${given}`, why);
  };
  check('batch of the keys', query.batch, key.batch, 'as the queries have');
  check('batch of the values', query.batch, value.batch, 'as the queries have');
  check('head size of the keys', query.headSize, key.headSize, 'as the queries have');
  check('sequence of the values', key.length, value.length, 'as the keys have');
}

/** How many keys and values there were before. */
function pastLength(operator: Attention): number {
  const { pastKeyTensor: key, pastValueTensor: value } = operator;
  if ((key === null) !== (value === null)) {
    const given = value === null ? 'pastKeyTensor alone' : 'pastValueTensor alone';
    throw refuse(operator, 'ERR_FIELD_COMBINATION', 'pastKeyTensor', 'pastKeyTensor and pastValueTensor, or neither', given);
  }
  return key === null ? 0 : (key.sizes.at(-2) ?? 1);
}

type Cached = Resolved<'multiheadAttention1'>;

/** How many keys and values there is room for, where they are kept in the outputs. */
function capacity(operator: Cached, { strides, sizes }: ResolvedTensor, batch: number, added: number): number {
  const name = 'pastSequenceLengthsTensor';
  fits(operator, name, [batch], 'a length for each of the batch');
  const stride = strides?.at(-1) ?? 1;
  if (sizes.at(-1) !== 1 && stride !== 1)
    throw refuse(operator, 'ERR_STRIDES', `${name}.strides`, '1 as the last one', `${stride}`);
  for (const other of ['pastKeyTensor', 'pastValueTensor', 'maskTensor', 'relativePositionBiasTensor'] as const) {
    if (has(operator, other)) throw refuse(operator, 'ERR_FIELD_COMBINATION', other, `null beside ${name}`, 'a tensor');
  }
  for (const other of ['outputPresentKeyTensor', 'outputPresentValueTensor'] as const) {
    if (!has(operator, other)) throw refuse(operator, 'ERR_FIELD_COMBINATION', other, `a tensor beside ${name}`, 'null');
  }
  const room = operator.outputPresentKeyTensor?.sizes.at(-2) ?? 1;
  if (room < added) {
    throw refuse(operator, 'ERR_SIZES', 'outputPresentKeyTensor.sizes', `room for ${added} keys`, `${room}`);
  }
  return room;
}

function maskFits(operator: Attention, batch: number, scores: readonly number[]): void {
  const { maskType } = operator;
  const isThere = has(operator, 'maskTensor');
  if (maskType === 'none') {
    if (isThere) throw refuse(operator, 'ERR_FIELD_COMBINATION', 'maskTensor', `null, as maskType is 'none'`, 'a tensor');
    return;
  }
  if (!isThere) {
    strictly('never-compiled', () => {
      throw refuse(operator, 'ERR_FIELD_COMBINATION', 'maskTensor', `a tensor, as maskType is '${maskType}'`, 'null');
    });
  }
  switch (maskType) {
    case 'keySequenceLength':
      return fits(operator, 'maskTensor', [1, batch], 'a length for each of the batch');
    case 'keySequenceEndStart':
      return fits(operator, 'maskTensor', [2, batch], 'ends, and starts, for each of the batch');
    case 'keyQuerySequenceLengthStartEnd':
      return fits(operator, 'maskTensor', [3 * batch + 2], 'lengths; starts of queries and an end; starts of keys and an end');
    default:
      return fits(operator, 'maskTensor', scores, SCORES);
  }
}

/** The tensor, if there is one, has these sizes; ones may stand in front. */
function fits<Name extends string>(
  operator: WithOptionalTensors<NoInfer<Name>>,
  name: Name,
  expected: readonly number[],
  why: string,
): void {
  const value = tensorOf<Name, ResolvedTensor | null>(operator, name);
  if (value === null) return;
  sizesUnlessGiven(value, () => rightAlign(expected, dimensionCountOf(value) ?? expected.length) ?? expected);
  const { sizes } = value;
  if (sizes.length >= expected.length && equal(rightAlign(sizes, expected.length) ?? [], expected)) return;
  throw refuse(operator, 'ERR_SIZES', `${name}.sizes`, list(expected), list(sizes), `${why}; ones may stand in front`);
}
