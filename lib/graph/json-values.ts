/** Writes numbers that JSON cannot express as strings. */
import { at, type Place } from '../values/errors.js';
import { numberText } from '../values/given.js';
import type { FieldKind } from '../descriptors/types.js';
import { isArray, readArray } from '../values/input.js';
import { readAll, readOperator, withoutPrototype } from './read-fields.js';

const named: Readonly<Record<string, number>> = { Infinity, '-Infinity': -Infinity, NaN, '-0': -0 };

/** A string for a bigint and for a number that JSON cannot express. Objects and arrays are converted deeply. */
export function toJsonValue(value: unknown): unknown {
  if (typeof value === 'bigint') return numberText(value);
  if (typeof value === 'number') return Number.isFinite(value) && !Object.is(value, -0) ? value : numberText(value);
  if (Array.isArray(value)) return value.map(toJsonValue);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, field]) => [name, toJsonValue(field)]));
}

/**
 * The value of a field with numbers for the strings that {@link toJsonValue} makes. It goes only as deep as fields of this
 * kind; validation refuses anything deeper. The value comes from the user, so each property is read once.
 */
export function fromJsonValue(kind: FieldKind, value: unknown, place: Place): unknown {
  switch (kind) {
    case 'float':
    case 'scalar':
      return fromJsonText(value);
    case 'floatArray':
      return mapArray(value, place, fromJsonText);
    case 'scaleBias':
      if (!isObject(value, place)) return value;
      return withoutPrototype(
        new Map([...readAll(value, place, ['scale', 'bias'])].map(([name, number]) => [name, fromJsonText(number)])),
      );
    case 'operator':
      return activationFromJson(value, place);
    case 'operatorArray':
      return mapArray(value, place, activationFromJson);
    default:
      return value;
  }
}

/** The number or bigint for a string that {@link toJsonValue} makes; any other value is returned unchanged. */
export function fromJsonText(value: unknown): unknown {
  if (typeof value !== 'string') return value;
  if (Object.hasOwn(named, value)) return named[value];
  return /^-?\d{1,20}n$/.test(value) ? BigInt(value.slice(0, -1)) : value;
}

function activationFromJson(value: unknown, place: Place): unknown {
  if (!isObject(value, place)) return value;
  const { fields, schemas } = readOperator(value, place);
  for (const { name, kind } of schemas) {
    // An activation has none of its own.
    if (kind !== 'operator' && kind !== 'operatorArray' && fields.has(name))
      fields.set(name, fromJsonValue(kind, fields.get(name), at(place, name)));
  }
  return withoutPrototype(fields);
}

function mapArray(value: unknown, place: Place, convert: (element: unknown, place: Place) => unknown): unknown {
  if (typeof value !== 'object' || value === null || !isArray(value, place)) return value;
  return readArray(value, place).map((element, i) => convert(element, at(place, i)));
}

function isObject(value: unknown, place: Place): value is object {
  return typeof value === 'object' && value !== null && !isArray(value, place);
}
