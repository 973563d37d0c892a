/** Cases of element-wise operators of one operand. */
import type { MLOperandDataType } from 'node-directml/webnn';
import type { Random } from '../../../random.js';
import * as formulas from '../formulas/unary.js';
import { difference, exact, ulp, type CheckedOperator, type CheckedOperators } from '../operator.js';
import { caseOf, type Argument, type OperatorName, type WebnnCase } from '../webnn-case.js';
import { drawElements, edgesOf } from './numbers.js';
import { drawOperand, drawShape } from './operands.js';

/** The layouts of all operators with one operand of any shape. */
export const singleLayouts = ['packed', 'views'];

/** A case of one operand with any elements. */
export function drawSingle(
  operator: OperatorName,
  random: Random,
  dataType: MLOperandDataType,
  layout: string,
  ...args: readonly Argument[]
): WebnnCase {
  const input = drawOperand(random, dataType, drawShape(random), drawElements(random, dataType), layout === 'views');
  return caseOf(operator, { input }, ...args);
}

/** All edges as one operand. */
export function edgeList(
  operator: OperatorName,
  dataType: MLOperandDataType,
  ...args: readonly Argument[]
): readonly WebnnCase[] {
  const data = edgesOf(dataType);
  return [caseOf(operator, { input: { kind: 'input', dataType, shape: [data.length], data } }, ...args)];
}

type Unary = Exclude<keyof typeof formulas, 'each'>;

function single(operator: Unary, tolerance: CheckedOperator['tolerance']): CheckedOperator {
  return {
    layouts: singleLayouts,
    draw: (random, dataType, layout) => drawSingle(operator, random, dataType, layout),
    edges: (dataType) => edgeList(operator, dataType),
    formula: formulas[operator],
    tolerance,
  };
}

/** Of a waves's argument: Direct3D promises the absolute error only up to 100 π. */
const wave = difference(1 / 1024, 1 / 512);

export const unary: CheckedOperators<Unary> = {
  abs: single('abs', ulp(0)),
  ceil: single('ceil', ulp(0)),
  cos: single('cos', wave),
  erf: single('erf', difference(1 / 1024, 1 / 512)),
  exp: single('exp', ulp(32, 1)),
  floor: single('floor', ulp(0)),
  identity: single('identity', () => exact),
  isInfinite: single('isInfinite', () => exact),
  isNaN: single('isNaN', () => exact),
  log: single('log', ulp(8)),
  logicalNot: single('logicalNot', () => exact),
  neg: single('neg', ulp(0)),
  reciprocal: single('reciprocal', ulp(2)),
  roundEven: single('roundEven', ulp(0)),
  sign: single('sign', ulp(0)),
  sin: single('sin', wave),
  sqrt: single('sqrt', ulp(1)),
  tan: single('tan', wave),
};
