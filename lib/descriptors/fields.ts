/** Validates one field of a descriptor by its kind in the operator table. */
import { at, describe, fieldError, type Place } from '../values/errors.js';
import type { OperatorType } from './generated/descriptors.js';
import { enums, type DataType, type EnumSchema, type FeatureLevel } from '../tensors/generated/enums.js';
import { reaches } from './feature-level.js';
import type { FieldSchema } from './types.js';
import { plainWords, readArray, readBool, readFloat, readInt, readObject, readUint } from '../values/input.js';
import { defaultValue } from './defaults.js';
import { membersOf, readEnum } from './enum.js';
import { readScalar } from './scalar.js';
import { dimensionHint } from './shape-hints.js';
import { checkSupport } from './support.js';
import { readOutput } from './complete-outputs.js';
import type { DraftedValue, DraftedValues, TensorOrDraft } from './drafted.js';
import { descriptions, type TensorReader } from './tensor-reader.js';
import { resolveTensor } from './tensor.js';

/** Functions, not getters: the engine makes a hidden class for each literal with getters, which keeps what they use. */
export interface FieldContext {
  readonly featureLevel: FeatureLevel;
  readonly type: OperatorType;
  /** The sizes of the first tensor, which comes before all fields about its dimensions; undefined if there is none. */
  readonly firstSizes: () => readonly number[] | undefined;
  /** The data type of the operator's scalars. Its field comes before theirs in the descriptor. */
  readonly scalarType: () => DataType | undefined;
  readonly resolveActivation: (value: unknown, place: Place) => DraftedValues;
  readonly tensors: TensorReader;
}

export function resolveField(schema: FieldSchema, value: unknown, place: Place, context: FieldContext): DraftedValue {
  const { featureLevel, tensors } = context;
  const elements = () => readArray(value, place, expectation(schema, tensors));
  const parts = (names: readonly string[]) =>
    readObject(value, place, names, undefined, undefined, { ...plainWords, expected: expectation(schema, tensors) });
  switch (schema.kind) {
    case 'tensor':
      return tensorOf(schema, value, place, context);
    case 'tensorArray':
      return Object.freeze(elements().map((tensor, i) => tensorOf(schema, tensor, at(place, i), context)));
    case 'uint':
      return uintOf(schema, value, place, context);
    case 'int':
      return readInt(value, place);
    case 'float':
      return readFloat(value, place);
    case 'bool':
      return readBool(value, place);
    case 'enum':
      return enumOf(schema, value, place, featureLevel);
    case 'uintArray':
      return Object.freeze(elements().map((element, i) => uintOf(schema, element, at(place, i), context)));
    case 'intArray':
      return Object.freeze(elements().map((element, i) => readInt(element, at(place, i))));
    case 'floatArray':
      return Object.freeze(elements().map((element, i) => readFloat(element, at(place, i))));
    case 'size2d': {
      const fields = parts(['width', 'height']);
      const read = (name: string) => readUint(fields.get(name), at(place, name));
      return Object.freeze({ width: read('width'), height: read('height') });
    }
    case 'scaleBias': {
      const fields = parts(['scale', 'bias']);
      const read = (name: string) => readFloat(fields.get(name), at(place, name));
      return Object.freeze({ scale: read('scale'), bias: read('bias') });
    }
    case 'scalar': {
      const dataType = context.scalarType();
      if (dataType === undefined) throw new TypeError(`${place.operator}.${place.field}: no data type`);
      return readScalar(value, place, dataType);
    }
    case 'operator':
      return context.resolveActivation(value, place);
    case 'operatorArray':
      return Object.freeze(elements().map((operator, i) => context.resolveActivation(operator, at(place, i))));
  }
}

/**
 * The value of a field without a default that the descriptor leaves out: null for an optional field, a draft for an
 * output. Any other field is missing.
 */
export function defaultOf(schema: FieldSchema, place: Place, { featureLevel, tensors }: FieldContext): TensorOrDraft | null {
  const { optional, optionalSince } = schema;
  if (optional === true && optionalSince !== undefined && !reaches(featureLevel, optionalSince)) {
    throw fieldError('ERR_FEATURE_LEVEL', place, `feature level ${optionalSince} to leave it out`, featureLevel);
  }
  if (optional === true) return null;
  if (schema.kind === 'tensor' && schema.role === 'output') return readOutput(undefined, place, schema, featureLevel);
  throw fieldError('ERR_MISSING_FIELD', place, expectation(schema, tensors), 'nothing');
}

/** The default of a field that the descriptor leaves out. Throws ERR_MISSING_FIELD if the other fields do not determine it. */
export function neededDefault(schema: FieldSchema, fields: DraftedValues, place: Place): unknown {
  const value = defaultValue(schema, fields);
  if (value !== undefined) return value;
  throw fieldError('ERR_MISSING_FIELD', place, expectation(schema, descriptions), 'nothing', { why: whyNeeded(schema) });
}

function whyNeeded({ default: given }: FieldSchema): string {
  const rule = given !== undefined && 'rule' in given ? given : undefined;
  // A program that leaves the field out seldom knows it, but knows the tensor.
  if (rule?.rule === 'data type') return `${rule.of}.dataType says it, too`;
  if (rule?.rule !== 'while') return 'cannot be inferred from the other fields';
  return rule.is === null ? `needed if there is ${rule.of}` : `needed unless ${rule.of} is '${rule.is}'`;
}

function tensorOf(
  schema: FieldSchema,
  given: unknown,
  place: Place,
  { featureLevel, tensors, type, firstSizes }: FieldContext,
): TensorOrDraft {
  const first = firstSizes();
  const value = tensors.describe(given, place);
  if (schema.role === 'output') return readOutput(value, place, schema, featureLevel, tensors.output);
  const tensor = resolveTensor(value, place, schema.role ?? 'any', featureLevel, undefined, tensors.input);
  checkSupport(tensor, place, schema, featureLevel, () => dimensionHint(type, { name: schema.name, sizes: tensor.sizes }, first));
  return tensor;
}

/** Refuses a negative axis, in the same words in which the rules refuse an axis that is too large. */
function uintOf({ name }: FieldSchema, value: unknown, place: Place, { firstSizes }: FieldContext): number {
  const isAxis = name === 'axis' || name === 'axes';
  // Even if the field is no axis: a first tensor without sizes is the first mistake.
  const sizes = firstSizes();
  if (!isAxis || sizes === undefined || !(Number.isInteger(value) && Number(value) < 0)) return readUint(value, place);
  const last = sizes.length - 1;
  throw fieldError('ERR_OUT_OF_RANGE', place, `0 to ${last}`, describe(value), { why: `the last dimension is ${last}` });
}

function enumOf(schema: FieldSchema, value: unknown, place: Place, featureLevel: FeatureLevel): string {
  if (schema.enumName === undefined) throw new TypeError(`${place.operator}.${place.field}: no enum`);
  const members: EnumSchema = enums[schema.enumName];
  return readEnum(members, value, place, featureLevel);
}

const expectations: Readonly<Partial<Record<FieldSchema['kind'], string>>> = {
  uint: 'a whole number',
  int: 'a whole number',
  float: 'a number',
  bool: 'true or false',
  uintArray: 'an array of whole numbers',
  intArray: 'an array of whole numbers',
  floatArray: 'an array of numbers',
  size2d: 'an object { width, height }',
  scaleBias: 'an object { scale, bias }',
  scalar: 'a number or bigint',
  operator: 'an activation',
  operatorArray: 'an array of activations',
};

function expectation({ kind, role, enumName }: FieldSchema, tensors: TensorReader): string {
  const isOutput = role === 'output';
  if (kind === 'tensor') return (isOutput ? tensors.output : tensors.input).expected;
  if (kind === 'tensorArray') return (isOutput ? descriptions : tensors).inputs;
  if (enumName !== undefined) return membersOf(enums[enumName]);
  return expectations[kind] ?? 'a value';
}
