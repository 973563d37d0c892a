/**
 * Reads the user's values. These may be proxies, or have getters that throw or return something else each time. So every value
 * is read exactly once, and anything thrown meanwhile becomes the cause of a DirectMLError.
 */
import { typedArrayLength, typedArrayName } from './typed-array-name.js';
import { at, describe, fieldError, shorten, type DirectMLError, type ErrorCode, type Place } from './errors.js';
import { isRecord } from './given.js';
import { didYouMean, type OtherNames } from './near-names.js';

export type Fields = ReadonlyMap<string, unknown>;

/** The most elements of an array to read; no DirectML descriptor needs nearly as many. */
const maxArrayLength = 65_536;

/** The most unknown fields of an object that are ignored because they are undefined. */
const maxIgnored = 1_000;

/** Details that errors about an object mention. */
export interface ObjectWords {
  /** False for a value that cannot be such an object. */
  readonly mayBe: (value: unknown) => value is object;
  /** What the value should be. */
  readonly expected: string;
  /** What to do with a value that is not such an object; undefined if unknown. */
  readonly advice: (value: unknown) => string | undefined;
  /** Where to write an unknown field instead; undefined if unknown. */
  readonly fieldAdvice: (name: string) => string | undefined;
}

/** Has every property, because a missing one would be inherited from Object.prototype. */
export const plainWords: ObjectWords = {
  mayBe: isRecord,
  expected: 'an object',
  advice: () => undefined,
  fieldAdvice: () => undefined,
};

/**
 * Reads the fields `names` of an object. Any other property whose value is not undefined is an error. A field that is
 * undefined counts as absent.
 *
 * @param known Fields that were read before; they are not read again.
 * @param otherNames Names that fields have elsewhere, for the question `did you mean …?`.
 */
export function readObject(
  value: unknown,
  place: Place,
  names: readonly string[],
  known: ReadonlyMap<string, unknown> = new Map<string, unknown>(),
  otherNames?: OtherNames,
  words = plainWords,
): Fields {
  requireObject(value, place, words);
  const fields = new Map<string, unknown>();
  for (const name of names) {
    const field = known.has(name) ? known.get(name) : readOwn(value, name, place);
    if (field !== undefined) fields.set(name, field);
  }
  const other = otherName(value, place, names);
  if (other === undefined) return fields;
  const why = words.fieldAdvice(other) ?? didYouMean(other, names, otherNames);
  throw fieldError('ERR_UNKNOWN_FIELD', at(place, shorten(other)), `one of ${names.join(', ')}`, describe(other), { why });
}

/**
 * The name of the first property that is not in `names`; undefined if there is none. Properties that are undefined do not
 * count, unless there are too many of them. Later values are not read, because there may be millions.
 */
export function otherName(object: object, place: Place, names: readonly string[]): string | undefined {
  let ignored = 0;
  for (const name of namesOf(object, place)) {
    if (names.includes(name)) continue;
    if (ignored >= maxIgnored || readOwn(object, name, place) !== undefined) return name;
    ignored += 1;
  }
  return undefined;
}

/** @throws {DirectMLError} ERR_INVALID_DESCRIPTOR for a value that has no fields, such as an array, data, a promise or a device. */
export function requireObject(
  value: unknown,
  place: Place,
  { mayBe, expected, advice }: ObjectWords = plainWords,
): asserts value is object {
  if (mayBe(value) && !isArray(value, place)) return;
  throw fieldError('ERR_INVALID_DESCRIPTOR', place, expected, describe(value), { why: advice(value) });
}

export function readArray(value: unknown, place: Place, expected = 'an array'): unknown[] {
  if (typeof value !== 'object' || value === null || !isArray(value, place)) {
    throw fieldError('ERR_INVALID_DESCRIPTOR', place, expected, describe(value));
  }
  const length = readOwn(value, 'length', place);
  if (typeof length !== 'number' || !(length <= maxArrayLength)) {
    throw fieldError('ERR_OUT_OF_RANGE', at(place, 'length'), `at most ${maxArrayLength}`, describe(length));
  }
  return Array.from({ length }, (_, i) => readOwn(value, i, place));
}

/**
 * Reads an own property once; returns undefined if there is none. A property of Object.prototype is ignored, because it was
 * not meant for this object. A property of another prototype, such as a getter of a class, is an error: if it were ignored,
 * the field would silently have no effect.
 */
export function readOwn(
  object: object,
  name: string | number,
  place: Place,
  code: ErrorCode = 'ERR_INVALID_DESCRIPTOR',
): unknown {
  let isInherited: boolean;
  try {
    if (Object.hasOwn(object, name)) return Reflect.get(object, name);
    isInherited = name in object && !(name in Object.prototype);
  } catch (cause) {
    throw unreadable(code, propertyOf(place, name), cause);
  }
  if (isInherited) throw fieldError(code, propertyOf(place, name), 'a property of the object itself', 'one that it inherits');
  return undefined;
}

/**
 * The names of an object's own enumerable properties.
 *
 * @throws {DirectMLError} for a long array, such as data instead of options: the names of millions of elements could use up the
 * memory.
 */
export function namesOf(object: object, place: Place, code: ErrorCode = 'ERR_INVALID_DESCRIPTOR'): readonly string[] {
  if (guard(code, place, () => lengthOf(object)) > maxArrayLength) throw fieldError(code, place, 'an object', describe(object));
  return guard(code, place, () => Object.keys(object));
}

/** The number of elements of an array or typed array; 0 for other objects. */
function lengthOf(object: object): number {
  if (Array.isArray(object)) return object.length;
  return ArrayBuffer.isView(object) && typedArrayName(object) !== undefined ? Number(typedArrayLength(object)) : 0;
}

/** Like Array.isArray, which throws for a revoked proxy; that becomes a DirectMLError. */
export function isArray(value: object, place: Place, code: ErrorCode = 'ERR_INVALID_DESCRIPTOR'): value is unknown[] {
  return guard(code, place, () => Array.isArray(value));
}

/** Calls a function that may run the user's code. Anything it throws becomes the cause of a DirectMLError. */
export function guard<T>(code: ErrorCode, place: Place, read: () => T): T {
  try {
    return read();
  } catch (cause) {
    throw unreadable(code, place, cause);
  }
}

export function readUint(value: unknown, place: Place, maximum = 0xffff_ffff): number {
  return readInteger(value, place, 0, maximum);
}

export function readInt(value: unknown, place: Place): number {
  return readInteger(value, place, -0x8000_0000, 0x7fff_ffff);
}

function readInteger(value: unknown, place: Place, minimum: number, maximum: number): number {
  const expected = `a whole number from ${minimum} to ${maximum}`;
  if (typeof value !== 'number') throw fieldError('ERR_INVALID_DESCRIPTOR', place, expected, describe(value));
  if (!Number.isInteger(value) || value < minimum || value > maximum) {
    throw fieldError('ERR_OUT_OF_RANGE', place, expected, describe(value));
  }
  // Turns -0 into 0.
  return value + 0;
}

/** A number rounded to float32, as DirectML receives it. Infinities and NaN are allowed. */
export function readFloat(value: unknown, place: Place): number {
  if (typeof value !== 'number') throw fieldError('ERR_INVALID_DESCRIPTOR', place, 'a number', describe(value));
  const rounded = Math.fround(value);
  if (Number.isFinite(value) && !Number.isFinite(rounded)) {
    throw fieldError('ERR_OUT_OF_RANGE', place, 'a number in the range of float32', describe(value));
  }
  return rounded;
}

export function readBool(value: unknown, place: Place): boolean {
  if (typeof value !== 'boolean') throw fieldError('ERR_INVALID_DESCRIPTOR', place, 'true or false', describe(value));
  return value;
}

export function unreadable(code: ErrorCode, place: Place, cause: unknown): DirectMLError {
  return fieldError(code, place, 'a readable value', 'an error while reading it', { cause });
}

/** The place of a property. The name comes from the user, so it is cut to the length that a message shows. */
function propertyOf(place: Place, name: string | number): Place {
  return at(place, typeof name === 'number' ? name : shorten(name));
}
