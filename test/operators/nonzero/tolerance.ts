/** Tolerance of nonzeroCoordinates. Its outputs are integers, so they are exact. */
import { EXACT, type OperatorTolerance } from '../../conformance/tolerance/row.js';

export const tolerances = {
  nonzeroCoordinates: EXACT,
} satisfies Record<string, OperatorTolerance>;
