/** Tolerances of slices and splits. They only move elements, so results are exact. */
import { EXACT, type OperatorTolerance } from '../../conformance/tolerance/row.js';

export const tolerances = {
  slice: EXACT,
  slice1: EXACT,
  sliceGrad: EXACT,
  split: EXACT,
} satisfies Record<string, OperatorTolerance>;
