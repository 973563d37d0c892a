/** Tolerances of the operators that fill a tensor by a formula, and of a scale with a bias per channel. */
import { EXACT, type ComputedRow, type Dependent, type OperatorTolerance } from '../../conformance/tolerance/row.js';

/** A product and what is added to it, told by their sum where the descriptor has no single number for one of them. */
function productAndSum(magnitude: Dependent): ComputedRow {
  return { ulp: 1, magnitude, reason: 'a product and a sum, each rounded to the nearest' };
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
