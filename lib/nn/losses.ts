/** Losses in float32, by PyTorch's rules. Each is the mean of its elements, unless the option `reduction` says otherwise. */
import { define } from '../array/define.js';
import { abs, add, less, log, multiply, negative, square, subtract, where } from '../array/elements.js';
import { mean, sum } from '../array/reductions.js';
import { arrayOf, as, floatOf, packed, wideFloat } from '../array/values.js';
import { graphOfTree } from '../api/graphs/on-tensors.js';
import { activationLogSoftmax1, activationSoftplus, elementWiseClip, elementWiseDivide, oneHot } from '../functions/index.js';
import type { Input, InputOrNumber, Output } from '../functions/types.js';
import type { Value } from '../graph/value.js';
import { isFloat } from '../tensors/data-types.js';
import { argumentError, booleanOption, readOptions } from '../values/arguments.js';
import { fieldError, list } from '../values/errors.js';

type Float = Value<'float32'>;

/** What becomes of the elements of a loss. */
export interface LossOptions {
  /** `'mean'`, `'sum'`, or `'none'` for all elements. Default: mean. */
  readonly reduction?: 'mean' | 'sum' | 'none' | undefined;
}
type Loss<Options = unknown> = <A extends Input, B extends InputOrNumber>(
  x: A,
  target: B,
  options?: LossOptions & Options,
) => Output<[A, B], 'float32'>;

/** The squares of differences. */
export const mse = define('mse', (x: unknown, target: unknown, options: unknown) => {
  return reduced('mse', square(distance('mse', x, target)), readOptions('mse', options, ['reduction']).get('reduction'));
}) as Loss;

/** Half the squares of differences up to `delta`, by default 1; beyond it, they go on in a straight line. */
export const huber = define('huber', (x: unknown, target: unknown, options: unknown) => {
  const read = readOptions('huber', options, ['reduction', 'delta']);
  const delta = read.get('delta') ?? 1;
  if (typeof delta !== 'number' || !(delta > 0)) throw argumentError('huber', 'delta', 'a number above 0', delta);
  const far = distance('huber', x, target);
  const size = abs(far);
  const straight = multiply(subtract(size, delta / 2), delta);
  const loss = where(less(size, delta), multiply(square(far), 0.5), straight);
  return reduced('huber', loss, read.get('reduction'));
}) as Loss<{ readonly delta?: number | undefined }>;

/**
 * `-(target · log(x) + (1 - target) · log(1 - x))`, with logarithms of at least -100. With `fromLogits`, x is the logit of a
 * probability.
 */
export const binaryCrossEntropy = define('binaryCrossEntropy', (x: unknown, target: unknown, options: unknown) => {
  const method = 'binaryCrossEntropy';
  const read = readOptions(method, options, ['reduction', 'fromLogits']);
  const [value, wanted] = [singleOf(method, x), singleOf(method, target, 'target')];
  sameSizes(method, value, wanted);
  if (booleanOption(method, 'fromLogits', read.get('fromLogits') ?? false)) {
    return reduced(method, subtract(activationSoftplus(value), multiply(value, wanted)), read.get('reduction'));
  }
  const [one, other] = [value, subtract(1, value)].map((each) => elementWiseClip(log(each), { min: -100, max: 0 })) as [
    Float,
    Float,
  ];
  const likely = add(multiply(wanted, one), multiply(subtract(1, wanted), other));
  return reduced(method, negative(likely), read.get('reduction'));
}) as Loss<{ readonly fromLogits?: boolean | undefined }>;

/**
 * The logarithm of the probability that `softmax` gives to the right class, times -1. The classes are dimension 1 of x. The target
 * has their numbers, in the sizes of x without that dimension, or probabilities in the sizes of x. A number that is no class, such
 * as -100, counts as no element.
 */
export const crossEntropy = define('crossEntropy', (x: unknown, target: unknown, options: unknown) => {
  const method = 'crossEntropy';
  const read = readOptions(method, options, ['reduction', 'labelSmoothing']);
  const smoothing = read.get('labelSmoothing') ?? 0;
  if (typeof smoothing !== 'number' || !(smoothing >= 0 && smoothing <= 1)) {
    throw argumentError(method, 'labelSmoothing', 'a number from 0 to 1', smoothing);
  }
  const value = packed(singleOf(method, x)) as Float;
  const classes = value.sizes[1] ?? 1;
  const given = arrayOf(method, target, 'target');
  const isProbable = isFloat(given.dataType);
  const probabilities = isProbable ? given : ofClasses(method, value, given);
  sameSizes(method, value, probabilities);
  // How many classes an element has: one, or none.
  const right = isProbable ? null : (sum(probabilities, { axis: 1, keepDims: true }) as Float);
  const part = smoothing / classes;
  const smooth =
    smoothing === 0 ? probabilities : add(multiply(probabilities, 1 - smoothing), right === null ? part : multiply(right, part));
  const logs = activationLogSoftmax1(value, { axes: [1] });
  const loss = negative(sum(multiply(smooth, logs), { axis: 1 }));
  const reduction = read.get('reduction');
  // As PyTorch does: the mean of the elements that have a class.
  if (right === null || (reduction ?? 'mean') !== 'mean') return reduced(method, loss, reduction);
  return elementWiseDivide(sum(loss) as Float, sum(right));
}) as Loss<{
  /** The part of the probability that is given to all classes alike. Default: 0. */
  readonly labelSmoothing?: number | undefined;
}>;

/** 1 for the class of a number, else 0. */
function ofClasses(method: string, x: Float, target: Value): Value {
  const expected = x.sizes.toSpliced(1, 1);
  if (x.sizes.length < 2 || list(expected) !== list(target.sizes)) {
    throw fieldError('ERR_SIZES', { operator: method, field: 'target.sizes' }, list(expected), list(target.sizes));
  }
  const graph = graphOfTree([x]);
  if (graph === null) throw new TypeError('a value belongs to a graph');
  const ones = x.sizes.map(() => 1);
  const values = graph.constant({ dataType: 'float32', sizes: ones.with(-1, 2) }, [0, 1]);
  const indices = packed(as(target, 'int32')).reshape(x.sizes.with(1, 1)) as Value<'int32'>;
  return oneHot(indices, values, { axis: 1, outputTensor: { sizes: x.sizes } });
}

/** Numbers of any data type as float32. */
function singleOf(method: string, x: unknown, name = 'x'): Float {
  return wideFloat(floatOf(method, x, name));
}

function distance(method: string, x: unknown, target: unknown): Value {
  const value = singleOf(method, x);
  if (typeof target === 'number') return subtract(value, target);
  const wanted = singleOf(method, target, 'target');
  sameSizes(method, value, wanted);
  return subtract(value, wanted);
}

/** A loss that is repeated by mistake, `[8, 1]` against `[8]`, trains to the mean. */
function sameSizes(method: string, x: Value, target: Value): void {
  if (list(x.sizes) === list(target.sizes)) return;
  throw fieldError('ERR_SIZES', { operator: method, field: 'target.sizes' }, `${list(x.sizes)}, as x has`, list(target.sizes));
}

function reduced(method: string, loss: Value, reduction: unknown = 'mean'): Value {
  if (reduction === 'none') return loss;
  if (reduction === 'mean') return mean(loss);
  if (reduction === 'sum') return sum(loss);
  throw argumentError(method, 'reduction', "'mean', 'sum' or 'none'", reduction);
}
