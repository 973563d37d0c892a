/** Tolerances of top-k. It only moves elements, so results are exact. */
import { EXACT, type OperatorTolerance } from '../../conformance/tolerance/row.js';

export const tolerances = {
  topK: EXACT,
  topK1: EXACT,
} satisfies Record<string, OperatorTolerance>;
