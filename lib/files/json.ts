/**
 * Parses the JSON in files, in turns of the event loop. It is stricter than JSON.parse, which takes the last of several properties
 * with one name.
 */
import { partOfBytes } from '../tensors/bytes.js';
import { shorten, type Place } from '../values/errors.js';
import { invalidFile } from './file-reader.js';
import type { Turns } from './turns.js';

/**
 * The most bytes of JSON. The format's own library has the same limit for a header: about 130 bytes describe a tensor, so some
 * 700,000 tensors reach it.
 */
export const maxJsonBytes = 100_000_000;
/** How deep objects and arrays may be in each other. */
const maxDepth = 8;
/** The shortest description of a tensor is an object and two arrays in 48 bytes. Denser ones could use up the memory. */
const bytesPerObject = 16;
/** A file that is short may have so many. */
const fewObjects = 1000;
/** The most elements of an array. Arrays have sizes and offsets. */
const maxElements = 1000;

/** A file has such an object where its format needs one. */
type JsonObject = Readonly<Record<string, unknown>>;

/**
 * The properties of the object in the bytes.
 *
 * @throws {DirectMLError} (as a rejection) ERR_INVALID_FILE for anything else, and for names that occur twice in an object;
 * ERR_ABORTED.
 */
export async function parseObject(bytes: Uint8Array, place: Place, turns: Turns): Promise<JsonObject> {
  const reader = new Reader(bytes, place);
  while (!reader.step()) if (turns.isDue(reader.takeWork())) await turns.next();
  const { value } = reader;
  if (!isJsonObject(value)) throw invalidFile(place, 'a JSON object', kindOf(value));
  return value;
}

export function isJsonObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** A property of an object that {@link parseObject} made, which also inherits some. */
export function property(object: JsonObject, name: string): unknown {
  return Object.hasOwn(object, name) ? object[name] : undefined;
}

function kindOf(value: unknown): string {
  if (value === null) return 'null';
  return Array.isArray(value) ? 'an array' : `a ${typeof value}`;
}

/** An object or array that has not ended yet. `name` is that of the object's next value. */
interface Open {
  readonly object: Record<string, unknown> | null;
  readonly array: unknown[];
  name: string;
}

const [quote, backslash, comma, colon, zero] = [0x22, 0x5c, 0x2c, 0x3a, 0x30];
const [openBracket, closeBracket, openBrace, closeBrace] = [0x5b, 0x5d, 0x7b, 0x7d];

/** Reads structure, and plain strings and whole numbers, itself; other values by JSON.parse. */
class Reader {
  /** The value that was read last. */
  value: unknown = undefined;
  readonly #bytes: Buffer;
  readonly #place: Place;
  readonly #open: Open[] = [];
  #at = 0;
  #workedTo = 0;
  #objects = 0;

  constructor(bytes: Uint8Array, place: Place) {
    this.#bytes = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
    this.#place = place;
  }

  /** The bytes that were read since the last call. */
  takeWork(): number {
    const work = this.#at - this.#workedTo;
    this.#workedTo = this.#at;
    return work;
  }

  /** Reads the beginning of an object or array, or another value and the ends behind it. True at the end. */
  step(): boolean {
    switch (this.#next()) {
      case openBrace:
        this.#begin({ object: {}, array: [], name: '' });
        if (this.#next() === closeBrace) return this.#endValues();
        this.#readName();
        return false;
      case openBracket:
        this.#begin({ object: null, array: [], name: '' });
        return this.#next() === closeBracket && this.#endValues();
      case quote:
        this.value = this.#string();
        break;
      default:
        this.value = this.#word();
    }
    return this.#add();
  }

  /** The next byte that is no space; undefined at the end. */
  #next(): number | undefined {
    for (; this.#at < this.#bytes.length; this.#at++) {
      const byte = this.#bytes[this.#at];
      if (!isSpace(byte)) return byte;
    }
    return undefined;
  }

  #begin(open: Open): void {
    if (this.#open.length === maxDepth) throw this.#refused(`at most ${maxDepth} objects in each other`, 'more');
    this.#objects += 1;
    const most = fewObjects + Math.floor(this.#bytes.length / bytesPerObject);
    if (this.#objects > most) throw this.#refused(`at most ${most} objects and arrays`, 'more');
    this.#open.push(open);
    this.#at += 1;
  }

  /** The value is complete: adds it to the object or array that has it. True at the end. */
  #add(): boolean {
    const open = this.#open.at(-1);
    if (open === undefined) {
      if (this.#next() === undefined) return true;
      throw this.#noJson();
    }
    if (open.object !== null) open.object[open.name] = this.value;
    else if (open.array.push(this.value) > maxElements)
      throw this.#refused(`at most ${maxElements} elements in an array`, 'more');
    if (this.#next() !== comma) return this.#endValues();
    this.#at += 1;
    if (open.object !== null) this.#readName();
    return false;
  }

  /** Reads the end of the innermost object or array. True at the end of all. */
  #endValues(): boolean {
    const open = this.#open.pop();
    const isObject = open?.object != null;
    if (open === undefined || this.#next() !== (isObject ? closeBrace : closeBracket)) throw this.#noJson();
    this.#at += 1;
    this.value = open.object ?? open.array;
    return this.#add();
  }

  #readName(): void {
    const open = this.#open.at(-1);
    if (open?.object == null || this.#next() !== quote) throw this.#noJson();
    const name = this.#string();
    // As a property of an ordinary object, it would be the prototype.
    if (name === '__proto__') throw this.#refused('another name', `'__proto__'`);
    if (Object.hasOwn(open.object, name)) throw this.#refused('each name once', `'${shorten(name)}' twice`);
    open.name = name;
    if (this.#next() !== colon) throw this.#noJson();
    this.#at += 1;
  }

  #string(): string {
    const start = this.#at;
    const bytes = this.#bytes;
    let isPlain = true;
    let end = start + 1;
    for (; bytes[end] !== quote; end++) {
      const byte = bytes[end];
      if (byte === undefined) throw this.#noJson();
      if (byte === backslash) end += 1;
      if (byte === backslash || byte < 0x20 || byte > 0x7e) isPlain = false;
    }
    this.#at = end + 1;
    if (isPlain) return bytes.toString('latin1', start + 1, end);
    const text = this.#parse(start);
    if (typeof text !== 'string') throw this.#noJson();
    return text;
  }

  /** A number, true, false or null. */
  #word(): unknown {
    const start = this.#at;
    const bytes = this.#bytes;
    let end = start;
    let number = 0;
    for (; !endsWord(bytes[end]); end++) number = 10 * number + digitOf(bytes[end]);
    this.#at = end;
    // NaN for anything but digits. JSON has no numbers such as 007.
    const isWhole = number <= Number.MAX_SAFE_INTEGER && end > start && (bytes[start] !== zero || end === start + 1);
    return isWhole ? number : this.#parse(start);
  }

  #parse(start: number): unknown {
    try {
      return JSON.parse(utf8.decode(partOfBytes(this.#bytes, start, this.#at)));
    } catch (error) {
      if (error instanceof SyntaxError) throw this.#noJson(error.message);
      if (error instanceof TypeError) throw this.#refused('JSON', 'bytes that are not UTF-8');
      throw error;
    }
  }

  #noJson(why = `at byte ${this.#at}`): Error {
    return invalidFile(this.#place, 'JSON', 'something else', why);
  }

  #refused(expected: string, given: string): Error {
    return invalidFile(this.#place, expected, given);
  }
}

function isSpace(byte: number | undefined): boolean {
  return byte === 0x20 || byte === 0x0a || byte === 0x0d || byte === 0x09;
}

function endsWord(byte: number | undefined): boolean {
  return byte === comma || byte === closeBracket || byte === closeBrace || byte === undefined || isSpace(byte);
}

function digitOf(byte: number | undefined): number {
  return byte !== undefined && byte >= zero && byte <= zero + 9 ? byte - zero : NaN;
}

const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });
