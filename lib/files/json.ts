/** Parses the JSON in files. It is stricter than JSON.parse, which takes the last of several properties with one name. */
import { shorten, type Place } from '../errors.js';
import { invalidFile } from './file-reader.js';

/** The most bytes of JSON. Other programs have the same limit for a header. */
export const maxJsonBytes = 100_000_000;
/** How deep objects and arrays may be in each other. Deeper ones could use up the memory. */
const maxDepth = 8;

/** A file has such an object where its format needs one. */
export type JsonObject = Readonly<Record<string, unknown>>;

/**
 * The properties of the object in the bytes.
 *
 * @throws {DirectMLError} ERR_INVALID_FILE for anything else, and for names that occur twice in an object.
 */
export function parseObject(bytes: Uint8Array, place: Place): JsonObject {
  let value: unknown;
  try {
    const text = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
    checkNames(text, place);
    value = JSON.parse(text);
  } catch (error) {
    if (error instanceof SyntaxError) throw invalidFile(place, 'JSON', 'something else', error.message);
    if (error instanceof TypeError) throw invalidFile(place, 'JSON', 'bytes that are not UTF-8');
    throw error;
  }
  if (!isJsonObject(value)) throw invalidFile(place, 'a JSON object', kindOf(value));
  return value;
}

export function isJsonObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** A property of an object that JSON.parse made, which also inherits some. */
export function property(object: JsonObject, name: string): unknown {
  return Object.hasOwn(object, name) ? object[name] : undefined;
}

function kindOf(value: unknown): string {
  if (value === null) return 'null';
  return Array.isArray(value) ? 'an array' : `a ${typeof value}`;
}

/** Reads only brackets, strings and colons. JSON.parse refuses whatever else is wrong. */
function checkNames(text: string, place: Place): void {
  const open: Set<string>[] = [];
  let lastString = '""';
  for (let i = 0; i < text.length; i++) {
    switch (text[i]) {
      case '"': {
        const end = endOfString(text, i);
        lastString = text.slice(i, end);
        i = end - 1;
        break;
      }
      case ':':
        addName(open.at(-1), String(JSON.parse(lastString)), place);
        break;
      case '{':
      case '[':
        if (open.length === maxDepth) throw invalidFile(place, `at most ${maxDepth} objects in each other`, 'more');
        open.push(new Set());
        break;
      case '}':
      case ']':
        open.pop();
    }
  }
}

function addName(names: Set<string> | undefined, name: string, place: Place): void {
  // As a property of an ordinary object, it would be the prototype.
  if (name === '__proto__') throw invalidFile(place, 'another name', `'__proto__'`);
  if (names?.has(name) === true) throw invalidFile(place, 'each name once', `'${shorten(name)}' twice`);
  names?.add(name);
}

/** The index after the closing quotation mark. */
function endOfString(text: string, start: number): number {
  for (let i = start + 1; i < text.length; i++) {
    if (text[i] === '\\') i += 1;
    else if (text[i] === '"') return i + 1;
  }
  return text.length;
}
