/** Cases of normalizations. */
import type { MLOperandDataType } from 'node-directml/webnn';
import type { Random } from '../../../random.js';
import { castNumber } from '../formulas/casting.js';
import { instanceNormalization } from '../formulas/normalization.js';
import { ulp, type CheckedOperators } from '../operator.js';
import type { Shape } from '../plain-tensor.js';
import { optionalOperands, type ArgumentOptions, type CaseOperand, type DrawnCase } from '../webnn-case.js';
import { viewed } from '../viewed.js';
import { eighths, ordinaryElement, type Draw } from './numbers.js';
import { drawOperand, drawShape } from './operands.js';

export const normalizations = {
  batchNormalization: { layouts: ['nchw', 'nhwc', 'any axis', 'views'], draw: drawBatch, tolerance: ulp(6) },
  instanceNormalization: {
    layouts: ['nchw', 'nhwc', 'nchw zero epsilon', 'nhwc zero epsilon'],
    draw: drawInstance,
    tolerance: ulp(840, 8400),
  },
  layerNormalization: { layouts: ['default axes', 'axes', 'no axes', 'views'], draw: drawLayer, tolerance: ulp(14) },
} satisfies Partial<CheckedOperators>;

function drawBatch(random: Random, dataType: MLOperandDataType, layout: string): DrawnCase {
  const isImage = layout.startsWith('n');
  const input = isImage ? imageShape(random) : drawShape(random, 1, 8, 128);
  const axis = layout === 'nchw' ? 1 : layout === 'nhwc' ? 3 : random.int(0, input.length - 1);
  const size = [input[axis] ?? 1];
  const hasViews = layout === 'views';
  const draw = (shape: Shape) => drawOperand(random, dataType, shape, drawTerms(random, dataType), hasViews);
  const hasZeros = random.chance(0.4);
  // By a variance of 0, a large scale would overflow float16.
  const operands = { input: draw(input), ...someOf(random, hasZeros ? ['bias'] : ['scale', 'bias'], () => draw(size)) };
  const mean = draw(size);
  // The least that float16 has left of an epsilon counts, too.
  const positive = () => (hasZeros && random.chance(0.5) ? 0 : Math.abs(Number(ordinaryElement(random, dataType))) + 0.125);
  const variance = drawOperand(random, dataType, size, () => castNumber(positive(), dataType), hasViews);
  const epsilon = epsilonOf(random, variance.data.includes(0) ? [1e-6, 1e-5, 1e-3] : [0, 1e-5, 1e-3, 0.1]);
  const options = {
    axis: axis === 1 && random.chance(0.5) ? undefined : axis,
    ...epsilon,
    ...optionalOperands(operands, 'scale', 'bias'),
  };
  const args = [{ operand: 'input' }, { operand: 'mean' }, { operand: 'variance' }, options];
  return { operands: { ...operands, mean, variance }, args };
}

function drawInstance(random: Random, dataType: MLOperandDataType, kind: string): DrawnCase {
  const [layout = '', ...rest] = kind.split(' ');
  const isZero = rest.length > 0;
  for (;;) {
    const input = imageShape(random);
    const size = [input[layout.indexOf('c')] ?? 1];
    const hasViews = random.chance(0.2);
    const draw = (shape: Shape, elements = drawTerms) => {
      return drawOperand(random, dataType, shape, elements(random, dataType), hasViews);
    };
    const first = draw(input, isZero ? drawTerms : drawInputs);
    const operands = { input: first, ...someOf(random, ['scale', 'bias'], () => draw(size)) };
    const epsilon = isZero ? { epsilon: 0 } : epsilonOf(random, [1e-5, 1e-3, 0.5]);
    const options = { layout, ...epsilon, ...optionalOperands(operands, 'scale', 'bias') };
    // Where all elements are equal, 0 / 0 depends on how their mean is rounded.
    if (!isZero || variesIn(first, layout)) return { operands, args: [{ operand: 'input' }, options] };
  }
}

/** True if no channel of an image has equal elements only. */
function variesIn(input: CaseOperand, layout: string): boolean {
  const options = { epsilon: 0, layout: layout === 'nhwc' ? 'nhwc' : 'nchw' } as const;
  return !instanceNormalization(viewed(input), options).data.some(Number.isNaN);
}

function drawLayer(random: Random, dataType: MLOperandDataType, layout: string): DrawnCase {
  const input = drawShape(random, 0, 8, 128);
  const usual = [...input.keys()].slice(1);
  const any = random.distinct(random.int(0, input.length), input.length);
  const axes = layout === 'no axes' ? [] : layout === 'default axes' ? usual : any;
  const size = axes.map((axis) => input[axis] ?? 1);
  const draw = (shape: Shape, elements = drawTerms) => {
    return drawOperand(random, dataType, shape, elements(random, dataType), layout === 'views');
  };
  const operands = { input: draw(input, drawInputs), ...someOf(random, ['scale', 'bias'], () => draw(size)) };
  const options = {
    ...epsilonOf(random, [1e-5, 1e-3, 0.5]),
    ...(layout === 'default axes' ? {} : { axes }),
    ...optionalOperands(operands, 'scale', 'bias'),
  };
  return { operands, args: [{ operand: 'input' }, options] };
}

/** Operands which may be absent. */
function someOf(random: Random, names: readonly string[], draw: () => CaseOperand): Readonly<Record<string, CaseOperand>> {
  return Object.fromEntries(names.flatMap((name) => (random.chance(0.5) ? [[name, draw()]] : [])));
}

/** One of the numbers, or the default. */
function epsilonOf(random: Random, values: readonly number[]): ArgumentOptions {
  return random.chance(0.25) ? {} : { epsilon: random.pick(values) };
}

function drawTerms(random: Random, dataType: MLOperandDataType): Draw {
  return random.chance(0.5) ? eighths(random) : () => ordinaryElement(random, dataType);
}

/** Among the inputs are large and small ones, whose squares float16 does not hold, and infinities. */
function drawInputs(random: Random, dataType: MLOperandDataType): Draw {
  const factor = random.pick([1, 1, 1, dataType === 'float16' ? 2000 : 1e15, dataType === 'float16' ? 2 ** -12 : 1e-15]);
  const share = random.chance(0.1) ? 0.2 : 0;
  const usual = drawTerms(random, dataType);
  return () => {
    return random.chance(share) ? random.pick([Infinity, -Infinity, NaN]) : castNumber(Number(usual()) * factor, dataType);
  };
}

function imageShape(random: Random): Shape {
  return [random.int(1, 3), random.int(1, 4), random.int(1, 5), random.int(1, 5)];
}
