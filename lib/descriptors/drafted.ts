/**
 * A descriptor before the operator's rule: outputs that it leaves out, or gives without data type or sizes, are drafts. The rule
 * reads what is known of a tensor, and states what follows from the other fields. A statement fills in a part that is missing.
 */
import { at, DirectMLError, fieldError, type Place } from '../values/errors.js';
import type { OperatorType } from './generated/descriptors.js';
import type { DataType, FeatureLevel } from '../tensors/generated/enums.js';
import type { FieldSchema } from './types.js';
import type { Fields } from '../values/input.js';
import { isTensor, type OperatorOf, type ResolvedTensor } from './resolved.js';
import { checkSupport, rowOf } from './support.js';
import { readDataType, readSizes, resolveTensorFields } from './tensor.js';

/** An output whose description is incomplete. */
export class OutputDraft {
  dataType: DataType | undefined;
  sizes: readonly number[] | undefined;
  /** A rule may state it before the sizes. */
  dimensionCount: number | undefined;
  /** The fields that the descriptor has. */
  readonly #given: Fields;
  readonly #place: Place;
  readonly #schema: FieldSchema;
  readonly #featureLevel: FeatureLevel;

  constructor(given: Fields, place: Place, schema: FieldSchema, featureLevel: FeatureLevel) {
    this.#given = given;
    this.#place = place;
    this.#schema = schema;
    this.#featureLevel = featureLevel;
    const types = this.#supportedTypes;
    const [only, ...others] = types;
    if (given.has('dataType')) this.dataType = readDataType(given.get('dataType'), at(place, 'dataType'), featureLevel);
    else this.dataType = others.length === 0 ? only : types.find((dataType) => dataType === schema.defaultDataType);
    if (given.has('sizes')) this.sizes = readSizes(given, place);
  }

  /** The data type, which a rule needs now. */
  needDataType(expected?: string): DataType {
    return this.dataType ?? this.#refuse('dataType', expected ?? `one of ${this.#supportedTypes.join(', ')}`);
  }

  /** The sizes, which a rule needs now. */
  needSizes(expected?: string): readonly number[] {
    return this.sizes ?? this.#refuse('sizes', expected ?? this.#possibleSizes());
  }

  /** The tensor, after the rule has stated all that follows from the other fields. */
  completed(): ResolvedTensor {
    const whole = new Map([...this.#given, ['dataType', this.needDataType()], ['sizes', this.needSizes()]]);
    try {
      const tensor = resolveTensorFields(whole, this.#place, 'output', this.#featureLevel);
      checkSupport(tensor, this.#place, this.#schema, this.#featureLevel);
      return tensor;
    } catch (error) {
      throw this.#explained(error);
    }
  }

  get #supportedTypes(): readonly DataType[] {
    return rowOf(this.#schema, this.#featureLevel)?.dataTypes ?? [];
  }

  #possibleSizes(): string {
    const row = rowOf(this.#schema, this.#featureLevel);
    const { minDimensionCount: min, maxDimensionCount: max } = row ?? { minDimensionCount: 1, maxDimensionCount: 8 };
    const count = this.dimensionCount ?? (min === max ? min : `${min} to ${max}`);
    return count === 1 ? 'an array of 1 size' : `an array of ${count} sizes`;
  }

  #refuse(part: 'dataType' | 'sizes', expected: string): never {
    const why = 'cannot be inferred from the other fields';
    throw fieldError('ERR_MISSING_FIELD', at(this.#place, part), expected, 'nothing', { why });
  }

  /** If the error is about a missing part, its message says that the part was inferred. */
  #explained(error: unknown): unknown {
    if (!(error instanceof DirectMLError)) return error;
    const { code, message, operator = '', field = '', expected = '', given = '' } = error;
    const path = this.#place.field;
    const isInferred = ['dataType', 'sizes'].some((part) => !this.#given.has(part) && field.startsWith(`${path}.${part}`));
    if (!isInferred) return error;
    return new DirectMLError(code, `${message} (inferred from the other fields)`, { operator, field, expected, given });
  }
}

export type TensorOrDraft = ResolvedTensor | OutputDraft;

/** The descriptor of any operator, or of the named ones, before its rule. Every field is present, but outputs may be drafts. */
export type Drafted<Type extends OperatorType = OperatorType> = OperatorOf<Type, TensorOrDraft>;

/** The value of one field, by its kind in the table. */
export type DraftedValue =
  | null
  | number
  | bigint
  | boolean
  | string
  | TensorOrDraft
  | readonly TensorOrDraft[]
  | readonly number[]
  | { readonly width: number; readonly height: number }
  | { readonly scale: number; readonly bias: number }
  | DraftedValues
  | readonly DraftedValues[];

/** The type of an operator and its fields by name, in the memory order of DirectML's struct. */
export interface DraftedValues {
  readonly [field: string]: DraftedValue;
}

/** Like `resolvedFrom`, for a descriptor whose outputs may be drafts. */
export function draftedFrom(values: Readonly<Record<string, unknown>>): Drafted {
  return values as Drafted;
}

export function isTensorOrDraft(value: unknown): value is TensorOrDraft {
  return value instanceof OutputDraft || isTensor(value);
}

/** The number of dimensions, as far as it is known. */
export function knownDimensionCount(tensor: TensorOrDraft): number | undefined {
  return tensor.sizes?.length ?? tensor.dimensionCount;
}

/** The data type. An error if it is not known; `expected` says which ones are possible. */
export function needDataType(tensor: TensorOrDraft, expected?: string): DataType {
  return tensor instanceof OutputDraft ? tensor.needDataType(expected) : tensor.dataType;
}

/** The sizes. An error if they are not known; `expected` says which ones are possible. */
export function needSizes(tensor: TensorOrDraft, expected?: string): readonly number[] {
  return tensor instanceof OutputDraft ? tensor.needSizes(expected) : tensor.sizes;
}

/** The number of dimensions. An error if it is not known. */
export function needDimensionCount(tensor: TensorOrDraft): number {
  return knownDimensionCount(tensor) ?? needSizes(tensor).length;
}

/** The data type of the tensor. If it is not known, it becomes the stated one. */
export function stateDataType(tensor: TensorOrDraft, stated: DataType): DataType {
  return tensor instanceof OutputDraft ? (tensor.dataType ??= stated) : tensor.dataType;
}

/** The sizes of the tensor. If they are not known, they become the stated ones, which are computed only then. */
export function stateSizes(tensor: TensorOrDraft, stated: () => readonly number[]): readonly number[] {
  return tensor instanceof OutputDraft ? (tensor.sizes ??= stated()) : tensor.sizes;
}

/** The dimension count of the tensor. If it is not known, it becomes the stated one. */
export function stateDimensionCount(tensor: TensorOrDraft, stated: number): number {
  if (tensor instanceof OutputDraft) tensor.dimensionCount ??= stated;
  return needDimensionCount(tensor);
}
