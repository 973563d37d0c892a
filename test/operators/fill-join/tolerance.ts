/** Tolerances of the operators that fill a tensor or join tensors. */
import { EXACT, type OperatorTolerance } from '../../conformance/tolerance/row.js';

export const tolerances = {
  fillValueConstant: EXACT,
  join: EXACT,
} satisfies Record<string, OperatorTolerance>;
