/**
 * Completes outputs that a descriptor leaves out, or gives without data type or sizes. The rule of the operator states what its
 * outputs are. Each statement is compared with the descriptor, or fills in a missing part. A part that no statement fills in is
 * an error.
 */
import { at, DirectMLError, fieldError, type Place } from '../errors.js';
import type { DataType, FeatureLevel } from '../schema/generated/enums.js';
import type { FieldSchema, TensorSupport } from '../schema/types.js';
import type { Fields, ObjectWords } from './input.js';
import { isTensor, resolvedFrom, valuesOf, type Resolved, type ResolvedTensor } from './resolved.js';
import { checkSupport, rowOf } from './support.js';
import { readDataType, readSizes, readTensorFields, resolveTensorFields } from './tensor.js';

/** An output whose description is incomplete. `given` are the fields that the descriptor has. */
interface Draft {
  readonly given: Fields;
  readonly place: Place;
  readonly schema: FieldSchema;
  readonly featureLevel: FeatureLevel;
  dataType: DataType | undefined;
  sizes: readonly number[] | undefined;
  /** A rule may state it before the sizes. */
  dimensionCount: number | undefined;
}

/** By the placeholder tensor that the rule sees. */
const drafts = new WeakMap<ResolvedTensor, Draft>();

/**
 * Reads an output tensor. `value` is undefined if the descriptor leaves it out. Returns a placeholder if a part is
 * missing.
 */
export function resolveOutput(
  value: unknown,
  place: Place,
  schema: FieldSchema,
  featureLevel: FeatureLevel,
  words?: ObjectWords,
): ResolvedTensor {
  const given: Fields = value === undefined ? new Map() : readTensorFields(value, place, undefined, words);
  if (!given.has('dataType') || !given.has('sizes')) return draftOf(given, place, schema, featureLevel);
  const tensor = resolveTensorFields(given, place, 'output', featureLevel);
  checkSupport(tensor, place, schema, featureLevel);
  return tensor;
}

/** The operator with all outputs complete. Call it after the operator's rule. */
export function completeOutputs(operator: Resolved): Resolved {
  const isLeftOut = (value: unknown) => isTensor(value) && drafts.has(value);
  const isPartial = (value: unknown) => (Array.isArray(value) ? value.some(isLeftOut) : isLeftOut(value));
  const values = Object.entries(valuesOf(operator));
  if (!values.some(([, value]) => isPartial(value))) return operator;
  const whole: Record<string, unknown> = { __proto__: null };
  for (const [name, value] of values) {
    whole[name] = isTensor(value) ? completed(value) : isTensors(value) ? Object.freeze(value.map(completed)) : value;
  }
  return resolvedFrom(Object.freeze(whole));
}

/** The data type; undefined while it is not known. */
export function dataTypeOf(tensor: ResolvedTensor): DataType | undefined {
  const draft = drafts.get(tensor);
  return draft === undefined ? tensor.dataType : draft.dataType;
}

/** The sizes; undefined while they are not known. */
export function sizesOf(tensor: ResolvedTensor): readonly number[] | undefined {
  const draft = drafts.get(tensor);
  return draft === undefined ? tensor.sizes : draft.sizes;
}

/** The number of dimensions; undefined while it is not known. */
export function dimensionCountOf(tensor: ResolvedTensor): number | undefined {
  return sizesOf(tensor)?.length ?? drafts.get(tensor)?.dimensionCount;
}

/** Fills in the parts that are still missing. A complete tensor stays as it is. */
export function fillIn(tensor: ResolvedTensor, stated: Stated): void {
  const draft = drafts.get(tensor);
  if (draft === undefined) return;
  draft.dataType ??= ownPart(stated, 'dataType');
  draft.sizes ??= ownPart(stated, 'sizes');
  draft.dimensionCount ??= ownPart(stated, 'dimensionCount');
}

type Stated = Partial<Pick<Draft, 'dataType' | 'sizes' | 'dimensionCount'>>;

/** A script may have added a property of this name to Object.prototype; that is not a statement. */
function ownPart<Part extends keyof Stated>(stated: Stated, part: Part): Stated[Part] | undefined {
  return Object.hasOwn(stated, part) ? stated[part] : undefined;
}

/** The error for a missing part of an output that cannot be inferred from the other fields. */
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
  // A rule that reads a part before it is known ends with the error that this part is missing.
  const tensor: ResolvedTensor = {
    get dataType() {
      if (draft.dataType === undefined) throw missing(draft, 'dataType', `one of ${row?.dataTypes.join(', ')}`);
      return draft.dataType;
    },
    get sizes() {
      if (draft.sizes === undefined) throw missing(draft, 'sizes', expectedSizes(draft, row));
      return draft.sizes;
    },
    // No rule reads the memory layout of an output.
    flags: 'none',
    strides: null,
    totalTensorSizeInBytes: 0,
    guaranteedBaseOffsetAlignment: 0,
  };
  drafts.set(tensor, draft);
  return tensor;
}

function completed(tensor: ResolvedTensor): ResolvedTensor {
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

/** If the error is about a missing part, its message says that the part was inferred. */
function explained(error: unknown, { given: givenParts, place }: Draft): unknown {
  if (!(error instanceof DirectMLError)) return error;
  const { code, message, operator = '', field = '', expected = '', given = '' } = error;
  const isInferred = ['dataType', 'sizes'].some((part) => !givenParts.has(part) && field.startsWith(`${place.field}.${part}`));
  if (!isInferred) return error;
  return new DirectMLError(code, `${message} (inferred from the other fields)`, { operator, field, expected, given });
}

function missing({ place }: Draft, part: string, expected: string): DirectMLError {
  return fieldError('ERR_MISSING_FIELD', at(place, part), expected, 'nothing', {
    why: 'cannot be inferred from the other fields',
  });
}

function expectedSizes({ dimensionCount }: Draft, row: TensorSupport | undefined): string {
  const { minDimensionCount: min, maxDimensionCount: max } = row ?? { minDimensionCount: 1, maxDimensionCount: 8 };
  const count = dimensionCount ?? (min === max ? min : `${min} to ${max}`);
  return count === 1 ? 'an array of 1 size' : `an array of ${count} sizes`;
}

function isTensors(value: unknown): value is readonly ResolvedTensor[] {
  return Array.isArray(value) && value.length > 0 && value.every(isTensor);
}
