/** Tolerances of fold, which adds up, and of unfold, which moves. */
import { EXACT, type OperatorTolerance } from '../../conformance/tolerance/row.js';
import { SUM } from '../reduce/tolerance.js';

export const tolerances = {
  fold: SUM,
  unfold: EXACT,
} satisfies Record<string, OperatorTolerance>;
