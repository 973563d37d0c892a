/** Tolerances of the K largest or smallest elements: they are moved. */
import { EXACT, type OperatorTolerance } from '../../conformance/tolerance/row.js';

export const tolerances = {
  topK: EXACT,
  topK1: EXACT,
} satisfies Record<string, OperatorTolerance>;
