/** The tolerances of all operators. An operator without one does not compile. */
import type { OperatorType } from 'node-directml';
import type { ConformanceCase } from '../cases/case.js';
import { EXACT, type OperatorTolerance, type ToleranceRow } from '../tolerance/row.js';
import { byOperator } from './families.js';

export const TOLERANCES: Readonly<Record<OperatorType, OperatorTolerance>> = byOperator('tolerances');

/** The tolerance of a case's output, which is named by its field. */
export function toleranceOf({ descriptor }: ConformanceCase, output: string): ToleranceRow {
  const own = TOLERANCES[descriptor.type];
  return 'rows' in own ? (own.rows[own.pick(descriptor, output)] ?? EXACT) : own;
}
