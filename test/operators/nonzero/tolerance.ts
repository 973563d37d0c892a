/** Tolerance of the coordinates of what is not zero: they are integers. */
import { EXACT, type OperatorTolerance } from '../../conformance/tolerance/row.js';

export const tolerances = {
  nonzeroCoordinates: EXACT,
} satisfies Record<string, OperatorTolerance>;
