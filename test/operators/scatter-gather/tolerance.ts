/** Tolerances of the operators that move elements to or from places named by an index tensor. */
import { EXACT, type OperatorTolerance } from '../../conformance/tolerance/row.js';

export const tolerances = {
  gather: EXACT,
  gatherNd: EXACT,
  gatherNd1: EXACT,
  scatterNd: EXACT,
} satisfies Record<string, OperatorTolerance>;
