/**
 * Vectors with one element per channel. DirectML wants the sizes [1, C, 1, …], with as many dimensions as the tensor has; other
 * frameworks give [C].
 */
import { list } from '../values/errors.js';
import type { OperatorType } from './generated/descriptors.js';
import { operatorTable } from './generated/table.js';

/**
 * The call that turns a vector in a field of an operator into a tensor with one element per channel; undefined if it is none.
 *
 * @param whole The sizes of the tensor that has the channels, or that has them before the operator changes their number.
 */
export function channelHint(
  type: OperatorType,
  field: string,
  sizes: readonly number[],
  whole: readonly number[] | undefined,
): string | undefined {
  const { perChannel } = operatorTable[type].fields.find(({ name }) => name === field) ?? {};
  const [length = 0, ...others] = sizes;
  if (perChannel === undefined || whole === undefined) return undefined;
  // The channels of an output may not be known yet.
  if (others.length > 0 || whole.length < 2 || (perChannel !== 'output' && length !== whole[1])) return undefined;
  const own = whole.map((_, axis) => (axis === 1 ? length : 1));
  const repeated = perChannel === 'repeated' ? `.broadcastTo(${list(whole)})` : '';
  return `${field}.reshape(${list(own)})${repeated} would fit: one per channel`;
}
