/** Web IDL's conversions of JavaScript values: small converters, of which generated/conversions.ts makes those of WebNN. */
import { types } from 'node:util';
import { otherCopyOf, shorten } from '../../values/given.js';

/** Converts a value. @throws {TypeError} with `what`, which names the argument or member. */
export type Converter<T> = (value: unknown, what: string) => T;

export function fail(what: string, problem: string): never {
  throw new TypeError(`${what} ${problem}`);
}

/** Says so if the value comes from another copy of this package, whose objects are of no use here. */
export function refuseOtherCopy(value: unknown, what: string): void {
  const other = otherCopyOf(value);
  if (other !== undefined) fail(what, `is ${other}.`);
}

export const boolean: Converter<boolean> = Boolean;

/** ToNumber: throws for a bigint and a symbol. */
const toNumber: Converter<number> = (value, what) => {
  const primitive = toPrimitive(value, 'number', what);
  if (typeof primitive === 'bigint' || typeof primitive === 'symbol') fail(what, 'is not a number.');
  return Number(primitive);
};

/** ToString: throws for a symbol. */
const toText: Converter<string> = (value, what) => {
  const primitive = toPrimitive(value, 'string', what);
  if (typeof primitive === 'symbol') fail(what, 'is a symbol.');
  return String(primitive);
};

/** ToPrimitive, with errors that name the argument. What the methods of the value throw is thrown on, as Web IDL wants it. */
function toPrimitive(value: unknown, hint: 'number' | 'string', what: string): unknown {
  if (!isObject(value)) return value;
  const own: unknown = Reflect.get(value, Symbol.toPrimitive);
  const isOwn = own !== undefined && own !== null;
  if (isOwn && typeof own !== 'function') fail(what, 'has a Symbol.toPrimitive that is no function.');
  const names = hint === 'string' ? (['toString', 'valueOf'] as const) : (['valueOf', 'toString'] as const);
  for (const name of isOwn ? [Symbol.toPrimitive] : names) {
    const method: unknown = isOwn ? own : Reflect.get(value, name);
    const primitive: unknown = typeof method === 'function' ? Reflect.apply(method, value, isOwn ? [hint] : []) : value;
    if (!isObject(primitive)) return primitive;
  }
  return fail(what, `is an object that becomes no ${hint}.`);
}

export const double: Converter<number> = (value, what) => {
  const number = toNumber(value, what);
  if (!Number.isFinite(number)) fail(what, 'is not a finite number.');
  return number;
};

export const float: Converter<number> = (value, what) => double(Math.fround(double(value, what)), what);

/** `(bigint or unrestricted double)`. */
export const numberOrBigint: Converter<number | bigint> = (value, what) => {
  const primitive = toPrimitive(value, 'number', what);
  return typeof primitive === 'bigint' ? primitive : toNumber(primitive, what);
};

function integer(lowest: number, highest: number, isEnforced: boolean): Converter<number> {
  const count = highest - lowest + 1;
  return (value, what) => {
    const number = toNumber(value, what);
    if (isEnforced && !Number.isFinite(number)) fail(what, 'is not a finite number.');
    const whole = Number.isFinite(number) ? Math.trunc(number) : 0;
    if (isEnforced && (whole < lowest || whole > highest)) fail(what, `is outside the range of ${lowest} to ${highest}.`);
    const rest = (whole % count) + 0;
    return rest < lowest ? rest + count : rest;
  };
}

export const unsignedLong = integer(0, 2 ** 32 - 1, false);
export const enforcedUnsignedLong = integer(0, 2 ** 32 - 1, true);
export const enforcedLong = integer(-(2 ** 31), 2 ** 31 - 1, true);

/** USVString. */
export const string: Converter<string> = (value, what) => {
  return toText(value, what).replace(/\p{Surrogate}/gu, '\uFFFD');
};

export function enumeration<T extends string>(name: string, values: readonly T[]): Converter<T> {
  return (value, what) => {
    const text = toText(value, what);
    return values.find((known) => known === text) ?? fail(what, `is '${shorten(text)}', which is no value of ${name}.`);
  };
}

export function sequence<T>(of: Converter<T>): Converter<T[]> {
  return (value, what) => {
    if (!isObject(value) || !isIterable(value)) fail(what, 'is not a sequence.');
    return Array.from(value, (element, i) => of(element, `${what}[${i}]`));
  };
}

/** `(T or sequence<T>)`. */
export function oneOrSequence<T>(of: Converter<T>): Converter<T | T[]> {
  const all = sequence(of);
  return (value, what) => (isObject(value) && isIterable(value) ? all(value, what) : of(value, what));
}

/** record<USVString, T>, in the order of the object's properties. */
export function record<T>(of: Converter<T>): Converter<ReadonlyMap<string, T>> {
  return (value, what) => {
    if (!isObject(value)) fail(what, 'is not an object.');
    const converted = new Map<string, T>();
    for (const key of Reflect.ownKeys(value)) {
      if (Reflect.getOwnPropertyDescriptor(value, key)?.enumerable !== true) continue;
      const name = string(key, `${what} has a name that`);
      converted.set(name, of(Reflect.get(value, key), `${what}['${shorten(name)}']`));
    }
    return converted;
  };
}

/** A member of a dictionary. Without a default, the member is absent if the value is undefined. */
export interface Member {
  readonly name: string;
  readonly convert: Converter<unknown>;
  readonly isRequired?: boolean;
  readonly fallback?: unknown;
}

/** A dictionary with the members of those that it inherits from first. Members that it does not know are not even read. */
export function dictionary<T extends object>(name: string, members: readonly Member[]): Converter<T> {
  return (value, what) => {
    if (value !== undefined && value !== null && !isObject(value)) fail(what, `is not an object, as ${name} has to be.`);
    // Such a device would count as options without a member.
    refuseOtherCopy(value, what);
    const converted: Record<string, unknown> = {};
    for (const { name: key, convert, isRequired, fallback } of members) {
      const given: unknown = isObject(value) ? Reflect.get(value, key) : undefined;
      if (given !== undefined) converted[key] = convert(given, `${what}.${key}`);
      else if (isRequired === true) fail(`${what}.${key}`, 'is required.');
      else if (fallback !== undefined) converted[key] = fallback;
    }
    // the generated members are those of the generated type
    return converted as T;
  };
}

/** A view, an ArrayBuffer or a SharedArrayBuffer of fixed length. */
export type AllowSharedBufferSource = ArrayBufferView | ArrayBufferLike;

export const bufferSource: Converter<AllowSharedBufferSource> = (value, what) => {
  const memory = ArrayBuffer.isView(value) ? value.buffer : value;
  if (!isBuffer(memory)) fail(what, 'is not an ArrayBuffer, a SharedArrayBuffer or a view of one.');
  if (isResizable(memory)) fail(what, 'has a length that can change.');
  return ArrayBuffer.isView(value) ? value : memory;
};

export function isBuffer(value: unknown): value is ArrayBufferLike {
  return types.isAnyArrayBuffer(value);
}

function isResizable(buffer: object): boolean {
  return Reflect.get(buffer, 'resizable') === true || Reflect.get(buffer, 'growable') === true;
}

export function isObject(value: unknown): value is object {
  return (typeof value === 'object' && value !== null) || typeof value === 'function';
}

function isIterable(value: object): value is Iterable<unknown> {
  const method: unknown = Reflect.get(value, Symbol.iterator);
  return method !== undefined && method !== null;
}
