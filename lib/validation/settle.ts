/**
 * Outputs that a descriptor leaves out, as a whole or without their data type or sizes. The operator's rule states what
 * its outputs are; each statement is compared with what the descriptor gave, or fills in what it left out. What no
 * statement fills in is missing.
 */
import { at, DirectMLError, fieldError, type Place } from '../errors.js';
import type { DataType, FeatureLevel } from '../schema/generated/enums.js';
import type { FieldSchema, TensorSupport } from '../schema/types.js';
import type { Fields } from './input.js';
import { isTensor, resolvedFrom, valuesOf, type Resolved, type ResolvedTensor } from './resolved.js';
import { checkSupport, rowOf } from './support.js';
import { readDataType, readSizes, readTensorFields, resolveTensorFields } from './tensor.js';

/** An output of which something was left out. */
interface Draft {
  readonly given: Fields;
  readonly place: Place;
  readonly schema: FieldSchema;
  readonly featureLevel: FeatureLevel;
  dataType: DataType | undefined;
  sizes: readonly number[] | undefined;
  /** May be stated before the sizes are. */
  dimensionCount: number | undefined;
}

/** By the tensor that stands for it in the operator. */
const drafts = new WeakMap<ResolvedTensor, Draft>();

/** An output tensor; undefined is one that was left out as a whole. */
export function resolveOutput(value: unknown, place: Place, schema: FieldSchema, featureLevel: FeatureLevel): ResolvedTensor {
  const given: Fields = value === undefined ? new Map() : readTensorFields(value, place);
  if (!given.has('dataType') || !given.has('sizes')) return draftOf(given, place, schema, featureLevel);
  const tensor = resolveTensorFields(given, place, 'output', featureLevel);
  checkSupport(tensor, place, schema, featureLevel);
  return tensor;
}

/** The operator with all that its rule filled in. To be called after the rule. */
export function settle(operator: Resolved): Resolved {
  const isLeftOut = (value: unknown) => isTensor(value) && drafts.has(value);
  const isPartial = (value: unknown) => (Array.isArray(value) ? value.some(isLeftOut) : isLeftOut(value));
  const values = Object.entries(valuesOf(operator));
  if (!values.some(([, value]) => isPartial(value))) return operator;
  const whole: Record<string, unknown> = { __proto__: null };
  for (const [name, value] of values) {
    whole[name] = isTensor(value) ? settled(value) : isTensors(value) ? Object.freeze(value.map(settled)) : value;
  }
  return resolvedFrom(Object.freeze(whole));
}

/** The data type; undefined while it is left out. */
export function dataTypeOf(tensor: ResolvedTensor): DataType | undefined {
  const draft = drafts.get(tensor);
  return draft === undefined ? tensor.dataType : draft.dataType;
}

/** The sizes; undefined while they are left out. */
export function sizesOf(tensor: ResolvedTensor): readonly number[] | undefined {
  const draft = drafts.get(tensor);
  return draft === undefined ? tensor.sizes : draft.sizes;
}

/** The number of dimensions; undefined while it is left out. */
export function dimensionCountOf(tensor: ResolvedTensor): number | undefined {
  return sizesOf(tensor)?.length ?? drafts.get(tensor)?.dimensionCount;
}

/** Fills in what was left out; else nothing. */
export function fillIn(tensor: ResolvedTensor, stated: Partial<Pick<Draft, 'dataType' | 'sizes' | 'dimensionCount'>>): void {
  const draft = drafts.get(tensor);
  if (draft === undefined) return;
  draft.dataType ??= stated.dataType;
  draft.sizes ??= stated.sizes;
  draft.dimensionCount ??= stated.dimensionCount;
}

/** The error of an output's part that is left out and does not follow from the rest of the descriptor. */
export function missingPart(tensor: ResolvedTensor, part: 'dataType' | 'sizes', expected: string): DirectMLError {
  const draft = drafts.get(tensor);
  if (draft === undefined) throw new TypeError(`no ${part} missing`);
  return missing(draft, part, expected);
}

function draftOf(given: Fields, place: Place, schema: FieldSchema, featureLevel: FeatureLevel): ResolvedTensor {
  const row = rowOf(schema, featureLevel);
  const [only, ...others] = row?.dataTypes ?? [];
  const draft: Draft = {
    given,
    place,
    schema,
    featureLevel,
    dataType: given.has('dataType')
      ? readDataType(given.get('dataType'), at(place, 'dataType'), featureLevel)
      : others.length === 0
        ? only
        : undefined,
    sizes: given.has('sizes') ? readSizes(given, place) : undefined,
    dimensionCount: undefined,
  };
  // What a rule asks for before it was stated is missing.
  const tensor: ResolvedTensor = {
    get dataType() {
      if (draft.dataType === undefined) throw missing(draft, 'dataType', `one of ${row?.dataTypes.join(', ')}`);
      return draft.dataType;
    },
    get sizes() {
      if (draft.sizes === undefined) throw missing(draft, 'sizes', expectedSizes(draft, row));
      return draft.sizes;
    },
    // No rule asks how an output lies in memory.
    flags: 'none',
    strides: null,
    totalTensorSizeInBytes: 0,
    guaranteedBaseOffsetAlignment: 0,
  };
  drafts.set(tensor, draft);
  return tensor;
}

function settled(tensor: ResolvedTensor): ResolvedTensor {
  const draft = drafts.get(tensor);
  if (draft === undefined) return tensor;
  const { given, place, schema, featureLevel } = draft;
  const whole = new Map([...given, ['dataType', tensor.dataType], ['sizes', tensor.sizes]]);
  try {
    const resolved = resolveTensorFields(whole, place, 'output', featureLevel);
    checkSupport(resolved, place, schema, featureLevel);
    return resolved;
  } catch (error) {
    throw explained(error, draft);
  }
}

/** Of a part that was left out, its error says where it came from. */
function explained(error: unknown, { given: givenParts, place }: Draft): unknown {
  if (!(error instanceof DirectMLError)) return error;
  const { code, message, operator = '', field = '', expected = '', given = '' } = error;
  const isInferred = ['dataType', 'sizes'].some((part) => !givenParts.has(part) && field.startsWith(`${place.field}.${part}`));
  if (!isInferred) return error;
  return new DirectMLError(code, `${message} (inferred from the other fields)`, { operator, field, expected, given });
}

function missing({ place }: Draft, part: string, expected: string): DirectMLError {
  return fieldError('ERR_MISSING_FIELD', at(place, part), expected, 'nothing', { why: 'the other fields do not tell' });
}

function expectedSizes({ dimensionCount }: Draft, row: TensorSupport | undefined): string {
  const { minDimensionCount: min, maxDimensionCount: max } = row ?? { minDimensionCount: 1, maxDimensionCount: 8 };
  const count = dimensionCount ?? (min === max ? min : `${min} to ${max}`);
  return count === 1 ? 'an array of 1 size' : `an array of ${count} sizes`;
}

function isTensors(value: unknown): value is readonly ResolvedTensor[] {
  return Array.isArray(value) && value.length > 0 && value.every(isTensor);
}
