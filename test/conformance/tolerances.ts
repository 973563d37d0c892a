/**
 * How far DirectML's result may be from the reference's, which is computed in float64 and rounded once. In units in
 * the last place (ULP) of the larger of the expected value and the case's `magnitude`; 0 is bit for bit.
 */
import type { FinishedOperatorType } from '#lib/schema/generated/finished.js';
import { activationTolerances, softmaxTolerance } from './activation-tolerances.js';
import { binaryTolerance, binaryTolerances } from './binary-tolerances.js';
import type { ConformanceCase } from './case.js';
import { reductionTolerance } from './reduction-tolerances.js';
import { unaryTolerances } from './unary-tolerances.js';

export interface Tolerance {
  readonly ulp: number;
  /** Any NaN for a NaN, and either zero for the other. */
  readonly byValue?: true;
  /** Allowed beside `ulp`: so much, and so much of the expected value. */
  readonly absolute?: number;
  readonly relative?: number;
}

const EXACT: Tolerance = { ulp: 0 };

export function toleranceOf(test: ConformanceCase): Tolerance {
  const { descriptor } = test;
  // Only arithmetic rounds: moving elements does not.
  if (descriptor.type === 'elementWiseIdentity' && test.magnitude === undefined) return EXACT;
  if (descriptor.type === 'elementWiseAdd1' && descriptor.fusedActivation) {
    const { ulp } = TOLERANCES[descriptor.fusedActivation.type];
    return { ulp: TOLERANCES[descriptor.type].ulp + ulp };
  }
  return binaryTolerance(descriptor) ?? softmaxTolerance(descriptor) ?? reductionTolerance(test) ?? TOLERANCES[descriptor.type];
}

const TOLERANCES: Readonly<Record<FinishedOperatorType, Tolerance>> = {
  ...activationTolerances,
  argmax: EXACT,
  argmin: EXACT,
  cast: { ulp: 1 },
  // Integers, and what picks one of its elements; floats: reductionTolerance.
  cumulativeProduct: EXACT,
  cumulativeSummation: EXACT,
  elementWiseAdd1: { ulp: 2 },
  elementWiseIdentity: { ulp: 2 },
  ...binaryTolerances,
  ...unaryTolerances,
  fillValueConstant: EXACT,
  fold: EXACT,
  gather: EXACT,
  gatherNd1: EXACT,
  join: EXACT,
  nonzeroCoordinates: EXACT,
  randomGenerator: EXACT,
  reduce: EXACT,
  scatterNd: EXACT,
  unfold: EXACT,
};
