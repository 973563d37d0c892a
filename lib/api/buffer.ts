/** A device's memory. */
import { byteCount } from './arguments.js';
import type { BackendBuffer } from '../backends/backend.js';
import { bytesOf, type BufferSource } from './buffer-source.js';
import { fromCaller } from './call-site.js';
import type { DeviceContext } from './device-context.js';
import { DirectMLError, fieldError, shorten } from '../errors.js';
import { keep } from './keep.js';

/**
 * Zero-filled memory of a device that operators read and write; made by {@link Device.createBuffer}. Its memory is
 * given back by `dispose()`, by `using`, or by garbage collection.
 */
export class DirectMLBuffer implements Disposable {
  readonly sizeInBytes: number;
  readonly #context: DeviceContext;
  readonly #native: BackendBuffer;
  #label: string;
  #isDisposed = false;

  /** @internal */
  constructor(context: DeviceContext, sizeInBytes: number, label: string) {
    this.#context = context;
    this.#native = context.backend.createBuffer(sizeInBytes);
    this.sizeInBytes = sizeInBytes;
    this.#label = label;
    if (label !== '') this.#native.setLabel(label);
    keep(this, 'sizeInBytes');
  }

  /** @internal Whether it is one, and not something that was given its prototype. */
  static is(value: unknown): value is DirectMLBuffer {
    return typeof value === 'object' && value !== null && #native in value;
  }

  /** Shown in error messages, by debuggers and by the debug layer. */
  get label(): string {
    return this.#label;
  }

  /**
   * Copies bytes into the buffer. The copy is taken before this returns and takes its place in the order of commands.
   *
   * @param data The bytes.
   * @param offset Where they go, in bytes.
   * @throws {DirectMLError} ERR_INVALID_ARGUMENT, ERR_OUT_OF_RANGE where they do not fit, ERR_DISPOSED,
   * ERR_DEVICE_LOST, ERR_OUT_OF_MEMORY.
   */
  write(data: BufferSource, offset = 0): void {
    this.check('buffer.write');
    const bytes = bytesOf('buffer.write', data);
    const start = byteCount('buffer.write', 'offset', offset);
    this.#checkRange('buffer.write', start, bytes.byteLength);
    if (bytes.byteLength > 0) this.#context.backend.write(this.#native, start, bytes);
  }

  /**
   * Reads bytes once all commands recorded before have run; waits off the JavaScript thread.
   *
   * @param offset The first byte.
   * @param sizeInBytes How many; by default all that follow.
   * @throws {DirectMLError} (as a rejection) ERR_INVALID_ARGUMENT, ERR_OUT_OF_RANGE, ERR_DISPOSED, ERR_DEVICE_LOST,
   * ERR_OUT_OF_MEMORY.
   */
  async read(offset = 0, sizeInBytes?: number): Promise<ArrayBuffer> {
    return fromCaller(() => this.#read(offset, sizeInBytes));
  }

  /** Gives the memory back once recorded work no longer needs it. May be called again. */
  dispose(): void {
    if (this.#isDisposed) return;
    this.#isDisposed = true;
    if (!this.#context.isDisposed) this.#native.dispose();
  }

  [Symbol.dispose](): void {
    this.dispose();
  }

  /** @internal */
  get isDisposed(): boolean {
    return this.#isDisposed;
  }

  /** @internal */
  get native(): BackendBuffer {
    return this.#native;
  }

  /** @internal */
  belongsTo(context: DeviceContext): boolean {
    return this.#context === context;
  }

  /** @internal */
  check(method: string): void {
    if (this.#isDisposed) throw new DirectMLError('ERR_DISPOSED', `${method}: ${this.#name()} is disposed`);
    this.#context.check(method);
  }

  async #read(offset: number, sizeInBytes: number | undefined): Promise<ArrayBuffer> {
    this.check('buffer.read');
    const start = byteCount('buffer.read', 'offset', offset);
    const size =
      sizeInBytes === undefined ? Math.max(0, this.sizeInBytes - start) : byteCount('buffer.read', 'sizeInBytes', sizeInBytes);
    this.#checkRange('buffer.read', start, size);
    return size === 0 ? new ArrayBuffer(0) : this.#context.backend.read(this.#native, start, size);
  }

  #checkRange(method: string, offset: number, size: number): void {
    if (offset + size <= this.sizeInBytes) return;
    const given = `bytes ${offset} to ${offset + size}`;
    const expected = `a range within the ${this.sizeInBytes} bytes of ${this.#name()}`;
    throw fieldError('ERR_OUT_OF_RANGE', { operator: method, field: 'offset' }, expected, given);
  }

  #name(): string {
    return this.#label === '' ? 'the buffer' : `buffer '${shorten(this.#label)}'`;
  }
}
