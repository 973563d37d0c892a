/** Reductions, what is computed along an axis, and losses. */
import type { Random } from '../harness/random.js';
import type { Draw, Draws, OnnxCase } from './case.js';
import { eitherEnd, order, range, Sketch, sizes, type Type } from './sketch.js';
import { anySizes, drawTensor, isFloat, type Elements } from './values.js';

const opsets = range(7, 22);
const numeric: readonly Type[] = ['float32', 'float32', 'float32', 'float64', 'float16', 'int32', 'int64'];
const compared: readonly Type[] = [...numeric, 'int8', 'uint8'];

interface Reduction extends Elements {
  readonly types?: readonly Type[];
  readonly integers?: Elements;
  /** From this opset on, the axes are an input. */
  readonly asInput?: number;
}

/** `axes` lists some of them, or none. */
function reduction(operator: string, { asInput = 18, ...options }: Reduction = {}): Draw {
  return (random) => {
    const sketch = new Sketch(random, opsets);
    // Without sizes of 0, for which onnxruntime's results have wrong sizes.
    const dims = sizes(random, random.int(0, 5), 4);
    const rank = dims.length;
    const type = random.pick([
      ...(options.types ?? numeric),
      ...(sketch.opset >= 20 && options.types === compared ? (['bool'] as const) : []),
    ]);
    const axes = order(random, rank)
      .slice(0, random.int(0, rank))
      .map((axis) => eitherEnd(random, axis, rank));
    drawTensor(sketch, type, dims, isFloat(type) ? options : (options.integers ?? { low: -99, high: 99 }));
    sketch.maybe('keepdims', () => random.int(0, 1));
    const isGiven = random.chance(0.8);
    if (sketch.opset >= asInput) {
      sketch.maybe('noop_with_empty_axes', () => random.int(0, 1));
      if (isGiven) sketch.list('int64', axes);
    } else if (isGiven && axes.length > 0) sketch.attribute('axes', axes);
    return sketch.finish(operator, 1, type === 'float32' ? 1e-4 : undefined);
  };
}

/** The places of extremes, with ties. */
function argument(operator: string): Draw {
  return (random) => {
    const sketch = new Sketch(random, opsets);
    const type = random.pick(compared);
    const dims = sizes(random, random.int(1, 5), 4);
    const few = random.chance(0.5) ? { low: 0, high: 3 } : {};
    drawTensor(sketch, type, dims, { ...few, special: [Infinity, -Infinity] });
    sketch.maybe('axis', () => eitherEnd(random, random.int(0, dims.length - 1), dims.length));
    sketch.maybe('keepdims', () => random.int(0, 1));
    if (sketch.opset >= 12) sketch.maybe('select_last_index', () => random.int(0, 1));
    return sketch.finish(operator);
  };
}

function cumulative(operator: 'CumSum' | 'CumProd'): Draw {
  return (random) => {
    const sketch = new Sketch(random, operator === 'CumSum' ? range(11, 22) : [26]);
    const type = random.pick(numeric);
    const dims = anySizes(random, 1);
    drawTensor(sketch, type, dims, isFloat(type) ? { low: 0.1 } : { low: -99, high: 99 });
    sketch.tensor(random.pick(['int32', 'int64']), [], [eitherEnd(random, random.int(0, dims.length - 1), dims.length)], 0.7);
    sketch.maybe('exclusive', () => random.int(0, 1));
    sketch.maybe('reverse', () => random.int(0, 1));
    return sketch.finish(operator);
  };
}

/** Of equal elements, those at lower places are first. The order of results that are not sorted is not defined. */
function topK(random: Random): OnnxCase {
  const sketch = new Sketch(random, opsets);
  const { opset } = sketch;
  const type = opset < 11 ? random.pick(['float32', 'float64'] as const) : random.pick(numeric);
  const dims = sizes(random, random.int(1, 4));
  const axis = random.int(0, dims.length - 1);
  const k = random.int(opset < 10 ? 1 : 0, dims[axis] ?? 1);
  drawTensor(sketch, type, dims, random.chance(0.4) ? { low: 0, high: 3 } : {});
  if (opset < 10) sketch.attribute('k', k);
  else sketch.list('int64', [k]);
  if (axis < dims.length - 1 || random.chance(0.5)) sketch.attribute('axis', eitherEnd(random, axis, dims.length));
  if (opset >= 11) {
    sketch.maybe('largest', () => random.int(0, 1));
    sketch.maybe('sorted', () => 1);
  }
  return sketch.finish('TopK', 2);
}

/** Classes of elements, with weights, of which one is ignored sometimes. */
function loss(operator: string): Draw {
  return (random) => {
    const sketch = new Sketch(random, range(12, 22));
    const isLogarithm = operator === 'NegativeLogLikelihoodLoss';
    const type = 'float32';
    const [batch, classes, ...space] = [random.int(1, 4), random.int(2, 5), ...sizes(random, random.int(0, 3), 4)];
    const dims = [batch, ...space];
    const ignored = random.chance(0.5) ? random.pick([-1, 0, 1, 255]) : undefined;
    drawTensor(sketch, type, [batch, classes, ...space], isLogarithm ? { low: -5, high: -0.1 } : {});
    const isIgnored = () => ignored !== undefined && random.chance(0.2);
    const targets = Array.from({ length: dims.reduce((a, b) => a * b, 1) }, (_, i) =>
      // A mean of nothing is not defined.
      i > 0 && isIgnored() ? (ignored ?? 0) : otherThan(random, ignored, classes - 1),
    );
    sketch.tensor(random.pick(['int32', 'int64']), dims, targets);
    if (random.chance(0.5)) drawTensor(sketch, type, [classes], { low: 0.1, high: 2 });
    sketch.attribute('ignore_index', ignored);
    sketch.maybe('reduction', () => random.pick(['mean', 'sum', 'none']));
    return sketch.finish(operator, isLogarithm ? 1 : random.int(1, 2), 1e-4);
  };
}

function otherThan(random: Random, other: number | undefined, most: number): number {
  const number = random.int(0, most);
  return number === other ? (number + 1) % (most + 1) : number;
}

const positive = { low: 0.1, integers: { low: 1, high: 99 } };

export const reductionDraws: Draws = {
  ReduceL1: reduction('ReduceL1'),
  ReduceL2: reduction('ReduceL2'),
  ReduceLogSum: reduction('ReduceLogSum', positive),
  // onnxruntime drops the fraction of each exponential of integers.
  ReduceLogSumExp: reduction('ReduceLogSumExp', { types: numeric.filter(isFloat), low: -1 }),
  ReduceMax: reduction('ReduceMax', { types: compared, special: [Infinity, -Infinity], integers: {} }),
  ReduceMin: reduction('ReduceMin', { types: compared, special: [Infinity, -Infinity], integers: {} }),
  ReduceMean: reduction('ReduceMean', { low: -1 }),
  ReduceProd: reduction('ReduceProd', { low: 0.6, high: 1.4, integers: { low: -1, high: 1 } }),
  ReduceSum: reduction('ReduceSum', { low: -1, asInput: 13 }),
  ReduceSumSquare: reduction('ReduceSumSquare'),
  ArgMax: argument('ArgMax'),
  ArgMin: argument('ArgMin'),
  CumSum: cumulative('CumSum'),
  CumProd: cumulative('CumProd'),
  TopK: topK,
  NegativeLogLikelihoodLoss: loss('NegativeLogLikelihoodLoss'),
  SoftmaxCrossEntropyLoss: loss('SoftmaxCrossEntropyLoss'),
};
