/**
 * Finds the calls that give a tensor the sizes that its operator needs. Errors about sizes end with them, such as
 * `bTensor.reshape([3, 1, 1]) would fit`.
 */
import { list } from '../values/errors.js';
import type { OperatorType } from './generated/descriptors.js';
import { operatorTable } from './generated/table.js';
import { channelHint } from './channels.js';
import { batchOfMatrices, vectorHint } from './matrix-hints.js';
import { canBroadcast } from '../tensors/tensor-size.js';

/** A tensor with the name of its field. The sizes of an output may not be known yet. */
export interface Sized {
  readonly name: string;
  readonly sizes: readonly number[] | undefined;
}

/** More ways than this say nothing. */
const maxWays = 2;

/**
 * How to get a dimension count that the field has at all.
 *
 * @param first The sizes of the first tensor of the operator, if there is one.
 */
export function dimensionHint(
  type: OperatorType,
  { name, sizes }: Sized,
  first: readonly number[] | undefined,
): string | undefined {
  if (sizes === undefined) return undefined;
  return channelHint(type, name, sizes, first) ?? vectorHint(type, name, sizes);
}

/** How to get the same dimension count or the same sizes for two tensors; undefined if nothing is known. */
export function sameSizesHint(type: OperatorType, given: Sized, known: Sized): string | undefined {
  const own = given.sizes === undefined ? undefined : channelHint(type, given.name, given.sizes, known.sizes);
  if (own !== undefined) return own;
  const pairs: readonly (readonly [Sized, Sized])[] = [
    [given, known],
    [known, given],
  ];
  for (const [{ name, sizes }, { name: other, sizes: target }] of pairs) {
    if (sizes === undefined || target === undefined || name.startsWith('output')) continue;
    const call =
      leadingOnes(type, name, sizes, target) ??
      batchOfMatrices(type, sizes, target) ??
      repeated(type, { name, sizes, other, target });
    if (call !== undefined) return `${name}.${call} would fit`;
  }
  return undefined;
}

/** `bTensor.reshape([3, 1, 1]) would fit`: how an input gets sizes that broadcast to those of another one. */
export function broadcastHint({ name, sizes }: Sized, target: readonly number[]): string | undefined {
  const ways = sizes === undefined ? [] : alignments(sizes, target);
  if (ways.length === 0 || ways.length > maxWays) return undefined;
  return `${ways.map((way) => `${name}.reshape(${list(way)})`).join(' or ')} would fit`;
}

/** `reshape([1, 3])` for indices [3] of a tensor with two dimensions, or for an image without a batch. */
function leadingOnes(type: OperatorType, name: string, sizes: readonly number[], target: readonly number[]): string | undefined {
  const { skipsOnes: heeding } = operatorTable[type].fields.find((field) => field.name === name) ?? {};
  const added = target.length - sizes.length;
  if (heeding === undefined || added < 1) return undefined;
  // A convolution has one batch dimension.
  if (isConvolution(type) && added > 1) return undefined;
  return `reshape(${list([...new Array<number>(added).fill(1), ...sizes])})${heeding === true ? '' : `, ${heeding},`}`;
}

interface Repeated {
  readonly name: string;
  readonly sizes: readonly number[];
  /** The name of the tensor with the sizes `target`. */
  readonly other: string;
  readonly target: readonly number[];
}

function repeated(type: OperatorType, { name, sizes, other, target }: Repeated): string | undefined {
  // Repeated indices would be other indices than those that the program has.
  if (name === 'indicesTensor' || isConvolution(type) || sizes.join() === target.join()) return undefined;
  if (canBroadcast(sizes, target)) return `broadcastTo(${list(target)})`;
  // The tensors of other operators do not have the same sizes, even if they have as many dimensions.
  if (!type.startsWith('elementWise') || other.startsWith('output')) return undefined;
  const [way, ...others] = alignments(sizes, target);
  if (way === undefined || others.length > 0) return undefined;
  return way.join() === target.join() ? `reshape(${list(way)})` : `reshape(${list(way)}).broadcastTo(${list(target)})`;
}

function isConvolution(type: OperatorType): boolean {
  return type.toLowerCase().includes('convolution');
}

/** The sizes to which a tensor can be reshaped so that they broadcast to `target`: [3, 1, 1] for [3] and [1, 3, 8, 8]. */
function alignments(sizes: readonly number[], target: readonly number[]): readonly (readonly number[])[] {
  const wanted = sizes.filter((size) => size !== 1);
  const found: (readonly number[])[] = [];
  const place = (axis: number, next: number, placed: readonly number[]): void => {
    const size = target[axis];
    if (size === undefined) {
      if (next === wanted.length) found.push(withoutLeadingOnes(placed));
      return;
    }
    if (size === wanted[next]) place(axis + 1, next + 1, [...placed, size]);
    place(axis + 1, next, [...placed, 1]);
  };
  place(0, 0, []);
  return found;
}

function withoutLeadingOnes(sizes: readonly number[]): readonly number[] {
  const first = sizes.findIndex((size) => size !== 1);
  return first < 0 ? [1] : sizes.slice(first);
}
