/** Tolerances of the cumulative operators: each element is a reduction. */
import type { OperatorTolerance } from '../../conformance/tolerance/row.js';
import { PRODUCT, SUM } from '../reduce/tolerance.js';

export const tolerances = {
  cumulativeProduct: PRODUCT,
  cumulativeSummation: SUM,
} satisfies Record<string, OperatorTolerance>;
