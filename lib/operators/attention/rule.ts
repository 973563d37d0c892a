/** Multi-head attention: values are weighted by how well their keys match the queries. */
import { list } from '../../values/errors.js';
import { knownDimensionCount, needSizes, stateSizes, type Drafted, type TensorOrDraft } from '../../descriptors/drafted.js';
import type { ResolvedTensor } from '../../descriptors/resolved.js';
import { strict, strictly } from '../../descriptors/strict.js';
import { equal, inRange, rightAlign, sameDataType, sameDimensionCount } from '../../descriptors/checks.js';
import { has, refuse, tensorOf, type Rule, type WithOptionalTensors } from '../../descriptors/rule.js';

/**
 * The queries, the keys or the values. `length` is their sequence length, and `headSize` the number of elements that
 * one head has at one position.
 */
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

type Attention = Drafted<'multiheadAttention' | 'multiheadAttention1'>;

/** The four ways to give queries, keys and values: in separate tensors, or stacked. */
const LAYOUTS: readonly (readonly Source[])[] = [
  ['queryTensor', 'keyTensor', 'valueTensor'],
  ['stackedQueryKeyTensor', 'valueTensor'],
  ['queryTensor', 'stackedKeyValueTensor'],
  ['stackedQueryKeyValueTensor'],
];
/** The parts that a stacked tensor holds, in the order of its fourth dimension. */
const STACKED: Readonly<Record<Stacked, readonly PartName[]>> = {
  stackedQueryKeyTensor: ['query', 'key'],
  stackedKeyValueTensor: ['key', 'value'],
  stackedQueryKeyValueTensor: ['query', 'key', 'value'],
};
const UNSTACKED = { queryTensor: 'query', keyTensor: 'key', valueTensor: 'value' } as const;

/**
 * {@inheritDoc partsFit} All tensors except `maskTensor` have the same data type. The number of heads is `headCount`,
 * which is at least 1. `biasTensor` has the sizes [heads · (2 · head size + value head size)], for queries, keys and
 * values in this order.
 */
export const multiheadAttention: Rule<'multiheadAttention'> = (operator) => {
  const heads = inRange(operator, 'headCount', 1, 0xffffffff);
  partsFit(operator, { query: heads, keyValue: heads });
};

/**
 * {@inheritDoc partsFit} All tensors except `maskTensor` and `pastSequenceLengthsTensor` have the same data type.
 * Queries have `queryHeadCount` heads, and keys and values have `keyValueHeadCount` heads; both counts are at least
 * 1. `queryHeadCount` is a multiple of `keyValueHeadCount`: several query heads share the keys and values of one
 * head. `queryHeadCount` and `keyValueHeadCount` are equal with `stackedQueryKeyTensor` and
 * `stackedQueryKeyValueTensor`. The heads of `outputTensor`, `relativePositionBiasTensor` and a `'boolean'` mask are
 * those of the queries; the heads of `pastKeyTensor`, `pastValueTensor`, `outputPresentKeyTensor` and
 * `outputPresentValueTensor` are those of the keys. `biasTensor` has the sizes [query heads · head size + key heads ·
 * (head size + value head size)], for queries, keys and values in this order. `pastSequenceLengthsTensor` has the
 * sizes [batch] and is packed. `pastSequenceLengthsTensor` says how many keys and values `outputPresentKeyTensor` and
 * `outputPresentValueTensor` already hold: new ones are written after them, and `maskFilterValue` is added to the
 * score of each key after a query's own position. With `pastSequenceLengthsTensor`, `outputPresentKeyTensor` and
 * `outputPresentValueTensor` must be given, with room for at least the new keys and values. With
 * `pastSequenceLengthsTensor`, `pastKeyTensor`, `pastValueTensor`, `maskTensor` and `relativePositionBiasTensor` must
 * be null.
 * The sizes of `outputPresentKeyTensor` must be given together with `pastSequenceLengthsTensor`.
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
  partsFit(operator, { query, keyValue });
};

/**
 * Queries, keys and values are each given exactly once: as `queryTensor`, `keyTensor` and `valueTensor`; as
 * `stackedQueryKeyTensor` and `valueTensor`; as `queryTensor` and `stackedKeyValueTensor`; or as
 * `stackedQueryKeyValueTensor`. `queryTensor` has the sizes [batch, sequence, heads · head size], `keyTensor` [batch,
 * key sequence, heads · head size] and `valueTensor` [batch, key sequence, heads · value head size].
 * `stackedQueryKeyTensor` and `stackedKeyValueTensor` have the sizes [batch, sequence, heads, 2, head size], and
 * `stackedQueryKeyValueTensor` [batch, sequence, heads, 3, head size]. `outputTensor` has the sizes [batch, sequence,
 * heads · value head size], and the dimension count of the tensors that are not stacked. `pastKeyTensor` and
 * `pastValueTensor` are given both or not at all, with the sizes [batch, heads, past sequence, head size] and [batch,
 * heads, past sequence, value head size]. `outputPresentKeyTensor` has the sizes [batch, heads, total sequence, head
 * size], and `outputPresentValueTensor` [batch, heads, total sequence, value head size]; the total sequence is the
 * past sequence followed by the key sequence. `relativePositionBiasTensor` has the sizes [batch, heads, sequence,
 * total sequence]. `maskTensor` is given if, and only if, `maskType` is not `'none'`. The sizes of `maskTensor` are
 * [1, batch] for `'keySequenceLength'`, [2, batch] for `'keySequenceEndStart'`, [3 · batch + 2] for
 * `'keyQuerySequenceLengthStartEnd'`, and [batch, heads, sequence, total sequence] for `'boolean'`. Every tensor may
 * have additional leading dimensions of size 1. Inferred sizes have no additional leading dimensions, except that
 * `outputTensor` takes its dimension count from the tensors that are not stacked.
 */
function partsFit(operator: Attention, heads: HeadCounts): void {
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

/** The tensors that hold queries, keys and values: one of the four layouts. */
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

/** The past sequence length: how many keys and values the past tensors hold. */
function pastLength(operator: Attention): number {
  const { pastKeyTensor: key, pastValueTensor: value } = operator;
  if ((key === null) !== (value === null)) {
    const given = value === null ? 'pastKeyTensor alone' : 'pastValueTensor alone';
    throw refuse(operator, 'ERR_FIELD_COMBINATION', 'pastKeyTensor', 'pastKeyTensor and pastValueTensor, or neither', given);
  }
  return key === null ? 0 : (key.sizes.at(-2) ?? 1);
}

type Cached = Drafted<'multiheadAttention1'>;

/**
 * How many keys and values the present tensors have room for, which then serve as a cache. `added` is the key
 * sequence length.
 */
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
  const { outputPresentKeyTensor: present } = operator;
  const room = (present === null ? undefined : needSizes(present).at(-2)) ?? 1;
  if (room < added) {
    throw refuse(operator, 'ERR_SIZES', 'outputPresentKeyTensor.sizes', `room for ${added} keys`, `${room}`);
  }
  return room;
}

function maskFits(operator: Attention, batch: number, scores: readonly number[]): void {
  const { maskType } = operator;
  if (maskType === 'none') {
    if (has(operator, 'maskTensor'))
      throw refuse(operator, 'ERR_FIELD_COMBINATION', 'maskTensor', `null, as maskType is 'none'`, 'a tensor');
    return;
  }
  strictly('never-compiled', () => needsMask(operator));
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

/** @refused a `maskType` other than `'none'` without `maskTensor` */
function needsMask(operator: Attention): void {
  if (has(operator, 'maskTensor')) return;
  throw refuse(operator, 'ERR_FIELD_COMBINATION', 'maskTensor', `a tensor, as maskType is '${operator.maskType}'`, 'null');
}

/** The tensor, if it is given, has these sizes; leading sizes of 1 are allowed. */
function fits<Name extends string>(
  operator: WithOptionalTensors<NoInfer<Name>>,
  name: Name,
  expected: readonly number[],
  why: string,
): void {
  const value = tensorOf<Name, TensorOrDraft | null>(operator, name);
  if (value === null) return;
  const sizes = stateSizes(value, () => rightAlign(expected, knownDimensionCount(value) ?? expected.length) ?? expected);
  if (sizes.length >= expected.length && equal(rightAlign(sizes, expected.length) ?? [], expected)) return;
  throw refuse(operator, 'ERR_SIZES', `${name}.sizes`, list(expected), list(sizes), `${why}; ones may stand in front`);
}
