/** Scalars of a tensor's data type, as in DML_SCALAR_UNION: a bigint for 64-bit integers, else a number. */
import { describe, fieldError, type Place } from '../values/errors.js';
import { roundToFloat16 } from '../tensors/float16.js';
import { isDataType, isFloat, isWide, wideRangeOf } from '../tensors/data-types.js';
import type { OperatorType } from './generated/descriptors.js';
import type { DataType } from '../tensors/generated/enums.js';
import { operatorTable } from './generated/table.js';

/** The data type of the scalars of an operator. Another of its fields gives it; undefined if there is no such field. */
export function scalarTypeOf(type: OperatorType, values: Readonly<Record<string, unknown>>): DataType | undefined {
  const name = operatorTable[type].fields.find(({ enumName }) => enumName === 'DataType')?.name;
  const value = name === undefined ? undefined : values[name];
  return isDataType(value) ? value : undefined;
}

/** Reads a scalar of a data type: floats are rounded to it, integers must be exact and in its range. */
export function readScalar(value: unknown, place: Place, dataType: DataType): number | bigint {
  if (typeof value !== 'number' && typeof value !== 'bigint') {
    throw fieldError('ERR_INVALID_DESCRIPTOR', place, `a ${dataType} as number or bigint`, describe(value));
  }
  return isFloat(dataType) ? readFloating(value, place, dataType) : readInteger(value, place, dataType);
}

function readFloating(value: number | bigint, place: Place, dataType: DataType): number {
  const number = Number(value);
  const rounded = dataType === 'float16' ? roundToFloat16(number) : dataType === 'float32' ? Math.fround(number) : number;
  if (Number.isFinite(number) !== Number.isFinite(rounded)) {
    throw fieldError('ERR_OUT_OF_RANGE', place, `a number in the range of ${dataType}`, describe(value));
  }
  return rounded;
}

function readInteger(value: number | bigint, place: Place, dataType: DataType): number | bigint {
  const { low: minimum, high: maximum } = wideRangeOf(dataType);
  const expected = `a whole number from ${minimum} to ${maximum}`;
  if (typeof value === 'number' && !Number.isInteger(value)) {
    throw fieldError('ERR_OUT_OF_RANGE', place, expected, describe(value));
  }
  const whole = BigInt(value);
  if (whole < minimum || whole > maximum) throw fieldError('ERR_OUT_OF_RANGE', place, expected, describe(value));
  if (typeof value === 'number' && !Number.isSafeInteger(value)) {
    throw fieldError('ERR_OUT_OF_RANGE', place, 'a bigint, for a number is no longer exact here', describe(value));
  }
  return isWide(dataType) ? whole : Number(whole);
}
