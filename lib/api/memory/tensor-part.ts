/** Parts of tensors: consecutive elements in memory order. */
import { bitsOf } from '../../tensors/data-types.js';
import { fieldError } from '../../values/errors.js';
import type { DataType } from '../../tensors/generated/enums.js';
import { byteCount, readOptions } from '../../values/arguments.js';
import { waitOf, type Wait } from '../abortable.js';
import { elementSpan } from '../../tensors/tensor-size.js';
import type { TensorLayout } from '../../tensors/views.js';

/** Where a part of a tensor begins. */
export interface TensorPartOffset {
  /** The first element in memory order, gaps included. A multiple of 2 for int4 and uint4. Default: 0. */
  readonly offset?: number | undefined;
}

/** A part of a tensor for {@link Tensor.read}. */
export interface TensorPart extends TensorPartOffset {
  /** The number of elements. Default: all from `offset` to the end of the tensor. */
  readonly length?: number | undefined;
}

interface Part {
  /** In elements. */
  readonly length: number;
  /** In bytes from the start of the tensor. */
  readonly start: number;
  readonly sizeInBytes: number;
}

/** What `tensor.read` reads, and how long it waits. */
interface ReadPart extends Part {
  readonly wait: Wait | null;
}

/** @throws {DirectMLError} ERR_INVALID_ARGUMENT, or ERR_OUT_OF_RANGE for a part that is not within the tensor. */
export function readPart(method: string, { dataType, sizes, strides }: TensorLayout, options: unknown): ReadPart {
  const span = elementSpan(sizes, strides);
  const read = readOptions(method, options, ['offset', 'length', 'signal']);
  const offset = byteCount(method, 'options.offset', read.get('offset') ?? 0);
  const length = byteCount(method, 'options.length', read.get('length') ?? Math.max(0, span - offset));
  const wait = waitOf(method, read.get('signal'));
  const { start, sizeInBytes } = partAt(method, dataType, span, offset, length);
  return { length, start, sizeInBytes, wait };
}

/** The first element of a part, for data that tells its length; null without options. */
export function readPartOffset(method: string, options: unknown): number | null {
  if (options === undefined) return null;
  return byteCount(method, 'options.offset', readOptions(method, options, ['offset']).get('offset') ?? 0);
}

/** The same for `tensor.readInto`, and how long it waits. A signal alone leaves the offset out. */
export function readTargetPart(method: string, options: unknown): { readonly offset: number | null; readonly wait: Wait | null } {
  if (options === undefined) return { offset: null, wait: null };
  const read = readOptions(method, options, ['offset', 'signal']);
  const given = read.get('offset') ?? (read.has('signal') ? null : 0);
  const offset = given === null ? null : byteCount(method, 'options.offset', given);
  return { offset, wait: waitOf(method, read.get('signal')) };
}

/** The part of `length` elements from `offset` on, of a tensor of `span` elements. */
export function partAt(method: string, dataType: DataType, span: number, offset: number, length: number): Part {
  const place = { operator: method, field: 'options.offset' };
  if (offset + length > span) {
    const expected = `a part of the tensor's ${span} elements`;
    throw fieldError('ERR_OUT_OF_RANGE', place, expected, `elements ${offset} to ${offset + length}`);
  }
  const start = (offset * bitsOf(dataType)) / 8;
  if (!Number.isInteger(start)) throw fieldError('ERR_OUT_OF_RANGE', place, `a multiple of 2 for ${dataType}`, `${offset}`);
  return { length, start, sizeInBytes: Math.ceil((length * bitsOf(dataType)) / 8) };
}
