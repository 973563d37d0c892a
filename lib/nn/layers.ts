/** Linear layers, convolutions, pooling, tables and dropout, by PyTorch's names and rules. */
import { define } from '../array/define.js';
import { add, multiply, where } from '../array/elements.js';
import { matmul } from '../array/linear-algebra.js';
import { bernoulli } from '../array/random.js';
import { matrixTranspose } from '../array/shape.js';
import { arrayOf, floatOf, packed } from '../array/values.js';
import { averagePooling, convolution, gather, maxPooling, maxPooling2 } from '../functions/index.js';
import type { Input, Output, TypeOf } from '../functions/types.js';
import type { Value } from '../graph/value.js';
import { productOf } from '../tensors/tensor-size.js';
import { argumentError, booleanOption, byteCount, readOptions } from '../values/arguments.js';
import { fieldError, list } from '../values/errors.js';
import { weightsOf } from './weights.js';

type Float = Value<'float32'>;
type Sizes = readonly number[];

/** The weights of a layer that multiplies and adds. */
export interface AffineWeights {
  readonly weight: Input;
  readonly bias?: Input | null | undefined;
}

/** A layer's result: a value if its input or its weights are. */
export type Layered<A extends Input, W> = Output<[A, Extract<W[keyof W], Input>], TypeOf<A>>;
export type Layer<Weights, Options = undefined> = <A extends Input, W extends Weights>(
  x: A,
  weights: W,
  ...options: Options extends undefined ? [] : [options?: Options]
) => Layered<A, W>;

/** The product of the last dimension and the transposed weight, `[outputs, inputs]`, and the bias added to it. */
export const linear = define('linear', (x: unknown, weights: unknown) => {
  const { weight, bias } = weightsOf('linear', weights, ['weight'], ['bias']);
  const value = floatOf('linear', x) as Float;
  const [inputs = 1, own = []] = [value.sizes.at(-1), weight?.sizes];
  if (own.length < 2 || own.at(-1) !== inputs) {
    const place = { operator: 'linear', field: 'weights.weight.sizes' };
    throw fieldError('ERR_SIZES', place, `[outputs, ${inputs}], as x has ${inputs} inputs`, list(own));
  }
  const product = matmul(value, matrixTranspose(weight as Float));
  return bias === undefined ? product : add(product, bias);
}) as Layer<AffineWeights>;

/** The rows of a table: the weight has sizes `[rows, elements]`. */
export const embedding = define('embedding', (indices: unknown, weights: unknown) => {
  const { weight } = weightsOf('embedding', weights, ['weight']);
  const at = arrayOf('embedding', indices, 'indices');
  if (weight?.sizes.length !== 2) {
    throw fieldError(
      'ERR_DIMENSION_COUNT',
      { operator: 'embedding', field: 'weights.weight' },
      '2',
      `${weight?.sizes.length ?? 0}`,
    );
  }
  const flat = packed(at).reshape([1, productOf(at.sizes)]) as Value<'uint32'>;
  return gather(weight, flat, { axis: 0, indexDimensions: 1 }).reshape([...at.sizes, weight.sizes[1] ?? 1]);
}) as <A extends Input, W extends Input>(indices: A, weights: { readonly weight: W }) => Output<[A, W], TypeOf<W>>;

/** Each element becomes 0 with the probability `p`, by default 0.5; the others are divided by `1 - p`. For training only. */
export const dropout = define('dropout', (x: unknown, key: unknown, options: unknown) => {
  const p = readOptions('dropout', options, ['p']).get('p') ?? 0.5;
  if (typeof p !== 'number' || !(p >= 0 && p < 1)) throw argumentError('dropout', 'p', 'a number from 0 to below 1', p);
  const value = floatOf('dropout', x) as Float;
  return where(bernoulli(key as Value<'uint32'>, value.sizes, { p: 1 - p }), multiply(value, 1 / (1 - p)), 0);
}) as <A extends Input, K extends Input<'uint32'>>(
  x: A,
  key: K,
  options?: { readonly p?: number | undefined },
) => Output<[A, K], TypeOf<A>>;

/** Options of convolutions; numbers are those of all dimensions. */
export interface ConvOptions {
  /** Default: 1. */
  readonly stride?: number | Sizes | undefined;
  /** Zeros on both sides; `'same'` so that sizes stay, with strides of 1. Default: 0. */
  readonly padding?: number | Sizes | 'same' | 'valid' | undefined;
  /** Default: 1. */
  readonly dilation?: number | Sizes | undefined;
  /** Default: 1. */
  readonly groups?: number | undefined;
}

/** A convolution of signals, images or volumes `[batch, channels, ...]`, with weights `[outputs, channels / groups, ...]`. */
export const conv = define('conv', (x: unknown, weights: unknown, options: unknown) => {
  const { value, weight, bias, count, read } = convolved('conv', x, weights, options, []);
  const dilations = each('conv', 'dilation', read.get('dilation') ?? 1, count, 1);
  const strides = each('conv', 'stride', read.get('stride') ?? 1, count, 1);
  const padding = read.get('padding') ?? 0;
  const span = dilations.map((dilation, i) => dilation * ((weight.sizes[2 + i] ?? 1) - 1));
  if (padding === 'same' && strides.some((stride) => stride !== 1)) {
    throw argumentError('conv', 'stride', "1 with the padding 'same'", read.get('stride'));
  }
  const isNamed = padding === 'same' || padding === 'valid';
  const own = isNamed
    ? span.map((total) => (padding === 'same' ? Math.floor(total / 2) : 0))
    : each('conv', 'padding', padding, count, 0);
  return convolution(value, weight, {
    biasTensor: bias?.reshape([1, bias.sizes[0] ?? 1, ...strides.map(() => 1)]),
    strides,
    dilations,
    startPadding: own,
    endPadding: padding === 'same' ? span.map((total) => Math.ceil(total / 2)) : own,
    groupCount: byteCount('conv', 'groups', read.get('groups') ?? 1, 1),
  });
}) as Layer<AffineWeights, ConvOptions>;

/** Options of transposed convolutions. */
export interface ConvTransposeOptions extends Omit<ConvOptions, 'padding'> {
  /** How much is cut off on both sides. Default: 0. */
  readonly padding?: number | Sizes | undefined;
  /** How many elements more the result has at the end. Default: 0. */
  readonly outputPadding?: number | Sizes | undefined;
}

/** A transposed convolution. The weight has sizes `[channels, outputs / groups, ...]`. */
export const convTranspose = define('convTranspose', (x: unknown, weights: unknown, options: unknown) => {
  const { value, weight, bias, count, read } = convolved('convTranspose', x, weights, options, ['outputPadding']);
  const sizesOf = (name: string, otherwise: number, least: number) =>
    each('convTranspose', name, read.get(name) ?? otherwise, count, least);
  const padding = sizesOf('padding', 0, 0);
  const more = sizesOf('outputPadding', 0, 0);
  const strides = sizesOf('stride', 1, 1);
  // DirectML fills its output padding with zeros, while here it is what the padding would cut off.
  const result = convolution(value, weight, {
    direction: 'backward',
    strides,
    dilations: sizesOf('dilation', 1, 1),
    startPadding: padding,
    endPadding: padding.map((size, i) => Math.max(0, size - (more[i] ?? 0))),
    outputPadding: padding.map((size, i) => Math.max(0, (more[i] ?? 0) - size)),
    groupCount: byteCount('convTranspose', 'groups', read.get('groups') ?? 1, 1),
  });
  return bias === undefined ? result : add(result, bias.reshape([1, bias.sizes[0] ?? 1, ...strides.map(() => 1)]));
}) as Layer<AffineWeights, ConvTransposeOptions>;

function convolved(method: string, x: unknown, weights: unknown, options: unknown, more: readonly string[]) {
  const { weight, bias } = weightsOf(method, weights, ['weight'], ['bias']);
  const value = spatial(method, x);
  const count = value.sizes.length - 2;
  if (weight?.sizes.length !== value.sizes.length) {
    const place = { operator: method, field: 'weights.weight.sizes' };
    throw fieldError('ERR_DIMENSION_COUNT', place, `${value.sizes.length}, as x has`, list(weight?.sizes ?? []));
  }
  const read = readOptions<string>(method, options, ['stride', 'padding', 'dilation', 'groups', ...more]);
  return { value, weight: packed(weight) as Float, bias: bias && (packed(bias) as Float), count, read };
}

/** Options of pooling; numbers are those of all dimensions. */
export interface PoolOptions {
  /** Default: the size of the window. */
  readonly stride?: number | Sizes | undefined;
  /** Default: 0. */
  readonly padding?: number | Sizes | undefined;
}

/** The largest element of each window of signals, images or volumes. Elements of the padding are never the largest. */
export const maxPool = define('maxPool', (x: unknown, size: unknown, options: unknown) => {
  const { value, window, read, restored } = pooled('maxPool', x, size, options, ['dilation']);
  const count = window.windowSize.length;
  const dilations = each('maxPool', 'dilation', read.get('dilation') ?? 1, value.isSignal ? 1 : count, 1);
  if (dilations.every((dilation) => dilation === 1)) return restored(maxPooling(value.of, window));
  return restored(maxPooling2(value.of, { ...window, dilations: value.isSignal ? [1, ...dilations] : dilations }).outputTensor);
}) as <A extends Input>(
  x: A,
  size: number | Sizes,
  options?: PoolOptions & { readonly dilation?: number | Sizes | undefined },
) => Output<[A], TypeOf<A>>;

/** The mean of each window. */
export const avgPool = define('avgPool', (x: unknown, size: unknown, options: unknown) => {
  const { value, window, read, restored } = pooled('avgPool', x, size, options, ['countIncludePad']);
  const includePadding = booleanOption('avgPool', 'countIncludePad', read.get('countIncludePad') ?? true);
  return restored(averagePooling(value.of, { ...window, includePadding }));
}) as <A extends Input>(
  x: A,
  size: number | Sizes,
  options?: PoolOptions & {
    /** Whether the zeros of the padding count. Default: true. */
    readonly countIncludePad?: boolean | undefined;
  },
) => Output<[A], TypeOf<A>>;

/** Signals are images of one row, because DirectML pools no others. */
function pooled(method: string, x: unknown, size: unknown, options: unknown, more: readonly string[]) {
  const value = spatial(method, x);
  const count = value.sizes.length - 2;
  const read = readOptions<string>(method, options, ['stride', 'padding', ...more]);
  const isSignal = count === 1;
  const both = (sizes: Sizes, first: number) => (isSignal ? [first, ...sizes] : sizes);
  const own = each(method, 'size', size, count, 1);
  const padding = both(each(method, 'padding', read.get('padding') ?? 0, count, 0), 0);
  const window = {
    windowSize: both(own, 1),
    strides: both(each(method, 'stride', read.get('stride') ?? own, count, 1), 1),
    startPadding: padding,
    endPadding: padding,
  };
  const of = isSignal ? value.reshape(value.sizes.toSpliced(2, 0, 1)) : value;
  const restored = (result: Value): Value => (isSignal ? result.reshape(result.sizes.toSpliced(2, 1)) : result);
  return { value: { of, isSignal }, window, read, restored };
}

/** `[batch, channels, ...sizes]` with 1 to 3 sizes. */
function spatial(method: string, x: unknown): Float {
  const value = packed(floatOf(method, x)) as Float;
  if (value.sizes.length >= 3 && value.sizes.length <= 5) return value;
  const expected = 'batch, channels and 1 to 3 dimensions';
  throw fieldError('ERR_DIMENSION_COUNT', { operator: method, field: 'x.sizes' }, expected, list(value.sizes));
}

/** A number for each dimension. */
function each(method: string, name: string, given: unknown, count: number, least: number): Sizes {
  const numbers: readonly unknown[] = Array.isArray(given) ? given : Array.from({ length: count }, () => given);
  const isWhole = (value: unknown): value is number => typeof value === 'number' && Number.isInteger(value) && value >= least;
  if (numbers.length === count && numbers.every(isWhole)) return numbers;
  throw argumentError(method, name, `a whole number from ${least} on, or ${count} of them`, given);
}
