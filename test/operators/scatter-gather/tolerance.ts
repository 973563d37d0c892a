/** Tolerances of gather, gatherNd and scatterNd. They only move elements, so results are exact. */
import { EXACT, type OperatorTolerance } from '../../conformance/tolerance/row.js';

export const tolerances = {
  gather: EXACT,
  gatherNd: EXACT,
  gatherNd1: EXACT,
  scatterNd: EXACT,
} satisfies Record<string, OperatorTolerance>;
