/**
 * Reads the file of a model without its large weights. In the bytes that this gives, such a weight is one of external data that
 * lies in the file itself, so that it can go from the file to the device in parts.
 */
import { partOfBytes } from '../tensors/bytes.js';
import type { FileReader } from '../files/file-reader.js';
import { field, fixedSize, numberField, numberOf } from './protobuf.js';

/** The fields of onnx.proto whose contents are looked into, and the field with the elements of a tensor. */
const numbers = { graph: 7, initializer: 5, raw: 9, externalData: 13, dataLocation: 14, key: 1, value: 2 };
/** In bytes. Smaller weights are read with the rest, because shapes may depend on them. */
export const leastLarge = 2 ** 16;
/** In bytes, of one read. */
const window = 2 ** 18;

/** @throws {RangeError} (as a rejection) if the file is no message, or one with too many fields. */
export function readWithoutWeights(file: FileReader): Promise<Uint8Array> {
  const cursor = new FileCursor(file);
  return message(cursor, file.sizeInBytes, (number, size) =>
    number === numbers.graph ? readGraph(cursor, cursor.position + size) : cursor.take(size),
  );
}

function readGraph(cursor: FileCursor, end: number): Promise<Uint8Array> {
  return message(cursor, end, (number, size) =>
    number === numbers.initializer && size >= leastLarge ? readTensor(cursor, cursor.position + size) : cursor.take(size),
  );
}

async function readTensor(cursor: FileCursor, end: number): Promise<Uint8Array> {
  const found: { offset: number; length: number }[] = [];
  const read = await message(cursor, end, async (number, size) => {
    if (number !== numbers.raw || size < leastLarge) return cursor.take(size);
    found.push({ offset: cursor.position, length: size });
    cursor.skip(size);
    return new Uint8Array();
  });
  const entries = found.flatMap(({ offset, length }) =>
    Object.entries({ offset, length }).map(([key, value]) =>
      field(numbers.externalData, field(numbers.key, key), field(numbers.value, `${value}`)),
    ),
  );
  return found.length > 0 ? Buffer.concat([read, ...entries, numberField(numbers.dataLocation, 1)]) : read;
}

/** The message up to a place in the file, with other contents for fields that have bytes. */
async function message(
  cursor: FileCursor,
  end: number,
  read: (number: number, size: number) => Promise<Uint8Array>,
): Promise<Uint8Array> {
  const parts: Uint8Array[] = [];
  for (let place = 1; cursor.position < end; place++) {
    const start = cursor.position;
    const tag = await cursor.varint();
    const [number, wireType] = [numberOf(tag, place), tag % 8];
    if (wireType === 2) {
      const size = await cursor.varint();
      if (cursor.position + size > end) throw new RangeError('the bytes end in the middle of a field');
      parts.push(field(number, await read(number, size)));
      continue;
    }
    if (wireType === 0) await cursor.varint();
    else await cursor.take(fixedSize(wireType));
    parts.push(await cursor.takeFrom(start));
  }
  if (cursor.position !== end) throw new RangeError('the bytes end in the middle of a field');
  return Buffer.concat(parts);
}

class FileCursor {
  readonly #file: FileReader;
  #window = new Uint8Array();
  #start = 0;
  position = 0;

  constructor(file: FileReader) {
    this.#file = file;
  }

  skip(size: number): void {
    this.position += size;
  }

  async take(size: number): Promise<Uint8Array> {
    if (this.position + size > this.#file.sizeInBytes) throw new RangeError('the bytes end in the middle of a field');
    const begin = this.position - this.#start;
    this.position += size;
    if (begin >= 0 && begin + size <= this.#window.length) return partOfBytes(this.#window, begin, begin + size);
    return this.#file.bytes(this.position - size, size);
  }

  /** The bytes from an earlier position to this one. */
  takeFrom(start: number): Promise<Uint8Array> {
    const size = this.position - start;
    this.position = start;
    return this.take(size);
  }

  /** A number from 0 to 2^64 - 1, to the precision of a float. */
  async varint(): Promise<number> {
    let value = 0;
    for (let i = 0; i < 10; i++) {
      const byte = await this.#byte();
      value += (byte % 128) * 128 ** i;
      if (byte < 128) return value;
    }
    throw new RangeError('a number has more than 10 bytes');
  }

  async #byte(): Promise<number> {
    if (this.position >= this.#file.sizeInBytes) throw new RangeError('the bytes end in the middle of a number');
    if (this.position < this.#start || this.position >= this.#start + this.#window.length) {
      this.#start = this.position;
      this.#window = await this.#file.bytes(this.#start, Math.min(window, this.#file.sizeInBytes - this.#start));
    }
    return this.#window[this.position++ - this.#start] ?? 0;
  }
}
