/** Tensors: a range of a buffer with a data type, sizes and strides. */
import { alignedOffset } from '../../tensors/aligned-offset.js';
import { argumentError, argumentObject, readArguments } from '../../values/arguments.js';
import type { WaitOptions } from '../abortable.js';
import { fromCaller } from '../call-site.js';
import type { DirectMLBuffer } from './buffer.js';
import { fieldError, labelled, list, type Place } from '../../values/errors.js';
import { nameKind } from '../../values/given.js';
import { layoutLine } from '../../tensors/layout-line.js';
import { printAsText, titled, withState } from '../../values/printed.js';
import type { DataType } from '../../tensors/generated/enums.js';
import { isPlainArray } from './array-data.js';
import { bytesOfPart, bytesOfTensor, type TensorData } from './tensor-data.js';
import { readPart, readPartOffset, readTargetPart, type TensorPart, type TensorPartOffset } from './tensor-part.js';
import { farRows } from './far-rows.js';
import { nestedArray, type ElementOf, type NestedArray } from './nested-array.js';
import { viewElements, type TypedArrayFor } from './typed-arrays.js';
import { broadcasted, reshaped, transposed, type TensorLayout } from '../../tensors/views.js';
import type { TensorKind } from '../../descriptors/plain-request.js';
import { highestFeatureLevel } from '../../descriptors/feature-level.js';
import { resolveTensor } from '../../descriptors/tensor.js';
import type { ResolvedTensor } from '../../descriptors/resolved.js';
import { codecs } from '../../tensors/element.js';
import { elementSpan, productOf } from '../../tensors/tensor-size.js';
import { markUncloneable } from '../../values/uncloneable.js';

/** The engine's own, saved now because a program may replace the global later. */
const { ArrayBuffer, DataView, Uint8Array } = globalThis;

/** The layout of a view. Default sizes: those of the tensor. Default strides: those of the tensor, but null if sizes are given. */
export interface ViewLayout {
  readonly sizes?: readonly number[] | undefined;
  /** Strides in elements, one per dimension; null for a packed view. */
  readonly strides?: readonly number[] | null | undefined;
  /** Distance from the start of the tensor in bytes, a multiple of 16. Default: 0. */
  readonly offset?: number | undefined;
}

/** Where the elements of a tensor are, and its label. */
interface TensorMemory {
  readonly buffer: DirectMLBuffer;
  /** In bytes. */
  readonly offset: number;
  /** Whether the buffer was created for the tensor. */
  readonly ownsBuffer: boolean;
  readonly label: string;
}

/**
 * A tensor in the memory of a device. {@link Device.createTensor} creates it. Sizes and strides determine where its elements
 * are in memory. `read` and `write` use this memory order: the data of a strided tensor includes the gaps between elements.
 */
export class Tensor<T extends DataType = DataType> implements Disposable {
  readonly dataType: T;
  /** 1 to 8 sizes, the innermost dimension last. */
  readonly sizes: readonly number[];
  /** Strides in elements, one per dimension; null for a packed tensor. */
  readonly strides: readonly number[] | null;
  /** Size in bytes, gaps between elements included. */
  readonly totalTensorSizeInBytes: number;
  /** The buffer that has the elements. Views share the buffer of their tensor. */
  readonly buffer: DirectMLBuffer;
  /** The first byte of the tensor in its buffer; a multiple of 16. */
  readonly offset: number;
  /** Name of the tensor in error messages; `''` if it has none. Views have the label of their tensor. */
  readonly label: string;
  readonly #ownsBuffer: boolean;
  #layoutText: string | null = null;

  static {
    const is = (value: object) => #ownsBuffer in value;
    nameKind('a tensor', 'tensors', is);
    printAsText(this.prototype, is);
  }

  /** @internal */
  constructor(desc: ResolvedTensor, dataType: T, { buffer, offset, ownsBuffer, label }: TensorMemory) {
    this.dataType = dataType;
    this.sizes = desc.sizes;
    this.strides = desc.strides;
    this.totalTensorSizeInBytes = desc.totalTensorSizeInBytes;
    this.buffer = buffer;
    this.offset = offset;
    this.label = label;
    this.#ownsBuffer = ownsBuffer;
    markUncloneable(this);
    // Later checks rely on the properties being constant. Object.defineProperty for each of them takes 30 times as long.
    Object.freeze(this);
  }

  /** @internal True if the constructor of this class made the value; an object with the same prototype is not enough. */
  static is(value: unknown): value is Tensor {
    return typeof value === 'object' && value !== null && #ownsBuffer in value;
  }

  /** @internal The data type, sizes, strides and size in bytes as text; made once. */
  get layoutText(): string {
    this.#layoutText ??= layoutTextOf(this);
    return this.#layoutText;
  }

  /** The number of elements from the first to the last one in memory, including gaps: `read` and `write` use this length. */
  get elementSpan(): number {
    return elementSpan(this.sizes, this.strides);
  }

  /**
   * Records a write of all elements, or of a part of them, in memory order. The data is copied before this returns.
   *
   * @param data `elementSpan` elements in the typed array of the data type (float16 also takes a `Uint16Array` of bits; int4
   * and uint4 take a `Uint8Array` with two elements per byte), an ArrayBuffer or DataView with the same number of bytes, or a
   * plain array of `elementSpan` numbers. With `part`, the data may have fewer elements.
   * @param part The first element to write. Default: the data fills the whole tensor.
   * @throws {DirectMLError} ERR_DATA_TYPE for the typed array of another data type, ERR_SIZES for another length,
   * ERR_OUT_OF_RANGE for a number that the data type cannot represent or a part that is not within the tensor,
   * ERR_INVALID_ARGUMENT for other values, ERR_DISPOSED, ERR_DEVICE_LOST, ERR_OUT_OF_MEMORY.
   */
  write(data: TensorData<T>, part?: TensorPartOffset): void {
    this.buffer.check('tensor.write');
    const { bytes, start } = this.#bytesOf(
      { operator: 'tensor.write', field: 'data' },
      data,
      readPartOffset('tensor.write', part),
    );
    this.buffer.refuseWhileRecording('tensor.write');
    this.buffer.write(bytes, this.offset + start);
  }

  /**
   * Submits the recorded commands, and reads all elements, or a part of them, in memory order when they have run.
   *
   * @param part The first element and the number of elements. Default: all. `signal` ends the wait.
   * @returns The elements: `elementSpan`, or as many as the part has, in the typed array of the data type, such as
   * `BigInt64Array` for int64. For float16 it is a `Float16Array` if the runtime has one, else a `Uint16Array` of bits. For
   * int4 and uint4 it is a `Uint8Array` with two elements per byte.
   * @throws {DirectMLError} (as a rejection) ERR_OUT_OF_RANGE for a part that is not within the tensor; ERR_INVALID_ARGUMENT,
   * ERR_ABORTED, ERR_DISPOSED, ERR_DEVICE_LOST, ERR_OUT_OF_MEMORY.
   */
  read(part?: TensorPart & WaitOptions): Promise<TypedArrayFor<T>> {
    this.buffer.refuseWhileRecording('tensor.read');
    return fromCaller(() => this.readWithin(part));
  }

  /** @internal Like {@link read}, for a method that keeps the stack of its caller. */
  async readWithin(part?: unknown): Promise<TypedArrayFor<T>> {
    this.buffer.check('tensor.read');
    const { length, start, sizeInBytes, wait } = readPart('tensor.read', this, part);
    const { bytes } = await this.buffer.readBytes(this.offset + start, sizeInBytes, wait ?? undefined, 'tensor.read');
    return viewElements(this.dataType, bytes, length);
  }

  /**
   * Like {@link read}, but into existing memory, which takes a fraction of the time for large tensors.
   *
   * @param target The typed array of the data type, or an ArrayBuffer, a SharedArrayBuffer or a DataView: with `elementSpan`
   * elements, or, with `part`, with any number of elements up to the end of the tensor. It is filled when the promise resolves;
   * until then its contents are undefined.
   * @param part The first element to read. Default: the target receives the whole tensor. `signal` ends the wait; after that, the
   * target may still be filled.
   * @returns The target.
   * @throws {DirectMLError} (as a rejection) ERR_DATA_TYPE for the typed array of another data type, ERR_SIZES for another length,
   * ERR_OUT_OF_RANGE for a part that is not within the tensor, ERR_INVALID_ARGUMENT for other values, and if the memory of the
   * target was transferred or shrunk in the meantime; ERR_ABORTED, ERR_DISPOSED, ERR_DEVICE_LOST, ERR_OUT_OF_MEMORY.
   */
  readInto<Target extends TypedArrayFor<T> | ArrayBufferLike | DataView>(
    target: Target,
    part?: TensorPartOffset & WaitOptions,
  ): Promise<Target> {
    this.buffer.refuseWhileRecording('tensor.readInto');
    return this.#readInto(target, part);
  }

  /**
   * Submits the recorded commands, and reads the elements as nested arrays when they have run, without gaps between elements.
   *
   * @returns One level of arrays for each dimension. The elements are bigints for int64 and uint64, else numbers.
   * @throws {DirectMLError} (as a rejection) The errors of {@link read}.
   */
  toArray(): Promise<NestedArray<ElementOf<T>>>;
  toArray(): Promise<NestedArray<number | bigint>> {
    this.buffer.refuseWhileRecording('tensor.toArray');
    return fromCaller(() => this.#toArray());
  }

  /**
   * Reads the only element of a tensor of one element.
   *
   * @returns A bigint for int64 and uint64, else a number.
   * @throws {DirectMLError} (as a rejection) ERR_SIZES for a tensor of more elements; the errors of {@link read}.
   */
  item(): Promise<ElementOf<T>>;
  item(): Promise<number | bigint> {
    this.buffer.refuseWhileRecording('tensor.item');
    return fromCaller(() => this.#item());
  }

  /**
   * Returns a tensor with other sizes, strides or another offset on the same memory. Nothing is copied. The view can be used
   * until its buffer is disposed of; `dispose()` of the view does nothing.
   *
   * @param layout `sizes`, `strides` (in elements, null for a packed view) and `offset` (in bytes from the start of the
   * tensor, a multiple of 16). Default sizes: those of the tensor. Default strides: those of the tensor, but if sizes are
   * given, the view is packed. Default offset: 0.
   * @throws {DirectMLError} ERR_BINDING_RANGE if the view does not lie within the tensor or the offset is not a multiple of
   * 16; ERR_INVALID_ARGUMENT, ERR_INVALID_DESCRIPTOR, ERR_SIZES, ERR_STRIDES and others for a wrong layout.
   */
  view(layout: ViewLayout): Tensor<T> {
    const method = 'tensor.view';
    const read = readArguments(method, 'layout', argumentObject(method, 'layout', layout), ['sizes', 'strides', 'offset']);
    const sizes = read.get('sizes') ?? this.sizes;
    const strides = read.has('strides') ? read.get('strides') : read.has('sizes') ? null : this.strides;
    const offset = alignedOffset(method, read.get('offset') ?? 0);
    const place = { operator: method, field: 'layout' };
    return this.#viewAt(
      method,
      resolveTensor({ dataType: this.dataType, sizes, strides }, place, 'any', highestFeatureLevel),
      offset,
    );
  }

  /**
   * Returns a view of the same elements in the same row-major order with other sizes. The tensor must be packed.
   *
   * @throws {DirectMLError} ERR_SIZES if the sizes have another number of elements, ERR_STRIDES if the tensor is not packed.
   */
  reshape(sizes: readonly number[]): Tensor<T> {
    return this.#viewOf('tensor.reshape', reshaped('tensor.reshape', this, sizes));
  }

  /**
   * Returns a view of the tensor with its dimensions in another order.
   *
   * @param axes Dimension `i` of the result is dimension `axes[i]` of the tensor. Default: the reverse order.
   * @throws {DirectMLError} ERR_SIZES unless `axes` has each dimension exactly once.
   */
  transpose(axes?: readonly number[]): Tensor<T> {
    return this.#viewOf('tensor.transpose', transposed('tensor.transpose', this, axes));
  }

  /**
   * Returns a view that repeats the tensor by strides of 0: along dimensions of size 1, and along new leading dimensions.
   * You can use it only as an input of operators.
   *
   * @throws {DirectMLError} ERR_SIZES if a size of the tensor is neither 1 nor that of the result.
   */
  broadcastTo(sizes: readonly number[]): Tensor<T> {
    return this.#viewOf('tensor.broadcastTo', broadcasted('tensor.broadcastTo', this, sizes));
  }

  /** Disposes of the buffer if it was created for this tensor; does nothing for a view or a given buffer. May be called again. */
  dispose(): void {
    if (this.#ownsBuffer) this.buffer.dispose();
  }

  [Symbol.dispose](): void {
    this.dispose();
  }

  /** A line with the label, the data type, the sizes and the place in memory. `console.log` shows it too. */
  toString(): string {
    const { buffer, offset, totalTensorSizeInBytes } = this;
    const range = `bytes ${offset} to ${offset + totalTensorSizeInBytes} of ${buffer.name}`;
    const line = `${titled('Tensor', this.label)} ${layoutLine(this)}`;
    return withState(this.#ownsBuffer ? line : `${line}, ${range}`, buffer.state);
  }

  async #item(): Promise<number | bigint> {
    const method = 'tensor.item';
    if (productOf(this.sizes) !== 1) {
      const why = 'tensor.toArray() reads all';
      throw fieldError('ERR_SIZES', { operator: method, field: 'sizes' }, 'one element', list(this.sizes), { why });
    }
    const { read } = codecs[this.dataType];
    return read(new DataView(await this.#readAll(method)), 0);
  }

  async #toArray(): Promise<NestedArray<number | bigint>> {
    const method = 'tensor.toArray';
    const rows = farRows(this);
    if (rows === null) return nestedArray(this, await this.#readAll(method));
    this.buffer.check(method);
    const bytes = new ArrayBuffer(rows.sizeInBytes);
    // All reads are recorded before anything else can be, so that they see the same elements.
    await Promise.all(
      rows.starts.map(({ from, to }) => {
        return this.buffer.readBytesInto(new Uint8Array(bytes, to, rows.rowInBytes), this.offset + from, undefined, method);
      }),
    );
    return nestedArray({ ...rows, dataType: this.dataType, sizes: this.sizes }, bytes);
  }

  async #readAll(method: string): Promise<ArrayBuffer> {
    this.buffer.check(method);
    const { start, sizeInBytes } = readPart(method, this, undefined);
    const { bytes } = await this.buffer.readBytes(this.offset + start, sizeInBytes, undefined, method);
    return bytes;
  }

  async #readInto<Target>(target: Target, part: unknown): Promise<Target> {
    const method = 'tensor.readInto';
    const place = { operator: method, field: 'target' };
    if (isPlainArray(place, target)) throw argumentError(method, place.field, 'memory: no plain array', target);
    this.buffer.check(method);
    const { offset, wait } = readTargetPart(method, part);
    const { bytes, start } = this.#bytesOf(place, target, offset);
    await this.buffer.readBytesInto(bytes, this.offset + start, wait ?? undefined, method);
    return target;
  }

  #bytesOf(place: Place, data: unknown, offset: number | null): { readonly bytes: Uint8Array; readonly start: number } {
    return offset === null ? { bytes: bytesOfTensor(place, this, data), start: 0 } : bytesOfPart(place, this, data, offset);
  }

  #viewOf(method: string, layout: TensorLayout): Tensor<T> {
    return this.#viewAt(method, resolveTensor({ ...layout }, { operator: method, field: '' }, 'any', highestFeatureLevel), 0);
  }

  #viewAt(method: string, desc: ResolvedTensor, offset: number): Tensor<T> {
    const end = offset + desc.totalTensorSizeInBytes;
    if (end > this.totalTensorSizeInBytes) {
      const bytes = `${this.totalTensorSizeInBytes} bytes`;
      const whole = this.label === '' ? `the tensor's ${bytes}` : `the ${bytes} of ${labelled('tensor', this.label)}`;
      const expected = `a view within ${whole}`;
      throw fieldError('ERR_BINDING_RANGE', { operator: method, field: 'sizes' }, expected, `bytes ${offset} to ${end}`);
    }
    const { buffer, label } = this;
    return new Tensor(desc, this.dataType, { buffer, offset: this.offset + offset, ownsBuffer: false, label });
  }
}

/** The data type, sizes, strides and size in bytes as text. */
export function layoutTextOf({
  dataType,
  sizes,
  strides,
  totalTensorSizeInBytes,
}: Omit<ResolvedTensor, 'flags' | 'guaranteedBaseOffsetAlignment'>): string {
  return `<${dataType} ${sizes.join()} ${strides?.join() ?? ''} ${totalTensorSizeInBytes}>`;
}

/** The description of a `Tensor`; any other value is returned unchanged. */
export function describeTensor(value: unknown): unknown {
  if (!Tensor.is(value)) return value;
  const { dataType, sizes, strides, totalTensorSizeInBytes } = value;
  return { dataType, sizes, strides, totalTensorSizeInBytes };
}

/** For descriptors whose tensors are `Tensor`s. */
export const tensorKind: TensorKind<Tensor> = {
  is: (value: unknown): value is Tensor => Tensor.is(value),
  textOf: ({ layoutText }) => layoutText,
};
