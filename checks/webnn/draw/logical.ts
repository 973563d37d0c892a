/** Cases of comparisons, logical operators and where. */
import { broadcastShapes } from '../plain-tensor.js';
import { exact, type CheckedOperators } from '../operator.js';
import { caseOf, type DrawnCase } from '../webnn-case.js';
import { anyPair, pair } from './binary.js';
import { anyElement, drawElements, edgesOf, type Draw } from './numbers.js';
import { drawBroadcast, drawShape, layoutsOf, type Drawing } from './operands.js';

/** Often both operands pick from a few numbers, so that some are equal. */
const comparison = pair(exact, (elements) => {
  const { random, dataType } = elements;
  if (random.chance(0.5)) return anyPair(elements);
  const few = Array.from({ length: 4 }, () => (random.chance(0.5) ? random.pick(edgesOf(dataType)) : anyElement(elements)));
  return [() => random.pick(few), () => random.pick(few)];
});

const whereTypes = ['float32', 'float16', 'int32', 'uint32', 'int64', 'uint64', 'int8', 'uint8'] as const;

/** The layout names the data type of the values and how the shapes differ. */
function drawWhere(drawing: Drawing): DrawnCase {
  const { random, layout, hasViews } = drawing;
  const values = drawing.of(drawing.named(whereTypes));
  const shape = drawShape(random);
  const [one, other] = drawBroadcast(random);
  // The third shape is the shape to which the other two broadcast, with some dimensions reduced to 1.
  const third = broadcastShapes(one, other).map((size) => (random.chance(0.3) ? 1 : size));
  const [a, b, c] = layout.endsWith('equal shapes')
    ? [shape, shape, shape]
    : random.pick([
        [one, other, third],
        [third, one, other],
        [other, third, one],
      ] as const);
  const truths: Draw = () => random.pick([0, 0, 0, 1, 1, 2, 128, 255]);
  return caseOf({
    condition: drawing.operand(a, truths, hasViews && random.chance(0.5)),
    trueValue: values.operand(b),
    falseValue: values.operand(c, drawElements(values), hasViews && random.chance(0.5)),
  });
}

export const logical = {
  equal: comparison,
  notEqual: comparison,
  greater: comparison,
  greaterOrEqual: comparison,
  lesser: comparison,
  lesserOrEqual: comparison,
  logicalAnd: comparison,
  logicalOr: comparison,
  logicalXor: comparison,
  where: {
    layouts: layoutsOf(whereTypes, ['equal shapes', 'broadcast', 'views']),
    draw: drawWhere,
    tolerance: exact,
  },
} satisfies Partial<CheckedOperators>;
