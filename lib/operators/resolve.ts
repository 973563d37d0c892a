/**
 * Turns a descriptor of the user, which may be any value, into a {@link ResolvedOperator} that DirectML accepts at a feature
 * level. The operator table has the fields of all operators; `rules/` has the checks and outputs of each operator.
 */
import { at, describe, fieldError, type Place } from '../values/errors.js';
import { isFeatureLevel, reaches } from '../descriptors/feature-level.js';
import { operatorTable } from '../descriptors/generated/table.js';
import type { FeatureLevel } from '../tensors/generated/enums.js';
import type { OperatorType } from '../descriptors/generated/descriptors.js';
import type { FieldSchema } from '../descriptors/types.js';
import { resolveCount } from '../descriptors/count.js';
import { adviceForField, otherNames } from '../descriptors/field-names.js';
import { defaultOf, neededDefault, resolveField, type FieldContext } from '../descriptors/fields.js';
import { plainWords, readObject, readOwn, requireObject, type Fields } from '../values/input.js';
import {
  draftedFrom,
  isTensorOrDraft,
  needSizes,
  type Drafted,
  type DraftedValue,
  type DraftedValues,
  type TensorOrDraft,
} from '../descriptors/drafted.js';
import { valuesOf, type Resolved, type ResolvedOperator } from '../descriptors/resolved.js';
import { operatorsMeant, unknownOperator } from '../descriptors/operator-names.js';
import { rules } from './generated/rules.js';
import { scalarTypeOf } from '../descriptors/scalar.js';
import { completeOutputs } from '../descriptors/complete-outputs.js';
import { slotsOf } from '../descriptors/slots.js';
import { descriptions } from '../descriptors/tensor-reader.js';

/**
 * @param method The name of the public method, for errors if the descriptor names no operator.
 * @param tensors How the tensors are given.
 * @throws {DirectMLError} that names the operator, the field, the expected and the given value.
 */
export function resolveDescriptor(
  descriptor: unknown,
  featureLevel: FeatureLevel,
  method = 'compile',
  tensors = descriptions,
): ResolvedOperator {
  return ruled(resolveByTable(descriptor, featureLevel, method, tensors), featureLevel);
}

/** The operator with other values in some fields. The other fields are not read again; the rule checks all of them. */
export function resolveChanged(before: Resolved, changes: Readonly<Record<string, unknown>>, featureLevel: FeatureLevel) {
  const { type } = before;
  const given = new Map(Object.entries(changes));
  const fields = resolveFields(type, given, { operator: type, field: '' }, { featureLevel, tensors: descriptions, before });
  return ruled(draftedFrom(fields), featureLevel);
}

function ruled(operator: Drafted, featureLevel: FeatureLevel): ResolvedOperator {
  applyRule(operator.type, operator, featureLevel);
  const whole = completeOutputs(operator);
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
  tensors = descriptions,
): Drafted {
  const { type, fields } = readTyped(descriptor, { operator: method, field: '' }, 'an operator descriptor');
  const place = { operator: type, field: '' };
  checkLevel(operatorTable[type].since, `'${type}'`, place, featureLevel);
  return draftedFrom(resolveFields(type, fields, place, { featureLevel, tensors }));
}

export function isOperatorType(value: unknown): value is OperatorType {
  return typeof value === 'string' && Object.hasOwn(operatorTable, value);
}

/** Calls the rule of the operator. The type parameter proves to the compiler that both have the same type. */
function applyRule<Type extends OperatorType>(type: Type, operator: Drafted<Type>, featureLevel: FeatureLevel): void {
  rules[type](operator, featureLevel);
}

/**
 * @throws {DirectMLError} ERR_INVALID_DESCRIPTOR for a value that cannot be a descriptor, such as the type of an operator
 * alone.
 */
export function requireDescriptor(descriptor: unknown, method: string): void {
  requireObject(
    descriptor,
    { operator: method, field: '' },
    { ...plainWords, expected: 'an operator descriptor', advice: wrapAdvice },
  );
}

/** `write { type: 'activationRelu' }` for `'relu'` */
function wrapAdvice(given: unknown): string | undefined {
  const [type] = operatorsMeant(given);
  return type === undefined ? undefined : `write { type: '${type}' } with its fields`;
}

/** Reads the object once, `type` first, because it determines which other fields there can be. */
function readTyped(descriptor: unknown, place: Place, expected: string): { type: OperatorType; fields: Fields } {
  requireObject(descriptor, place, { ...plainWords, expected, advice: wrapAdvice });
  const type = readOwn(descriptor, 'type', place);
  if (!isOperatorType(type)) throw unknownOperator(type, at(place, 'type'));
  const names = operatorTable[type].fields.map(({ name }) => name);
  const inner = place.field === '' ? { operator: type, field: '' } : place;
  const words = { ...plainWords, fieldAdvice: (name: string) => adviceForField(name, names) };
  return { type, fields: readObject(descriptor, inner, ['type', ...names], new Map([['type', type]]), otherNames, words) };
}

interface Resolving extends Pick<FieldContext, 'featureLevel' | 'tensors'> {
  readonly isFused?: boolean;
  /** Has the values of the fields that are not given. */
  readonly before?: Resolved;
}

function resolveFields(
  type: OperatorType,
  given: Fields,
  place: Place,
  { featureLevel, tensors, isFused = false, before }: Resolving,
): DraftedValues {
  const schema = operatorTable[type];
  // Without a prototype, so that a name can only be found as a field.
  const fields: Record<string, DraftedValue> = { __proto__: null, type };
  let first: TensorOrDraft | undefined;
  const context: FieldContext = {
    featureLevel,
    tensors,
    type,
    firstSizes: () => {
      first ??= Object.values(fields).flat().find(isTensorOrDraft);
      return first === undefined ? undefined : needSizes(first);
    },
    // The data type of scalars is itself a field: it is known when the scalars are read.
    scalarType: () => scalarTypeOf(type, fields),
    resolveActivation: (activation, inner) => resolveActivation(activation, inner, type, featureLevel),
  };
  const resolve = (field: FieldSchema, value: unknown): void => {
    fields[field.name] = resolveField(field, value, at(place, field.name), context);
  };
  for (const field of schema.fields) {
    const value = given.get(field.name);
    if (before !== undefined && !given.has(field.name)) {
      fields[field.name] = valuesOf(before)[field.name] as DraftedValue;
    } else if (isFused && (field.kind === 'tensor' || field.kind === 'scaleBias')) {
      fields[field.name] = leftOut(value, at(place, field.name));
    } else if (field.counts !== undefined || (value === undefined && field.default !== undefined)) {
      // A placeholder, to keep the fields in memory order: counts and defaults may follow from fields that come later.
      fields[field.name] = 0;
      // The data type of scalars is needed now, to read the scalars that follow.
      if (field.enumName === 'DataType') resolve(field, neededDefault(field, fields, at(place, field.name)));
    } else if (value === undefined || (value === null && field.optional === true)) {
      fields[field.name] = defaultOf(field, at(place, field.name), context);
    } else {
      resolve(field, value);
    }
  }
  for (const field of before === undefined ? schema.fields : []) {
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

function resolveActivation(value: unknown, place: Place, host: OperatorType, featureLevel: FeatureLevel): DraftedValues {
  const { type, fields } = readTyped(value, place, 'an activation');
  const { fusion } = operatorTable[type];
  if (fusion === undefined || !(fusion.into?.includes(host) ?? true)) {
    throw fieldError('ERR_FIELD_COMBINATION', at(place, 'type'), `an activation that can be fused into ${host}`, `'${type}'`);
  }
  checkLevel(fusion.since, `'${type}' fused into another operator`, place, featureLevel);
  return resolveFields(type, fields, place, { featureLevel, tensors: descriptions, isFused: true });
}

function leftOut(value: unknown, place: Place): null {
  if (value === undefined || value === null) return null;
  throw fieldError('ERR_FIELD_COMBINATION', place, 'nothing in a fused activation', describe(value));
}
