/** Tolerances of diagonalMatrix, fillValueSequence and valueScale2d. */
import { EXACT, type ComputedRow, type Dependent, type OperatorTolerance } from '../../conformance/tolerance/row.js';

/** A product and a summand. The magnitude of the part that is no single number of the descriptor follows from y. */
function productAndSum(magnitude: Dependent): ComputedRow {
  return { ulp: 1, magnitude, reason: 'a product and a sum, each rounded to nearest even' };
}

const SEQUENCE = productAndSum({
  text: '|valueStart| + |y − valueStart|',
  at: ({ y, field }) => sumOfParts(field('valueStart'), y),
});

const SCALE_AND_BIAS = productAndSum({
  text: '|scale·x| + |y − scale·x|',
  at: ({ y, x: [x = 0], field }) => sumOfParts(field('scale') * x, y),
});

function sumOfParts(part: number, whole: number): number {
  return Math.abs(part) + Math.abs(whole - part);
}

export const tolerances = {
  diagonalMatrix: EXACT,
  diagonalMatrix1: EXACT,
  fillValueSequence: SEQUENCE,
  valueScale2d: SCALE_AND_BIAS,
} satisfies Record<string, OperatorTolerance>;
