/** The option `dataType` of {@link loadSafetensors}: the data types of the tensors that it makes. */
import { at, shorten } from '../values/errors.js';
import { didYouMean } from '../values/near-names.js';
import type { DataType } from '../tensors/generated/enums.js';
import { argumentError } from '../values/arguments.js';
import { namesOf, readOwn } from '../values/input.js';
import { isFloatInFile, type FileDataType } from './part-converter.js';

/** A data type into which tensors of float data types are converted. */
export type FloatDataType = 'float32' | 'float16';

/** A data type for bytes that have two elements each, the first one in the low bits. */
export type PackedDataType = 'int4' | 'uint4';

export interface DataTypes {
  /** The data type of a tensor, for its name and its data type in the file. */
  of(name: string, from: FileDataType): DataType;
  /** @throws {DirectMLError} ERR_INVALID_ARGUMENT for a name in the option that `of` has not got. */
  requireAll(): void;
}

export function readDataTypes(method: string, given: unknown): DataTypes {
  if (given === undefined) return { of: (_, from) => ownDataType(from), requireAll: () => undefined };
  if (isFloatDataType(given)) {
    return { of: (_, from) => (isFloatInFile(from) ? given : ownDataType(from)), requireAll: () => undefined };
  }
  if (typeof given !== 'object' || given === null) {
    throw argumentError(method, 'options.dataType', `${floats}, or an object of data types by name`, given);
  }
  return byName(method, given);
}

const floats = `'float32' or 'float16'`;
const packed = `'int4' or 'uint4'`;

function byName(method: string, given: object): DataTypes {
  const place = { operator: method, field: 'options.dataType' };
  const field = (name: string) => at(place, shorten(name)).field;
  const chosen = new Map<string, FloatDataType | PackedDataType>();
  for (const name of namesOf(given, place, 'ERR_INVALID_ARGUMENT')) {
    const value = readOwn(given, name, place, 'ERR_INVALID_ARGUMENT');
    if (value === undefined) continue;
    if (!isFloatDataType(value) && !isPackedDataType(value)) {
      throw argumentError(method, field(name), `${floats}, ${packed}`, value);
    }
    chosen.set(name, value);
  }
  const known = new Set<string>();
  return {
    of: (name, from) => {
      known.add(name);
      const dataType = chosen.get(name);
      if (dataType === undefined) return ownDataType(from);
      const isRight = isPackedDataType(dataType) ? from === 'uint8' : isFloatInFile(from);
      if (isRight) return dataType;
      const allowed = isFloatInFile(from) ? floats : from === 'uint8' ? packed : 'nothing';
      throw argumentError(method, field(name), `${allowed} for a tensor of ${from}`, dataType);
    },
    requireAll: () => {
      const missing = [...chosen.keys()].find((name) => !known.has(name));
      if (missing === undefined) return;
      const why = didYouMean(missing, [...known]);
      throw argumentError(method, 'options.dataType', 'names of tensors that are loaded', missing, 'ERR_INVALID_ARGUMENT', why);
    },
  };
}

function ownDataType(from: FileDataType): DataType {
  return from === 'bfloat16' ? 'float32' : from;
}

function isFloatDataType(value: unknown): value is FloatDataType {
  return value === 'float32' || value === 'float16';
}

function isPackedDataType(value: unknown): value is PackedDataType {
  return value === 'int4' || value === 'uint4';
}
