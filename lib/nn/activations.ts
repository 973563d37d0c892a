/** Functions of each element, and softmax along an axis, by PyTorch's names. */
import { axisOf } from '../array/axes.js';
import { define } from '../array/define.js';
import { finiteOption, floatOf } from '../array/values.js';
import {
  activationElu,
  activationGelu,
  activationHardSwish,
  activationLeakyRelu,
  activationLogSoftmax1,
  activationRelu,
  activationSigmoid,
  activationSoftmax1,
  activationSoftplus,
  activationSwish,
  activationTanh,
  elementWiseMultiply,
} from '../functions/index.js';
import type { Input, Output, TypeOf } from '../functions/types.js';
import type { Value } from '../graph/value.js';
import { argumentError, readOptions } from '../values/arguments.js';
import { pow } from '../array/compound-elements.js';
import { add, multiply } from '../array/elements.js';
import { softmaxAlong } from './softmax-along.js';

type Float = Value<'float32'>;
type Activation<Rest extends readonly unknown[] = []> = <A extends Input>(x: A, ...rest: Rest) => Output<[A], TypeOf<A>>;

const activation = (name: string, operator: (x: Float) => Value) =>
  define(name, (x: unknown) => operator(floatOf(name, x) as Float)) as Activation;

/** `max(x, 0)`. */
export const relu = activation('relu', (x) => activationRelu(x));
/** `1 / (1 + exp(-x))`. */
export const sigmoid = activation('sigmoid', (x) => activationSigmoid(x));
/** The hyperbolic tangent. */
export const tanh = activation('tanh', (x) => activationTanh(x));
/** `x · sigmoid(x)`. */
export const silu = activation('silu', (x) => activationSwish(x));
/** `x · min(max(x + 3, 0), 6) / 6`. */
export const hardswish = activation('hardswish', (x) => activationHardSwish(x));
/** `log(1 + exp(x))`. */
export const softplus = activation('softplus', (x) => activationSoftplus(x));

/** With a slope for negative numbers, by default 0.01. */
export const leakyRelu = define('leakyRelu', (x: unknown, options: unknown) => {
  const alpha = numberIn('leakyRelu', options, 'negativeSlope', 0.01);
  return activationLeakyRelu(floatOf('leakyRelu', x) as Float, { alpha });
}) as Activation<[options?: { readonly negativeSlope?: number | undefined }]>;

/** `alpha · (exp(x) - 1)` for negative numbers. Default: 1. */
export const elu = define('elu', (x: unknown, options: unknown) => {
  const alpha = numberIn('elu', options, 'alpha', 1);
  return activationElu(floatOf('elu', x) as Float, { alpha });
}) as Activation<[options?: { readonly alpha?: number | undefined }]>;

/** `x` times the normal distribution's probability of less than x; `approximate: 'tanh'` is faster and near to it. */
export const gelu = define('gelu', (x: unknown, options: unknown) => {
  const approximate = readOptions('gelu', options, ['approximate']).get('approximate') ?? 'none';
  const value = floatOf('gelu', x) as Float;
  if (approximate === 'none') return activationGelu(value);
  if (approximate !== 'tanh') throw argumentError('gelu', 'approximate', "'none' or 'tanh'", approximate);
  const inner = multiply(add(value, multiply(pow(value, 3), 0.044715)), Math.sqrt(2 / Math.PI));
  return multiply(elementWiseMultiply(value, 0.5), add(activationTanh(inner), 1));
}) as Activation<[options?: { readonly approximate?: 'none' | 'tanh' | undefined }]>;

const alongAxis = (name: string, operator: typeof activationSoftmax1) =>
  define(name, (x: unknown, options: unknown) => {
    const value = floatOf(name, x);
    const axis = axisOf(name, readOptions(name, options, ['axis']).get('axis') ?? -1, value.sizes.length);
    return softmaxAlong(operator, value, axis);
  }) as Activation<[options?: { readonly axis?: number | undefined }]>;
/** `exp(x)`, divided by its sum along an axis: by default the last one. */
export const softmax = alongAxis('softmax', activationSoftmax1);
/** The logarithm of `softmax`. */
export const logSoftmax = alongAxis('logSoftmax', activationLogSoftmax1);

/** The only option of a function, a number. */
function numberIn(method: string, options: unknown, name: string, otherwise: number): number {
  return finiteOption(method, name, readOptions(method, options, [name]).get(name) ?? otherwise);
}
