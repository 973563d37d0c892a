/** Single nodes with known results: what onnxruntime's CPU does not compute, or computes in another way than ONNX says. */
import { describe, expect, test } from 'vitest';
import type { NodeLine, Weight } from '../../checks/networks/small-model.js';
import { backends, deviceOn } from '../support/devices.js';
import { compute, type Attributes, type OneNode } from './one-node.js';

/** What it computes, and how; and the elements of the output `y`. */
type Row = readonly [
  what: string,
  operator: OneNode['operator'],
  attributes: Attributes,
  inputs: OneNode['inputs'],
  expected: readonly number[],
  others?: Pick<OneNode, 'opset' | 'outputs'>,
];

const doubles = (...elements: readonly number[]): Weight => ['float64', [elements.length], elements];
const floats = (dims: readonly number[], ...elements: readonly number[]): Weight => ['float32', dims, elements];
const bools = (...elements: readonly number[]): Weight => ['bool', [elements.length], elements];
const integers = (...elements: readonly number[]): Weight => ['int32', [elements.length], elements];
const long = (...elements: readonly number[]): Weight => ['int64', [elements.length], elements];
const bytes = (dims: readonly number[], ...elements: readonly number[]): Weight => ['uint8', dims, elements];

/** Two trees with the same nodes. */
const tree: Attributes = {
  ...{ n_targets: 2, aggregate_function: 1, post_transform: 0, tree_roots: [0, 0] },
  ...{ nodes_featureids: [0, 0, 0], nodes_truenodeids: [1, 0, 2], nodes_falsenodeids: [2, 1, 3] },
  ...{ nodes_trueleafs: [0, 1, 1], nodes_falseleafs: [0, 1, 1] },
  ...{ leaf_targetids: [0, 1, 0, 1] },
};
const splits = { nodes_splits: { tensor: floats([3], 3, 1, 9) }, leaf_weights: { tensor: floats([4], 5, 6, 7, 8) } };

/** Queries, keys and values of two heads: [batch, length, heads, kind, size]. The second key has three times the weight. */
const query = Math.log(3);
const packed = floats([1, 2, 2, 3, 1], query, 0, 10, query, 0, 100, query, 1, 20, query, 1, 300);
const packedKeys = floats([1, 2, 2, 2, 1], 0, 10, 0, 100, 1, 20, 1, 300);
const heads = { num_heads: 2, scale: { float: 1 } };

const powerOf = (exponent: number): readonly NodeLine[] => [
  ['Constant', '', 'exponent', { value: { tensor: floats([], exponent) } }],
  ['Pow', 'in0 exponent', 'y'],
];

/** How an image is resized whose elements are those at or before a position. */
const floored = { nearest_mode: 'floor', coordinate_transformation_mode: 'asymmetric' };

/** A third of the way between the greatest and the least int32: the cubic weights are 18.5 / 27 and 8.5 / 27. */
const inner = (18.5 * (2 ** 31 - 1) - 8.5 * 2 ** 31) / 27;

/** The square of 2³¹ - 1 is 1 in 32 bits. */
const many: Weight = ['int32', [162, 162], new Array<number>(162 ** 2).fill(2 ** 31 - 1)];

const largest = 3.4028234663852886e38;

/** Lengths of sequences of two steps, how they are computed, and their ends. */
const steps: readonly (readonly [
  what: string,
  lengths: OneNode['inputs'][number],
  nodes: readonly NodeLine[],
  ends: readonly number[],
])[] = [
  ['of the model', { constant: integers(0, 2) }, [], [0, 4]],
  ['of the model, none of which is 0', { constant: integers(1, 2) }, [], [1, 4]],
  ['of the run', integers(0, 2), [], [0, 4]],
  ['of the run, none of which is 0', integers(2, 1), [], [3, 2]],
  ['that the device computes', floats([2], 0, 2), [['Cast', 'in3', 'l', { to: 6 }]], [0, 4]],
];

const rows: readonly Row[] = [
  [
    'channels that come last, in filters too',
    'com.microsoft:NhwcConv',
    {},
    [floats([1, 2, 1, 2], 1, 2, 3, 4), floats([1, 1, 1, 2], 10, 1)],
    [12, 34],
  ],
  [
    'the largest elements of a region that begins outside',
    'RoiAlign',
    { mode: 'max', output_height: 1, output_width: 4, sampling_ratio: 1, coordinate_transformation_mode: 'output_half_pixel' },
    [floats([1, 1, 1, 2], 3, 5), floats([1, 4], -2, 0, 2, 1), long(0)],
    [0, 3, 2.5, 5],
  ],
  [
    'a choice by a condition of the model',
    'Where',
    {},
    [{ constant: ['bool', [2], [1, 0]] }, floats([2], 1, 2), floats([2], 3, 4)],
    [1, 4],
  ],
  [
    'a cache that goes around',
    'TensorScatter',
    { mode: 'circular' },
    [floats([2, 3, 1], 0, 0, 0, 0, 0, 0), floats([2, 2, 1], 1, 2, 3, 4), long(2, 1)],
    [2, 0, 1, 0, 3, 4],
    { opset: 24 },
  ],
  ['a reflection as wide as the tensor', 'Pad', { mode: 'reflect' }, [floats([3], 5, 7, 9), long(3, 0)], [7, 9, 7, 5, 7, 9]],
  [
    'means of windows that end outside in one dimension',
    'AveragePool',
    { kernel_shape: [2, 2], strides: [2, 2], ceil_mode: 1, count_include_pad: 1 },
    [floats([1, 1, 2, 3], 1, 2, 4, 3, 6, 8)],
    [3, 6],
    { opset: 19 },
  ],
  [
    'an activation without its parameter',
    'com.microsoft:FusedGemm',
    { activation: 'ThresholdedRelu' },
    [floats([1, 1], 1), floats([1, 2], 0.5, 2)],
    [0, 2],
  ],
  ['the bits of integers as those with a sign', 'BitCast', { to: 3 }, [bytes([2], 200, 2)], [-56, 2], { opset: 26 }],

  ['Celu in doubles', 'Celu', { alpha: { float: 2 } }, [doubles(3, -2 * Math.LN2, -1e3)], [3, -1, -2]],
  ['Gelu in doubles', 'Gelu', {}, [doubles(1, -2)], [0.8413447460685429, -0.04550026389635841]],
  ['LeakyRelu in doubles', 'LeakyRelu', { alpha: { float: 0.25 } }, [doubles(3, -2)], [3, -0.5]],
  ['Softplus in doubles', 'Softplus', {}, [doubles(0, Math.log(3), 1e3, -1e3)], [Math.LN2, Math.log(4), 1e3, 0]],
  ['Swish in doubles', 'Swish', { alpha: { float: 2 } }, [doubles(Math.log(3), -400)], [0.9 * Math.log(3), 0], { opset: 24 }],
  ['Hardmax in doubles', 'Hardmax', {}, [doubles(1, 3, 2, 3)], [0, 1, 0, 0]],
  ['Elu in doubles', 'Elu', { alpha: { float: 2 } }, [doubles(3, -Math.LN2, -1e3)], [3, -1, -2]],
  ['Mish in doubles', 'Mish', {}, [doubles(0, Math.LN2)], [0, 0.8 * Math.LN2]],
  ['whether doubles are not 0', 'Cast', { to: 9 }, [doubles(0, -0.5, NaN)], [0, 1, 1]],
  ['quotients of doubles', 'Div', {}, [doubles(1, 3), doubles(4, -2)], [0.25, -1.5]],
  [
    'a product of doubles, with factors',
    'Gemm',
    { alpha: { float: 0.5 }, beta: { float: 0.25 } },
    [['float64', [1, 1], [3]], ['float64', [1, 1], [5]], doubles(2)],
    [8],
  ],

  [
    'the bias alone, where there is nothing to multiply',
    'Gemm',
    { beta: { float: 2 } },
    [floats([2, 0]), floats([0, 2]), floats([2], 3, 5)],
    [6, 10, 6, 10],
  ],
  ['zeros, where there is nothing to multiply', 'Gemm', {}, [floats([2, 0]), floats([0, 2])], [0, 0, 0, 0]],
  ['a convolution without channels', 'Conv', {}, [floats([1, 0, 1, 2]), floats([1, 0, 1, 1])], [0, 0]],
  [
    'products of 64-bit integers',
    'MatMul',
    {},
    [
      ['int64', [1, 2], [3, -5]],
      ['int64', [2, 1], [7, 2]],
    ],
    [11],
  ],
  ['any number to the power of 0', powerOf(0), {}, [floats([3], 2, 0, -3)], [1, 1, 1]],
  ['any number to the power of 1', powerOf(1), {}, [floats([3], 2, 0, -3)], [2, 0, -3]],
  ['sums of absolute values of nothing', 'ReduceL1', {}, [floats([2, 0]), long(1)], [0, 0]],
  ['roots of sums of squares of nothing', 'ReduceL2', {}, [floats([2, 0]), long(1)], [0, 0]],
  ['an empty tensor with a border', 'Pad', {}, [floats([0]), long(1, 2), floats([], 7)], [7, 7, 7]],
  [
    'neighbours of signals',
    'LRN',
    { size: 1, alpha: { float: 3 }, beta: { float: 1 } },
    [floats([1, 1, 2], 1, 2)],
    [1 / 4, 2 / 13],
  ],
  [
    'a long short-term memory without steps',
    'LSTM',
    { hidden_size: 1 },
    [floats([0, 1, 1]), floats([1, 4, 1], 1, 1, 1, 1), floats([1, 4, 1], 1, 1, 1, 1)],
    [0],
    { outputs: '- - y' },
  ],

  [
    'a convolution with one window, padded and dilated, as large as the input',
    'Conv',
    { pads: [1, 1, 1, 1], strides: [3, 2], dilations: [1, 2] },
    [floats([1, 1, 3, 2], 1, 2, 3, 4, 5, 6), floats([1, 1, 3, 2], 7, 7, 7, 10, 7, 100)],
    [2 * 10 + 4 * 100],
  ],
  ['sums of bytes', 'Einsum', { equation: 'ij->i' }, [bytes([2, 2], 100, 101, 1, 2)], [201, 3]],
  ['sums of no elements', 'Einsum', { equation: 'ij->i' }, [floats([2, 0])], [0, 0]],
  [
    'one corner of a grid',
    'AffineGrid',
    { align_corners: 1 },
    [floats([1, 2, 3], 1, 0, 0, 0, 1, 0), long(1, 1, 1, 2)],
    [-1, 0, 1, 0],
  ],
  [
    'products of quantized matrices with a scale for each row and each matrix',
    'QLinearMatMul',
    {},
    [
      ...[bytes([2, 2, 1], 1, 2, 3, 4), floats([2], 1, 2), bytes([2], 0, 1)],
      ...[bytes([2, 1, 1], 1, 1), floats([2, 1, 1], 1, 10), bytes([2, 1, 1], 0, 0)],
      ...[floats([], 1), bytes([], 0)],
    ],
    [1, 2, 30, 60],
  ],
  [
    'products of quantized matrices with columns and rows of scales',
    'QLinearMatMul',
    {},
    [
      ...[bytes([2, 1], 1, 2), floats([2, 1], 1, 2), bytes([2, 1], 0, 1)],
      ...[bytes([1, 2], 3, 4), floats([1, 2], 1, 10), bytes([1, 2], 0, 1)],
      ...[floats([], 1), bytes([], 0)],
    ],
    [3, 30, 6, 60],
  ],
  [
    'quantized integers',
    'QuantizeLinear',
    {},
    [['int32', [4], [21, -5, 6, 900]], floats([], 2), bytes([], 100)],
    [110, 98, 103, 255],
  ],
  [
    'quantized integers with a scale of float16',
    'QuantizeLinear',
    {},
    [['int32', [3], [21, -5, 6]], ['float16', [], [0x4000]], bytes([], 100)],
    [110, 98, 103],
  ],

  ['a packed input of attention', 'com.microsoft:MultiHeadAttention', heads, [packed], [17.5, 250, 17.5, 250]],
  [
    'packed keys and values of attention',
    'com.microsoft:MultiHeadAttention',
    heads,
    [floats([1, 1, 2], query, query), packedKeys],
    [17.5, 250],
  ],
  [
    'the root of the mean square',
    'SimplifiedLayerNormalization',
    { epsilon: { float: 0 } },
    [floats([1, 2], 1, 7), floats([2], 1, 1)],
    [0.2],
    { outputs: 'x y' },
  ],
  [
    'a recurrent network whose batch comes first',
    'RNN',
    { layout: 1, hidden_size: 1, direction: 'bidirectional', activations: { texts: ['Relu', 'Relu'] } },
    [
      ...[floats([2, 2, 1], 1, 2, 10, 20), floats([2, 1, 1], 1, 1), floats([2, 1, 1], 1, 1), null, null],
      floats([2, 2, 1], 100, 200, 300, 400),
    ],
    [101, 203, 103, 202, 310, 430, 330, 420],
  ],
  [
    'the last states of a recurrent network whose batch comes first',
    'RNN',
    { layout: 1, hidden_size: 1, direction: 'bidirectional', activations: { texts: ['Relu', 'Relu'] } },
    [floats([2, 2, 1], 1, 2, 10, 20), floats([2, 1, 1], 1, 2), floats([2, 1, 1], 1, 1)],
    [3, 6, 30, 60],
    { outputs: '- y' },
  ],
  ['the greatest of no integers', 'ReduceMax', {}, [['int32', [0], []]], [-(2 ** 31)]],
  ['the least of no integers', 'ReduceMin', {}, [['uint8', [0], []]], [255]],
  ['the least of no floats', 'ReduceMin', {}, [floats([2, 0]), long(1)], [Infinity, Infinity]],
  ['the product of no integers', 'ReduceProd', {}, [['int32', [0], []]], [1]],
  ['whether all of no conditions hold', 'ReduceMin', {}, [['bool', [0], []]], [1]],
  ['the first of equal doubles', 'TopK', {}, [doubles(2, 3, 3, 1), long(3)], [1, 2, 0], { outputs: 'values y' }],
  ['the least of doubles', 'TopK', { largest: 0 }, [doubles(3, -1, 2), long(2)], [-1, 2], { outputs: 'y places' }],

  [
    'a resized region of integers',
    'Resize',
    { mode: 'linear', coordinate_transformation_mode: 'tf_crop_and_resize', extrapolation_value: { float: 7 } },
    [['int32', [2], [10, 20]], floats([2], 0, 2), null, long(5)],
    [10, 15, 20, 7, 7],
  ],
  [
    'cubic integers beyond their limits',
    'Resize',
    { mode: 'cubic' },
    [['int32', [2], [2 ** 31 - 1, -(2 ** 31)]], null, floats([1], 3)],
    [2 ** 31 - 1, 2 ** 31 - 1, Math.round(inner), Math.round(-1 - inner), -(2 ** 31), -(2 ** 31)],
  ],
  [
    'an image resized about its middle',
    'Resize',
    { mode: 'linear', coordinate_transformation_mode: 'half_pixel_symmetric' },
    [floats([4], 0, 100, 200, 300), null, floats([1], 0.8)],
    [25, 150, 275],
  ],
  [
    'the element at or before the middle of each pixel',
    'Resize',
    { nearest_mode: 'floor', coordinate_transformation_mode: 'tf_half_pixel_for_nn' },
    [floats([2], 1, 2), null, floats([1], 2)],
    [1, 1, 2, 2],
    { opset: 12 },
  ],
  [
    'the middle of a region as one element',
    'Resize',
    { mode: 'linear', coordinate_transformation_mode: 'tf_crop_and_resize' },
    [floats([5], 0, 1, 4, 9, 16), floats([2], 0.25, 0.5), null, long(1)],
    [2.5],
  ],
  [
    'an image that is not larger than its sizes say',
    'Resize',
    { ...floored, keep_aspect_ratio_policy: 'not_larger' },
    [floats([2, 4], 1, 2, 3, 4, 5, 6, 7, 8), null, null, long(3, 5)],
    [1, 1, 2, 3, 4, 1, 1, 2, 3, 4, 5, 5, 6, 7, 8],
  ],
  [
    'an image that is not smaller than its sizes say',
    'Resize',
    { ...floored, keep_aspect_ratio_policy: 'not_smaller' },
    [floats([2, 4], 1, 2, 3, 4, 5, 6, 7, 8), null, null, long(3, 5)],
    [1, 1, 2, 3, 3, 4, 1, 1, 2, 3, 3, 4, 5, 5, 6, 7, 7, 8],
  ],
  [
    'samples of float16',
    'GridSample',
    { align_corners: 1 },
    [['float16', [1, 1, 1, 3], [0x3c00, 0x4000, 0x4400]], floats([1, 1, 2, 2], 0, 0, 0.5, 0)],
    [0x4000, 0x4200],
  ],
  [
    'samples of integers',
    'GridSample',
    { mode: 'nearest', align_corners: 1 },
    [['int32', [1, 1, 1, 3], [1, 2, 2 ** 31 - 1]], floats([1, 1, 2, 2], 0, 0, 0.75, 0)],
    [2, 2 ** 31 - 1],
  ],
  [
    'the inverse of half of the frequencies',
    'DFT',
    { inverse: 1, onesided: 1 },
    [floats([1, 3, 2], 10, 0, -2, 2, -2, 0), null, ['int64', [], [1]]],
    [1, 2, 3, 4],
  ],
  [
    'the inverse of an odd number of frequencies',
    'DFT',
    { inverse: 1, onesided: 1, axis: 1 },
    [floats([1, 2, 2], 7, 0, -2, Math.sqrt(3)), ['int64', [], [3]]],
    [1, 2, 4],
    { opset: 17 },
  ],
  [
    'integers of 4 bits in blocks, of which the last is shorter',
    [
      ['QuantizeLinear', 'in0 in1', 'q', { output_dtype: 22 }],
      ['DequantizeLinear', 'q in2', 'y', { block_size: 2, axis: 0 }],
    ],
    {},
    [floats([3], 1, -2, 3), floats([], 1), floats([2], 2, 10)],
    [2, -4, 30],
  ],
  ['many products of integers, which wrap around', 'MatMul', {}, [many, many], many[2].map(() => 162)],
  ['the mean of no dimensions', 'GlobalAveragePool', {}, [floats([1, 2], 3, 5)], [3, 5]],
  [
    'features next to each other',
    'ai.onnx.ml:FeatureVectorizer',
    {},
    [floats([2, 1], 1, 2), floats([2, 2], 3, 4, 5, 6)],
    [1, 3, 4, 2, 5, 6],
  ],
  [
    'limits as inputs, since the first version that has them',
    'Clip',
    {},
    [floats([3], 0, 1.5, 3), floats([], 1), floats([], 2)],
    [1, 1.5, 2],
    { opset: 11 },
  ],
  [
    'limits as attributes, up to the last version that has them',
    'Clip',
    { min: { float: 1 }, max: { float: 2 } },
    [floats([3], 0, 1.5, 3)],
    [1, 1.5, 2],
    { opset: 10 },
  ],
  [
    'the limits of finite floats by default, while limits are attributes',
    'Clip',
    {},
    [floats([3], Infinity, -Infinity, 3)],
    [largest, -largest, 3],
    { opset: 6 },
  ],
  ['no limits by default, since they are inputs', 'Clip', {}, [floats([3], Infinity, -Infinity, 3)], [Infinity, -Infinity, 3]],
  ['an upper limit of integers alone', 'Clip', {}, [integers(1, 5), null, ['int32', [], [3]]], [1, 3]],
  ['the upper limit, where the lower one is above it', 'Clip', {}, [floats([2], 1, 9), floats([], 5), floats([], 2)], [2, 2]],
  [
    'what was kept as floats, to be multiplied',
    [
      ['Dropout', 'in0', 'x m'],
      ['Mul', 'in0 m', 'y'],
    ],
    {},
    [floats([2], 3, 5)],
    [3, 5],
    { opset: 9 },
  ],
  [
    'what was kept as conditions, since the first version that has them',
    [
      ['Dropout', 'in0', 'x m'],
      ['Not', 'm', 'y'],
    ],
    {},
    [floats([2], 3, 5)],
    [0, 0],
    { opset: 10 },
  ],
  [
    'whether floats are not 0 that were computed in memory',
    [
      ['Cast', 'in0', 'c', { to: 1 }],
      ['Cast', 'c', 'b', { to: 9 }],
      ['Cast', 'b', 'y', { to: 6 }],
    ],
    {},
    [['uint64', [3], [2, 0, 1]]],
    [1, 0, 1],
  ],
  [
    'whether sums of doubles are not 0',
    [
      ['Add', 'in0 in1', 'c'],
      ['Cast', 'c', 'b', { to: 9 }],
      ['Cast', 'b', 'y', { to: 6 }],
    ],
    {},
    [doubles(2, 1), doubles(3, -1)],
    [1, 0],
  ],
  [
    'rows divided by their largest magnitude, by default and below 1, and a row of zeros',
    'ai.onnx.ml:Normalizer',
    {},
    [floats([2, 2], 0.25, -0.5, 0, 0)],
    [0.5, -1, 0, 0],
  ],
  [
    'rows divided by their sum of magnitudes',
    'ai.onnx.ml:Normalizer',
    { norm: 'L1' },
    [floats([3, 2], 0.25, -0.75, 1, 3, 0, 0)],
    [0.25, -0.75, 0.25, 0.75, 0, 0],
  ],
  [
    'rows divided by their length',
    'ai.onnx.ml:Normalizer',
    { norm: 'L2' },
    [floats([3, 2], 0.3, -0.4, 5, 12, 0, 0)],
    [0.6, -0.8, 5 / 13, 12 / 13, 0, 0],
  ],
  [
    'one offset and one scale for all columns',
    'ai.onnx.ml:Scaler',
    { offset: { floats: [1] }, scale: { floats: [2] } },
    [floats([2, 2], 3, 5, 7, 9)],
    [4, 8, 12, 16],
  ],
  [
    'an offset and a scale for each column',
    'ai.onnx.ml:Scaler',
    { offset: { floats: [1, 2] }, scale: { floats: [2, 10] } },
    [floats([2, 2], 3, 5, 7, 9)],
    [4, 30, 12, 70],
  ],
  [
    'a value for each column in place of 0',
    'ai.onnx.ml:Imputer',
    { imputed_value_floats: { floats: [4, 6] } },
    [floats([2, 2], 0, 0, 3, 0)],
    [4, 6, 3, 6],
  ],
  [
    'integers in place of another one',
    'ai.onnx.ml:Imputer',
    { imputed_value_int64s: [7], replaced_value_int64: 3 },
    [long(0, 3)],
    [0, 7],
  ],
  ['what is above 0 by default', 'ai.onnx.ml:Binarizer', {}, [floats([1, 4], -1, 0, 0.5, 2)], [0, 0, 1, 1]],
  [
    'labels of integers, and -1 for others',
    'ai.onnx.ml:LabelEncoder',
    { keys_int64s: [3, 5], values_int64s: [30, 50] },
    [long(5, 4, 3)],
    [50, -1, 30],
  ],
  [
    'floats for labels, and another one by default',
    'ai.onnx.ml:LabelEncoder',
    { keys_int64s: [3], values_floats: { floats: [0.5] }, default_float: { float: 9 } },
    [long(3, 4)],
    [0.5, 9],
  ],
  [
    'a row of zeros for other categories',
    'ai.onnx.ml:OneHotEncoder',
    { cats_int64s: [1, 4] },
    [long(4, 2, 1)],
    [0, 1, 0, 0, 1, 0],
  ],
  [
    'widths of features, of which some are cut and others filled up',
    'ai.onnx.ml:FeatureVectorizer',
    { inputdimensions: [1, 3] },
    [floats([2, 2], 1, 2, 3, 4), floats([2, 2], 5, 6, 7, 8)],
    [1, 5, 6, 0, 3, 7, 8, 0],
  ],
  [
    'the columns of an array',
    'ai.onnx.ml:ArrayFeatureExtractor',
    {},
    [floats([2, 3], 1, 2, 3, 4, 5, 6), long(2, 0)],
    [3, 1, 6, 4],
  ],
  ...steps.map(([what, lengths, nodes, expected]): Row => [
    `the ends of sequences, 0 without steps, with lengths ${what}`,
    [
      ...nodes,
      ['RNN', `in0 in1 in2 - ${nodes.length > 0 ? 'l' : 'in3'} in4`, '- y', { hidden_size: 1, activations: { texts: ['Relu'] } }],
    ],
    {},
    [floats([2, 2, 1], 1, 2, 3, 4), floats([1, 1, 1], 1), floats([1, 1, 1], 0), lengths, floats([1, 2, 1], 7, 8)],
    expected,
  ]),
  [
    'labels as tensors, and one for others',
    'ai.onnx.ml:LabelEncoder',
    {
      ...{ keys_tensor: { tensor: long(3) }, values_tensor: { tensor: floats([1], 0.5) } },
      default_tensor: { tensor: floats([1], 9) },
    },
    [long(3, 4)],
    [0.5, 9],
  ],
  ['features of one array', 'ai.onnx.ml:FeatureVectorizer', {}, [floats([1, 2], 3, 5)], [3, 5]],
  [
    'one probit for two classes',
    'ai.onnx.ml:LinearClassifier',
    { classlabels_ints: [5, 9], coefficients: { floats: [1] }, intercepts: { floats: [0] }, post_transform: 'PROBIT' },
    [floats([1, 1], 0.75)],
    [0.67457425],
    { outputs: 'label y' },
  ],
  [
    'shares of a large score and a small one',
    'ai.onnx.ml:LinearRegressor',
    { targets: 2, coefficients: { floats: [800, 1] }, post_transform: 'SOFTMAX' },
    [floats([1, 1], 1)],
    [1, 0],
  ],
  [
    'shares of large scores of different sizes, none of which is 0',
    'ai.onnx.ml:LinearRegressor',
    { targets: 2, coefficients: { floats: [800, 799] }, post_transform: 'SOFTMAX_ZERO' },
    [floats([1, 1], 1)],
    [0.7310586, 0.26894143],
  ],
  ['which doubles are greater', 'Greater', {}, [doubles(1, 2, 0), doubles(1, 1, 1)], [0, 1, 0]],
  ['which doubles are greater or equal', 'GreaterOrEqual', {}, [doubles(1, 2, 0), doubles(1, 1, 1)], [1, 1, 0]],
  ['which doubles are less', 'Less', {}, [doubles(1, 2, 0), doubles(1, 1, 1)], [0, 0, 1]],
  ['which doubles are less or equal', 'LessOrEqual', {}, [doubles(1, 2, 0), doubles(1, 1, 1)], [1, 0, 1]],
  ['which doubles are equal', 'Equal', {}, [doubles(1, 2, NaN), doubles(1, 1, NaN)], [1, 0, 0]],
  ['the greater of doubles', 'Max', {}, [doubles(1, 2), doubles(3, 1)], [3, 2]],
  ['the smaller of doubles', 'Min', {}, [doubles(1, 2), doubles(3, 1)], [1, 1]],
  ['which doubles are infinite', 'IsInf', {}, [doubles(Infinity, -Infinity, 1)], [1, 1, 0]],
  ['which doubles are -Infinity', 'IsInf', { detect_positive: 0 }, [doubles(Infinity, -Infinity, 1)], [0, 1, 0]],
  ['which doubles are Infinity', 'IsInf', { detect_negative: 0 }, [doubles(Infinity, -Infinity, 1)], [1, 0, 0]],
  [
    'the bias of a convolution without channels',
    'Conv',
    {},
    [floats([1, 0, 1, 2]), floats([1, 0, 1, 1]), floats([1], 3)],
    [3, 3],
  ],
  ['a convolution of integers without channels', 'ConvInteger', {}, [bytes([1, 0, 1, 2]), bytes([1, 0, 1, 1])], [0, 0]],
  ...(['y', '- y'] as const).map((outputs): Row => [
    `sequences whose batch comes first: ${outputs === 'y' ? 'all steps' : 'their ends'}`,
    'RNN',
    { hidden_size: 2, layout: 1, activations: { texts: ['Relu'] } },
    [
      ...[floats([2, 2, 1], 1, 2, 3, 4), floats([1, 2, 1], 1, 10), floats([1, 2, 2], 1, 0, 0, 1)],
      ...[null, null, floats([2, 1, 2], 100, 200, 300, 400)],
    ],
    outputs === 'y' ? [101, 210, 103, 230, 303, 430, 307, 470] : [103, 230, 307, 470],
    { outputs },
  ]),
  [
    'rows divided by their largest magnitude',
    'ai.onnx.ml:Normalizer',
    { norm: 'MAX' },
    [floats([2, 2], 1, -4, 2, 1)],
    [0.25, -1, 1, 0.5],
  ],
  [
    'shares of scores that are all 0',
    'ai.onnx.ml:LinearClassifier',
    {
      classlabels_ints: [5, 7, 9],
      coefficients: { floats: [1, 2, 3] },
      intercepts: { floats: [0, 0, 0] },
      post_transform: 'SOFTMAX_ZERO',
    },
    [floats([1, 1], 0)],
    [0.5, 0.5, 0.5],
    { outputs: 'label y' },
  ],
  // By the approximation of the inverse error function that ONNX names; 0 for 1.
  [
    'probits',
    'ai.onnx.ml:LinearRegressor',
    { coefficients: { floats: [1] }, post_transform: 'PROBIT' },
    [floats([4, 1], 0.5, 0.25, 0.9, 1)],
    [0, -0.67457425, 1.2817129, 0],
  ],
  [
    'scores of lines for classes',
    'ai.onnx.ml:SVMClassifier',
    { classlabels_ints: [5, 9], coefficients: { floats: [1, -1, 2, 0] }, rho: { floats: [0.5] } },
    [floats([2, 2], 1, 2, 3, -1)],
    [-0.5, 2.5, 4.5, 6.5],
    { outputs: 'label y' },
  ],
  // Without negative coefficients, a score of 0.5 means the second class.
  [
    'which of two classes has a score',
    'ai.onnx.ml:SVMClassifier',
    { classlabels_ints: [5, 9], coefficients: { floats: [1, 0.25] }, rho: { floats: [0] } },
    [floats([2, 1], 1, 0.25)],
    [9, 5],
    { outputs: 'y scores' },
  ],
  [
    'whether any of three classes has a positive score',
    'ai.onnx.ml:SVMClassifier',
    { classlabels_ints: [5, 7, 9], coefficients: { floats: [1, 2, 3] }, rho: { floats: [0] } },
    [floats([2, 1], 1, -1)],
    [1, 0],
    { outputs: 'y scores' },
  ],
  [
    'a tree',
    'ai.onnx.ml:TreeEnsemble',
    { ...tree, ...splits, nodes_modes: { tensor: bytes([3], 0, 1, 3) } },
    [floats([3, 1], 0, 1, 10)],
    [10, 0, 0, 12, 14, 0],
  ],
  [
    'a tree with sets',
    'ai.onnx.ml:TreeEnsemble',
    {
      ...{ ...tree, ...splits, nodes_modes: { tensor: bytes([3], 0, 6, 6) } },
      membership_values: { tensor: floats([5], 1, 2, NaN, 8, NaN) },
    },
    [floats([3, 1], 2, 0, 8)],
    [10, 0, 0, 12, 14, 0],
  ],
  // NaN stays, whatever it is compared with.
  [
    'the greatest of updates',
    'ScatterElements',
    { reduction: 'max' },
    [floats([3], NaN, 1, 5), long(0, 1, 2), floats([3], 5, 4, 2)],
    [NaN, 4, 5],
  ],
  [
    'the least of updates',
    'ScatterElements',
    { reduction: 'min' },
    [floats([3], NaN, 1, 5), long(0, 1, 2), floats([3], 5, 4, 2)],
    [NaN, 1, 2],
  ],
  ['sums of conditions', 'ScatterElements', { reduction: 'add' }, [bools(0, 1, 0), long(0, 1, 2), bools(1, 0, 0)], [1, 1, 0]],
  ['products of conditions', 'ScatterElements', { reduction: 'mul' }, [bools(1, 1, 0), long(0, 1, 2), bools(1, 0, 1)], [1, 0, 0]],
  [
    'sums of floats, rounded one by one',
    'ScatterElements',
    { reduction: 'add' },
    [floats([1], 2 ** 24), long(0, 0), floats([2], 1, 1)],
    [2 ** 24],
  ],
  [
    'sums of integers, which wrap around',
    'ScatterElements',
    { reduction: 'add' },
    [integers(2 ** 31 - 1), long(0), integers(1)],
    [-(2 ** 31)],
  ],
  ['updates that there are none of', 'ScatterElements', {}, [floats([1], 3), long(), floats([0])], [3]],
  ['sorted elements, NaN last', 'Unique', {}, [floats([4], NaN, 2, 1, 2)], [1, 2, NaN]],
  [
    'the first element for one without a place',
    'Resize',
    { mode: 'linear', coordinate_transformation_mode: 'pytorch_half_pixel' },
    [floats([4], 1, 2, 3, 4), null, null, long(1)],
    [1],
  ],
  [
    'the first element for one without a distance',
    'Resize',
    { mode: 'linear', coordinate_transformation_mode: 'align_corners' },
    [floats([4], 1, 2, 3, 4), null, null, long(1)],
    [1],
  ],
  [
    'a box that scores as much as the threshold',
    'NonMaxSuppression',
    {},
    [floats([1, 2, 4], 0, 0, 1, 1, 2, 2, 3, 3), floats([1, 1, 2], 0.5, 0.75), long(9), floats([1], 0), floats([1], 0.5)],
    [0, 0, 1],
  ],
  [
    'boxes that overlap as much as they may',
    'NonMaxSuppression',
    {},
    [floats([1, 2, 4], 0, 0, 1, 2, 0, 1, 1, 3), floats([1, 1, 2], 0.5, 0.75), long(9), floats([1], 1 / 3)],
    [0, 0, 1, 0, 0, 0],
  ],
  [
    'boxes that touch',
    'NonMaxSuppression',
    {},
    [floats([1, 2, 4], 0, 0, 1, 1, 0, 1, 1, 2), floats([1, 1, 2], 0.5, 0.75), long(9), floats([1], 0)],
    [0, 0, 1, 0, 0, 0],
  ],
  ['the determinant of nothing but zeros', 'Det', {}, [floats([2, 2], 0, 0, 0, 0)], [0]],
  [
    'a signal of half of its frequencies',
    'DFT',
    { inverse: 1, onesided: 1 },
    [floats([1, 3, 2], 1, 5, 0, 0, 0, 7)],
    [0.25, 0.25, 0.25, 0.25],
    { opset: 20 },
  ],
  [
    'a sequence without its last tensor',
    [
      ['SequenceConstruct', 'in0 in1', 's'],
      ['SequenceErase', 's', 'r'],
      ['ConcatFromSequence', 'r', 'y', { axis: 0 }],
    ],
    {},
    [floats([1], 3), floats([1], 5)],
    [3],
  ],
  [
    'parts of given sizes, which keep their dimensions',
    [
      ['SplitToSequence', 'in0 in1', 's', { keepdims: 0 }],
      ['ConcatFromSequence', 's', 'y', { axis: 1 }],
    ],
    {},
    [floats([2, 1], 3, 5), long(1, 1)],
    [3, 5],
  ],
  [
    'the second part of given sizes',
    [
      ['SplitToSequence', 'in0 in1', 's'],
      ['SequenceAt', 's in2', 'y'],
    ],
    {},
    [floats([4], 3, 5, 7, 9), long(1, 2, 1), ['int64', [], [1]]],
    [5, 7],
  ],
  ['the mask of what was kept, as floats', 'Dropout', {}, [floats([2], 3, 5)], [1, 1], { opset: 9, outputs: 'x y' }],
  ['the mask of what was kept', 'Dropout', {}, [floats([2], 3, 5)], [1, 1], { opset: 12, outputs: 'x y' }],
  [
    'floats as integers of 4 bits',
    [
      ['QuantizeLinear', 'in0 in1', 'q', { output_dtype: 22 }],
      ['Cast', 'q', 'y', { to: 1 }],
    ],
    {},
    [floats([4], 1, -8.4, 7.6, 3), floats([], 1)],
    [1, -8, 7, 3],
  ],
  [
    'conditions of 4 bits',
    [
      ['QuantizeLinear', 'in0 in1', 'q', { output_dtype: 22 }],
      ['Cast', 'q', 'b', { to: 9 }],
      ['Cast', 'b', 'y', { to: 6 }],
    ],
    {},
    [floats([4], 1, -8, 0, 3), floats([], 1)],
    [1, 1, 0, 1],
  ],
  [
    'integers of 4 bits, which wrap around',
    [
      ['Cast', 'in0', 'c', { to: 22 }],
      ['Cast', 'c', 'y', { to: 6 }],
    ],
    {},
    [integers(1, -3, 9, 7)],
    [1, -3, -7, 7],
  ],
  [
    'a zero point for each filter, and one scale',
    'QLinearConv',
    {},
    [
      bytes([1, 1, 1, 1], 10),
      floats([], 1),
      bytes([], 0),
      bytes([2, 1, 1, 1], 3, 3),
      floats([], 1),
      bytes([2], 1, 2),
      floats([], 1),
      bytes([], 0),
    ],
    [20, 10],
  ],
  ['the fused activation that is none', 'com.microsoft:FusedConv', {}, [floats([1, 1, 1], -3), floats([1, 1, 1], 2)], [-6]],
  ['a product with a vector', 'com.microsoft:FusedMatMul', {}, [floats([2], 3, 5), floats([2, 1], 7, 11)], [76]],
  [
    'a running mean of one kind with a scale of another',
    'BatchNormalization',
    { epsilon: { float: 0 } },
    [['float16', [1, 1, 1], [0x4200]], ['float16', [1], [0x4000]], ['float16', [1], [0x3c00]], floats([1], 1), floats([1], 4)],
    [0x4200],
  ],
  [
    'samples that are normalized element by element',
    'BatchNormalization',
    { spatial: 0, epsilon: { float: 0 } },
    [floats([1, 1, 2], 3, 5), floats([1, 2], 2, 4), floats([1, 2], 0, 1), floats([1, 2], 1, 1), floats([1, 2], 4, 4)],
    [2, 9],
    { opset: 8 },
  ],
  [
    'a vector that is normalized',
    'BatchNormalization',
    { epsilon: { float: 0 } },
    [floats([2], 3, 5), floats([1], 2), floats([1], 1), floats([1], 1), floats([1], 4)],
    [3, 5],
  ],
  [
    'the mean and the inverse deviation of no axis',
    'LayerNormalization',
    { epsilon: { float: 0 } },
    [floats([2, 2], 1, 3, 2, 6), floats([2], 1, 1)],
    [1, 0.5],
    { outputs: 'x - y' },
  ],
  [
    'images of one dimension between their neighbours',
    'LRN',
    { size: 3, alpha: { float: 3 }, beta: { float: 1 } },
    [floats([1, 2, 1], 1, 2)],
    [1 / 6, 2 / 6],
  ],
  ['a part with an empty value for its border', 'Pad', {}, [floats([1], 3), long(1, 0), floats([0])], [0, 3]],
  [
    'which are greater than the threshold',
    'ai.onnx.ml:Binarizer',
    { threshold: { float: 2 } },
    [floats([1, 3], 1, 2, 3)],
    [0, 0, 1],
  ],
  ['integers in place of others', 'ai.onnx.ml:Imputer', { imputed_value_int64s: [7] }, [long(0, 3)], [7, 3]],
  [
    'floats in place of NaN',
    'ai.onnx.ml:Imputer',
    { imputed_value_floats: { floats: [7] }, replaced_value_float: { float: NaN } },
    [floats([1, 2], NaN, 3)],
    [7, 3],
  ],
  [
    'floats in place of 0, but not of NaN',
    'ai.onnx.ml:Imputer',
    { imputed_value_floats: { floats: [7] } },
    [floats([1, 3], NaN, 0, 3)],
    [NaN, 7, 3],
  ],
  ['scores as they are', 'ai.onnx.ml:Scaler', {}, [floats([1, 2], 3, 5)], [3, 5]],
  [
    'shares of large scores',
    'ai.onnx.ml:LinearRegressor',
    { targets: 2, coefficients: { floats: [800, 0] }, intercepts: { floats: [0, 800] }, post_transform: 'SOFTMAX' },
    [floats([1, 1], 1)],
    [0.5, 0.5],
  ],
  [
    'shares of large scores beside 0',
    'ai.onnx.ml:LinearRegressor',
    { targets: 2, coefficients: { floats: [2, 0] }, post_transform: 'SOFTMAX_ZERO' },
    [floats([1, 1], 1)],
    [1, 0],
  ],
  [
    'whether a single score is negative',
    'ai.onnx.ml:LinearClassifier',
    { classlabels_ints: [7], coefficients: { floats: [1] }, intercepts: { floats: [0] } },
    [floats([3, 1], -1, 0, 1)],
    [0, 7, 7],
    { outputs: 'y scores' },
  ],
  [
    'whether a single share is less than a half',
    'ai.onnx.ml:LinearClassifier',
    { classlabels_ints: [7], coefficients: { floats: [1] }, intercepts: { floats: [0] }, post_transform: 'LOGISTIC' },
    [floats([2, 1], -1, 1)],
    [0, 7],
    { outputs: 'y scores' },
  ],
  [
    'a score of 0 of one class',
    'ai.onnx.ml:SVMRegressor',
    { one_class: 1, coefficients: { floats: [1] }, rho: { floats: [0] } },
    [floats([3, 1], -1, 0, 1)],
    [-1, -1, 1],
  ],
  [
    'one target by default',
    'ai.onnx.ml:TreeEnsembleRegressor',
    {
      nodes_modes: { texts: ['LEAF'] },
      nodes_nodeids: [0],
      nodes_treeids: [0],
      nodes_featureids: [0],
      nodes_values: { floats: [0] },
      nodes_truenodeids: [0],
      nodes_falsenodeids: [0],
      target_ids: [0],
      target_nodeids: [0],
      target_treeids: [0],
      target_weights: { floats: [3] },
    },
    [floats([2, 1], 1, 2)],
    [3, 3],
  ],
];

describe.each(backends)('on %s', (backend) => {
  const device = deviceOn(backend);

  test.each(rows.map((row) => [row[0], row] as const))('computes %s', async (_, row) => {
    const [, operator, attributes, inputs, expected, others] = row;
    const result = await compute(device(), { operator, attributes, inputs, ...others });
    const tolerance = result.dataType === 'float64' ? 1e-14 : 1e-5;
    const isNear = (a: number, b = NaN) => a === b || Math.abs(a - b) <= tolerance * Math.abs(b);
    const elements = Array.from(await result.read(), Number);
    expect(elements.map((element, i) => (isNear(element, expected[i]) ? expected[i] : element))).toEqual(expected);
  });
});
