/** Reads objects of the user whose properties are then changed. Each property is read once. */
import type { Place } from '../values/errors.js';
import { operatorTable } from '../descriptors/generated/table.js';
import type { FieldSchema } from '../descriptors/types.js';
import { isOperatorType } from '../operators/resolve.js';
import { otherName, readOwn } from '../values/input.js';

/**
 * The properties `names` of an object, which it must not inherit. A property with another name is null: validation refuses it
 * by its name.
 */
export function readAll(object: object, place: Place, names: readonly string[]): Map<string, unknown> {
  const read = new Map<string, unknown>();
  readNamed(object, place, names, read);
  addOther(object, place, names, read);
  return read;
}

/** The properties of the descriptor of an operator, and the fields that the operator has; none if there is no such operator. */
export function readOperator(
  object: object,
  place: Place,
): { readonly fields: Map<string, unknown>; readonly schemas: readonly FieldSchema[] } {
  const fields = new Map<string, unknown>();
  readNamed(object, place, ['type'], fields);
  const type = fields.get('type');
  const schemas: readonly FieldSchema[] = isOperatorType(type) ? operatorTable[type].fields : [];
  const names = schemas.map(({ name }) => name);
  readNamed(object, place, names, fields);
  addOther(object, place, ['type', ...names], fields);
  return { fields, schemas };
}

function readNamed(object: object, place: Place, names: readonly string[], read: Map<string, unknown>): void {
  for (const name of names) {
    const value = readOwn(object, name, place);
    if (value !== undefined) read.set(name, value);
  }
}

function addOther(object: object, place: Place, names: readonly string[], read: Map<string, unknown>): void {
  const other = otherName(object, place, names);
  if (other !== undefined) read.set(other, null);
}

export function withoutPrototype(fields: ReadonlyMap<string, unknown>): object {
  const object: Record<string, unknown> = { __proto__: null };
  for (const [name, value] of fields) object[name] = value;
  return object;
}
