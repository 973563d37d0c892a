/** Normalizations. */
import type { DataType } from '../../tensors/generated/enums.js';
import { productOf } from '../../tensors/tensor-size.js';
import { boolean, like, type Node } from '../node.js';
import { broadcast, reshaped, withRank, type Item, type Operand } from '../operand.js';
import type { Lowerings } from './lowering.js';
import { choose, constant, perChannel, plus, reduced, upTo, withWideSums } from './tensor-helpers.js';

export const normalizationOperators: Lowerings = {
  BatchNormalization: batchNormalization,
  InstanceNormalization: (node) => groupNormalization(node, node.input(0).dims[1] ?? 1),
  LayerNormalization: (node) => layerNormalization(node, true),
  RMSNormalization: (node) => layerNormalization(node, false),
  // As onnxruntime's tools write it, in the domain of ONNX too.
  SimplifiedLayerNormalization: (node) => layerNormalization(node, false),
  GroupNormalization: (node) => groupNormalization(node, node.int('num_groups', 1)),
  MeanVarianceNormalization: meanVarianceNormalization,
  LpNormalization: lpNormalization,
  LRN: localResponseNormalization,
};

function batchNormalization(node: Node): readonly Item[] {
  const input = node.input(0);
  if (node.proto.isFolded === true) return [input];
  const isMixed = [1, 2, 3, 4].some((i) => node.input(i).dataType !== input.dataType);
  const type: DataType = isMixed ? 'float32' : input.dataType;
  const inputTensor = node.cast(input, type);
  const channels = (i: number) => channelsOf(node, node.cast(node.input(i), type), input);
  const [scaleTensor, biasTensor, meanTensor, varianceTensor] = [channels(1), channels(2), channels(3), channels(4)];
  const outputTensor = like(inputTensor);
  const fields = { inputTensor, scaleTensor, biasTensor, outputTensor, epsilon: node.float('epsilon', 1e-5) };
  // Before opset 14, the number of outputs told.
  if (!(node.opset >= 14 ? node.flag('training_mode') : node.has(1))) {
    return [node.cast(node.add('batchNormalization', { ...fields, meanTensor, varianceTensor, spatial: true }), input.dataType)];
  }
  // With the mean and variance of the batch, which also move the running ones.
  const outputs = { outputMeanTensor: like(scaleTensor), outputVarianceTensor: like(scaleTensor) };
  const made = node.addAll('batchNormalizationTraining', { ...fields, ...outputs });
  const momentum = node.float('momentum', 0.9);
  const moved = (old: Operand, now: Operand) =>
    node.arithmetic('elementWiseAdd', node.scaled(old, momentum), node.scaled(now, 1 - momentum));
  const own = (now: Operand, i: number) => node.cast(node.reshape(now, node.input(i).dims), node.input(i).dataType);
  const [mean, variance] = [made.outputMeanTensor, made.outputVarianceTensor];
  const running = [own(moved(meanTensor, mean), 3), own(moved(varianceTensor, variance), 4)];
  const all = [node.cast(made.outputTensor, input.dataType), ...running, own(mean, 3), own(variance, 4)];
  return all.slice(0, node.outputCount);
}

/** One number per channel; for each element of a sample if opset 7 or 8 says so. */
function channelsOf(node: Node, given: Operand, { dims }: Operand): Operand {
  if (dims.length < 2) return broadcast(given, dims);
  const isSpatial = node.opset >= 9 || node.flag('spatial', true);
  return isSpatial ? perChannel(node, given, dims.length) : node.reshape(given, [1, ...dims.slice(1)]);
}

/** Of groups of channels. Scale and bias have one number for each channel, or before opset 21 for each group. */
function groupNormalization(node: Node, groups: number): Operand {
  const input = node.input(0);
  const [batch = 1, channels = 1, ...space] = input.dims;
  if (channels % groups !== 0) throw new RangeError(`${groups} groups do not divide ${channels} channels`);
  const per = (given: Operand) => node.reshape(node.cast(given, input.dataType), [1, groups, productOf(given.dims) / groups, 1]);
  const apart = node.reshape(input, [batch, groups, channels / groups, productOf(space)]);
  const how = { axes: [2, 3], epsilon: node.float('epsilon', 1e-5), scale: per(node.input(1)), bias: per(node.input(2)) };
  return reshaped(normalized(node, apart, how), input.dims);
}

/** Along the axes from that of the attribute on. Without the mean, the scale has the data type of the output. */
export function layerNormalization(node: Node, useMean: boolean): readonly Item[] {
  const [input, scale, stash] = [node.input(0), node.input(1), node.elementType(node.int('stash_type', 1)).dataType];
  if (stash !== 'float32' && stash !== 'float16') throw node.unsupported('the data type of the mean', stash);
  const [output, mean, inverse] = withStatistics(node, input, {
    axes: upTo(input.dims.length).slice(node.axis(node.int('axis', -1), input.dims.length)),
    epsilon: node.float('epsilon', 1e-5),
    scale: node.cast(scale, input.dataType),
    bias: useMean ? node.optional(2) : undefined,
    useMean,
  });
  const statistics = [...(useMean ? [mean] : []), inverse].map((each) => each && node.cast(each, stash));
  return [node.cast(output, useMean ? input.dataType : scale.dataType), ...statistics];
}

interface Normalization {
  readonly axes: readonly number[];
  readonly epsilon: number;
  /** Factors and addends of the normalized elements, which broadcast. */
  readonly scale: Operand;
  readonly bias?: Operand | undefined;
  /** False for the root of the mean square alone. */
  readonly useMean?: boolean;
}

/** DirectML limits means and variances of 16-bit floats to the range of these. */
export function normalized(node: Node, input: Operand, how: Normalization): Operand {
  const { axes, epsilon, scale, bias, useMean = true } = how;
  if (node.widensSumsOf(input)) {
    const wide = { scale: node.cast(scale, 'float32'), bias: bias && node.cast(bias, 'float32') };
    return node.cast(normalized(node, node.cast(input, 'float32'), { ...how, ...wide }), 'float16');
  }
  if (useMean && axes.every((axis) => input.dims[axis] === 1)) {
    // Each element is its own mean. DirectML would take it for the variance too.
    const none = node.arithmetic('elementWiseMultiply', node.arithmetic('elementWiseSubtract', input, input), scale);
    return plus(node, none, bias);
  }
  const rank = input.dims.length;
  const [scaleTensor, biasTensor] = [withRank(scale, rank), bias && withRank(bias, rank)];
  const fields = { scaleTensor, biasTensor, axes, useMean, useVariance: true, epsilon };
  return node.map('meanVarianceNormalization2', input, fields);
}

/** With the mean and one divided by the root of the variance, as 32-bit floats, if the node has outputs for these. */
export function withStatistics(node: Node, given: Operand, how: Normalization): [Operand, Operand | null, Operand | null] {
  const output = normalized(node, given, how);
  if (!node.has(1) && !node.has(2)) return [output, null, null];
  const { axes, epsilon, useMean } = how;
  const input = node.cast(given, 'float32');
  const mean = useMean === false ? constant('float32', [], 0) : reduced(node, 'average', input, axes);
  const distance = useMean === false ? input : node.arithmetic('elementWiseSubtract', input, mean);
  const variance = reduced(node, 'average', node.arithmetic('elementWiseMultiply', distance, distance), axes);
  const deviation = node.map('elementWiseSqrt', variance, { scaleBias: { scale: 1, bias: epsilon } });
  return [output, mean, node.map('elementWiseRecip', deviation)];
}

/** Divides by the standard deviation plus 1e-9. */
function meanVarianceNormalization(node: Node): Operand {
  const rank = node.input(0).dims.length;
  const axes = node.ints('axes', [0, 2, 3]).map((axis) => node.axis(axis, rank));
  return withWideSums(node, node.input(0), (input) => {
    const distance = node.arithmetic('elementWiseSubtract', input, reduced(node, 'average', input, axes));
    const variance = reduced(node, 'average', node.arithmetic('elementWiseMultiply', distance, distance), axes);
    const deviation = node.scaled(node.map('elementWiseSqrt', variance), 1, 1e-9);
    return node.arithmetic('elementWiseDivide', distance, deviation);
  });
}

/** Divides by a norm; what is 0 stays 0. */
function lpNormalization(node: Node): Operand {
  const p = node.int('p', 2);
  if (p !== 1 && p !== 2) throw new RangeError(`p is ${p} instead of 1 or 2`);
  const axis = node.axis(node.int('axis', -1), node.input(0).dims.length);
  return withWideSums(node, node.input(0), (input) => {
    const norm = reduced(node, p === 1 ? 'l1' : 'l2', input, [axis]);
    const isZero = node.combine('elementWiseLogicalEquals', norm, constant(norm.dataType, norm.dims, 0), boolean);
    return node.arithmetic('elementWiseDivide', input, choose(node, isZero, constant(norm.dataType, norm.dims, 1), norm));
  });
}

/** Along channels, so that all other dimensions count as one. */
function localResponseNormalization(node: Node): Operand {
  const input = node.input(0);
  const [batch = 1, channels = 1, ...space] = input.dims;
  const localSize = node.int('size');
  if (localSize === undefined) throw new RangeError('the attribute size is missing');
  const images = space.length === 2 ? input : node.reshape(input, [batch, channels, 1, productOf(space)]);
  const [alpha, beta, bias] = [node.float('alpha', 1e-4), node.float('beta', 0.75), node.float('bias', 1)];
  const fields = { crossChannel: true, localSize, alpha, beta, bias };
  return reshaped(node.map('localResponseNormalization', images, fields), input.dims);
}
