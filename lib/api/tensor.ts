/** A typed, shaped range of a device's memory. */
import { arraysOf, bitsOf } from '../data-types/table.js';
import { argumentError } from './arguments.js';
import type { DirectMLBuffer } from './buffer.js';
import { bytesOf } from './buffer-source.js';
import { typedArrayName } from '../data-types/typed-array-name.js';
import { fieldError } from '../errors.js';
import type { DataType } from '../schema/generated/enums.js';
import { viewElements, type TypedArrayFor } from './typed-arrays.js';
import type { ResolvedTensor } from '../validation/resolved.js';
import { elementSpan, spanInBytes } from '../validation/tensor-size.js';

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
   * int4 and uint4 packed bytes), or an ArrayBuffer or DataView of as many bytes.
   * @throws {DirectMLError} ERR_DATA_TYPE for another typed array, ERR_SIZES for another length, ERR_INVALID_ARGUMENT,
   * ERR_DISPOSED, ERR_DEVICE_LOST, ERR_OUT_OF_MEMORY.
   */
  write(data: TypedArrayFor<T> | ArrayBufferLike | DataView): void {
    this.buffer.check('tensor.write');
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

  /** Disposes the buffer that was made for the tensor; one that was given to it stays. May be called again. */
  dispose(): void {
    if (this.#ownsBuffer) this.buffer.dispose();
  }

  [Symbol.dispose](): void {
    this.dispose();
  }
}
