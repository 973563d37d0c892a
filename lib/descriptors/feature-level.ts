/** Feature levels, compared by the numbers of DirectML's enum. */
import { enums, type FeatureLevel } from '../tensors/generated/enums.js';

const { values } = enums.FeatureLevel;

export function isFeatureLevel(value: unknown): value is FeatureLevel {
  return typeof value === 'string' && Object.hasOwn(values, value);
}

/** True if a device of feature level `level` has what level `needed` introduced. */
export function reaches(level: FeatureLevel, needed: FeatureLevel): boolean {
  return values[level] >= values[needed];
}

/** All feature levels, lowest first, as the enum has them. */
export const featureLevels: readonly FeatureLevel[] = Object.keys(values).filter(isFeatureLevel);

/** The highest feature level. Descriptions that belong to no device are validated for it. */
export const highestFeatureLevel: FeatureLevel = featureLevels[featureLevels.length - 1] ?? '6.4';
