/**
 * Describes a value in a few words, for errors. It can describe anything, because it runs no code of the value, such as
 * getters, `toString` or the traps of a proxy.
 */
import { types } from 'node:util';
import { typedArrayName } from './typed-array-name.js';
import { define } from './define.js';

/** The most characters of a user's text that a message shows. */
const maxTextLength = 60;
/** Larger arrays are described without the kind of their elements, and larger objects without their properties. */
const maxScannedLength = 1024;
const maxScannedNames = 32;

const { isArray } = Array;
/** Results of `typeof` that a message names. */
const namedTypes: readonly string[] = ['number', 'bigint', 'string', 'boolean', 'object'];

/** A kind of object that messages name. */
interface Kind {
  /** Such as `a tensor`. */
  readonly one: string;
  /** Such as `tensors`. */
  readonly many: string;
  readonly is: (value: object) => boolean;
}

const builtIn: readonly Kind[] = [
  { one: 'a promise that was not awaited', many: 'promises', is: types.isPromise },
  { one: 'an ArrayBuffer', many: 'ArrayBuffers', is: types.isArrayBuffer },
  { one: 'a SharedArrayBuffer', many: 'SharedArrayBuffers', is: types.isSharedArrayBuffer },
  { one: 'a Buffer of Node.js', many: 'Buffers of Node.js', is: isNodeBuffer },
  { one: 'a DataView', many: 'DataViews', is: types.isDataView },
  { one: 'a Map', many: 'Maps', is: types.isMap },
  { one: 'a Set', many: 'Sets', is: types.isSet },
  { one: 'a date', many: 'dates', is: types.isDate },
  { one: 'an error', many: 'errors', is: types.isNativeError },
];

/** Objects of this package, such as tensors. */
const ours: Kind[] = [];
/**
 * The objects of each copy of this package in this thread. Each copy has its own classes, and does not accept objects of
 * another.
 */
const copies = withOurs(Reflect.get(globalThis, Symbol.for('node-directml.kinds')));

function withOurs(known: unknown): readonly unknown[] {
  const lists: unknown[] = Array.isArray(known) ? known : [];
  if (!Array.isArray(known)) define(globalThis, Symbol.for('node-directml.kinds'), lists);
  lists.push(ours);
  return lists;
}

/** Gives the objects of a class a name in messages. `is` runs no code of the object, as `#field in value` does. */
export function nameKind(one: string, many: string, is: (value: object) => boolean): void {
  ours.push({ one, many, is });
}

/** `a tensor of another copy of node-directml …`; undefined for anything else. */
export function otherCopyOf(value: unknown): string | undefined {
  return isObject(value) ? foreignKindOf(value)?.one : undefined;
}

/** Describes any value in a few words: `3`, `'float32'`, `an array of 3 numbers`, `a promise that was not awaited`, `a tensor`. */
export function describe(value: unknown): string {
  switch (typeof value) {
    case 'string':
      return `'${shorten(value)}'`;
    case 'bigint':
      // Converting a long bigint to decimal is slow.
      return BigInt.asIntN(128, value) === value ? numberText(value) : 'a bigint of more than 128 bits';
    case 'undefined':
      return 'nothing';
    case 'function':
      return isRevoked(value) ? 'a revoked proxy' : 'a function';
    case 'object':
      return value === null ? 'null' : describeObject(value);
    case 'number':
      return numberText(value);
    default:
      return shorten(String(value));
  }
}

/** The text of this number only: `-0` for minus zero, and `12n` for a bigint. */
export function numberText(value: number | bigint): string {
  if (typeof value === 'bigint') return `${value}n`;
  return Object.is(value, -0) ? '-0' : String(value);
}

/**
 * All fields of plain data as text, which is the same only for equal data. Unlike JSON.stringify, does not call `toJSON` methods,
 * which programs add to BigInt.prototype, for example.
 */
export function plainTextOf(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(plainTextOf).join()}]`;
  if (typeof value === 'object' && value !== null) {
    return `{${Object.entries(value)
      .map(([name, field]) => `${name}:${plainTextOf(field)}`)
      .join()}}`;
  }
  return typeof value === 'number' || typeof value === 'bigint' ? numberText(value) : String(value);
}

/** `pass its outputTensor` for a result of `run` or `graph.add`, if its output is expected; undefined for any other value. */
export function partAdvice(value: unknown, isWanted: (part: unknown) => boolean): string | undefined {
  if (!isRecord(value)) return undefined;
  const part = partOf(value);
  return part !== undefined && isWanted(part.value) ? `pass its ${shorten(part.name)}` : undefined;
}

/** False for values whose properties the program does not choose: an array, data, a promise, an object of this package. */
export function isRecord(value: unknown): value is object {
  if (typeof value !== 'object' || value === null) return false;
  // Inspecting a proxy would run its traps.
  if (types.isProxy(value)) return true;
  return !Array.isArray(value) && typedArrayName(value) === undefined && kindOf(value) === undefined;
}

/**
 * True for an object that may describe a tensor: any object with a data type or sizes, even a tensor. False for results of
 * `run` and `graph.add`.
 */
export function mayDescribe(value: unknown): value is object {
  if (typeof value !== 'object' || value === null || foreignKindOf(value) !== undefined) return false;
  if (types.isProxy(value) || Object.hasOwn(value, 'dataType') || Object.hasOwn(value, 'sizes')) return true;
  return isRecord(value) && partOf(value) === undefined;
}

function describeObject(value: object): string {
  if (isRevoked(value)) return 'a revoked proxy';
  const kind = kindOf(value);
  if (kind !== undefined) return kind.one;
  const name = typedArrayName(value);
  if (name !== undefined) return `${name.startsWith('Int') ? 'an' : 'a'} ${name}`;
  // Reading the elements of a proxy would run its traps.
  if (Array.isArray(value)) return types.isProxy(value) ? 'an array' : describeArray(value);
  const part = partOf(value);
  return part === undefined ? 'an object' : `an object whose ${shorten(part.name)} is ${part.kind.one}`;
}

/** Browsers do not have it. */
const nodeBuffer: unknown = Reflect.get(globalThis, 'Buffer');
const nodeBufferPrototype: unknown = typeof nodeBuffer === 'function' ? Reflect.get(nodeBuffer, 'prototype') : undefined;

/** True for a `Buffer`, which is a Uint8Array of bytes that may be anything. */
export function isNodeBuffer(value: unknown): boolean {
  // No proxy is a typed array, so this runs no code of the value.
  return typedArrayName(value) !== undefined && Object.getPrototypeOf(value) === nodeBufferPrototype;
}

/** True for a proxy that was revoked, on which each operation throws a TypeError. */
export function isRevoked(value: unknown): boolean {
  try {
    // Bundlers drop `Array.isArray(value)` if its result is unused.
    isArray(value);
    return false;
  } catch {
    return true;
  }
}

function kindOf(value: object): Kind | undefined {
  const is = (kind: Kind) => kind.is(value);
  return ours.find(is) ?? builtIn.find(is) ?? foreignKindOf(value);
}

const advice = '`npm ls node-directml` lists the copies, `npm dedupe` leaves one';

function foreignKindOf(value: object): Kind | undefined {
  // There is nearly always only one copy.
  if (copies.length < 2) return undefined;
  const others = copies.filter((kinds) => kinds !== ours).flat();
  const kind = others.find((other): other is Kind => isKindOf(other, value));
  if (kind === undefined) return undefined;
  return { ...kind, one: `${kind.one} of another copy of node-directml (${advice})`, many: 'objects of another copy' };
}

/** Any script can write to the object that the copies share. */
function isKindOf(kind: unknown, value: object): boolean {
  try {
    if (!isObject(kind) || !('one' in kind) || !('is' in kind)) return false;
    return typeof kind.one === 'string' && typeof kind.is === 'function' && Reflect.apply(kind.is, kind, [value]) === true;
  } catch {
    return false;
  }
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null;
}

/** `an array of 3 numbers` */
function describeArray(array: readonly unknown[]): string {
  const { length } = array;
  if (length === 0) return 'an empty array';
  const isShort = length <= maxScannedLength;
  const kinds = new Set(
    isShort ? Array.from({ length }, (_, i) => manyLike(Object.getOwnPropertyDescriptor(array, i)?.value)) : [],
  );
  const [kind, ...others] = kinds;
  const noun = kind !== undefined && others.length === 0 ? kind : 'elements';
  return `an array of ${length} ${length === 1 ? noun.replace(/s(?= |$)/, '') : noun}`;
}

/** The plural for values like this one. */
function manyLike(value: unknown): string | undefined {
  if (typeof value !== 'object' || value === null) return namedTypes.includes(typeof value) ? `${typeof value}s` : undefined;
  if (types.isProxy(value)) return 'objects';
  const typedArray = typedArrayName(value);
  return kindOf(value)?.many ?? (typedArray !== undefined ? `${typedArray}s` : Array.isArray(value) ? 'arrays' : 'objects');
}

/** The first own property that is an object of this package. */
function partOf(value: object): { readonly name: string; readonly kind: Kind; readonly value: unknown } | undefined {
  if (types.isProxy(value)) return undefined;
  for (const name of Object.getOwnPropertyNames(value).slice(0, maxScannedNames)) {
    const part: unknown = Object.getOwnPropertyDescriptor(value, name)?.value;
    const kind = isObject(part) ? (ours.find((one) => one.is(part)) ?? foreignKindOf(part)) : undefined;
    if (kind !== undefined) return { name, kind, value: part };
  }
  return undefined;
}

let unprintable: RegExp | undefined;

/** Control characters, invisible characters, characters that change the direction of a text, and lone surrogates. */
function unprintableCharacters(): RegExp {
  // Not when the library is loaded: the engine needs a part of a millisecond for these classes.
  unprintable ??= /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}]/gu;
  return unprintable;
}

function isPrintable(text: string): boolean {
  return text.search(unprintableCharacters()) === -1;
}

/** A user's text, with escapes such as `\u001b` for unprintable characters. */
export function printable(text: string): string {
  return text.replace(unprintableCharacters(), escaped);
}

/** The same for a text of several lines. */
export function printableLines(text: string): string {
  return isPrintable(text) ? text : text.split('\n').map(printable).join('\n');
}

/** The same, cut to the length that a message shows. No character and no escape is cut in two. */
export function shorten(text: string): string {
  if (text.length <= maxTextLength && isPrintable(text)) return text;
  let [whole, cut] = ['', ''];
  // Of a long text, only the part that could be shown is escaped.
  for (const character of text.slice(0, maxTextLength + 2)) {
    whole += printable(character);
    if (whole.length <= maxTextLength - 3) cut = whole;
  }
  return whole.length <= maxTextLength ? whole : `${cut}...`;
}

const shortEscapes: ReadonlyMap<string, string> = new Map([
  ['\n', '\\n'],
  ['\r', '\\r'],
  ['\t', '\\t'],
]);

function escaped(character: string): string {
  // As in JSON, a character of two code units becomes two escapes.
  const units = Array.from({ length: character.length }, (_, i) => character.charCodeAt(i));
  return shortEscapes.get(character) ?? units.map((unit) => `\\u${unit.toString(16).padStart(4, '0')}`).join('');
}
