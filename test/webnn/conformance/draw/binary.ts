/** Cases of element-wise operators of two operands. */
import type { MLOperandDataType } from 'node-directml/webnn';
import type { Random } from '../../../random.js';
import { ulp, type CheckedOperator, type CheckedOperators } from '../operator.js';
import { caseOf } from '../webnn-case.js';
import { drawElements, edgesOf, type Draw } from './numbers.js';
import { drawBroadcast, drawOperand, drawShape } from './operands.js';

type Pair = readonly [Draw, Draw];

/** An operator of two operands that broadcast. It also gets every edge with every other one. */
export function pair(
  tolerance: CheckedOperator['tolerance'],
  elements: (random: Random, dataType: MLOperandDataType) => Pair = anyPair,
): CheckedOperator {
  return {
    layouts: ['equal shapes', 'broadcast', 'views', 'same operand twice'],
    draw: (random, dataType, layout) => {
      const [first, second] = elements(random, dataType);
      const shape = drawShape(random);
      const shapes = layout === 'equal shapes' ? ([shape, shape] as const) : drawBroadcast(random);
      if (layout === 'same operand twice') {
        return caseOf({ a: drawOperand(random, dataType, shape, first, random.chance(0.3)) }, { operand: 'a' });
      }
      const hasViews = layout === 'views';
      const a = drawOperand(random, dataType, shapes[0], first, hasViews);
      const b = drawOperand(random, dataType, shapes[1], second, hasViews && random.chance(0.7));
      return caseOf({ a, b });
    },
    edges: (dataType) => {
      const data = edgesOf(dataType);
      const a = { kind: 'input', dataType, shape: [data.length, 1], data } as const;
      return [caseOf({ a, b: { ...a, shape: [data.length] } })];
    },
    tolerance,
  };
}

export function anyPair(random: Random, dataType: MLOperandDataType): Pair {
  return [drawElements(random, dataType), drawElements(random, dataType)];
}

export const binary = {
  add: pair(ulp(1)),
  sub: pair(ulp(1)),
  mul: pair(ulp(1)),
  div: pair(ulp(2)),
  max: pair(ulp(0)),
  min: pair(ulp(0)),
  pow: pair(ulp(32, 2)),
} satisfies Partial<CheckedOperators>;
