/** Tolerance of the generator of random numbers: they are integers. */
import { EXACT, type OperatorTolerance } from '../../conformance/tolerance/row.js';

export const tolerances = {
  randomGenerator: EXACT,
} satisfies Record<string, OperatorTolerance>;
