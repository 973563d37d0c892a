/** Cases of matrix products. */
import type { MLGemmOptions, MLOperandDataType } from 'node-directml/webnn';
import type { Random } from '../../../random.js';
import { ulp, type CheckedOperators, type Plain, type ShapedCase } from '../operator.js';
import type { Shape } from '../plain-tensor.js';
import { caseOf, optionalOperands, type CaseOperand, type DrawnCase } from '../webnn-case.js';
import { drawBroadcast, drawOperand } from './operands.js';
import { drawFactors } from './numbers.js';

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

function drawMatmul(random: Random, dataType: MLOperandDataType, layout: string): DrawnCase {
  const size = () => random.pick([1, 2, 3, 4, 5, 8]);
  const [rows, inner, columns] = [size(), size(), size()];
  const draw = (shape: Shape) => drawOperand(random, dataType, shape, drawFactors(random, dataType), layout === 'views');
  if (layout === 'same operand twice') {
    const a = draw([...smallBatch(drawBroadcast(random, 0, 6)[0]), inner, inner]);
    return caseOf({ a }, { operand: 'a' });
  }
  const [left, right] = layout === 'matrices' ? [[], []] : drawBroadcast(random, 0, 6).map(smallBatch);
  const a = draw([...(left ?? []), rows, inner]);
  const b = draw([...((layout === 'batches' ? left : right) ?? []), inner, columns]);
  return caseOf({ a, b });
}

/** No more than 3 matrices along a dimension, and no more than 12 in all. */
function smallBatch(shape: Shape): Shape {
  let rest = 12;
  return shape.map((size) => {
    const own = Math.min(size, 3);
    if (own > rest) return 1;
    rest = Math.floor(rest / own);
    return own;
  });
}

function drawGemm(random: Random, dataType: MLOperandDataType, layout: string): DrawnCase {
  const size = () => random.pick([1, 2, 3, 4, 5, 8]);
  const isSame = layout === 'same operand twice';
  const [rows, inner] = [size(), size()];
  const columns = isSame ? rows : size();
  const isPlain = layout === 'views' || isSame;
  const aTranspose = isPlain ? random.chance(0.5) : layout.startsWith('aᵀ');
  const bTranspose = isSame ? !aTranspose : isPlain ? random.chance(0.5) : layout.endsWith('bᵀ');
  const draw = (shape: Shape) => drawOperand(random, dataType, shape, drawFactors(random, dataType), layout === 'views');
  const operands: Record<string, CaseOperand> = { a: draw(aTranspose ? [inner, rows] : [rows, inner]) };
  if (!isSame) operands['b'] = draw(bTranspose ? [columns, inner] : [inner, columns]);
  if (random.chance(0.6))
    operands['c'] = draw(random.pick([[], [1], [columns], [1, columns], [rows, 1], [1, 1], [rows, columns]]));
  const factor = () => (random.chance(0.3) ? undefined : random.pick([1, 0.5, -2, 0.1, 1.2345678, 0]));
  const options = { aTranspose, bTranspose, alpha: factor(), beta: factor(), ...optionalOperands(operands, 'c') };
  return { operands, args: [{ operand: 'a' }, { operand: isSame ? 'a' : 'b' }, options] };
}

/** Two for each product, and one for each of alpha, beta and c, as in the tests. */
function stepsOf({ operands, args }: ShapedCase): number {
  const { aTranspose, alpha = 1, beta = 1, c } = { ...(args[2] as Plain<MLGemmOptions>) };
  const [first = 1, second = 1] = operands['a']?.shape ?? [];
  const products = 2 * (aTranspose === true ? first : second) + (alpha === 1 ? 0 : 1);
  return c === undefined || beta === 0 ? products : products + (beta === 1 ? 1 : 2);
}
