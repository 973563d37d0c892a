/** Cases of normalizations. */
import type { MLOperandDataType } from 'node-directml/webnn';
import type { Random } from '../../../random.js';
import { isFloatType, roundTo } from '../elements.js';
import * as formulas from '../formulas/normalization.js';
import { ulp, type CheckedOperators } from '../operator.js';
import type { Shape } from '../plain-tensor.js';
import { viewed, type ArgumentOptions, type CaseOperand, type WebnnCase } from '../webnn-case.js';
import { eighths, ordinaryElement, type Draw } from './numbers.js';
import { drawOperand, drawShape } from './operands.js';

type Normalization = 'batchNormalization' | 'instanceNormalization' | 'layerNormalization';

export const normalizations: CheckedOperators<Normalization> = {
  batchNormalization: {
    layouts: ['nchw', 'nhwc', 'any axis', 'views'],
    draw: drawBatch,
    formula: formulas.batchNormalization,
    tolerance: ulp(6),
  },
  instanceNormalization: {
    layouts: ['nchw', 'nhwc', 'nchw zero epsilon', 'nhwc zero epsilon'],
    draw: drawInstance,
    formula: formulas.instanceNormalization,
    tolerance: ulp(840, 8400),
  },
  layerNormalization: {
    layouts: ['default axes', 'axes', 'no axes', 'views'],
    draw: drawLayer,
    formula: formulas.layerNormalization,
    tolerance: ulp(14),
  },
};

/** Normalizing something by scale and bias of these shapes, which may be absent. */
interface Parts {
  readonly input: Shape;
  readonly parameters: Readonly<Partial<Record<'scale' | 'bias', Shape>>>;
  readonly hasViews: boolean;
}

function drawBatch(random: Random, dataType: MLOperandDataType, layout: string): WebnnCase {
  const isImage = layout.startsWith('n');
  const input = isImage ? imageShape(random) : drawShape(random, 1, 8, 128);
  const axis = layout === 'nchw' ? 1 : layout === 'nhwc' ? 3 : random.int(0, input.length - 1);
  const size = [input[axis] ?? 1];
  const hasViews = layout === 'views';
  const hasZeros = random.chance(0.4);
  // By a variance of 0, a large scale would overflow float16.
  const parameters = hasZeros ? { bias: size } : { scale: size, bias: size };
  const operands = drawParts(random, dataType, { input, parameters, hasViews }, drawTerms);
  const mean = drawOperand(random, dataType, size, drawTerms(random, dataType), hasViews);
  // The least that float16 has left of an epsilon counts, too.
  const positive = () => (hasZeros && random.chance(0.5) ? 0 : Math.abs(Number(ordinaryElement(random, dataType))) + 0.125);
  const variance = drawOperand(random, dataType, size, () => roundedTo(dataType, positive()), hasViews);
  const epsilon = epsilonOf(random, variance.data.includes(0) ? [1e-6, 1e-5, 1e-3] : [0, 1e-5, 1e-3, 0.1]);
  const options = { axis: axis === 1 && random.chance(0.5) ? undefined : axis, ...epsilon, ...references(operands) };
  const args = [{ operand: 'input' }, { operand: 'mean' }, { operand: 'variance' }, options];
  return { operator: 'batchNormalization', operands: { ...operands, mean, variance }, args };
}

function drawInstance(random: Random, dataType: MLOperandDataType, kind: string): WebnnCase {
  const [layout = '', ...rest] = kind.split(' ');
  const isZero = rest.length > 0;
  for (;;) {
    const input = imageShape(random);
    const size = [input[layout.indexOf('c')] ?? 1];
    const hasViews = random.chance(0.2);
    const parts = { input, parameters: { scale: size, bias: size }, hasViews };
    const operands = drawParts(random, dataType, parts, isZero ? drawTerms : drawInputs);
    const epsilon = isZero ? { epsilon: 0 } : epsilonOf(random, [1e-5, 1e-3, 0.5]);
    const options = { layout, ...epsilon, ...references(operands) };
    const test: WebnnCase = { operator: 'instanceNormalization', operands, args: [{ operand: 'input' }, options] };
    // Where all elements are equal, 0 / 0 depends on how their mean is rounded.
    if (!isZero || variesIn(operands['input'], layout)) return test;
  }
}

/** True if no channel of an image has equal elements only. */
function variesIn(input: CaseOperand | undefined, layout: string): boolean {
  if (input === undefined) return false;
  const options = { epsilon: 0, layout: layout === 'nhwc' ? 'nhwc' : 'nchw' } as const;
  return !formulas.instanceNormalization(viewed(input), options).data.some(Number.isNaN);
}

function drawLayer(random: Random, dataType: MLOperandDataType, layout: string): WebnnCase {
  const input = drawShape(random, 0, 8, 128);
  const usual = [...input.keys()].slice(1);
  const any = random.distinct(random.int(0, input.length), input.length);
  const axes = layout === 'no axes' ? [] : layout === 'default axes' ? usual : any;
  const size = axes.map((axis) => input[axis] ?? 1);
  const operands = drawParts(random, dataType, { input, parameters: { scale: size, bias: size }, hasViews: layout === 'views' });
  const options = {
    ...epsilonOf(random, [1e-5, 1e-3, 0.5]),
    ...(layout === 'default axes' ? {} : { axes }),
    ...references(operands),
  };
  return { operator: 'layerNormalization', operands, args: [{ operand: 'input' }, options] };
}

function drawParts(random: Random, dataType: MLOperandDataType, parts: Parts, elements = drawInputs) {
  const { input, parameters, hasViews } = parts;
  const operands: Record<string, CaseOperand> = {
    input: drawOperand(random, dataType, input, elements(random, dataType), hasViews),
  };
  for (const [name, shape] of Object.entries(parameters)) {
    if (random.chance(0.5)) operands[name] = drawOperand(random, dataType, shape, drawTerms(random, dataType), hasViews);
  }
  return operands;
}

/** One of the numbers, or the default. */
function epsilonOf(random: Random, values: readonly number[]): ArgumentOptions {
  return random.chance(0.25) ? {} : { epsilon: random.pick(values) };
}

/** The options that are operands. */
function references(operands: Readonly<Record<string, CaseOperand>>): ArgumentOptions {
  const names = ['scale', 'bias'].filter((name) => operands[name] !== undefined);
  return Object.fromEntries(names.map((operand) => [operand, { operand }]));
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
    return random.chance(share) ? random.pick([Infinity, -Infinity, NaN]) : roundedTo(dataType, Number(usual()) * factor);
  };
}

function imageShape(random: Random): Shape {
  return [random.int(1, 3), random.int(1, 4), random.int(1, 5), random.int(1, 5)];
}

function roundedTo(dataType: MLOperandDataType, value: number): number {
  return isFloatType(dataType) ? roundTo(dataType, value) : value;
}
