/** Tolerances of padding and tile. They only move elements, so results are exact. */
import { EXACT, type OperatorTolerance } from '../../conformance/tolerance/row.js';

export const tolerances = {
  padding: EXACT,
  padding1: EXACT,
  tile: EXACT,
} satisfies Record<string, OperatorTolerance>;
