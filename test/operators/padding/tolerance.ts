/** Tolerances of paddings and of tiles: they move elements. */
import { EXACT, type OperatorTolerance } from '../../conformance/tolerance/row.js';

export const tolerances = {
  padding: EXACT,
  padding1: EXACT,
  tile: EXACT,
} satisfies Record<string, OperatorTolerance>;
