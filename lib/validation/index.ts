/**
 * Turns a descriptor of the user, which may be any value, into a {@link ResolvedOperator} that DirectML accepts at a feature
 * level. The operator table has the fields of all operators; `rules/` has the checks and outputs of each operator.
 */
import { at, describe, fieldError, type Place } from '../errors.js';
import { isFeatureLevel, reaches } from '../schema/feature-level.js';
import { operatorTable } from '../schema/generated/table.js';
import type { FeatureLevel } from '../schema/generated/enums.js';
import type { OperatorType } from '../schema/generated/descriptors.js';
import type { FieldSchema } from '../schema/types.js';
import { resolveCount } from './count.js';
import { defaultOf, neededDefault, resolveField, type FieldContext, type TensorDescriber } from './fields.js';
import { isArray, readObject, readOwn, type Fields } from './input.js';
import { resolvedFrom, type Resolved, type ResolvedOperator, type ResolvedValue, type ResolvedValues } from './resolved.js';
import { operatorMeant } from './operator-names.js';
import { rules } from './rules/index.js';
import { scalarTypeOf } from './scalar.js';
import { settle } from './settle.js';
import { slotsOf } from './slots.js';

/**
 * @param method The name of the public method, for errors if the descriptor names no operator.
 * @param describeTensor Returns the description for the value of a tensor field.
 * @throws {DirectMLError} that names the operator, the field, the expected and the given value.
 */
export function resolveDescriptor(
  descriptor: unknown,
  featureLevel: FeatureLevel,
  method = 'compile',
  describeTensor: TensorDescriber = (value) => value,
): ResolvedOperator {
  const operator = resolveByTable(descriptor, featureLevel, method, describeTensor);
  applyRule(operator.type, operator, featureLevel);
  const whole = settle(operator);
  return Object.freeze({ descriptor: whole, slots: slotsOf(whole) });
}

/**
 * Validates the fields one by one by the operator table. It does not compare fields with each other and does not fill in
 * outputs; the operator's rule does both.
 */
export function resolveByTable(
  descriptor: unknown,
  featureLevel: FeatureLevel,
  method = 'compile',
  describeTensor: TensorDescriber = (value) => value,
): Resolved {
  const { type, fields } = readTyped(descriptor, { operator: method, field: '' });
  const place = { operator: type, field: '' };
  checkLevel(operatorTable[type].since, `'${type}'`, place, featureLevel);
  return resolvedFrom(resolveFields(type, fields, place, { featureLevel, describeTensor, isFused: false }));
}

export function isOperatorType(value: unknown): value is OperatorType {
  return typeof value === 'string' && Object.hasOwn(operatorTable, value);
}

/** Calls the rule of the operator. The type parameter proves to the compiler that both have the same type. */
function applyRule<Type extends OperatorType>(type: Type, operator: Resolved<Type>, featureLevel: FeatureLevel): void {
  rules[type](operator, featureLevel);
}

/** Reads the object once, `type` first, because it determines which other fields there can be. */
function readTyped(descriptor: unknown, place: Place): { type: OperatorType; fields: Fields } {
  if (typeof descriptor !== 'object' || descriptor === null || isArray(descriptor, place)) {
    throw fieldError('ERR_INVALID_DESCRIPTOR', place, 'an object', describe(descriptor));
  }
  const type = readOwn(descriptor, 'type', place);
  if (!isOperatorType(type)) {
    const expected = `an operator's type, such as 'scatterNd'`;
    throw fieldError('ERR_UNKNOWN_OPERATOR', at(place, 'type'), expected, describe(type), { why: operatorMeant(type) });
  }
  const names = operatorTable[type].fields.map(({ name }) => name);
  const inner = place.field === '' ? { operator: type, field: '' } : place;
  return { type, fields: readObject(descriptor, inner, ['type', ...names], new Map([['type', type]])) };
}

interface Resolving extends Pick<FieldContext, 'featureLevel' | 'describeTensor'> {
  readonly isFused: boolean;
}

function resolveFields(
  type: OperatorType,
  given: Fields,
  place: Place,
  { featureLevel, describeTensor, isFused }: Resolving,
): ResolvedValues {
  const schema = operatorTable[type];
  // Without a prototype, so that a name can only be found as a field.
  const fields: Record<string, ResolvedValue> = { __proto__: null, type };
  const context: FieldContext = {
    featureLevel,
    describeTensor,
    // The data type of scalars is itself a field: it is known when the scalars are read.
    get scalarType() {
      return scalarTypeOf(type, fields);
    },
    resolveActivation: (activation, inner) => resolveActivation(activation, inner, type, featureLevel),
  };
  const resolve = (field: FieldSchema, value: unknown): void => {
    fields[field.name] = resolveField(field, value, at(place, field.name), context);
  };
  for (const field of schema.fields) {
    const value = given.get(field.name);
    if (isFused && (field.kind === 'tensor' || field.kind === 'scaleBias')) {
      fields[field.name] = leftOut(value, at(place, field.name));
    } else if (field.counts !== undefined || (value === undefined && field.default !== undefined)) {
      // A placeholder, to keep the fields in memory order: counts and defaults may follow from fields that come later.
      fields[field.name] = 0;
      // The data type of scalars is needed now, to read the scalars that follow.
      if (field.enumName === 'DataType') resolve(field, neededDefault(field, fields, at(place, field.name)));
    } else if (value === undefined || (value === null && field.optional === true)) {
      fields[field.name] = defaultOf(field, at(place, field.name), featureLevel);
    } else {
      resolve(field, value);
    }
  }
  for (const field of schema.fields) {
    if (field.default === undefined || field.enumName === 'DataType' || given.get(field.name) !== undefined) continue;
    resolve(field, neededDefault(field, fields, at(place, field.name)));
  }
  for (const field of schema.fields.filter(({ counts }) => counts !== undefined)) {
    fields[field.name] = resolveCount(field, given.get(field.name), at(place, field.name), fields);
  }
  return Object.freeze(fields);
}

function checkLevel(needed: FeatureLevel, what: string, place: Place, featureLevel: FeatureLevel): void {
  if (!isFeatureLevel(featureLevel)) throw new TypeError(`no feature level: ${String(featureLevel)}`);
  if (reaches(featureLevel, needed)) return;
  throw fieldError('ERR_FEATURE_LEVEL', at(place, 'type'), `feature level ${needed} for ${what}`, featureLevel);
}

function resolveActivation(value: unknown, place: Place, host: OperatorType, featureLevel: FeatureLevel): ResolvedValues {
  const { type, fields } = readTyped(value, place);
  const { fusion } = operatorTable[type];
  if (fusion === undefined || !(fusion.into?.includes(host) ?? true)) {
    throw fieldError('ERR_FIELD_COMBINATION', at(place, 'type'), `an activation that can be fused into ${host}`, `'${type}'`);
  }
  checkLevel(fusion.since, `'${type}' fused into another operator`, place, featureLevel);
  return resolveFields(type, fields, place, { featureLevel, describeTensor: (tensor) => tensor, isFused: true });
}

function leftOut(value: unknown, place: Place): null {
  if (value === undefined || value === null) return null;
  throw fieldError('ERR_FIELD_COMBINATION', place, 'nothing in a fused activation', describe(value));
}
