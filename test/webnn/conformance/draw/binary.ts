/** Cases of element-wise operators of two operands. */
import type { MLOperandDataType } from 'node-directml/webnn';
import type { Random } from '../../../random.js';
import * as formulas from '../formulas/binary.js';
import { ulp, type CheckedOperator, type CheckedOperators } from '../operator.js';
import { caseOf, type OperatorName, type WebnnCase } from '../webnn-case.js';
import { drawElements, edgesOf, type Draw } from './numbers.js';
import { drawBroadcast, drawOperand, drawShape } from './operands.js';

/** The layouts of all operators with two operands that broadcast. */
export const pairLayouts = ['equal shapes', 'broadcast', 'views', 'same operand twice'];

/** A case of two operands with any elements, or with those that the functions make. */
export function drawPair(
  operator: OperatorName,
  random: Random,
  dataType: MLOperandDataType,
  layout: string,
  elements: readonly [Draw, Draw] = [drawElements(random, dataType), drawElements(random, dataType)],
): WebnnCase {
  const shape = drawShape(random);
  const shapes = layout === 'equal shapes' ? ([shape, shape] as const) : drawBroadcast(random);
  if (layout === 'same operand twice') {
    const a = drawOperand(random, dataType, shape, elements[0], random.chance(0.3));
    return caseOf(operator, { a }, { operand: 'a' });
  }
  const hasViews = layout === 'views';
  const a = drawOperand(random, dataType, shapes[0], elements[0], hasViews);
  const b = drawOperand(random, dataType, shapes[1], elements[1], hasViews && random.chance(0.7));
  return caseOf(operator, { a, b });
}

/** Every edge with every other one. */
export function edgePairs(operator: OperatorName, dataType: MLOperandDataType): readonly WebnnCase[] {
  const edges = edgesOf(dataType);
  const a = { kind: 'input', dataType, shape: [edges.length, 1], data: edges } as const;
  return [caseOf(operator, { a, b: { ...a, shape: [edges.length] } })];
}

function pair(operator: keyof typeof formulas, tolerance: CheckedOperator['tolerance']): CheckedOperator {
  return {
    layouts: pairLayouts,
    draw: (random, dataType, layout) => drawPair(operator, random, dataType, layout),
    edges: (dataType) => edgePairs(operator, dataType),
    formula: formulas[operator],
    tolerance,
  };
}

export const binary: CheckedOperators<keyof typeof formulas> = {
  add: pair('add', ulp(1)),
  sub: pair('sub', ulp(1)),
  mul: pair('mul', ulp(1)),
  div: pair('div', ulp(2)),
  max: pair('max', ulp(0)),
  min: pair('min', ulp(0)),
  pow: pair('pow', ulp(32, 2)),
};
