/** Tolerances of the operators that move, fill and sort. */
import { EXACT, type ComputedRow, type Dependent, type OperatorTolerance } from './row.js';

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

export const movementTolerances = {
  depthToSpace: EXACT,
  depthToSpace1: EXACT,
  diagonalMatrix: EXACT,
  diagonalMatrix1: EXACT,
  fillValueConstant: EXACT,
  fillValueSequence: SEQUENCE,
  gather: EXACT,
  gatherElements: EXACT,
  gatherNd: EXACT,
  gatherNd1: EXACT,
  join: EXACT,
  oneHot: EXACT,
  padding: EXACT,
  padding1: EXACT,
  reverseSubsequences: EXACT,
  scatterElements: EXACT,
  scatterNd: EXACT,
  slice: EXACT,
  slice1: EXACT,
  sliceGrad: EXACT,
  spaceToDepth: EXACT,
  spaceToDepth1: EXACT,
  split: EXACT,
  tile: EXACT,
  topK: EXACT,
  topK1: EXACT,
  valueScale2d: SCALE_AND_BIAS,
} satisfies Record<string, OperatorTolerance>;
