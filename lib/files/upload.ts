/** Copies elements from a file into tensors, in parts: the file is never in the memory of JavaScript as a whole. */
import { waitFor, type Wait } from '../api/abortable.js';
import type { DeviceContext } from '../api/device-context.js';
import type { Tensor } from '../api/memory/tensor.js';
import { partOfBytes } from '../tensors/bytes.js';
import { bitsOf } from '../tensors/data-types.js';
import type { FileReader } from './file-reader.js';
import { bytesPerElement, converterOf, type FileDataType } from './part-converter.js';

/** In bytes, of a part of a tensor in the file. */
export const partSize = 2 ** 22;
/** After so many bytes the upload waits for those before them, so that memory in flight stays below twice this size. */
const mostInFlight = 2 ** 25;

export class Upload {
  readonly #context: DeviceContext;
  readonly #wait: Wait | null;
  /** Memory for a part that is being read while the one before it is copied, and for all converted ones. */
  readonly #parts = [new Uint8Array(0), new Uint8Array(0)];
  #converted = new Uint8Array(0);
  /** In bytes, since the last call of `caughtUp`. */
  #written = 0;
  #caughtUp = Promise.resolve();

  constructor(context: DeviceContext, wait: Wait | null) {
    this.#context = context;
    this.#wait = wait;
  }

  /**
   * Fills a tensor whose elements lie in memory as in the file, without gaps.
   *
   * @param from The data type of the elements in the file.
   * @param start The first byte in the file.
   * @param onPart Called after each part with its size in the file, in bytes.
   */
  async fill(
    tensor: Tensor,
    file: FileReader,
    from: FileDataType,
    start: number,
    onPart: (sizeInBytes: number) => void = () => undefined,
  ): Promise<void> {
    const count = tensor.elementSpan;
    const convert = converterOf(from, tensor.dataType);
    const [size, newSize] = [bytesPerElement(from), bitsOf(tensor.dataType) / 8];
    const most = partSize / size;
    const lengthFrom = (done: number) => Math.min(most, count - done);
    const read = (done: number) => {
      const part = this.#read(file, start + done * size, lengthFrom(done) * size);
      // It may fail while nothing waits for it yet.
      part.catch(() => undefined);
      return part;
    };
    let reading = count > 0 ? read(0) : null;
    try {
      for (let done = 0; reading !== null; done += most) {
        const part = await reading;
        reading = done + most < count ? read(done + most) : null;
        let elements = part;
        if (convert !== null) {
          const length = lengthFrom(done);
          this.#converted = withSize(this.#converted, length * newSize);
          elements = partOfBytes(this.#converted, 0, length * newSize);
          convert(part, elements, length);
        }
        tensor.buffer.write(elements, tensor.offset + done * newSize);
        await this.#pace(elements.length);
        onPart(part.length);
      }
    } finally {
      // After an error, too, the file is closed only when nothing reads it.
      await reading?.catch(() => undefined);
    }
  }

  /** Reads into the memory of the part before the last one. */
  async #read(file: FileReader, position: number, sizeInBytes: number): Promise<Uint8Array<ArrayBuffer>> {
    const memory = withSize(this.#parts.shift() ?? new Uint8Array(0), sizeInBytes);
    this.#parts.push(memory);
    const part = partOfBytes(memory, 0, sizeInBytes);
    await file.read(part, position);
    return part;
  }

  /** Call it after the last tensor: the device may lack memory for what it was given. */
  async end(): Promise<void> {
    await waitFor(this.#wait, () => this.#caughtUp);
  }

  /** Never waits for the newest bytes: the device always has some to copy. */
  async #pace(sizeInBytes: number): Promise<void> {
    this.#written += sizeInBytes;
    if (this.#written < mostInFlight) return;
    this.#written = 0;
    const earlier = this.#caughtUp;
    this.#caughtUp = this.#context.backend.caughtUp();
    // Whoever waits for it later gets its error.
    this.#caughtUp.catch(() => undefined);
    await waitFor(this.#wait, () => earlier);
  }
}

/** The same memory if it is large enough, else new one. */
function withSize(bytes: Uint8Array<ArrayBuffer>, size: number): Uint8Array<ArrayBuffer> {
  return bytes.length < size ? new Uint8Array(size) : bytes;
}
