/** The wire format of protocol buffers, as far as ONNX needs it. What is read are views of the given bytes; nothing is copied. */
import { partOfBytes } from '../tensors/bytes.js';

/** A field of a message. */
export interface Field {
  readonly number: number;
  /** The content of a field with a length; the 4 or 8 bytes of one of fixed size; empty for a number. */
  readonly bytes: Uint8Array;
  /** A number as signed 64-bit integer: exact between -2^53 and 2^53, else the nearest float. 0 for other fields. */
  readonly value: number;
}

const nothing = new Uint8Array();
/** The most fields of a message, ten times as many as large models have. More could use up the memory. */
const mostFields = 2 ** 20;

/** The fields of a message in their order. @throws {RangeError} if the bytes are no message, or one with too many fields. */
export function* fieldsOf(message: Uint8Array): Generator<Field, void> {
  const cursor = new Cursor(message);
  for (let count = 1; !cursor.isAtEnd; count++) {
    const tag = cursor.varint();
    const number = numberOf(tag, count);
    const wireType = tag % 8;
    const value = wireType === 0 ? cursor.varint() : 0;
    const bytes = wireType === 0 ? nothing : cursor.take(wireType === 2 ? cursor.varint() : fixedSize(wireType));
    yield { number, bytes, value };
  }
}

/** How many bytes a field of a fixed size has. */
export function fixedSize(wireType: number): number {
  if (wireType === 1) return 8;
  if (wireType === 5) return 4;
  throw new RangeError(`a field has the wire type ${wireType}`);
}

/** The number of a field, from its tag and its place in the message, counted from 1. */
export function numberOf(tag: number, place: number): number {
  if (place > mostFields) throw new RangeError(`a message has more than ${mostFields} fields`);
  const number = Math.floor(tag / 8);
  if (number < 1 || number > 0x1fff_ffff) throw new RangeError(`a field has the number ${number}`);
  return number;
}

/** The numbers of a packed field, or the one of a field that is not packed. */
export function numbersOf({ bytes, value }: Field): readonly number[] {
  return bytes.length === 0 ? [value] : allIn(bytes, (cursor) => cursor.varint());
}

/** The numbers of a packed field as 64-bit integers, all exact. */
export function bigintsOf({ bytes, value }: Field): readonly bigint[] {
  return bytes.length === 0 ? [BigInt(value)] : allIn(bytes, (cursor) => cursor.bigVarint());
}

function allIn<T>(bytes: Uint8Array, next: (cursor: Cursor) => T): readonly T[] {
  const cursor = new Cursor(bytes);
  const all: T[] = [];
  while (!cursor.isAtEnd) all.push(next(cursor));
  return all;
}

/** The floats of a field, packed or not. */
export function floatsOf({ bytes }: Field): readonly number[] {
  return fixedIn(bytes, 4, (view, i) => view.getFloat32(i, true));
}

/** The 64-bit floats of a field, packed or not. */
export function doublesOf({ bytes }: Field): readonly number[] {
  return fixedIn(bytes, 8, (view, i) => view.getFloat64(i, true));
}

function fixedIn(bytes: Uint8Array, size: number, read: (view: DataView, place: number) => number): readonly number[] {
  if (bytes.length % size !== 0) throw new RangeError(`floats have another number of bytes than a multiple of ${size}`);
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  return Array.from({ length: bytes.length / size }, (_, i) => read(view, size * i));
}

export function textOf(bytes: Uint8Array): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString();
}

/** A field with bytes: text, or a message of fields. */
export function field(number: number, ...content: readonly (Uint8Array | string)[]): Uint8Array {
  const parts = content.map((part) => (typeof part === 'string' ? Buffer.from(part) : part));
  const length = parts.reduce((sum, part) => sum + part.length, 0);
  return Buffer.concat([varint(number * 8 + 2), varint(length), ...parts]);
}

/** A field with a whole number from 0 on. */
export function numberField(number: number, value: number): Uint8Array {
  return Buffer.concat([varint(number * 8), varint(value)]);
}

function varint(value: number): Uint8Array {
  const bytes: number[] = [];
  for (let rest = value; bytes.length === 0 || rest > 0; rest = Math.floor(rest / 128)) bytes.push((rest % 128) + 128);
  return Uint8Array.from(bytes, (byte, i) => (i === bytes.length - 1 ? byte - 128 : byte));
}

class Cursor {
  readonly #bytes: Uint8Array;
  #place = 0;

  constructor(bytes: Uint8Array) {
    this.#bytes = bytes;
  }

  get isAtEnd(): boolean {
    return this.#place >= this.#bytes.length;
  }

  take(length: number): Uint8Array {
    const end = this.#place + length;
    if (!(length >= 0 && end <= this.#bytes.length)) throw new RangeError('the bytes end in the middle of a field');
    const part = partOfBytes(this.#bytes, this.#place, end);
    this.#place = end;
    return part;
  }

  /** A signed 64-bit integer, exact between -2^53 and 2^53. */
  varint(): number {
    let [low, high] = [0, 0];
    for (let i = 0; i < 10; i++) {
      const byte = this.#byte();
      const bits = byte & 127;
      if (i < 4) low += bits * 128 ** i;
      else high += bits * 128 ** (i - 4);
      if (byte < 128) return fromParts(low, high);
    }
    throw new RangeError('a number has more than 10 bytes');
  }

  bigVarint(): bigint {
    let value = 0n;
    for (let i = 0n; i < 10n; i++) {
      const byte = this.#byte();
      value |= BigInt(byte & 127) << (7n * i);
      if (byte < 128) return BigInt.asIntN(64, value);
    }
    throw new RangeError('a number has more than 10 bytes');
  }

  #byte(): number {
    const byte = this.#bytes[this.#place++];
    if (byte === undefined) throw new RangeError('the bytes end in the middle of a number');
    return byte;
  }
}

/** `low` has 28 bits; `high` has those from bit 28 on, of which the bit 63 is the sign. */
function fromParts(low: number, high: number): number {
  const upper = high % 2 ** 36;
  return (upper >= 2 ** 35 ? upper - 2 ** 36 : upper) * 2 ** 28 + low;
}
