/** Validates one field of a descriptor by its kind in the operator table. */
import { at, fieldError, type Place } from '../errors.js';
import { enums, type DataType, type FeatureLevel } from '../schema/generated/enums.js';
import { reaches } from '../schema/feature-level.js';
import type { EnumSchema, FieldSchema } from '../schema/types.js';
import type { ResolvedTensor, ResolvedValue, ResolvedValues } from './resolved.js';
import { readArray, readBool, readFloat, readInt, readObject, readUint } from './input.js';
import { defaultValue } from './defaults.js';
import { readEnum } from './enum.js';
import { readScalar } from './scalar.js';
import { checkSupport } from './support.js';
import { resolveOutput } from './settle.js';
import { resolveTensor } from './tensor.js';

/** Returns the description for the value of a tensor field: that of a `Tensor`, or else the value itself. */
export type TensorDescriber = (value: unknown, place: Place) => unknown;

export interface FieldContext {
  readonly featureLevel: FeatureLevel;
  /** The data type of the operator's scalars. Its field comes before theirs in the descriptor. */
  readonly scalarType: DataType | undefined;
  readonly resolveActivation: (value: unknown, place: Place) => ResolvedValues;
  readonly describeTensor: TensorDescriber;
}

export function resolveField(schema: FieldSchema, value: unknown, place: Place, context: FieldContext): ResolvedValue {
  const { featureLevel } = context;
  switch (schema.kind) {
    case 'tensor':
      return tensorOf(schema, value, place, context);
    case 'tensorArray':
      return Object.freeze(readArray(value, place).map((tensor, i) => tensorOf(schema, tensor, at(place, i), context)));
    case 'uint':
      return readUint(value, place);
    case 'int':
      return readInt(value, place);
    case 'float':
      return readFloat(value, place);
    case 'bool':
      return readBool(value, place);
    case 'enum':
      return enumOf(schema, value, place, featureLevel);
    case 'uintArray':
      return Object.freeze(readArray(value, place).map((element, i) => readUint(element, at(place, i))));
    case 'intArray':
      return Object.freeze(readArray(value, place).map((element, i) => readInt(element, at(place, i))));
    case 'floatArray':
      return Object.freeze(readArray(value, place).map((element, i) => readFloat(element, at(place, i))));
    case 'size2d': {
      const fields = readObject(value, place, ['width', 'height']);
      const read = (name: string) => readUint(fields.get(name), at(place, name));
      return Object.freeze({ width: read('width'), height: read('height') });
    }
    case 'scaleBias': {
      const fields = readObject(value, place, ['scale', 'bias']);
      const read = (name: string) => readFloat(fields.get(name), at(place, name));
      return Object.freeze({ scale: read('scale'), bias: read('bias') });
    }
    case 'scalar':
      if (context.scalarType === undefined) throw new TypeError(`${place.operator}.${place.field}: no data type`);
      return readScalar(value, place, context.scalarType);
    case 'operator':
      return context.resolveActivation(value, place);
    case 'operatorArray':
      return Object.freeze(readArray(value, place).map((operator, i) => context.resolveActivation(operator, at(place, i))));
  }
}

/**
 * The value of a field without a default that the descriptor leaves out: null for an optional field, a placeholder that the
 * operator's rule fills in for an output. Any other field is missing.
 */
export function defaultOf(schema: FieldSchema, place: Place, featureLevel: FeatureLevel): ResolvedTensor | null {
  const { optional, optionalSince } = schema;
  if (optional === true && optionalSince !== undefined && !reaches(featureLevel, optionalSince)) {
    throw fieldError('ERR_FEATURE_LEVEL', place, `feature level ${optionalSince} to leave it out`, featureLevel);
  }
  if (optional === true) return null;
  if (schema.kind === 'tensor' && schema.role === 'output') return resolveOutput(undefined, place, schema, featureLevel);
  throw fieldError('ERR_MISSING_FIELD', place, expectation(schema), 'nothing');
}

/** The default of a field that the descriptor leaves out. Throws ERR_MISSING_FIELD if the other fields do not determine it. */
export function neededDefault(schema: FieldSchema, fields: ResolvedValues, place: Place): unknown {
  const value = defaultValue(schema, fields);
  if (value !== undefined) return value;
  throw fieldError('ERR_MISSING_FIELD', place, expectation(schema), 'nothing', { why: 'the other fields do not tell' });
}

function tensorOf(
  schema: FieldSchema,
  given: unknown,
  place: Place,
  { featureLevel, describeTensor }: FieldContext,
): ResolvedTensor {
  const value = describeTensor(given, place);
  if (schema.role === 'output') return resolveOutput(value, place, schema, featureLevel);
  const tensor = resolveTensor(value, place, schema.role ?? 'any', featureLevel);
  checkSupport(tensor, place, schema, featureLevel);
  return tensor;
}

function enumOf(schema: FieldSchema, value: unknown, place: Place, featureLevel: FeatureLevel): string {
  if (schema.enumName === undefined) throw new TypeError(`${place.operator}.${place.field}: no enum`);
  const members: EnumSchema = enums[schema.enumName];
  return readEnum(members, value, place, featureLevel);
}

const expectations: Readonly<Partial<Record<FieldSchema['kind'], string>>> = {
  tensor: 'a tensor description',
  tensorArray: 'an array of tensor descriptions',
  uint: 'a whole number',
  int: 'a whole number',
  float: 'a number',
  bool: 'true or false',
  enum: 'a string',
  uintArray: 'an array of whole numbers',
  intArray: 'an array of whole numbers',
  floatArray: 'an array of numbers',
  size2d: 'an object with width and height',
  scalar: 'a number or bigint',
  operatorArray: 'an array of activations',
};

function expectation(schema: FieldSchema): string {
  return expectations[schema.kind] ?? 'a value';
}
