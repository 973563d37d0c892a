/** Normalizations, by PyTorch's names and rules. */
import { define } from '../array/define.js';
import { add, divide, multiply, sqrt, square, subtract } from '../array/elements.js';
import { mean } from '../array/reductions.js';
import { as, floatOf, packed, wideFloat } from '../array/values.js';
import { elementWiseRecip, meanVarianceNormalization1 } from '../functions/index.js';
import type { Input } from '../functions/types.js';
import type { Tensor } from '../api/memory/tensor.js';
import type { Value } from '../graph/value.js';
import { productOf } from '../tensors/tensor-size.js';
import { argumentError, byteCount, booleanOption, readOptions } from '../values/arguments.js';
import { fieldError, list } from '../values/errors.js';
import type { Layered } from './layers.js';
import { weightsOf } from './weights.js';

type Float = Value<'float32'>;

/** The weights of a normalization. */
export interface NormWeights {
  readonly weight?: Input | null | undefined;
  readonly bias?: Input | null | undefined;
}

/** Normalizes over the last dimensions, as many as the weight has; without one, over the last. Default of `eps`: 1e-5. */
export const layerNorm = define('layerNorm', (x: unknown, weights: unknown, options: unknown) => {
  const { weight, bias } = weightsOf('layerNorm', weights ?? {}, [], ['weight', 'bias']);
  const epsilon = positive('layerNorm', 'eps', readOptions('layerNorm', options, ['eps']).get('eps') ?? 1e-5);
  const value = floatOf('layerNorm', x);
  const count = weight?.sizes.length ?? 1;
  const axes = [...value.sizes.keys()].slice(-count);
  const normal = meanVarianceNormalization1(wideFloat(value), { axes, normalizeVariance: true, epsilon });
  return scaled(as(normal, value.dataType), weight, bias);
}) as <A extends Input, W extends NormWeights = { readonly weight?: undefined }>(
  x: A,
  weights?: W,
  options?: { readonly eps?: number | undefined },
) => Layered<A, W>;

/** Divides by the root of the mean of squares over the last dimension. Default of `eps`: 1e-6. */
export const rmsNorm = define('rmsNorm', (x: unknown, weights: unknown, options: unknown) => {
  const { weight } = weightsOf('rmsNorm', weights ?? {}, [], ['weight']);
  const epsilon = positive('rmsNorm', 'eps', readOptions('rmsNorm', options, ['eps']).get('eps') ?? 1e-6);
  const value = floatOf('rmsNorm', x);
  const own = wideFloat(value);
  const size = sqrt(add(mean(square(own), { axis: -1, keepDims: true }), epsilon));
  return scaled(as(multiply(own, elementWiseRecip(size)), value.dataType), weight, undefined);
}) as <A extends Input, W extends { readonly weight?: Input | null | undefined } = { readonly weight?: undefined }>(
  x: A,
  weights?: W,
  options?: { readonly eps?: number | undefined },
) => Layered<A, W>;

/** Normalizes groups of channels of `[batch, channels, ...]`, each in each element of the batch. */
export const groupNorm = define('groupNorm', (x: unknown, weights: unknown, options: unknown) => {
  const { weight, bias } = weightsOf('groupNorm', weights ?? {}, [], ['weight', 'bias']);
  const read = readOptions('groupNorm', options, ['groups', 'eps']);
  const value = packed(floatOf('groupNorm', x));
  const groups = byteCount('groupNorm', 'groups', read.get('groups'), 1);
  const [batch = 1, channels = 1] = value.sizes;
  if (value.sizes.length < 2 || channels % groups !== 0) {
    const expected = value.sizes.length < 2 ? '[batch, channels, ...]' : `a multiple of ${groups} channels`;
    throw fieldError('ERR_SIZES', { operator: 'groupNorm', field: 'x.sizes' }, expected, list(value.sizes));
  }
  const rows = wideFloat(value).reshape([batch, groups, productOf(value.sizes) / (batch * groups)]);
  const epsilon = positive('groupNorm', 'eps', read.get('eps') ?? 1e-5);
  const normal = meanVarianceNormalization1(rows, { axes: [2], normalizeVariance: true, epsilon }).reshape(value.sizes);
  return scaled(as(normal, value.dataType), ofChannels(weight, value), ofChannels(bias, value));
}) as <A extends Input, W extends NormWeights>(
  x: A,
  weights: W,
  options: { readonly groups: number; readonly eps?: number | undefined },
) => Layered<A, W>;

/** The weights of `batchNorm`. What `loadSafetensors` finds as `num_batches_tracked` is not used. */
export interface BatchNormWeights extends NormWeights {
  readonly running_mean: Input;
  readonly running_var: Input;
  readonly num_batches_tracked?: Input | null | undefined;
}

/** Options of `batchNorm`. */
export interface BatchNormOptions<Training extends boolean = boolean> {
  /** Whether the mean and the variance are those of the batch. Default: false. */
  readonly training?: Training | undefined;
  /** Default: 1e-5. */
  readonly eps?: number | undefined;
  /** The part of the batch in the new running values. Default: 0.1. */
  readonly momentum?: number | undefined;
}

/**
 * Normalizes the channels of `[batch, channels, ...]` by their running mean and variance. With `training: true`, by those of the
 * batch; then it returns `[result, { running_mean, running_var }]`.
 */
export const batchNorm = define('batchNorm', (x: unknown, weights: unknown, options: unknown) => {
  const method = 'batchNorm';
  const names = ['running_mean', 'running_var', 'weight', 'bias'] as const;
  const given = weightsOf(method, without(weights, 'num_batches_tracked'), names.slice(0, 2), names.slice(2));
  const read = readOptions(method, options, ['training', 'eps', 'momentum']);
  const eps = positive(method, 'eps', read.get('eps') ?? 1e-5);
  const momentum = positive(method, 'momentum', read.get('momentum') ?? 0.1);
  const value = floatOf(method, x) as Float;
  const [runningMean, runningVar] = [given.running_mean as Float, given.running_var as Float];
  const normal = (of: Float, centre: Float, spread: Float) => divide(subtract(of, centre), sqrt(add(spread, eps)));
  const finish = (result: Value) => scaled(result, ofChannels(given.weight, value), ofChannels(given.bias, value));
  if (!booleanOption(method, 'training', read.get('training') ?? false)) {
    return finish(normal(value, ofChannels(runningMean, value), ofChannels(runningVar, value)));
  }
  const axis = [...value.sizes.keys()].filter((each) => each !== 1);
  const own = wideFloat(value);
  const centre = mean(own, { axis, keepDims: true });
  const spread = mean(square(subtract(own, centre)), { axis, keepDims: true });
  const count = productOf(value.sizes) / (value.sizes[1] ?? 1);
  const moved = (running: Float, batch: Float): Value => {
    const sum = add(multiply(running, 1 - momentum), multiply(batch.reshape(running.sizes), momentum));
    return own === value ? sum : as(sum, running.dataType);
  };
  const running_var = moved(runningVar, multiply(spread, count / Math.max(1, count - 1)));
  const result = finish(as(normal(own, centre, spread), value.dataType));
  return [result, { running_mean: moved(runningMean, centre), running_var }];
}) as BatchNorm;

interface BatchNorm {
  <A extends Input, W extends BatchNormWeights>(x: A, weights: W, options?: BatchNormOptions<false>): Layered<A, W>;
  (x: Value, weights: BatchNormWeights, options: BatchNormOptions<true>): readonly [Value, Running<Value>];
  (x: Input, weights: BatchNormWeights, options: BatchNormOptions<true>): Promise<readonly [Tensor, Running<Tensor>]>;
}
interface Running<T> {
  readonly running_mean: T;
  readonly running_var: T;
}

function without(weights: unknown, name: string): unknown {
  if (typeof weights !== 'object' || weights === null) return weights;
  return Object.fromEntries(Object.entries(weights).filter(([each]) => each !== name));
}

function scaled(x: Value, weight: Value | undefined, bias: Value | undefined): Value {
  const product = weight === undefined ? x : multiply(x, weight);
  return bias === undefined ? product : add(product, bias);
}

/** A vector of channels, as an array that is repeated for an array `[batch, channels, ...]`. */
function ofChannels<T extends Float | undefined>(vector: T, x: Value): T {
  return vector && (packed(vector).reshape([1, productOf(vector.sizes), ...x.sizes.slice(2).map(() => 1)]) as T);
}

function positive(method: string, name: string, value: unknown): number {
  if (typeof value === 'number' && value >= 0 && Number.isFinite(value)) return value;
  throw argumentError(method, name, 'a number from 0 on', value);
}
