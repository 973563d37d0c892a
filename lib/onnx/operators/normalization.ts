/** Normalizations. */
import type { DataType } from '../../schema/generated/enums.js';
import { productOf } from '../../validation/tensor-size.js';
import { boolean, like, type Node } from '../node.js';
import { broadcast, reshaped, type Item, type Operand } from '../operand.js';
import type { Lowerings } from './lowering.js';
import { normalized, statistics } from './normalization-helpers.js';
import { choose, constant, perChannel, reduced, upTo, withWideSums } from './tensor-helpers.js';

export const normalizationOperators: Lowerings = {
  BatchNormalization: batchNormalization,
  InstanceNormalization: instanceNormalization,
  LayerNormalization: layerNormalization,
  RMSNormalization: (node) => rootMeanSquare(node),
  SimplifiedLayerNormalization: simplifiedLayerNormalization,
  GroupNormalization: groupNormalization,
  MeanVarianceNormalization: meanVarianceNormalization,
  LpNormalization: lpNormalization,
  LRN: localResponseNormalization,
};

function batchNormalization(node: Node): readonly Item[] {
  const input = node.input(0);
  const given = [1, 2, 3, 4].map((i) => node.input(i));
  const isMixed = given.some(({ dataType }) => dataType !== input.dataType);
  const type: DataType = isMixed ? 'float32' : input.dataType;
  const [scale, bias, mean, variance] = given.map((operand) => channelsOf(node, node.cast(operand, type), input));
  if (scale === undefined || bias === undefined || mean === undefined || variance === undefined) return [];
  const inputTensor = node.cast(input, type);
  const epsilon = node.float('epsilon', 1e-5);
  if (isTraining(node)) return batchTraining(node, inputTensor, [scale, bias, mean, variance]);
  const fields = { meanTensor: mean, varianceTensor: variance, scaleTensor: scale, biasTensor: bias, spatial: true, epsilon };
  return [node.cast(node.add('batchNormalization', { inputTensor, outputTensor: like(inputTensor), ...fields }), input.dataType)];
}

/** Before opset 14, the number of outputs told. */
function isTraining(node: Node): boolean {
  return node.opset >= 14 ? node.flag('training_mode') : node.has(1);
}

/** One number per channel; for each element of a sample if opset 7 or 8 says so. */
function channelsOf(node: Node, given: Operand, { dims }: Operand): Operand {
  if (dims.length < 2) return broadcast(given, dims);
  const isSpatial = node.opset >= 9 || node.flag('spatial', true);
  return isSpatial ? perChannel(node, given, dims.length) : node.reshape(given, [1, ...dims.slice(1)]);
}

/** With the mean and variance of the batch, which also move the running ones. */
function batchTraining(node: Node, input: Operand, [scale, bias, mean, variance]: readonly Operand[]): readonly Item[] {
  if (scale === undefined || bias === undefined || mean === undefined || variance === undefined) return [];
  const made = node.addAll('batchNormalizationTraining', {
    inputTensor: input,
    scaleTensor: scale,
    biasTensor: bias,
    outputTensor: like(input),
    outputMeanTensor: like(scale),
    outputVarianceTensor: like(scale),
    epsilon: node.float('epsilon', 1e-5),
  });
  const momentum = node.float('momentum', 0.9);
  const [output, newMean, newVariance] = ['outputTensor', 'outputMeanTensor', 'outputVarianceTensor'].map(
    (name) => made[name]?.[0],
  );
  if (output === undefined || newMean === undefined || newVariance === undefined) return [];
  const moved = (old: Operand, now: Operand, i: number) => {
    const sum = node.arithmetic('elementWiseAdd', node.scaled(old, momentum), node.scaled(now, 1 - momentum));
    return node.cast(node.reshape(sum, node.input(i).dims), node.input(i).dataType);
  };
  const own = (now: Operand, i: number) => node.cast(node.reshape(now, node.input(i).dims), node.input(i).dataType);
  const all = [moved(mean, newMean, 3), moved(variance, newVariance, 4), own(newMean, 3), own(newVariance, 4)];
  return [node.cast(output, node.input(0).dataType), ...all].slice(0, node.outputCount);
}

function instanceNormalization(node: Node): Operand {
  const input = node.input(0);
  const rank = input.dims.length;
  return normalized(node, input, {
    axes: upTo(rank).slice(2),
    epsilon: node.float('epsilon', 1e-5),
    scale: perChannel(node, node.input(1), rank),
    bias: perChannel(node, node.input(2), rank),
  });
}

/** The axes from that of the attribute on. */
function lastAxes(node: Node, { dims }: Operand): readonly number[] {
  return upTo(dims.length).slice(node.axis(node.int('axis', -1), dims.length));
}

function stashType(node: Node): void {
  const type = node.int('stash_type', 1);
  if (type !== 1 && type !== 10) throw node.unsupported('the data type of the mean', node.elementType(type).dataType);
}

function layerNormalization(node: Node): readonly Item[] {
  stashType(node);
  const [input, scale, bias] = [node.input(0), node.input(1), node.optional(2)];
  const axes = lastAxes(node, input);
  const epsilon = node.float('epsilon', 1e-5);
  const output = normalized(node, input, { axes, epsilon, scale: node.cast(scale, input.dataType), bias });
  if (!node.has(1) && !node.has(2)) return [output];
  const { mean, inverse } = statistics(node, input, axes, epsilon);
  const type = node.elementType(node.int('stash_type', 1)).dataType;
  return [output, node.cast(mean, type), node.cast(inverse, type)];
}

function rootMeanSquare(node: Node): Operand {
  stashType(node);
  const [input, scale] = [node.input(0), node.input(1)];
  const how = { axes: lastAxes(node, input), epsilon: node.float('epsilon', 1e-5), useMean: false };
  return node.cast(normalized(node, input, { ...how, scale: node.cast(scale, input.dataType) }), scale.dataType);
}

/** As onnxruntime's tools write it, in the domain of ONNX too. */
export function simplifiedLayerNormalization(node: Node): readonly Item[] {
  const output = rootMeanSquare(node);
  if (!node.has(1)) return [output];
  const input = node.input(0);
  return [output, statistics(node, input, lastAxes(node, input), node.float('epsilon', 1e-5), false).inverse];
}

/** Scale and bias have one number for each channel, or before opset 21 for each group. */
function groupNormalization(node: Node): Operand {
  const input = node.input(0);
  const [batch = 1, channels = 1, ...space] = input.dims;
  const groups = node.int('num_groups', 1);
  if (channels % groups !== 0) throw new RangeError(`${groups} groups do not divide ${channels} channels`);
  const per = (given: Operand) => node.reshape(node.cast(given, input.dataType), [1, groups, productOf(given.dims) / groups, 1]);
  const made = normalized(node, node.reshape(input, [batch, groups, channels / groups, productOf(space)]), {
    axes: [2, 3],
    epsilon: node.float('epsilon', 1e-5),
    scale: per(node.input(1)),
    bias: per(node.input(2)),
  });
  return reshaped(made, input.dims);
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
  const { dims } = node.input(0);
  const p = node.int('p', 2);
  if (p !== 1 && p !== 2) throw new RangeError(`p is ${p} instead of 1 or 2`);
  const axis = node.axis(node.int('axis', -1), dims.length);
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
  const size = node.int('size');
  if (size === undefined) throw new RangeError('the attribute size is missing');
  const images = space.length === 2 ? input : node.reshape(input, [batch, channels, 1, productOf(space)]);
  const made = node.map('localResponseNormalization', images, {
    crossChannel: true,
    localSize: size,
    alpha: node.float('alpha', 1e-4),
    beta: node.float('beta', 0.75),
    bias: node.float('bias', 1),
  });
  return reshaped(made, input.dims);
}
