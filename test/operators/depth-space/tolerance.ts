/** Tolerances of the operators that move blocks of height and width into channels, and back. */
import { EXACT, type OperatorTolerance } from '../../conformance/tolerance/row.js';

export const tolerances = {
  depthToSpace: EXACT,
  depthToSpace1: EXACT,
  spaceToDepth: EXACT,
  spaceToDepth1: EXACT,
} satisfies Record<string, OperatorTolerance>;
