/** Reads objects of the user whose properties are then changed. Each property is read once. */
import type { Place } from '../errors.js';
import { operatorTable } from '../schema/generated/table.js';
import type { FieldSchema } from '../schema/types.js';
import { isOperatorType } from '../validation/index.js';
import { namesOf, readOwn } from '../validation/input.js';

/** All own properties of an object, and `names`, which it must not inherit. */
export function readAll(object: object, place: Place, names: readonly string[]): Map<string, unknown> {
  const read = new Map(namesOf(object, place).map((name) => [name, readOwn(object, name, place)]));
  readRest(object, place, names, read);
  return read;
}

/** The properties of the descriptor of an operator, and the fields that the operator has; none if there is no such operator. */
export function readOperator(
  object: object,
  place: Place,
): { readonly fields: Map<string, unknown>; readonly schemas: readonly FieldSchema[] } {
  const fields = readAll(object, place, ['type']);
  const type = fields.get('type');
  const schemas: readonly FieldSchema[] = isOperatorType(type) ? operatorTable[type].fields : [];
  const names = schemas.map(({ name }) => name);
  readRest(object, place, names, fields);
  return { fields, schemas };
}

function readRest(object: object, place: Place, names: readonly string[], read: Map<string, unknown>): void {
  for (const name of names) {
    const value = read.has(name) ? undefined : readOwn(object, name, place);
    if (value !== undefined) read.set(name, value);
  }
}

export function withoutPrototype(fields: ReadonlyMap<string, unknown>): object {
  const object: Record<string, unknown> = { __proto__: null };
  for (const [name, value] of fields) object[name] = value;
  return object;
}
