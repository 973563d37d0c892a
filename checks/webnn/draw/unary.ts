/** Cases of operators of one operand, and the element-wise ones. */
import type { MLOperandDataType } from 'node-directml/webnn';
import { difference, exact, ulp, type CheckedOperator, type CheckedOperators, type ShapedCase } from '../operator.js';
import type { Shape } from '../plain-tensor.js';
import { caseOf, type Argument, type DrawnCase } from '../webnn-case.js';
import { drawElements, edgesOf } from './numbers.js';
import { drawShape, type Drawing } from './operands.js';

/** The shape of the operand, and the arguments after it. */
export type Plan = readonly [input: Shape, ...args: readonly Argument[]];

/** An operator of one operand, which has views if the layout is `views`. */
export function single(
  tolerance: CheckedOperator['tolerance'],
  layouts: readonly string[],
  plan: (drawing: Drawing) => Plan,
  elements = drawElements,
): CheckedOperator {
  const draw = (drawing: Drawing) => {
    const [shape, ...args] = plan(drawing);
    return caseOf({ input: drawing.operand(shape, elements(drawing)) }, ...args);
  };
  return { layouts, draw, tolerance };
}

/** An operator of one operand of any shape, which also gets all edges. */
export function elementWise(
  tolerance: CheckedOperator['tolerance'],
  layouts: readonly string[] = [],
  argument: (drawing: Drawing) => Argument = () => ({}),
): CheckedOperator {
  const plan = (drawing: Drawing): Plan => {
    const last = argument(drawing);
    return [drawShape(drawing.random), last];
  };
  return { ...single(tolerance, ['packed', 'views', ...layouts], plan), edges: (dataType) => [edgeList(dataType)] };
}

/** All edges as one operand. */
export function edgeList(dataType: MLOperandDataType, ...args: readonly Argument[]): DrawnCase {
  const data = edgesOf(dataType);
  return caseOf({ input: { kind: 'input', dataType, shape: [data.length], data } }, ...args);
}

/** The number of elements along the axis, which is the second argument. */
export function lineOf({ operands, test }: ShapedCase): number {
  return operands['input']?.shape[Number(test.args[1])] ?? 1;
}

/** The absolute error of sines and cosines. Direct3D promises it only for arguments up to 100 π. */
const wave = difference(1 / 1024, 1 / 512);

export const unary = {
  abs: elementWise(ulp(0)),
  ceil: elementWise(ulp(0)),
  cos: elementWise(wave),
  erf: elementWise(difference(1 / 1024, 1 / 512)),
  exp: elementWise(ulp(32, 1)),
  floor: elementWise(ulp(0)),
  identity: elementWise(exact),
  isInfinite: elementWise(exact),
  isNaN: elementWise(exact),
  log: elementWise(ulp(8)),
  logicalNot: elementWise(exact),
  neg: elementWise(ulp(0)),
  reciprocal: elementWise(ulp(2)),
  roundEven: elementWise(ulp(0)),
  sign: elementWise(ulp(0)),
  sin: elementWise(wave),
  sqrt: elementWise(ulp(1)),
  tan: elementWise(wave),
} satisfies Partial<CheckedOperators>;
