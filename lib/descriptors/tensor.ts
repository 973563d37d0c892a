/** Validates one tensor description by itself. `support.ts` checks it against the operator table. */
import { at, describe, fieldError, list, type Place } from '../values/errors.js';
import { bitsOf, isDataType, minimumAlignment } from '../tensors/data-types.js';
import { enums, type DataType, type FeatureLevel } from '../tensors/generated/enums.js';
import type { ResolvedTensor } from './resolved.js';
import { mayDescribe } from '../values/given.js';
import { plainWords, readArray, readObject, readUint, type Fields, type ObjectWords } from '../values/input.js';
import { membersOf, readEnum } from './enum.js';
import { strict } from './strict.js';
import { elementSpan, minimumTensorSizeInBytes } from '../tensors/tensor-size.js';

/** DML_TENSOR_DIMENSION_COUNT_MAX1 */
export const maximumDimensionCount = 8;

/** DirectML addresses elements with 32 bits; the size in bytes may be larger. */
const maximumElements = 0xffff_ffff;

/** Above this number of elements, overlaps are not searched for element by element. */
const maximumElementsToFollow = 1 << 22;

export const tensorFieldNames = [
  'dataType',
  'sizes',
  'strides',
  'flags',
  'totalTensorSizeInBytes',
  'guaranteedBaseOffsetAlignment',
  'dimensionCount',
];

export const tensorWords: ObjectWords = {
  ...plainWords,
  mayBe: mayDescribe,
  expected: 'a tensor description { dataType, sizes }',
  advice: (value) => (isDataType(value) ? `write { dataType: '${value}' }` : undefined),
};

/** The names that ONNX, WebNN, NumPy and TensorFlow have for the fields. */
const otherNames = { dataType: ['dtype'], sizes: ['shape', 'dims', 'dimensions'] };

/** Reads and validates a tensor description. `known` are fields that were read before and are not read again. */
export function resolveTensor(
  value: unknown,
  place: Place,
  role: 'input' | 'output' | 'any',
  featureLevel: FeatureLevel,
  known?: ReadonlyMap<string, unknown>,
  words = tensorWords,
): ResolvedTensor {
  return resolveTensorFields(readTensorFields(value, place, known, words), place, role, featureLevel);
}

/** Reads the fields of a tensor description, each once. */
export function readTensorFields(
  value: unknown,
  place: Place,
  known?: ReadonlyMap<string, unknown>,
  words = tensorWords,
): Fields {
  return readObject(value, place, tensorFieldNames, known, otherNames, words);
}

/** Validates the fields of a tensor description. All errors name `place` and the field. */
export function resolveTensorFields(
  fields: Fields,
  place: Place,
  role: 'input' | 'output' | 'any',
  featureLevel: FeatureLevel,
): ResolvedTensor {
  const dataType = readDataType(fields.get('dataType'), at(place, 'dataType'), featureLevel);
  const sizes = readSizes(fields, place);
  const strides = readStrides(fields.get('strides'), at(place, 'strides'), sizes);
  const flags = readFlags(fields.get('flags'), at(place, 'flags'), role, featureLevel);
  const totalTensorSizeInBytes = readTotalSize(fields, place, dataType, sizes, strides);
  if (role === 'output' && strides !== null) refuseOverlap(sizes, strides, at(place, 'strides'));
  const guaranteedBaseOffsetAlignment = readAlignment(fields, at(place, 'guaranteedBaseOffsetAlignment'));
  return Object.freeze({ dataType, flags, sizes, strides, totalTensorSizeInBytes, guaranteedBaseOffsetAlignment });
}

export function readDataType(value: unknown, place: Place, featureLevel: FeatureLevel): DataType {
  if (value === undefined) throw fieldError('ERR_MISSING_FIELD', place, membersOf(enums.DataType), 'nothing');
  return readEnum(enums.DataType, value, place, featureLevel, 'ERR_DATA_TYPE');
}

export function readSizes(fields: Fields, place: Place): readonly number[] {
  const sizesPlace = at(place, 'sizes');
  const value = fields.get('sizes');
  const expected = `an array of 1 to ${maximumDimensionCount} sizes`;
  if (value === undefined) throw fieldError('ERR_MISSING_FIELD', sizesPlace, expected, 'nothing');
  const sizes = readArray(value, sizesPlace, expected).map((size, i) => readUint(size, at(sizesPlace, i)));
  if (sizes.length < 1 || sizes.length > maximumDimensionCount) {
    throw fieldError('ERR_DIMENSION_COUNT', sizesPlace, `1 to ${maximumDimensionCount} dimensions`, `${sizes.length}`);
  }
  const zero = sizes.indexOf(0);
  if (zero >= 0) throw fieldError('ERR_SIZES', at(sizesPlace, zero), 'at least 1', '0');
  const count = fields.get('dimensionCount');
  if (count !== undefined && readUint(count, at(place, 'dimensionCount')) !== sizes.length) {
    throw fieldError('ERR_DIMENSION_COUNT', at(place, 'dimensionCount'), `${sizes.length}, as sizes has`, describe(count));
  }
  return Object.freeze(sizes);
}

function readStrides(value: unknown, place: Place, sizes: readonly number[]): readonly number[] | null {
  if (value === undefined || value === null) return null;
  const strides = readArray(value, place, 'an array of strides or null').map((stride, i) => readUint(stride, at(place, i)));
  if (strides.length !== sizes.length) {
    throw fieldError('ERR_STRIDES', place, `${sizes.length} strides, one per dimension`, `${strides.length}`);
  }
  return Object.freeze(strides);
}

function readFlags(value: unknown, place: Place, role: string, featureLevel: FeatureLevel): 'none' | 'ownedByDml' {
  if (value === undefined) return 'none';
  const flags = readEnum(enums.TensorFlags, value, place, featureLevel);
  if (flags === 'ownedByDml' && role === 'output') {
    throw fieldError('ERR_FIELD_COMBINATION', place, `'none' for an output`, `'ownedByDml'`);
  }
  return flags;
}

function readTotalSize(
  fields: Fields,
  place: Place,
  dataType: DataType,
  sizes: readonly number[],
  strides: readonly number[] | null,
): number {
  const needed = minimumTensorSizeInBytes(dataType, sizes, strides);
  // With strides of 0, a small tensor in memory can still have too many elements.
  const largest = Math.max(elementSpan(sizes, strides), elementSpan(sizes, null));
  if (largest > maximumElements) {
    const what = `at most ${maximumElements} elements`;
    throw fieldError('ERR_TENSOR_SIZE', at(place, 'sizes'), what, `${list(sizes)} of ${dataType}, which is ${largest}`);
  }
  const value = fields.get('totalTensorSizeInBytes');
  const sizePlace = at(place, 'totalTensorSizeInBytes');
  const total = value === undefined ? needed : readUint(value, sizePlace, Number.MAX_SAFE_INTEGER);
  if (total < needed) {
    const why = 'without this field it follows from the sizes and strides';
    throw fieldError('ERR_TENSOR_SIZE', sizePlace, `at least ${needed}, which its sizes and strides need`, `${total}`, { why });
  }
  // A larger size is fine if its number of elements, including a partial last one, fits into 32 bits.
  const limit = Math.floor((maximumElements * bitsOf(dataType)) / 8);
  if (total <= limit) return total;
  const why = '32-bit element count';
  if (value !== undefined) throw fieldError('ERR_TENSOR_SIZE', sizePlace, `at most ${limit}`, `${total}`, { why });
  const given = `${list(sizes)} of ${dataType}, which needs ${total}`;
  throw fieldError('ERR_TENSOR_SIZE', at(place, 'sizes'), `at most ${limit} bytes`, given, { why });
}

function readAlignment(fields: Fields, place: Place): number {
  const value = fields.get('guaranteedBaseOffsetAlignment');
  if (value === undefined) return 0;
  const alignment = readUint(value, place);
  const isPower = Number.isInteger(Math.log2(alignment));
  if (alignment !== 0 && !(isPower && alignment >= minimumAlignment)) {
    throw fieldError('ERR_OUT_OF_RANGE', place, `0 or a power of two from ${minimumAlignment} on`, `${alignment}`);
  }
  return alignment;
}

function refuseOverlap(sizes: readonly number[], strides: readonly number[], place: Place): void {
  const zero = sizes.findIndex((size, i) => size > 1 && strides[i] === 0);
  if (zero >= 0) {
    throw fieldError('ERR_STRIDES', at(place, zero), 'at least 1 for an output', '0', { why: 'only inputs can be broadcast' });
  }
  if (overlaps(sizes, strides)) {
    const why = 'two elements would share a place in memory';
    throw strict(
      'overlapping-output',
      fieldError('ERR_STRIDES', place, 'a place of its own for each element', list(strides), { why }),
    );
  }
}

/** True if two elements share an offset, or if there are too many elements to rule it out. */
function overlaps(sizes: readonly number[], strides: readonly number[]): boolean {
  const axes = sizes
    .map((size, i) => ({ size, stride: strides[i] ?? 0 }))
    .filter(({ size }) => size > 1)
    .sort((a, b) => a.stride - b.stride);
  let maxOffset = 0;
  const areNested = axes.every(({ size, stride }) => {
    const isFree = stride > maxOffset;
    maxOffset += (size - 1) * stride;
    return isFree;
  });
  if (areNested) return false;
  if (elementSpan(sizes, null) > maximumElementsToFollow) return true;
  let offsets = [0];
  for (const { size, stride } of axes) {
    offsets = Array.from({ length: size }, (_, i) => offsets.map((offset) => offset + i * stride)).flat();
  }
  return new Set(offsets).size < offsets.length;
}
