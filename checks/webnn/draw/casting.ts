/** Cases of cast: a layout for each target. */
import type { MLOperandDataType } from 'node-directml/webnn';
import { isFloatType, limitsOf, roundTo } from '../elements.js';
import { ulp, type CheckedOperators } from '../operator.js';
import { caseOf, type DrawnCase } from '../webnn-case.js';
import { anyElement, drawElements, type Draw, type Elements } from './numbers.js';
import { drawShape, type Drawing } from './operands.js';
import { edgeList } from './unary.js';

const targets = ['float32', 'float16', 'int32', 'uint32', 'int64', 'uint64', 'int8', 'uint8'] as const;

function draw(drawing: Drawing): DrawnCase {
  const { random } = drawing;
  const target = drawing.named(targets);
  return caseOf({ input: drawing.operand(drawShape(random), elementsFor(drawing, target), random.chance(0.3)) }, target);
}

function elementsFor(elements: Elements, to: MLOperandDataType): Draw {
  const { random, dataType: from } = elements;
  if (!isFloatType(from) || random.chance(0.3)) return random.chance(0.3) ? drawElements(elements) : () => anyElement(elements);
  if (isFloatType(to)) {
    // A float16, a number halfway to the next float16, or one slightly beside the middle, where the direction of rounding changes.
    return () => {
      const exponent = random.int(-26, 16);
      const halves = random.int(2048, 4095) + random.pick([0, 0.5, 0.5 + 2 ** -11, 0.5 - 2 ** -11]);
      return roundTo(from, (random.chance(0.5) ? -1 : 1) * halves * 2 ** (exponent - 11));
    };
  }
  const { low, high } = limitsOf(to);
  return () => {
    const number = Number(random.chance(0.5) ? low : high) * random.fraction() * random.pick([1, 1, 2 ** -8, 2 ** -16, 1.5]);
    return roundTo(from, random.chance(0.3) ? Math.trunc(number) + 0.5 : number);
  };
}

export const casting = {
  cast: {
    layouts: targets.map((target) => `to ${target}`),
    draw,
    edges: (dataType) => targets.map((target) => edgeList(dataType, target)),
    tolerance: ulp(0),
  },
} satisfies Partial<CheckedOperators>;
