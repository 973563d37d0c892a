/**
 * Reads what a user handed in. It may be a proxy, have getters that throw or change their mind: every value is read
 * exactly once, and whatever is thrown while reading becomes the cause of a typed error.
 */
import { DirectMLError, fieldError, type ErrorCode } from '../errors.js';

/** Where a value stands: the operator (or the method) it is for, and its path in there. */
export interface Place {
  readonly operator: string;
  readonly field: string;
}

export type Fields = ReadonlyMap<string, unknown>;

/** Longest array that is read; no descriptor of DirectML's comes near. */
const maximumLength = 65_536;

export function at(place: Place, name: string | number): Place {
  const path = typeof name === 'number' ? `${place.field}[${name}]` : place.field === '' ? name : `${place.field}.${name}`;
  return { operator: place.operator, field: path };
}

export function wrong(code: ErrorCode, place: Place, expected: string, given: string, why = ''): DirectMLError {
  return fieldError(code, place.operator, place.field === '' ? 'descriptor' : place.field, expected, given, why);
}

/** The named fields of an object; anything else that it holds is an error. Absent and undefined are the same. */
export function readObject(value: unknown, place: Place, names: readonly string[]): Fields {
  if (typeof value !== 'object' || value === null || guard(place, () => Array.isArray(value))) {
    throw wrong('ERR_INVALID_DESCRIPTOR', place, 'an object', describe(value));
  }
  const own = guard(place, () => Object.keys(value));
  const fields = new Map<string, unknown>();
  for (const name of new Set([...names, ...own])) {
    const field = guard(at(place, name), (): unknown => Reflect.get(value, name));
    if (field === undefined) continue;
    if (!names.includes(name)) {
      throw wrong('ERR_UNKNOWN_FIELD', at(place, name), `one of ${names.join(', ')}`, describe(name));
    }
    fields.set(name, field);
  }
  return fields;
}

export function readArray(value: unknown, place: Place, expected = 'an array'): unknown[] {
  if (!guard(place, () => Array.isArray(value)) || typeof value !== 'object' || value === null) {
    throw wrong('ERR_INVALID_DESCRIPTOR', place, expected, describe(value));
  }
  const length: unknown = guard(place, (): unknown => Reflect.get(value, 'length'));
  if (typeof length !== 'number' || !(length <= maximumLength)) {
    throw wrong('ERR_OUT_OF_RANGE', at(place, 'length'), `at most ${maximumLength}`, describe(length));
  }
  return Array.from({ length }, (_, i) => guard(at(place, i), (): unknown => Reflect.get(value, i)));
}

export function readUint(value: unknown, place: Place, maximum = 0xffff_ffff): number {
  return readWhole(value, place, 0, maximum);
}

export function readInt(value: unknown, place: Place): number {
  return readWhole(value, place, -0x8000_0000, 0x7fff_ffff);
}

function readWhole(value: unknown, place: Place, minimum: number, maximum: number): number {
  const expected = `a whole number from ${minimum} to ${maximum}`;
  if (typeof value !== 'number') throw wrong('ERR_INVALID_DESCRIPTOR', place, expected, describe(value));
  if (!Number.isInteger(value) || value < minimum || value > maximum) {
    throw wrong('ERR_OUT_OF_RANGE', place, expected, describe(value));
  }
  // -0 is 0.
  return value + 0;
}

/** A number rounded to float32, as DirectML will see it. Infinities and NaN are floats like others. */
export function readFloat(value: unknown, place: Place): number {
  if (typeof value !== 'number') throw wrong('ERR_INVALID_DESCRIPTOR', place, 'a number', describe(value));
  const rounded = Math.fround(value);
  if (Number.isFinite(value) && !Number.isFinite(rounded)) {
    throw wrong('ERR_OUT_OF_RANGE', place, 'a number in the range of float32', describe(value));
  }
  return rounded;
}

export function readBool(value: unknown, place: Place): boolean {
  if (typeof value !== 'boolean') throw wrong('ERR_INVALID_DESCRIPTOR', place, 'true or false', describe(value));
  return value;
}

/** A short text for any value, that runs no code of the value's own. */
export function describe(value: unknown): string {
  switch (typeof value) {
    case 'string':
      return value.length > 60 ? `'${value.slice(0, 57)}...'` : `'${value}'`;
    case 'bigint':
      return `${value}n`;
    case 'undefined':
      return 'nothing';
    case 'function':
      return 'a function';
    case 'object':
      return value === null ? 'null' : 'an object';
    case 'number':
      return Object.is(value, -0) ? '-0' : String(value);
    default:
      return String(value);
  }
}

export function list(values: readonly (number | string)[]): string {
  return `[${values.join(', ')}]`;
}

function guard<T>(place: Place, read: () => T): T {
  try {
    return read();
  } catch (cause) {
    const { operator, field } = place;
    const details = { operator, field, expected: 'a readable value', given: 'an error while reading it', cause };
    throw new DirectMLError('ERR_INVALID_DESCRIPTOR', `${operator}: ${field}: cannot be read`, details);
  }
}
