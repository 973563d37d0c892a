/** The wire format of protocol buffers, as far as ONNX models need it: varints, and fields with bytes. */
import { partOfBytes } from '../data-types/bytes.js';

/** A field of a message. `start` and `end` are its place in the message, with its tag. */
export interface Field {
  readonly number: number;
  /** The number of a varint, exact up to 2^53; 0 for other fields. */
  readonly value: number;
  /** The content of a field with bytes, without a copy; empty for other fields. */
  readonly bytes: Uint8Array;
  readonly start: number;
  readonly end: number;
}

const nothing = new Uint8Array();

/** The sizes of fields that are numbers of fixed size, by wire type. */
const fixedSizes: Readonly<Record<number, number>> = { 1: 8, 5: 4 };

/** The most fields of a message, ten times as many as large models have. More could use up the memory. */
const mostFields = 2 ** 20;

/** The fields of a message in their order. @throws {RangeError} if the bytes are not a message, or one with too many fields. */
export function* fieldsOf(message: Uint8Array): Generator<Field, void> {
  let count = 0;
  for (let start = 0; start < message.length;) {
    if (++count > mostFields) throw new RangeError(`a message has more than ${mostFields} fields`);
    const tag = readVarint(message, start);
    const number = Math.floor(tag.value / 8);
    if (number === 0) throw new RangeError('a field has the number 0');
    const wireType = tag.value % 8;
    let { end } = tag;
    let value = 0;
    let bytes: Uint8Array = nothing;
    if (wireType === 0) {
      ({ value, end } = readVarint(message, end));
    } else {
      const length = wireType === 2 ? readVarint(message, end) : { value: fixedSizes[wireType] ?? Infinity, end };
      end = length.end + length.value;
      if (end > message.length) throw new RangeError('the bytes end in the middle of a field');
      if (wireType === 2) bytes = partOfBytes(message, length.end, end);
    }
    yield { number, value, bytes, start, end };
    start = end;
  }
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

/** The message in parts, with other bytes instead of some fields. */
export function partsWith(message: Uint8Array, instead: ReadonlyMap<Field, Uint8Array>): Uint8Array[] {
  const parts: Uint8Array[] = [];
  let done = 0;
  for (const [{ start, end }, bytes] of [...instead].sort(([a], [b]) => a.start - b.start)) {
    parts.push(partOfBytes(message, done, start), bytes);
    done = end;
  }
  return [...parts, partOfBytes(message, done)];
}

function readVarint(bytes: Uint8Array, start: number): { readonly value: number; readonly end: number } {
  let value = 0;
  for (let i = 0; i < 10; i++) {
    const byte = bytes[start + i];
    if (byte === undefined) break;
    value += (byte % 128) * 128 ** i;
    if (byte < 128) return { value, end: start + i + 1 };
  }
  throw new RangeError('the bytes end in the middle of a number');
}

function varint(value: number): Uint8Array {
  const bytes: number[] = [];
  for (let rest = value; bytes.length === 0 || rest > 0; rest = Math.floor(rest / 128)) bytes.push((rest % 128) + 128);
  return Uint8Array.from(bytes, (byte, i) => (i === bytes.length - 1 ? byte - 128 : byte));
}
