/** Cases of matrix products. */
import type { MLGemmOptions } from 'node-directml/webnn';
import type { Random } from '../../harness/random.js';
import { ulp, type CheckedOperators, type Plain, type ShapedCase } from '../operator.js';
import type { Shape } from '../plain-tensor.js';
import { caseOf, caseWithOptions, type DrawnCase } from '../webnn-case.js';
import { drawFactors } from './numbers.js';
import { drawBroadcast, type Drawing } from './operands.js';

export const products = {
  matmul: {
    layouts: ['matrices', 'batches', 'broadcast', 'views', 'same operand twice'],
    draw: drawMatmul,
    tolerance: ulp(({ operands }) => 2 * (operands['a']?.shape.at(-1) ?? 1)),
  },
  gemm: {
    layouts: ['a b', 'aᵀ b', 'a bᵀ', 'aᵀ bᵀ', 'views', 'same operand twice'],
    draw: drawGemm,
    tolerance: ulp(stepsOf),
  },
} satisfies Partial<CheckedOperators>;

function drawMatmul(drawing: Drawing): DrawnCase {
  const { random, layout } = drawing;
  const [rows, inner, columns] = [drawSize(random), drawSize(random), drawSize(random)];
  const draw = (shape: Shape) => drawing.operand(shape, drawFactors(drawing));
  if (layout === 'same operand twice') {
    return caseOf({ a: draw([...smallBatch(drawBroadcast(random, 0, 6)[0]), inner, inner]) }, { operand: 'a' });
  }
  const [left = [], right = []] = layout === 'matrices' ? [] : drawBroadcast(random, 0, 6).map(smallBatch);
  const a = draw([...left, rows, inner]);
  return caseOf({ a, b: draw([...(layout === 'batches' ? left : right), inner, columns]) });
}

function drawSize(random: Random): number {
  return random.pick([1, 2, 3, 4, 5, 8]);
}

/** Limits a batch to 3 matrices along each dimension, and to 12 in all. */
function smallBatch(shape: Shape): Shape {
  let rest = 12;
  return shape.map((size) => {
    const own = Math.min(size, 3);
    if (own > rest) return 1;
    rest = Math.floor(rest / own);
    return own;
  });
}

function drawGemm(drawing: Drawing): DrawnCase {
  const { random, layout, hasViews } = drawing;
  const isSame = layout === 'same operand twice';
  const [rows, inner] = [drawSize(random), drawSize(random)];
  const columns = isSame ? rows : drawSize(random);
  const isAny = hasViews || isSame;
  const aTranspose = isAny ? random.chance(0.5) : layout.startsWith('aᵀ');
  const bTranspose = isSame ? !aTranspose : isAny ? random.chance(0.5) : layout.endsWith('bᵀ');
  const draw = (shape: Shape) => drawing.operand(shape, drawFactors(drawing));
  const a = draw(aTranspose ? [inner, rows] : [rows, inner]);
  const required = isSame ? { a } : { a, b: draw(bTranspose ? [columns, inner] : [inner, columns]) };
  const sizes = [[], [1], [columns], [1, columns], [rows, 1], [1, 1], [rows, columns]];
  const optional = random.chance(0.6) ? { c: draw(random.pick(sizes)) } : {};
  const factor = () => (random.chance(0.3) ? undefined : random.pick([1, 0.5, -2, 0.1, 1.2345678, 0]));
  const options = { aTranspose, bTranspose, alpha: factor(), beta: factor() };
  return caseWithOptions(required, optional, options, isSame ? [{ operand: 'a' }] : []);
}

/** The tolerance in ULP, as in the web platform tests: 2 for each product, and 1 each for alpha, beta and c. */
function stepsOf({ operands, args }: ShapedCase): number {
  const { aTranspose, alpha = 1, beta = 1, c } = { ...(args[2] as Plain<MLGemmOptions>) };
  const [first = 1, second = 1] = operands['a']?.shape ?? [];
  const products = 2 * (aTranspose === true ? first : second) + (alpha === 1 ? 0 : 1);
  return c === undefined || beta === 0 ? products : products + (beta === 1 ? 1 : 2);
}
