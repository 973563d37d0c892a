/** A typed, shaped range of a device's memory. */
import { arraysOf, bitsOf, minimumAlignment } from '../data-types/table.js';
import { argumentError, argumentObject, byteCount, readArguments } from './arguments.js';
import { bytesOfArray, isPlainArray } from './array-data.js';
import type { DirectMLBuffer } from './buffer.js';
import { bytesOf } from './buffer-source.js';
import { typedArrayName } from '../data-types/typed-array-name.js';
import { fieldError } from '../errors.js';
import type { DataType } from '../schema/generated/enums.js';
import { viewElements, type TypedArrayFor } from './typed-arrays.js';
import { broadcasted, reshaped, transposed, type TensorLayout } from './views.js';
import { featureLevels } from '../schema/feature-level.js';
import { resolveTensor } from '../validation/tensor.js';
import type { ResolvedTensor } from '../validation/resolved.js';
import { elementSpan, spanInBytes } from '../validation/tensor-size.js';

/** What a tensor's elements are written from. */
export type TensorData<T extends DataType> =
  TypedArrayFor<T> | ArrayBufferLike | DataView | readonly (T extends 'int64' | 'uint64' ? number | bigint : number)[];

/** The layout of a view; what is left out is the tensor's own. */
export interface ViewLayout {
  readonly sizes?: readonly number[] | undefined;
  /** In elements, one per dimension; null for a packed view. */
  readonly strides?: readonly number[] | null | undefined;
  /** In bytes from the tensor's start, a multiple of 16. Default: 0. */
  readonly offset?: number | undefined;
}

/**
 * A tensor in a device's memory; made by {@link Device.createTensor}. Elements lie in memory as sizes and strides say,
 * and `read` and `write` take them as they lie: in a strided tensor with its gaps.
 */
export class Tensor<T extends DataType = DataType> implements Disposable {
  readonly dataType: T;
  readonly sizes: readonly number[];
  /** In elements, one per dimension; null for a packed tensor. */
  readonly strides: readonly number[] | null;
  readonly totalTensorSizeInBytes: number;
  readonly buffer: DirectMLBuffer;
  /** Where the tensor begins in its buffer, in bytes. */
  readonly offset: number;
  readonly #ownsBuffer: boolean;

  /** @internal */
  constructor(desc: ResolvedTensor, dataType: T, buffer: DirectMLBuffer, offset: number, ownsBuffer: boolean) {
    this.dataType = dataType;
    this.sizes = desc.sizes;
    this.strides = desc.strides;
    this.totalTensorSizeInBytes = desc.totalTensorSizeInBytes;
    this.buffer = buffer;
    this.offset = offset;
    this.#ownsBuffer = ownsBuffer;
    // Later checks rely on what `readonly` says. Making the properties constant one by one takes thirty times as long.
    Object.freeze(this);
  }

  /** @internal Whether it is one, and not something that was given its prototype. */
  static is(value: unknown): value is Tensor {
    return typeof value === 'object' && value !== null && #ownsBuffer in value;
  }

  /** Elements in memory from the first to the last one, gaps included: the length of what is read and written. */
  get elementSpan(): number {
    return elementSpan(this.sizes, this.strides);
  }

  /**
   * Writes all elements as they lie in memory. The copy is taken before this returns.
   *
   * @param data The data type's typed array with `elementSpan` elements (for float16 a `Uint16Array` of bits too, for
   * int4 and uint4 packed bytes), an ArrayBuffer or DataView of as many bytes, or a plain array of `elementSpan` numbers.
   * @throws {DirectMLError} ERR_DATA_TYPE for another typed array, ERR_SIZES for another length, ERR_OUT_OF_RANGE for a
   * number that the data type does not have, ERR_INVALID_ARGUMENT,
   * ERR_DISPOSED, ERR_DEVICE_LOST, ERR_OUT_OF_MEMORY.
   */
  write(data: TensorData<T>): void {
    this.buffer.check('tensor.write');
    if (isPlainArray('tensor.write', data)) {
      this.buffer.write(bytesOfArray('tensor.write', data, this.dataType, this.elementSpan), this.offset);
      return;
    }
    const bytes = bytesOf('tensor.write', data);
    const name = typedArrayName(data);
    const names = arraysOf(this.dataType);
    if (name !== undefined && !names.includes(name)) {
      throw argumentError('tensor.write', 'data', `${names.join(' or ')} for ${this.dataType}`, name, 'ERR_DATA_TYPE');
    }
    const expected = spanInBytes(this.dataType, this.sizes, this.strides);
    if (bytes.byteLength !== expected) {
      const per = bitsOf(this.dataType) / 8;
      const what = `${this.elementSpan} elements (${expected} bytes) for sizes [${this.sizes.join(', ')}]`;
      const given = `${bytes.byteLength / per} (${bytes.byteLength} bytes)`;
      throw fieldError('ERR_SIZES', { operator: 'tensor.write', field: 'data' }, what, given);
    }
    this.buffer.write(bytes, this.offset);
  }

  /**
   * Reads all elements as they lie in memory once the commands recorded before have run.
   *
   * @returns The data type's typed array: `BigInt64Array` for int64, for float16 a `Float16Array` where the runtime has
   * one, else a `Uint16Array` of bits, and so on; `elementSpan` elements.
   * @throws {DirectMLError} (as a rejection) ERR_DISPOSED, ERR_DEVICE_LOST, ERR_OUT_OF_MEMORY.
   */
  async read(): Promise<TypedArrayFor<T>> {
    this.buffer.check('tensor.read');
    const size = spanInBytes(this.dataType, this.sizes, this.strides);
    return viewElements(this.dataType, await this.buffer.read(this.offset, size), this.elementSpan);
  }

  /**
   * A tensor of other sizes or strides on the same memory. It lives as long as its buffer; to dispose it does nothing.
   *
   * @param layout Sizes, strides (null for a packed tensor) and offset; each is that of the tensor if it is left out, and
   * strides are null if sizes are given without them. The offset is in bytes from the tensor's start, a multiple of 16.
   * @throws {DirectMLError} ERR_BINDING_RANGE for a view that goes beyond the tensor, ERR_INVALID_DESCRIPTOR, ERR_SIZES,
   * ERR_STRIDES and others for a wrong layout.
   */
  view(layout: ViewLayout): Tensor<T> {
    const method = 'tensor.view';
    const read = readArguments(method, 'layout', argumentObject(method, 'layout', layout), ['sizes', 'strides', 'offset']);
    const sizes = read.get('sizes') ?? this.sizes;
    const strides = read.has('strides') ? read.get('strides') : read.has('sizes') ? null : this.strides;
    const offset = byteCount(method, 'offset', read.get('offset') ?? 0);
    if (offset % minimumAlignment !== 0) {
      throw argumentError(method, 'offset', `a multiple of ${minimumAlignment}`, offset, 'ERR_BINDING_RANGE');
    }
    const [highest = '6.4'] = featureLevels.slice(-1);
    const place = { operator: method, field: 'layout' };
    return this.#viewAt(method, resolveTensor({ dataType: this.dataType, sizes, strides }, place, 'any', highest), offset);
  }

  /**
   * The same elements in the same row-major order with other sizes, on the same memory.
   *
   * @throws {DirectMLError} ERR_SIZES for another number of elements, ERR_STRIDES for a tensor that is not packed.
   */
  reshape(sizes: readonly number[]): Tensor<T> {
    return this.#viewOf('tensor.reshape', reshaped('tensor.reshape', this, sizes));
  }

  /**
   * The tensor with its dimensions in another order, on the same memory.
   *
   * @param axes The dimension of the tensor that each dimension of the result is. By default they are reversed.
   * @throws {DirectMLError} ERR_SIZES unless `axes` has each dimension once.
   */
  transpose(axes?: readonly number[]): Tensor<T> {
    return this.#viewOf('tensor.transpose', transposed('tensor.transpose', this, axes));
  }

  /**
   * The tensor repeated, by strides of 0, along dimensions in which it has the size 1, and along new ones in front. An
   * operator takes such a tensor as an input only.
   *
   * @throws {DirectMLError} ERR_SIZES where a size is neither 1 nor that of the result.
   */
  broadcastTo(sizes: readonly number[]): Tensor<T> {
    return this.#viewOf('tensor.broadcastTo', broadcasted('tensor.broadcastTo', this, sizes));
  }

  /** Disposes the buffer that was made for the tensor; one that was given to it stays. May be called again. */
  dispose(): void {
    if (this.#ownsBuffer) this.buffer.dispose();
  }

  [Symbol.dispose](): void {
    this.dispose();
  }

  #viewOf(method: string, layout: TensorLayout): Tensor<T> {
    const [highest = '6.4'] = featureLevels.slice(-1);
    return this.#viewAt(method, resolveTensor({ ...layout }, { operator: method, field: '' }, 'any', highest), 0);
  }

  #viewAt(method: string, desc: ResolvedTensor, offset: number): Tensor<T> {
    const end = offset + desc.totalTensorSizeInBytes;
    if (end > this.totalTensorSizeInBytes) {
      const expected = `a view within the tensor's ${this.totalTensorSizeInBytes} bytes`;
      throw fieldError('ERR_BINDING_RANGE', { operator: method, field: 'sizes' }, expected, `bytes ${offset} to ${end}`);
    }
    return new Tensor(desc, this.dataType, this.buffer, this.offset + offset, false);
  }
}
