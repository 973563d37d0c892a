/** Cases of normalizations. */
import { castNumber } from '../elements.js';
import type { Random } from '../../harness/random.js';
import { viewed } from '../formulas/movement.js';
import { instanceNormalization } from '../formulas/normalization.js';
import { ulp, type CheckedOperators } from '../operator.js';
import type { Shape } from '../plain-tensor.js';
import { caseWithOptions, type ArgumentOptions, type CaseOperand, type DrawnCase, type Operands } from '../webnn-case.js';
import { eighths, ordinaryElement, type Draw, type Elements } from './numbers.js';
import { drawShape, withDefault, type Drawing } from './operands.js';

export const normalizations = {
  batchNormalization: { layouts: ['nchw', 'nhwc', 'any axis', 'views'], draw: drawBatch, tolerance: ulp(6) },
  instanceNormalization: {
    layouts: ['nchw', 'nhwc', 'nchw zero epsilon', 'nhwc zero epsilon'],
    draw: drawInstance,
    tolerance: ulp(840, 8400),
  },
  layerNormalization: { layouts: ['default axes', 'axes', 'no axes', 'views'], draw: drawLayer, tolerance: ulp(14) },
} satisfies Partial<CheckedOperators>;

function drawBatch(drawing: Drawing): DrawnCase {
  const { random, dataType, layout } = drawing;
  const shape = layout.startsWith('n') ? imageShape(random) : drawShape(random, 1, 8, 128);
  const axis = layout === 'nchw' ? 1 : layout === 'nhwc' ? 3 : random.int(0, shape.length - 1);
  const size = [shape[axis] ?? 1];
  const terms = (own: Shape) => drawing.operand(own, drawTerms(drawing));
  const hasZeros = random.chance(0.4);
  const input = terms(shape);
  // With a variance of 0, a large scale would overflow float16.
  const optional = someOf(random, hasZeros ? ['bias'] : ['scale', 'bias'], () => terms(size));
  const mean = terms(size);
  // A variance of 0 makes visible what is left of a small epsilon in float16.
  const positive = () => (hasZeros && random.chance(0.5) ? 0 : Math.abs(Number(ordinaryElement(drawing))) + 0.125);
  const variance = drawing.operand(size, () => castNumber(positive(), dataType));
  const epsilon = epsilonOf(random, variance.data.includes(0) ? [1e-6, 1e-5, 1e-3] : [0, 1e-5, 1e-3, 0.1]);
  return caseWithOptions({ input, mean, variance }, optional, { ...withDefault(random, 'axis', axis, 1), ...epsilon });
}

function drawInstance(drawing: Drawing): DrawnCase {
  const { random } = drawing;
  const layout = drawing.named(['nchw', 'nhwc']);
  const isZero = drawing.layout !== layout;
  for (;;) {
    const shape = imageShape(random);
    const size = [shape[layout.indexOf('c')] ?? 1];
    const hasViews = random.chance(0.2);
    const input = drawing.operand(shape, isZero ? drawTerms(drawing) : drawInputs(drawing), hasViews);
    const optional = someOf(random, ['scale', 'bias'], () => drawing.operand(size, drawTerms(drawing), hasViews));
    const epsilon = isZero ? { epsilon: 0 } : epsilonOf(random, [1e-5, 1e-3, 0.5]);
    // If all elements of a channel are equal, the result is near 0 / 0 and depends on the rounding of their mean.
    const hasEqual = () => instanceNormalization(viewed(input), { epsilon: 0, layout }).data.some(Number.isNaN);
    if (!isZero || !hasEqual()) return caseWithOptions({ input }, optional, { layout, ...epsilon });
  }
}

function drawLayer(drawing: Drawing): DrawnCase {
  const { random, layout } = drawing;
  const shape = drawShape(random, 0, 8, 128);
  const usual = [...shape.keys()].slice(1);
  const any = random.distinct(random.int(0, shape.length), shape.length);
  const axes = layout === 'no axes' ? [] : layout === 'default axes' ? usual : any;
  const size = axes.map((axis) => shape[axis] ?? 1);
  const input = drawing.operand(shape, drawInputs(drawing));
  const optional = someOf(random, ['scale', 'bias'], () => drawing.operand(size, drawTerms(drawing)));
  const options = { ...epsilonOf(random, [1e-5, 1e-3, 0.5]), ...(layout === 'default axes' ? {} : { axes }) };
  return caseWithOptions({ input }, optional, options);
}

/** Draws operands, each of which may be absent. */
function someOf(random: Random, names: readonly string[], draw: () => CaseOperand): Operands {
  return Object.fromEntries(names.flatMap((name) => (random.chance(0.5) ? [[name, draw()]] : [])));
}

/** One of the numbers, or the default. */
function epsilonOf(random: Random, values: readonly number[]): ArgumentOptions {
  return random.chance(0.25) ? {} : { epsilon: random.pick(values) };
}

function drawTerms(elements: Elements): Draw {
  return elements.random.chance(0.5) ? eighths(elements) : () => ordinaryElement(elements);
}

/** Some inputs are so large or small that float16 does not hold their squares; some are infinite or NaN. */
function drawInputs(elements: Elements): Draw {
  const { random, dataType } = elements;
  const factor = random.pick([1, 1, 1, dataType === 'float16' ? 2000 : 1e15, dataType === 'float16' ? 2 ** -12 : 1e-15]);
  const share = random.chance(0.1) ? 0.2 : 0;
  const usual = drawTerms(elements);
  return () => {
    return random.chance(share) ? random.pick([Infinity, -Infinity, NaN]) : castNumber(Number(usual()) * factor, dataType);
  };
}

function imageShape(random: Random): Shape {
  return [random.int(1, 3), random.int(1, 4), random.int(1, 5), random.int(1, 5)];
}
