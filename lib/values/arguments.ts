/** Checks arguments other than descriptors. Errors have the code ERR_INVALID_ARGUMENT and name the method and the given value. */
import { at, describe, fieldError, oneOf, shorten, type DirectMLError, type ErrorCode } from './errors.js';
import { isRevoked, otherCopyOf } from './given.js';
import { didYouMean } from './near-names.js';
import { namesOf, readOwn } from './input.js';

export function argumentError(
  method: string,
  name: string,
  expected: string,
  given: unknown,
  code: ErrorCode = 'ERR_INVALID_ARGUMENT',
  why?: string,
): DirectMLError {
  return fieldError(code, { operator: method, field: name }, expected, describe(given), { why });
}

/** Checks a number of bytes: a whole number, at least `minimum`. */
export function byteCount(method: string, name: string, value: unknown, minimum = 0): number {
  if (typeof value !== 'number' || !Number.isSafeInteger(value) || value < minimum) {
    const isTooLarge = typeof value === 'number' && Number.isInteger(value) && value > minimum;
    const range = isTooLarge ? `from ${minimum} to ${Number.MAX_SAFE_INTEGER}` : `from ${minimum} on`;
    throw argumentError(method, name, `a whole number ${range}`, value);
  }
  return value + 0;
}

/** Reads the options `names`, each once. An unknown option is an error, because it may be misspelt. */
export function readOptions<Name extends string>(
  method: string,
  options: unknown,
  names: readonly Name[],
): ReadonlyMap<Name, unknown> {
  if (options === undefined) return new Map();
  return readArguments(method, 'options', argumentObject(method, 'options', options), names);
}

/** Checks an argument that must be an object. */
export function argumentObject(method: string, name: string, value: unknown): object {
  if (typeof value !== 'object' || value === null) throw argumentError(method, name, 'an object', value);
  return value;
}

/** Like {@link readOptions} for any object in the arguments. `path` is its path, for errors; '' names its properties alone. */
export function readArguments<Name extends string>(
  method: string,
  path: string,
  object: object,
  names: readonly Name[],
): ReadonlyMap<Name, unknown> {
  const place = { operator: method, field: path };
  const known: readonly string[] = names;
  for (const name of namesOf(object, place, 'ERR_INVALID_ARGUMENT')) {
    if (known.includes(name)) continue;
    if (otherCopyOf(object) !== undefined) throw argumentError(method, path === '' ? 'argument' : path, 'an object', object);
    const why = didYouMean(name, names);
    throw argumentError(method, at(place, shorten(name)).field, oneOf(names), name, 'ERR_INVALID_ARGUMENT', why);
  }
  const read = new Map<Name, unknown>();
  for (const name of names) {
    const value = readOwn(object, name, place, 'ERR_INVALID_ARGUMENT');
    if (value !== undefined) read.set(name, value);
  }
  return read;
}

// eslint-disable-next-line @typescript-eslint/unbound-method -- called with a receiver; saved now because programs may replace it
const { toString: sourceOf } = Function.prototype;

/** The source of a class begins so; that of a method whose name begins with "class" does not. */
const classStart = /^class(?:\s+[^\s(]|\s*\{)/;

/** Checks an argument that is called. A class and a revoked proxy are functions, too, but they cannot be called. */
export function requireFunction(method: string, name: string, value: unknown): void {
  if (typeof value === 'function' && !isRevoked(value) && !classStart.test(Reflect.apply(sourceOf, value, []))) return;
  throw argumentError(method, name, 'a function', value);
}

/** The option `label`; absent means ''. */
export function labelOption(method: string, value: unknown): string {
  if (value === undefined) return '';
  if (typeof value !== 'string') throw argumentError(method, 'options.label', 'a string', value);
  return value;
}

/** An option that is true or false; absent means false. */
export function booleanOption(method: string, name: string, value: unknown): boolean {
  if (value === undefined) return false;
  if (typeof value !== 'boolean') throw argumentError(method, `options.${name}`, 'true or false', value);
  return value;
}
