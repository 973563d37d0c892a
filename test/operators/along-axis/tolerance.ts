/** Tolerances of the operators along one axis. They only move elements, so results are exact. */
import { EXACT, type OperatorTolerance } from '../../conformance/tolerance/row.js';

export const tolerances = {
  gatherElements: EXACT,
  oneHot: EXACT,
  reverseSubsequences: EXACT,
  scatterElements: EXACT,
} satisfies Record<string, OperatorTolerance>;
