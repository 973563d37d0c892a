/**
 * The error for an argument in the place of a function's options. It names the fields that the options have, and those that the
 * argument may be meant for.
 */
import { types } from 'node:util';
import { Tensor } from '../api/memory/tensor.js';
import { isDataType } from '../tensors/data-types.js';
import { describe, type DirectMLError } from '../values/errors.js';
import { Value } from '../graph/value.js';
import type { OperatorType } from '../descriptors/generated/descriptors.js';
import { enums, type EnumSchema } from '../tensors/generated/enums.js';
import { operatorTable } from '../descriptors/generated/table.js';
import type { FieldSchema } from '../descriptors/types.js';
import { argumentError } from '../values/arguments.js';
import { isMember } from '../descriptors/enum.js';
import type { Form } from './form.js';

/** More candidates than this say nothing. */
const maxCandidates = 2;

/** @param value What was given instead of the options. */
export function noOptions(type: OperatorType, { positions }: Form, value: unknown): DirectMLError {
  // Counts follow from the arrays that they count.
  const fields = operatorTable[type].fields.filter(({ name, counts }) => !positions.includes(name) && counts === undefined);
  const names = fields.map(({ name }) => name).join(', ');
  const expected = names === '' ? 'nothing' : `an object with the other fields { ${names} }`;
  const why = arrayMeant(type, positions, value) ?? questionOf(fields, value);
  return argumentError(type, 'options', expected, value, 'ERR_INVALID_ARGUMENT', why);
}

/** For `join(a, b)`. */
function arrayMeant(type: OperatorType, positions: readonly string[], value: unknown): string | undefined {
  const { fields } = operatorTable[type];
  const array = fields.find(({ name, kind }) => kind === 'tensorArray' && name === positions.at(-1));
  return array !== undefined && isInput(value) ? `${array.name} is one array: [a, b]` : undefined;
}

function questionOf(fields: readonly FieldSchema[], value: unknown): string | undefined {
  const candidates = fields.flatMap((field) => {
    const written = writtenIn(field, value);
    return written === undefined ? [] : [{ field, written }];
  });
  const required = candidates.filter(({ field }) => field.default === undefined && field.optional !== true);
  const meant = required.length > 0 ? required : candidates;
  if (meant.length === 0 || meant.length > maxCandidates) return undefined;
  return `did you mean ${meant.map(({ field, written }) => `{ ${field.name}${written} }`).join(' or ')}?`;
}

/** What follows the name of the field in an object that gives it the value: `: 'sum'`; undefined if it cannot have the value. */
function writtenIn({ kind, role, enumName }: FieldSchema, value: unknown): string | undefined {
  if (role === 'output') return kind === 'tensor' && isDataType(value) ? `: { dataType: '${value}' }` : undefined;
  switch (kind) {
    case 'tensor':
      return isInput(value) ? '' : undefined;
    case 'enum': {
      const members: EnumSchema | undefined = enumName === undefined ? undefined : enums[enumName];
      return members !== undefined && isMember(members, value) ? `: '${value}'` : undefined;
    }
    case 'bool':
      return typeof value === 'boolean' ? `: ${value}` : undefined;
    case 'uint':
    case 'int':
    case 'float':
    case 'scalar':
      return isNumber(value) ? `: ${describe(value)}` : undefined;
    case 'uintArray':
    case 'intArray':
    case 'floatArray':
      if (isNumber(value)) return `: [${describe(value)}]`;
      return Array.isArray(value) ? '' : undefined;
    default:
      return undefined;
  }
}

function isInput(value: unknown): boolean {
  return Tensor.is(value) || Value.is(value) || types.isPromise(value);
}

function isNumber(value: unknown): value is number | bigint {
  return typeof value === 'number' || typeof value === 'bigint';
}
