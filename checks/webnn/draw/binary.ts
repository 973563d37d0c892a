/** Cases of element-wise operators of two operands. */
import { ulp, type CheckedOperator, type CheckedOperators } from '../operator.js';
import { caseOf } from '../webnn-case.js';
import { drawElements, edgesOf, type Draw, type Elements } from './numbers.js';
import { drawBroadcast, drawShape } from './operands.js';

type Pair = readonly [Draw, Draw];

/** An operator of two operands that broadcast. It is also run with every pair of edges. */
export function pair(tolerance: CheckedOperator['tolerance'], elements: (elements: Elements) => Pair = anyPair): CheckedOperator {
  return {
    layouts: ['equal shapes', 'broadcast', 'views', 'same operand twice'],
    draw: (drawing) => {
      const { random, layout, hasViews } = drawing;
      const [first, second] = elements(drawing);
      const shape = drawShape(random);
      const shapes = layout === 'equal shapes' ? ([shape, shape] as const) : drawBroadcast(random);
      if (layout === 'same operand twice') {
        return caseOf({ a: drawing.operand(shape, first, random.chance(0.3)) }, { operand: 'a' });
      }
      const a = drawing.operand(shapes[0], first);
      return caseOf({ a, b: drawing.operand(shapes[1], second, hasViews && random.chance(0.7)) });
    },
    edges: (dataType) => {
      const data = edgesOf(dataType);
      const a = { kind: 'input', dataType, shape: [data.length, 1], data } as const;
      return [caseOf({ a, b: { ...a, shape: [data.length] } })];
    },
    tolerance,
  };
}

export function anyPair(elements: Elements): Pair {
  return [drawElements(elements), drawElements(elements)];
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
