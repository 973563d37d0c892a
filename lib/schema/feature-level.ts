/** Feature levels, compared by DirectML's numbers for them. */
import { enums, type FeatureLevel } from './generated/enums.js';

const { values } = enums.FeatureLevel;

export function isFeatureLevel(value: unknown): value is FeatureLevel {
  return typeof value === 'string' && Object.hasOwn(values, value);
}

/** Whether `level` offers what `needed` introduced. */
export function reaches(level: FeatureLevel, needed: FeatureLevel): boolean {
  return values[level] >= values[needed];
}

export const featureLevels: readonly FeatureLevel[] = Object.keys(values)
  .filter(isFeatureLevel)
  .sort((a, b) => values[a] - values[b]);
