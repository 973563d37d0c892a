/** Buffers: the memory of a device. */
import { byteCount } from '../../values/arguments.js';
import type { BackendBuffer, ReadBytes } from '../../backends/backend.js';
import { readWait, waitFor, type Wait, type WaitOptions } from '../abortable.js';
import { bytesOf, type BufferSource } from './buffer-source.js';
import { fromCaller } from '../call-site.js';
import type { DeviceContext } from '../device-context.js';
import { ownHandle } from '../sharing/handles.js';
import { sharingOf } from '../sharing/sharing-of.js';
import { DirectMLError, fieldError, named } from '../../values/errors.js';
import { nameKind } from '../../values/given.js';
import { printAsText, titled, withState } from '../../values/printed.js';
import { makeConstant } from '../make-constant.js';
import { markUncloneable } from '../../values/uncloneable.js';

/** @internal The device of a buffer. No property of the buffer leads there, so a program cannot reach it. */
export let contextOfBuffer: (buffer: DirectMLBuffer) => DeviceContext;

/**
 * Memory of a device that operators read and write. {@link Device.createBuffer} creates it, filled with zeros. `dispose()`,
 * the end of a `using` block, or garbage collection frees it.
 */
export class DirectMLBuffer implements Disposable {
  /** The size in bytes, as given to {@link Device.createBuffer} or {@link Device.importBuffer}. */
  readonly sizeInBytes: number;
  readonly #context: DeviceContext;
  readonly #native: BackendBuffer;
  #label: string;
  readonly #noun: 'buffer' | 'tensor';
  #isDisposed = false;

  static {
    contextOfBuffer = (buffer) => buffer.#context;
    const is = (value: object) => #native in value;
    nameKind('a buffer', 'buffers', is);
    printAsText(this.prototype, is);
  }

  /**
   * @internal `noun` is what the caller knows: a tensor with a buffer of its own, or the buffer. `imported` is memory of other
   * code.
   */
  constructor(
    context: DeviceContext,
    sizeInBytes: number,
    label: string,
    noun: 'buffer' | 'tensor' = 'buffer',
    imported?: BackendBuffer,
  ) {
    this.#context = context;
    this.#native = imported ?? context.backend.createBuffer(sizeInBytes);
    this.sizeInBytes = sizeInBytes;
    if (imported === undefined) context.pace.addBuffer(sizeInBytes);
    this.#label = label;
    this.#noun = noun;
    if (label !== '') this.#native.setLabel(label);
    makeConstant(this, 'sizeInBytes');
    markUncloneable(this);
  }

  /** @internal True if the constructor of this class made the value; an object with the same prototype is not enough. */
  static is(value: unknown): value is DirectMLBuffer {
    return typeof value === 'object' && value !== null && #native in value;
  }

  /** Name of the buffer in error messages, debuggers and the Direct3D 12 debug layer; `''` if it has none. */
  get label(): string {
    return this.#label;
  }

  /**
   * The memory for other native addons of the process: an external that include/node_directml.h reads, with the ID3D12Resource
   * and the range in it. Order its uses with {@link Device.waitFor} and {@link Device.signal}; see docs/guides/zero-copies.md.
   *
   * @throws {DirectMLError} ERR_NOT_SHAREABLE on the reference backend; ERR_DISPOSED, ERR_DEVICE_LOST; ERR_NOT_RECORDABLE.
   */
  get native(): unknown {
    this.check('buffer.native');
    this.refuseWhileRecording('buffer.native');
    return sharingOf(this.#context, 'buffer.native').bufferExternal(this.#native);
  }

  /**
   * Returns the handle by which other processes and devices import the buffer, if it was created with `shared`, or imported by a
   * handle. It is valid in this process only: another one needs a duplicate, made with DuplicateHandle. The handle belongs to the
   * buffer, so do not close it. It is closed when the buffer is disposed of and its commands have run. Whoever has imported the
   * buffer by then keeps its memory.
   *
   * @throws {DirectMLError} ERR_NOT_SHAREABLE if it has none; ERR_DISPOSED, ERR_DEVICE_LOST.
   */
  exportHandle(): bigint {
    const method = 'buffer.exportHandle';
    this.check(method);
    const handle = sharingOf(this.#context, method).bufferHandle(this.#native);
    return ownHandle(method, handle, 'create the buffer with shared: true');
  }

  /**
   * Records a write of bytes into the buffer. The bytes are copied before this returns; the write runs after the commands
   * recorded before it.
   *
   * @param data The bytes.
   * @param offset The first byte of the buffer to write, in bytes. Default: 0.
   * @throws {DirectMLError} ERR_INVALID_ARGUMENT, ERR_OUT_OF_RANGE if the bytes do not fit into the buffer, ERR_DISPOSED,
   * ERR_DEVICE_LOST, ERR_OUT_OF_MEMORY.
   */
  write(data: BufferSource, offset = 0): void {
    this.check('buffer.write');
    this.refuseWhileRecording('buffer.write');
    const bytes = bytesOf({ operator: 'buffer.write', field: 'data' }, data);
    const start = byteCount('buffer.write', 'offset', offset);
    this.#checkRange('buffer.write', start, bytes.byteLength);
    if (bytes.byteLength > 0) this.#context.backend.write(this.#native, start, bytes);
  }

  /**
   * Submits the recorded commands, and reads bytes of the buffer when they have run. Does not block the JavaScript thread.
   *
   * @param offset The first byte to read, in bytes. Default: 0.
   * @param sizeInBytes The number of bytes. Default: all bytes from `offset` to the end of the buffer.
   * @param options `signal` ends the wait.
   * @throws {DirectMLError} (as a rejection) ERR_INVALID_ARGUMENT, ERR_OUT_OF_RANGE if the range is not within the buffer,
   * ERR_ABORTED, ERR_DISPOSED, ERR_DEVICE_LOST, ERR_OUT_OF_MEMORY.
   */
  read(offset = 0, sizeInBytes?: number, options?: WaitOptions): Promise<ArrayBuffer> {
    this.refuseWhileRecording('buffer.read');
    return fromCaller(async () => (await this.readBytes(offset, sizeInBytes, options)).bytes);
  }

  /**
   * Like {@link read}, but into existing memory, which takes a fraction of the time for many bytes.
   *
   * @param target Memory of as many bytes as you want. It is filled when the promise resolves; until then its contents are
   * undefined.
   * @param offset The first byte of the buffer to read, in bytes. Default: 0.
   * @param options `signal` ends the wait. After that, the target may still be filled.
   * @returns The target.
   * @throws {DirectMLError} (as a rejection) ERR_INVALID_ARGUMENT, also if the memory of the target was transferred or shrunk
   * in the meantime; ERR_OUT_OF_RANGE if the range is not within the buffer; ERR_ABORTED, ERR_DISPOSED, ERR_DEVICE_LOST,
   * ERR_OUT_OF_MEMORY.
   */
  readInto<Target extends BufferSource>(target: Target, offset = 0, options?: WaitOptions): Promise<Target> {
    return this.readBytesInto(target, offset, options);
  }

  /** Frees the memory as soon as no recorded command needs it. May be called again. */
  dispose(): void {
    if (this.#isDisposed) return;
    this.#isDisposed = true;
    this.#context.changes++;
    if (!this.#context.isDisposed) this.#native.dispose();
  }

  [Symbol.dispose](): void {
    this.dispose();
  }

  /** A line with the label and the size. `console.log` shows it too. */
  toString(): string {
    return withState(`${titled('DirectMLBuffer', this.#label)} of ${this.sizeInBytes} bytes`, this.state);
  }

  /** @internal The word for a buffer that can no longer be used; `''` if it can. */
  get state(): string {
    return this.#isDisposed ? 'disposed' : this.#context.state;
  }

  /** @internal */
  get isDisposed(): boolean {
    return this.#isDisposed;
  }

  /** @internal The backend's buffer. */
  get memory(): BackendBuffer {
    return this.#native;
  }

  /** @internal `the buffer`, `buffer 'weights'`, or the same of the tensor for which it was created. */
  get name(): string {
    return named(this.#noun, this.#label);
  }

  /** @internal */
  belongsTo(context: DeviceContext): boolean {
    return this.#context === context;
  }

  /** @internal */
  check(method: string): void {
    if (this.#isDisposed) throw new DirectMLError('ERR_DISPOSED', `${method}: ${this.name} is disposed`);
    this.#context.check(method);
  }

  /**
   * @internal Like {@link read}, for a method of this name, which keeps the stack of its caller. No script can take the bytes away
   * before they are used.
   */
  async readBytes(
    offset: number,
    sizeInBytes: number | undefined,
    options?: WaitOptions | Wait,
    method = 'buffer.read',
  ): Promise<ReadBytes> {
    this.check(method);
    const start = byteCount(method, 'offset', offset);
    const size =
      sizeInBytes === undefined ? Math.max(0, this.sizeInBytes - start) : byteCount(method, 'sizeInBytes', sizeInBytes);
    const wait = readWait(method, options);
    this.#checkRange(method, start, size);
    const { backend } = this.#context;
    try {
      const read = await waitFor(wait, () => (size === 0 ? noBytes() : backend.read(this.#native, start, size)));
      this.#context.checkReport(method);
      return read;
    } catch (error) {
      throw this.#context.explain(method, error);
    }
  }

  /** @internal Like {@link readInto}, for a method of this name. */
  readBytesInto<Target extends BufferSource>(
    target: Target,
    offset: number,
    options?: WaitOptions | Wait,
    method = 'buffer.readInto',
  ): Promise<Target> {
    this.refuseWhileRecording(method);
    return fromCaller(async () => {
      await this.#readInto(target, offset, options, method);
      return target;
    });
  }

  /** @internal See {@link DeviceContext.refuseWhileRecording}. */
  refuseWhileRecording(method: string): void {
    this.#context.refuseWhileRecording(method);
  }

  async #readInto(target: BufferSource, offset: number, options: WaitOptions | Wait | undefined, method: string): Promise<void> {
    this.check(method);
    const bytes = bytesOf({ operator: method, field: 'target' }, target);
    const start = byteCount(method, 'offset', offset);
    const wait = readWait(method, options);
    this.#checkRange(method, start, bytes.byteLength);
    const { backend } = this.#context;
    const isEmpty = bytes.byteLength === 0;
    try {
      await waitFor(wait, () => (isEmpty ? Promise.resolve() : backend.readInto(this.#native, start, bytes)));
      this.#context.checkReport(method);
    } catch (error) {
      throw this.#context.explain(method, error);
    }
  }

  #checkRange(method: string, offset: number, size: number): void {
    if (offset + size <= this.sizeInBytes) return;
    const given = `bytes ${offset} to ${offset + size}`;
    const expected = `a range within the ${this.sizeInBytes} bytes of ${this.name}`;
    throw fieldError('ERR_OUT_OF_RANGE', { operator: method, field: 'offset' }, expected, given);
  }
}

// eslint-disable-next-line @typescript-eslint/require-await -- a read is a promise
async function noBytes(): Promise<ReadBytes> {
  return { then: undefined, bytes: new ArrayBuffer(0) };
}
