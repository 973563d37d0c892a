/** The tolerance of every operator. An operator without one does not compile. */
import type { FinishedOperatorType } from '#lib/schema/generated/finished.js';
import type { ConformanceCase } from '../case.js';
import { activationTolerances } from './activation.js';
import { elementWiseTolerances } from './element-wise.js';
import { reductionTolerances } from './reduction.js';
import {
  EXACT,
  isExact,
  perBinade,
  type ComputedRow,
  type OperatorTolerance,
  type Tolerance,
  type ToleranceRow,
  type Variants,
} from './row.js';
import { termsOf } from './terms.js';

/** The sum rounds by half a unit of the largest intermediate, which an exponential turns into 0.7 per binade. */
function fused(row: ToleranceRow): ToleranceRow {
  if (isExact(row)) return SUM;
  const growth = row.growth === undefined ? {} : { growth: perBinade(0.7 + row.growth.at(2)) };
  return { ...row, ...growth, ulp: row.ulp + 1, reason: `a sum, rounded to the nearest, then ${row.reason}` };
}

const SUM: ComputedRow = { ulp: 0, reason: 'one sum, rounded to the nearest' };

const elementWiseAdd1: Variants = {
  pick: (descriptor) => (descriptor.type === 'elementWiseAdd1' && descriptor.fusedActivation?.type) || 'alone',
  rows: {
    alone: SUM,
    ...Object.fromEntries(Object.entries(activationTolerances).map(([type, row]) => [type, fused(row)])),
  },
};

const elementWiseIdentity: Variants = {
  pick: (descriptor) => (descriptor.type === 'elementWiseIdentity' && descriptor.scaleBias ? 'scaleBias' : 'alone'),
  rows: { alone: EXACT, scaleBias: { ulp: 1, reason: 'a product and a sum, each rounded to the nearest' } },
};

export const TOLERANCES: Readonly<Record<FinishedOperatorType, OperatorTolerance>> = {
  ...activationTolerances,
  ...elementWiseTolerances,
  ...reductionTolerances,
  cast: EXACT,
  elementWiseAdd1,
  elementWiseIdentity,
  fillValueConstant: EXACT,
  fold: EXACT,
  gather: EXACT,
  gatherNd1: EXACT,
  join: EXACT,
  nonzeroCoordinates: EXACT,
  randomGenerator: EXACT,
  scatterNd: EXACT,
  unfold: EXACT,
};

export function toleranceOf({ descriptor, magnitude = 0 }: ConformanceCase): Tolerance {
  const own = TOLERANCES[descriptor.type];
  const row = 'rows' in own ? (own.rows[own.pick(descriptor)] ?? EXACT) : own;
  if (isExact(row)) return { row, ulp: 0, magnitude: 0 };
  return {
    row,
    ulp: row.ulp + (row.perTerm ?? 0) * termsOf(descriptor),
    magnitude: Math.max(row.magnitude ?? 0, magnitude),
  };
}
