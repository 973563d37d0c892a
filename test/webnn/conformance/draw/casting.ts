/** Cases of cast: a layout for each target. */
import type { MLOperandDataType } from 'node-directml/webnn';
import type { Random } from '../../../random.js';
import { isFloatType, limitsOf, roundTo, type FloatType } from '../elements.js';
import { ulp, type CheckedOperators } from '../operator.js';
import { caseOf, type DrawnCase } from '../webnn-case.js';
import { anyElement, drawElements, type Draw } from './numbers.js';
import { drawOperand, drawShape } from './operands.js';
import { edgeList } from './unary.js';

const targets = ['float32', 'float16', 'int32', 'uint32', 'int64', 'uint64', 'int8', 'uint8'] as const;

function draw(random: Random, dataType: MLOperandDataType, layout: string): DrawnCase | null {
  const target = targets.find((other) => layout === `to ${other}`);
  if (target === undefined) return null;
  const input = drawOperand(random, dataType, drawShape(random), elementsFor(random, dataType, target), random.chance(0.3));
  return caseOf({ input }, target);
}

function elementsFor(random: Random, from: MLOperandDataType, to: MLOperandDataType): Draw {
  if (!isFloatType(from) || random.chance(0.3))
    return random.chance(0.3) ? drawElements(random, from) : () => anyElement(random, from);
  if (isFloatType(to)) return () => besideFloat16(random, from);
  const { low, high } = limitsOf(to);
  return () => {
    const number = Number(random.chance(0.5) ? low : high) * random.fraction() * random.pick([1, 1, 2 ** -8, 2 ** -16, 1.5]);
    return roundTo(from, random.chance(0.3) ? Math.trunc(number) + 0.5 : number);
  };
}

/** A float16, halfway to the next, or a little beside that: where rounding goes one way or the other. */
function besideFloat16(random: Random, from: FloatType): number {
  const exponent = random.int(-26, 16);
  const halves = random.int(2048, 4095) + random.pick([0, 0.5, 0.5 + 2 ** -11, 0.5 - 2 ** -11]);
  return roundTo(from, (random.chance(0.5) ? -1 : 1) * halves * 2 ** (exponent - 11));
}

export const casting = {
  cast: {
    layouts: targets.map((target) => `to ${target}`),
    draw,
    edges: (dataType) => targets.map((target) => edgeList(dataType, target)),
    tolerance: ulp(0),
  },
} satisfies Partial<CheckedOperators>;
