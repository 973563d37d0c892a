/** Tolerances of fold, which sums elements, and of unfold, which moves them. */
import { EXACT, type OperatorTolerance } from '../../conformance/tolerance/row.js';
import { SUM } from '../reduce/tolerance.js';

export const tolerances = {
  fold: SUM,
  unfold: EXACT,
} satisfies Record<string, OperatorTolerance>;
