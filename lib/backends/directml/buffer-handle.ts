/**
 * Buffers of DirectML's device. A new buffer reuses the native object of a disposed one of its size: creating one, which is
 * released when it is collected, costs more than all else that a buffer needs.
 */
import type { NativeBuffer, NativeDevice } from '../../../binding.js';
import { DirectMLError } from '../../values/errors.js';
import type { BackendBuffer } from '../backend.js';
import { attempt } from './native-error.js';

/** How many objects are kept. The addon keeps the memory of as many buffers. */
const MOST_SPARE = 64;

/** Disposed buffers of the addon, the last one at the end. */
export type SpareBuffers = NativeBuffer[];

export class DirectMLBufferHandle implements BackendBuffer {
  readonly sizeInBytes: number;
  /** This buffer; or the addon's number of the memory, which other buffers may have, too. */
  memory: DirectMLBufferHandle | number = this;
  base = 0;
  /** Null once the buffer is disposed: by then, the object may be that of another buffer. */
  #native: NativeBuffer | null;
  /** Where the object goes at the end; null if it is not used again. */
  readonly #spare: SpareBuffers | null;

  constructor(native: NativeBuffer, spare: SpareBuffers | null = null) {
    this.sizeInBytes = native.sizeInBytes;
    this.#native = native;
    this.#spare = spare;
  }

  /** A new buffer, by an object of `spare` if there is one of its size. */
  static create(device: NativeDevice, sizeInBytes: number, spare: SpareBuffers): DirectMLBufferHandle {
    return new DirectMLBufferHandle(renewed(spare, sizeInBytes) ?? device.createBuffer(sizeInBytes), spare);
  }

  /** The addon's object, which is of this buffer only until the buffer is disposed. */
  get native(): NativeBuffer {
    if (this.#native === null) throw new DirectMLError('ERR_DISPOSED', 'the buffer has been disposed');
    return this.#native;
  }

  /** Call it before other buffers can have the same memory. */
  share(): void {
    const { number, offset } = this.native.memory();
    this.memory = number;
    this.base = offset;
  }

  setLabel(label: string): void {
    attempt(() => this.native.setLabel(label));
  }

  dispose(): void {
    const native = this.#native;
    if (native === null) return;
    this.#native = null;
    native.dispose();
    if (this.#spare === null) return;
    this.#spare.push(native);
    if (this.#spare.length > MOST_SPARE) this.#spare.shift();
  }
}

/** Takes an object of the size out of `spare`, and gives it memory. Null if there is none. */
function renewed(spare: SpareBuffers, sizeInBytes: number): NativeBuffer | null {
  for (let i = spare.length - 1; i >= 0; i--) {
    const native = spare[i];
    if (native?.sizeInBytes !== sizeInBytes) continue;
    native.renew();
    spare.splice(i, 1);
    return native;
  }
  return null;
}

/** The addon's object of a buffer of this backend. */
export function nativeOf(buffer: BackendBuffer): NativeBuffer {
  return handleOf(buffer).native;
}

/** A buffer of this backend. */
export function handleOf(buffer: BackendBuffer): DirectMLBufferHandle {
  if (!(buffer instanceof DirectMLBufferHandle)) throw new TypeError('the buffer belongs to another backend');
  return buffer;
}
