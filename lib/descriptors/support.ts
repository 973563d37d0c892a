/** Checks a tensor against the operator table: the data types and dimension counts of its field at a feature level. */
import { at, fieldError, type Place } from '../values/errors.js';
import { reaches } from './feature-level.js';
import type { FeatureLevel } from '../tensors/generated/enums.js';
import type { FieldSchema, TensorSupport } from './types.js';
import type { ResolvedTensor } from './resolved.js';

/**
 * Throws if the field does not support the data type or the dimension count of the tensor at this feature level.
 *
 * @param hint Returns how to get another dimension count; undefined if nothing is known.
 */
export function checkSupport(
  tensor: ResolvedTensor,
  place: Place,
  field: FieldSchema,
  featureLevel: FeatureLevel,
  hint: () => string | undefined = () => undefined,
): void {
  const { support } = field;
  // There is a row for every feature level that has the operator.
  const row = rowOf(field, featureLevel);
  if (support === undefined || row === undefined) return;
  const { dataType, sizes } = tensor;
  if (!row.dataTypes.includes(dataType)) {
    const needed = lowest(support, (candidate) => candidate.dataTypes.includes(dataType));
    if (needed !== undefined) throw tooLow(place, 'dataType', `'${dataType}'`, needed, featureLevel);
    const expected = `one of ${row.dataTypes.join(', ')}`;
    throw fieldError('ERR_DATA_TYPE', at(place, 'dataType'), expected, `'${dataType}'`);
  }
  if (!hasCount(row, sizes.length)) {
    const needed = lowest(support, (candidate) => hasCount(candidate, sizes.length));
    if (needed !== undefined) throw tooLow(place, 'sizes', `${sizes.length} dimensions`, needed, featureLevel);
    const { minDimensionCount: min, maxDimensionCount: max } = row;
    const expected = min === max ? `${min} dimensions` : `${min} to ${max} dimensions`;
    throw fieldError('ERR_DIMENSION_COUNT', at(place, 'sizes'), expected, `${sizes.length}`, { why: hint() });
  }
}

/** The data types and dimension counts of a field at a feature level; undefined if the table has none for it. */
export function rowOf({ support }: FieldSchema, featureLevel: FeatureLevel): TensorSupport | undefined {
  return support?.find(({ since }) => reaches(featureLevel, since));
}

function hasCount(row: TensorSupport, count: number): boolean {
  return count >= row.minDimensionCount && count <= row.maxDimensionCount;
}

/** The lowest feature level whose row matches. */
function lowest(support: readonly TensorSupport[], has: (row: TensorSupport) => boolean): FeatureLevel | undefined {
  return support.findLast(has)?.since;
}

function tooLow(place: Place, name: string, what: string, needed: FeatureLevel, given: FeatureLevel) {
  return fieldError('ERR_FEATURE_LEVEL', at(place, name), `feature level ${needed} for ${what}`, given);
}
