/** Tolerances of space-to-depth and depth-to-space. They only move elements, so results are exact. */
import { EXACT, type OperatorTolerance } from '../../conformance/tolerance/row.js';

export const tolerances = {
  depthToSpace: EXACT,
  depthToSpace1: EXACT,
  spaceToDepth: EXACT,
  spaceToDepth1: EXACT,
} satisfies Record<string, OperatorTolerance>;
