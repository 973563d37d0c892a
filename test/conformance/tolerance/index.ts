/** The tolerance of every operator. An operator without one does not compile. */
import type { FinishedOperatorType } from '#lib/schema/generated/finished.js';
import type { ConformanceCase } from '../case.js';
import { activationTolerances, fusableTolerances, linear } from './activation.js';
import { convolutionTolerances } from './convolution.js';
import { elementWiseTolerances } from './element-wise.js';
import { matrixTolerances } from './matrix.js';
import { movementTolerances } from './movement.js';
import { reductionTolerances } from './reduction.js';
import { resampleTolerances } from './resample.js';
import {
  binades,
  EXACT,
  isExact,
  type ComputedRow,
  type Dependent,
  type OperatorTolerance,
  type ToleranceRow,
  type Variants,
} from './row.js';

const SUM: ComputedRow = { ulp: 0, reason: 'one sum, rounded to the nearest' };

/** The activation sees a sum that was rounded by half a unit; an exponential makes 0.7 per binade of that. */
function fused(row: ToleranceRow): ToleranceRow {
  if (isExact(row)) return SUM;
  const { growth, magnitude } = row;
  return {
    ...row,
    ulp: row.ulp + 1.5,
    ...(growth === undefined ? {} : { growth: plusPerBinade(ofSum(growth)) }),
    ...(magnitude === undefined ? {} : { magnitude: typeof magnitude === 'number' ? magnitude : ofSum(magnitude) }),
    reason: `a sum, rounded to the nearest, then ${row.reason}`,
  };
}

/** The activation's element is the sum. */
function ofSum({ text, at }: Dependent): Dependent {
  return { text, at: (element) => at({ ...element, x: [element.x.reduce((sum, x) => sum + x, 0)] }) };
}

function plusPerBinade({ text, at }: Dependent): Dependent {
  return { text: `${text} + 0.7·|log2 y| ULP`, at: (element) => at(element) + 0.7 * binades(element.y) };
}

const elementWiseAdd1: Variants = {
  pick: (descriptor) => (descriptor.type === 'elementWiseAdd1' && descriptor.fusedActivation?.type) || 'alone',
  rows: {
    alone: SUM,
    ...Object.fromEntries(Object.entries(fusableTolerances).map(([type, row]) => [type, fused(row)])),
  },
};

const elementWiseIdentity: Variants = {
  pick: (descriptor) => (descriptor.type === 'elementWiseIdentity' && descriptor.scaleBias ? 'scaleBias' : 'alone'),
  rows: { alone: EXACT, scaleBias: linear('scale', 'bias') },
};

export const TOLERANCES: Readonly<Record<FinishedOperatorType, OperatorTolerance>> = {
  ...activationTolerances,
  ...convolutionTolerances,
  ...elementWiseTolerances,
  ...matrixTolerances,
  ...movementTolerances,
  ...reductionTolerances,
  ...resampleTolerances,
  cast: EXACT,
  elementWiseAdd1,
  elementWiseIdentity,
  nonzeroCoordinates: EXACT,
  quantize: EXACT,
  dequantize: EXACT,
  dynamicQuantizeLinear: EXACT,
  randomGenerator: EXACT,
  unfold: EXACT,
};

export function toleranceOf({ descriptor }: ConformanceCase): ToleranceRow {
  const own = TOLERANCES[descriptor.type];
  return 'rows' in own ? (own.rows[own.pick(descriptor)] ?? EXACT) : own;
}
