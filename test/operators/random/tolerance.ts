/** Tolerance of the random generator. Its outputs are integers, so they are exact. */
import { EXACT, type OperatorTolerance } from '../../conformance/tolerance/row.js';

export const tolerances = {
  randomGenerator: EXACT,
} satisfies Record<string, OperatorTolerance>;
