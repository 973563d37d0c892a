/** Reads the name of an enum's member, and checks that the feature level has it. */
import { describe, fieldError, type ErrorCode, type Place } from '../values/errors.js';
import { didYouMean } from '../values/near-names.js';
import { reaches } from './feature-level.js';
import type { EnumSchema, FeatureLevel } from '../tensors/generated/enums.js';

export function readEnum<Member extends string>(
  schema: EnumSchema<Member>,
  value: unknown,
  place: Place,
  featureLevel: FeatureLevel,
  code: ErrorCode = 'ERR_INVALID_DESCRIPTOR',
): Member {
  if (!isMember(schema, value)) {
    const why = didYouMean(value, Object.keys(schema.values), schema.otherNames);
    throw fieldError(code, place, membersOf(schema), describe(value), { why });
  }
  const since = Object.hasOwn(schema.since, value) ? schema.since[value] : undefined;
  if (since !== undefined && !reaches(featureLevel, since)) {
    throw fieldError('ERR_FEATURE_LEVEL', place, `feature level ${since} for '${value}'`, featureLevel);
  }
  return value;
}

/** `one of 'none', 'transpose'` */
export function membersOf(schema: EnumSchema): string {
  const members = Object.keys(schema.values).map((name) => `'${name}'`);
  return members.length === 1 ? members.join() : `one of ${members.join(', ')}`;
}

export function isMember<Member extends string>(schema: EnumSchema<Member>, value: unknown): value is Member {
  return typeof value === 'string' && Object.hasOwn(schema.values, value);
}
