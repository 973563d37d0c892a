/** Cases of comparisons, logical operators and where. */
import type { MLOperandDataType } from 'node-directml/webnn';
import type { Random } from '../../../random.js';
import { broadcastShapes } from '../plain-tensor.js';
import { exact, type CheckedOperators } from '../operator.js';
import { caseOf, type DrawnCase } from '../webnn-case.js';
import { anyPair, pair } from './binary.js';
import { anyElement, drawElements, edgesOf, type Draw } from './numbers.js';
import { drawBroadcast, drawOperand, drawShape } from './operands.js';

/** Often both operands pick from a few numbers, so that some are equal. */
const comparison = pair(exact, (random, dataType) => {
  if (random.chance(0.5)) return anyPair(random, dataType);
  const few = Array.from({ length: 4 }, () =>
    random.chance(0.5) ? random.pick(edgesOf(dataType)) : anyElement(random, dataType),
  );
  return [() => random.pick(few), () => random.pick(few)];
});

const whereTypes = ['float32', 'float16', 'int32', 'uint32', 'int64', 'uint64', 'int8', 'uint8'] as const;

/** The layout names the data type of the values and how the shapes differ. */
function drawWhere(random: Random, _conditionType: MLOperandDataType, layout: string): DrawnCase {
  const [dataType, kind] = layout.split(', ');
  const type = whereTypes.find((other) => other === dataType) ?? 'float32';
  const shape = drawShape(random);
  const [one, other] = drawBroadcast(random);
  // Two shapes that broadcast, and a part of what they broadcast to.
  const third = broadcastShapes(one, other).map((size) => (random.chance(0.3) ? 1 : size));
  const [a, b, c] =
    kind === 'equal shapes'
      ? [shape, shape, shape]
      : random.pick([
          [one, other, third],
          [third, one, other],
          [other, third, one],
        ] as const);
  const hasViews = kind === 'views';
  const truths: Draw = () => random.pick([0, 0, 0, 1, 1, 2, 128, 255]);
  return caseOf({
    condition: drawOperand(random, 'uint8', a, truths, hasViews && random.chance(0.5)),
    trueValue: drawOperand(random, type, b, drawElements(random, type), hasViews),
    falseValue: drawOperand(random, type, c, drawElements(random, type), hasViews && random.chance(0.5)),
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
    layouts: whereTypes.flatMap((dataType) => ['equal shapes', 'broadcast', 'views'].map((kind) => `${dataType}, ${kind}`)),
    draw: drawWhere,
    tolerance: exact,
  },
} satisfies Partial<CheckedOperators>;
