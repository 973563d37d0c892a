/** Tolerances of the operators that follow an index or a length per sequence along one axis: they move elements. */
import { EXACT, type OperatorTolerance } from '../../conformance/tolerance/row.js';

export const tolerances = {
  gatherElements: EXACT,
  oneHot: EXACT,
  reverseSubsequences: EXACT,
  scatterElements: EXACT,
} satisfies Record<string, OperatorTolerance>;
