// @ts-check
// The operators with which the reference backend and TensorFlow.js are compared.
import * as tf from '@tensorflow/tfjs-core';
import { large, scatterData, scatterDescriptor } from './data.mjs';

/**
 * @typedef {object} Contest
 * @property {string} name
 * @property {number} limit the maximum ratio of our time to theirs
 * @property {number} [share] factor of the number of rounds, more than 1 for short work; 1 if it is absent
 * @property {import('node-directml').OperatorDescriptor} descriptor
 * @property {Record<string, Float32Array | Uint32Array>} inputs by field
 * @property {string} [output] the output's field
 * @property {() => tf.Tensor} theirs runs TensorFlow.js
 * @property {(theirs: Float32Array) => Float32Array} [arranged] reorders their result from NHWC to NCHW
 * @property {import('onnx-proto').onnx.INodeProto} [node] the same operator in ONNX, without inputs and outputs
 */

/** Pseudorandom numbers from -1 to 1, the same on every machine. */
function numbers(/** @type {number} */ count, /** @type {number} */ seed) {
  let state = seed;
  return Float32Array.from({ length: count }, () => {
    state = (Math.imul(state, 1664525) + 1013904223) | 0;
    return state / 2 ** 31;
  });
}

/** Converts NCHW to NHWC, which TensorFlow.js requires. N must be 1. */
function channelsLast(/** @type {Float32Array} */ values, /** @type {number} */ channels) {
  const pixels = values.length / channels;
  return values.map((_, i) => values[(i % channels) * pixels + Math.floor(i / channels)] ?? 0);
}

/** Converts NHWC to NCHW. N must be 1. */
function channelsFirst(/** @type {Float32Array} */ values, /** @type {number} */ channels) {
  return channelsLast(values, values.length / channels);
}

const float = (/** @type {number[]} */ ...sizes) => ({ dataType: /** @type {const} */ ('float32'), sizes });

/** @returns {Contest[]} */
export function contests() {
  return [
    ...[add(), gemm(), convolution(), depthwiseConvolution()],
    ...[pooling({ type: 'maxPooling' }, tf.maxPool), pooling({ type: 'averagePooling', includePadding: false }, tf.avgPool)],
    ...[softmax(), reduce(), scatterNd(), gather()],
  ];
}

/** @returns {Contest} */
function add() {
  const [a, b] = [numbers(2 ** 20, 1), numbers(2 ** 20, 2)];
  const [x, y] = [tf.tensor(a, [1024, 1024]), tf.tensor(b, [1024, 1024])];
  const tensor = float(1024, 1024);
  return {
    name: 'elementWiseAdd, 1024 × 1024',
    limit: 0.5,
    descriptor: { type: 'elementWiseAdd', aTensor: tensor, bTensor: tensor, outputTensor: tensor },
    inputs: { aTensor: a, bTensor: b },
    theirs: () => tf.add(x, y),
  };
}

/** @returns {Contest} */
function gemm() {
  const [a, b] = [numbers(2 ** 18, 3), numbers(2 ** 18, 4)];
  const [x, y] = [tf.tensor2d(a, [512, 512]), tf.tensor2d(b, [512, 512])];
  const tensor = float(512, 512);
  return {
    name: 'gemm, 512 × 512 × 512',
    limit: 0.1,
    descriptor: {
      type: 'gemm',
      ...{ aTensor: tensor, bTensor: tensor, outputTensor: tensor },
      ...{ transA: 'none', transB: 'none', alpha: 1, beta: 0 },
    },
    inputs: { aTensor: a, bTensor: b },
    theirs: () => tf.matMul(x, y),
    node: { opType: 'MatMul' },
  };
}

/** @returns {Contest} */
function convolution() {
  const [channels, size] = [64, 56];
  const [image, filter] = [numbers(channels * size * size, 5), numbers(channels * channels * 9, 6)];
  // Their filter is [height, width, input channel, output channel], ours [output channel, input channel, height, width].
  const theirFilter = filter.map((_, i) => {
    const [output, input, place] = [i % channels, Math.floor(i / channels) % channels, Math.floor(i / channels ** 2)];
    return filter[(output * channels + input) * 9 + place] ?? 0;
  });
  const x = tf.tensor4d(channelsLast(image, channels), [1, size, size, channels]);
  const y = tf.tensor4d(theirFilter, [3, 3, channels, channels]);
  return {
    name: 'convolution, 64 × 56 × 56 with 64 filters of 3 × 3',
    limit: 0.1,
    descriptor: {
      type: 'convolution',
      inputTensor: float(1, channels, size, size),
      filterTensor: float(channels, channels, 3, 3),
      outputTensor: float(1, channels, size, size),
      mode: 'crossCorrelation',
      direction: 'forward',
      ...{ strides: [1, 1], dilations: [1, 1], startPadding: [1, 1], endPadding: [1, 1], outputPadding: [0, 0] },
      groupCount: 1,
    },
    inputs: { inputTensor: image, filterTensor: filter },
    theirs: () => tf.conv2d(x, y, 1, 'same'),
    node: { opType: 'Conv', attribute: [{ name: 'pads', type: 7, ints: [1, 1, 1, 1] }] },
    arranged: (theirs) => channelsFirst(theirs, channels),
  };
}

/**
 * A convolution with one filter per channel.
 * @returns {Contest}
 */
function depthwiseConvolution() {
  const [channels, size] = [128, 56];
  const [image, filter] = [numbers(channels * size * size, 11), numbers(channels * 9, 12)];
  const x = tf.tensor4d(channelsLast(image, channels), [1, size, size, channels]);
  // Their filter is [height, width, channel, 1].
  const y = tf.tensor4d(channelsLast(filter, channels), [3, 3, channels, 1]);
  return {
    name: 'convolution, 128 × 56 × 56 with a filter of 3 × 3 each',
    limit: 1,
    descriptor: {
      type: 'convolution',
      inputTensor: float(1, channels, size, size),
      filterTensor: float(channels, 1, 3, 3),
      outputTensor: float(1, channels, size, size),
      mode: 'crossCorrelation',
      direction: 'forward',
      ...{ strides: [1, 1], dilations: [1, 1], startPadding: [1, 1], endPadding: [1, 1], outputPadding: [0, 0] },
      groupCount: channels,
    },
    inputs: { inputTensor: image, filterTensor: filter },
    theirs: () => tf.depthwiseConv2d(x, y, 1, 'same'),
    arranged: (theirs) => channelsFirst(theirs, channels),
  };
}

/**
 * @param {{ type: 'maxPooling' } | { type: 'averagePooling', includePadding: boolean }} own the fields that differ
 * @param {typeof tf.maxPool | typeof tf.avgPool} theirs
 * @returns {Contest}
 */
function pooling(own, theirs) {
  const [channels, size] = [64, 112];
  const image = numbers(channels * size * size, 7);
  const x = tf.tensor4d(channelsLast(image, channels), [1, size, size, channels]);
  return {
    name: `${own.type}, 64 × 112 × 112, windows of 3 × 3 by 2`,
    limit: 0.5,
    descriptor: {
      ...own,
      inputTensor: float(1, channels, size, size),
      outputTensor: float(1, channels, 55, 55),
      ...{ strides: [2, 2], windowSize: [3, 3], startPadding: [0, 0], endPadding: [0, 0] },
    },
    inputs: { inputTensor: image },
    theirs: () => theirs(x, 3, 2, 'valid'),
    arranged: (theirs) => channelsFirst(theirs, channels),
  };
}

/** @returns {Contest} */
function softmax() {
  const values = numbers(1024 * 1000, 8);
  const x = tf.tensor2d(values, [1024, 1000]);
  const tensor = float(1024, 1000);
  return {
    name: 'activationSoftmax, 1024 rows of 1000',
    limit: 0.5,
    descriptor: { type: 'activationSoftmax', inputTensor: tensor, outputTensor: tensor },
    inputs: { inputTensor: values },
    theirs: () => tf.softmax(x),
  };
}

/** @returns {Contest} */
function reduce() {
  const values = numbers(2 ** 20, 9);
  const x = tf.tensor2d(values, [1024, 1024]);
  return {
    name: 'reduce, sums of 1024 rows of 1024',
    limit: 0.5,
    share: 8,
    descriptor: {
      type: 'reduce',
      function: 'sum',
      inputTensor: float(1024, 1024),
      outputTensor: float(1024, 1),
      axes: [1],
    },
    inputs: { inputTensor: values },
    theirs: () => tf.sum(x, 1),
  };
}

/** @returns {Contest} */
function scatterNd() {
  const { input, indices, updates } = scatterData(large);
  const x = tf.tensor1d(input);
  const y = tf.tensor2d(Int32Array.from(indices), [large.updates, 1], 'int32');
  const z = tf.tensor1d(updates);
  return {
    name: 'scatterNd, 1M floats, 100k updates',
    limit: 0.5,
    share: 4,
    descriptor: scatterDescriptor(large, 'uint32'),
    inputs: { inputTensor: input, indicesTensor: indices, updatesTensor: updates },
    theirs: () => tf.tensorScatterUpdate(x, y, z),
  };
}

/** @returns {Contest} */
function gather() {
  const [rows, columns, count] = [10_000, 100, 10_000];
  const values = numbers(rows * columns, 10);
  const indices = Uint32Array.from({ length: count }, (_, i) => (i * 7919) % rows);
  const x = tf.tensor2d(values, [rows, columns]);
  const y = tf.tensor1d(Int32Array.from(indices), 'int32');
  return {
    name: 'gather, 10,000 rows of 100',
    limit: 0.5,
    descriptor: {
      type: 'gather',
      inputTensor: float(rows, columns),
      indicesTensor: { dataType: 'uint32', sizes: [1, count] },
      outputTensor: float(count, columns),
      axis: 0,
      indexDimensions: 1,
    },
    inputs: { inputTensor: values, indicesTensor: indices },
    theirs: () => tf.gather(x, y, 0),
  };
}
