/** What nodes refuse: the error names the node, and what is wrong. */
import { describe, expect, test } from 'vitest';
import type { NodeLine, Weight } from '../../checks/networks/small-model.js';
import { deviceOn, ownBackend } from '../support/devices.js';
import { rejected } from '../support/errors.js';
import { compute, ofOnes, type Attributes, type OneNode } from './one-node.js';

type Row = [
  message: string,
  operator: OneNode['operator'],
  attributes: Attributes,
  inputs: OneNode['inputs'],
  others?: Pick<OneNode, 'opset' | 'outputs'>,
];

const [ones, doubles, ints, bytes] = [ofOnes('float32'), ofOnes('float64'), ofOnes('int32'), ofOnes('uint8')];
const list = (...elements: readonly number[]): Weight => ['int64', [elements.length], elements];
const one = (element: number): Weight => ['int64', [], [element]];
const infinite: Weight = ['float32', [], [Infinity]];
const yes: Weight = ['bool', [], [1]];

const heads = { num_heads: 2 };
/** A branch that leads back to itself. */
const tree: Attributes = {
  ...{ nodes_featureids: [0], nodes_truenodeids: [0], nodes_falsenodeids: [0], nodes_nodeids: [0], nodes_treeids: [0] },
  ...{ nodes_values: { floats: [1] }, nodes_modes: { texts: ['BRANCH_LEQ'] }, n_targets: 1 },
  ...{ target_ids: [0], target_nodeids: [0], target_treeids: [0], target_weights: { floats: [1] } },
};
const inserting: readonly NodeLine[] = [
  ['SequenceConstruct', 'in0', 's'],
  ['SequenceInsert', 's in0 in1', 'y'],
];

const unsupported = (what: string, given: string) => `model: ${what}: expected one that is supported, given ${given}`;

const rows: readonly Row[] = [
  [
    unsupported('the precision of softmax', 'float64'),
    'Attention',
    { softmax_precision: 11 },
    [ones(1, 1, 1, 1), ones(1, 1, 1, 1), ones(1, 1, 1, 1)],
  ],
  [unsupported('the data type of the mean', 'float64'), 'LayerNormalization', { stash_type: 11 }, [ones(1), ones(1)]],
  [
    unsupported('the aspect ratio policy', 'both'),
    'Resize',
    { keep_aspect_ratio_policy: 'both' },
    [ones(1), null, null, list(2)],
  ],
  ['axis 0 has no elements to take', 'Gather', {}, [ones(0, 2), list(1)]],
  ['1 cosines for 4 elements', 'RotaryEmbedding', {}, [ones(1, 1, 1, 4), ones(1, 1, 1), ones(1, 1, 1)]],
  ['a tensor without elements cannot be continued', 'Pad', { mode: 'edge' }, [ones(0), list(1, 1)]],
  [unsupported('the data type in mode linear', 'int32'), 'GridSample', { mode: 'linear' }, [ints(1, 1, 1, 1), ones(1, 1, 1, 2)]],
  [
    unsupported('the activation', 'Sine'),
    'RNN',
    { hidden_size: 1, activations: { texts: ['Sine'] } },
    [ones(1, 1, 1), ones(1, 1, 1), ones(1, 1, 1)],
  ],
  [
    unsupported('the attribute clip', '2 (only lstm of DirectML has it)'),
    'GRU',
    { hidden_size: 1, clip: { float: 2 } },
    [ones(1, 1, 1), ones(1, 3, 1), ones(1, 3, 1)],
  ],
  [unsupported('approximate', 'erf'), 'Gelu', { approximate: 'erf' }, [ones(1)]],
  [
    '2 heads of keys do not divide 3 heads of queries',
    'Attention',
    { q_num_heads: 3, kv_num_heads: 2, is_causal: 1 },
    [ones(1, 1, 6), ones(1, 1, 4), ones(1, 1, 4)],
  ],
  ['the attribute q_num_heads is missing', 'Attention', { kv_num_heads: 2 }, [ones(1, 1, 6), ones(1, 1, 4), ones(1, 1, 4)]],
  [
    '4 heads do not divide 6 elements',
    'Attention',
    { q_num_heads: 4, kv_num_heads: 4, is_causal: 1 },
    [ones(1, 1, 6), ones(1, 1, 4), ones(1, 1, 4)],
  ],
  [
    'past_key and past_value go together',
    'Attention',
    {},
    [ones(1, 1, 1, 1), ones(1, 1, 1, 1), ones(1, 1, 1, 1), null, ones(1, 1, 1, 1)],
  ],
  [
    'past keys have no nonpad_kv_seqlen',
    'Attention',
    {},
    [ones(1, 1, 1, 1), ones(1, 1, 1, 1), ones(1, 1, 1, 1), null, ones(1, 1, 1, 1), ones(1, 1, 1, 1), list(1)],
  ],
  [
    'qk_matmul_output_mode is 4',
    'Attention',
    { qk_matmul_output_mode: 4 },
    [ones(1, 1, 1, 1), ones(1, 1, 1, 1), ones(1, 1, 1, 1)],
    { outputs: 'y - - s' },
  ],
  ['2 cosines for 2 elements', 'RotaryEmbedding', {}, [ones(1, 1, 1, 2), ones(1, 1, 2), ones(1, 1, 2)]],
  ['the attribute to is missing', 'Cast', {}, [ones(1)]],
  ['float32 and float16 have different numbers of bits', 'BitCast', { to: 10 }, [ones(1)], { opset: 26 }],
  [
    unsupported('a convolution', '4 dimensions of space (DirectML has up to 3)'),
    'Conv',
    {},
    [ones(1, 1, 1, 1, 1, 1), ones(1, 1, 1, 1, 1, 1)],
  ],
  [
    unsupported('a convolution', '4 dimensions of space (DirectML has up to 3)'),
    'ConvTranspose',
    {},
    [ones(1, 1, 1, 1, 1, 1), ones(1, 1, 1, 1, 1, 1)],
  ],
  ['an output size is -2', 'ConvTranspose', { pads: [2, 2] }, [ones(1, 1, 2), ones(1, 1, 1)]],
  ['2 groups do not divide the channels', 'ConvInteger', { group: 2 }, [bytes(1, 3, 1, 1, 1), bytes(2, 1, 1, 1, 1)]],
  ['2 terms are given for 1 inputs', 'Einsum', { equation: 'i,j' }, [ones(1)]],
  ["'ij' does not name 1 dimensions", 'Einsum', { equation: 'ij' }, [ones(1)]],
  ["'i1' does not name 2 dimensions", 'Einsum', { equation: 'i1' }, [ones(1, 1)]],
  ["the output 'ii' has a dimension twice", 'Einsum', { equation: 'i->ii' }, [ones(2)]],
  ["'i' has the sizes 2 and 3", 'Einsum', { equation: 'i,i' }, [ones(2), ones(3)]],
  ["no input has the dimension 'j'", 'Einsum', { equation: 'i->j' }, [ones(2)]],
  ["'i' has two sizes", 'Einsum', { equation: 'ii' }, [ones(2, 3)]],
  ['floats need the attribute fmod', 'Mod', {}, [ones(1), ones(1)]],
  ['the direction is neither LEFT nor RIGHT', 'BitShift', { direction: 'UP' }, [bytes(1), bytes(1)]],
  [unsupported('training_mode', 'true (what is dropped would be random)'), 'Dropout', {}, [ones(1), null, yes]],
  [unsupported('the mode', 'both'), 'TensorScatter', { mode: 'both' }, [ones(1, 1, 1), ones(1, 1, 1)]],
  ['the axis is that of the batch', 'TensorScatter', { axis: 0 }, [ones(1, 1, 1), ones(1, 1, 1)]],
  [unsupported('the reduction', 'mean'), 'ScatterElements', { reduction: 'mean' }, [ones(1), list(0), ones(1)]],
  ['the index 1 is none of 1 elements', 'ScatterElements', { reduction: 'add' }, [ones(1), list(1), ones(1)]],
  ['the index -2 is none of 1 elements', 'ScatterElements', { reduction: 'add' }, [ones(1), list(-2), ones(1)]],
  [unsupported('the mode', 'area'), 'GridSample', { mode: 'area' }, [ones(1, 1, 1, 1), ones(1, 1, 1, 2)]],
  [unsupported('the padding mode', 'wrap'), 'GridSample', { padding_mode: 'wrap' }, [ones(1, 1, 1, 1), ones(1, 1, 1, 2)]],
  [unsupported('the data type of the grid', 'float64'), 'GridSample', {}, [ones(1, 1, 1, 1), doubles(1, 1, 1, 2)]],
  [unsupported('the data type', 'float64'), 'AffineGrid', {}, [doubles(1, 2, 3), list(1, 1, 2, 2)]],
  [unsupported('reduction', 'max'), 'SoftmaxCrossEntropyLoss', { reduction: 'max' }, [ones(1, 1), list(0)]],
  ['a single number is no matrix', 'MatMul', {}, [ones(), ones(1)]],
  ['a single number is no matrix', 'MatMul', {}, [ones(1), ones()]],
  ['2 columns are multiplied by 3 rows', 'MatMul', {}, [ones(1, 2), ones(3, 1)]],
  ['both inputs are matrices', 'Gemm', {}, [ones(1, 1, 1), ones(1, 1)]],
  ['both inputs are matrices', 'Gemm', {}, [ones(1, 1), ones(1)]],
  [unsupported('the factor of a product of integers', '0.5'), 'Gemm', { alpha: { float: 0.5 } }, [ints(1, 1), ints(1, 1)]],
  [
    unsupported('the factor of a product of integers', '0.5'),
    'com.microsoft:FusedMatMul',
    { alpha: { float: 0.5 } },
    [ints(1, 1), ints(1, 1)],
  ],
  [
    unsupported('the input', 'past_sequence_length'),
    'com.microsoft:MultiHeadAttention',
    heads,
    [ones(1, 1, 2), ones(1, 1, 2), ones(1, 1, 2), null, null, null, null, null, list(1)],
  ],
  [
    unsupported('the input', 'cache_indirection'),
    'com.microsoft:MultiHeadAttention',
    heads,
    [ones(1, 1, 2), ones(1, 1, 2), ones(1, 1, 2), null, null, null, null, null, null, list(1)],
  ],
  [
    unsupported('the output', 'qk'),
    'com.microsoft:MultiHeadAttention',
    heads,
    [ones(1, 1, 2), ones(1, 1, 2), ones(1, 1, 2)],
    { outputs: 'y - - q' },
  ],
  ['the attribute num_heads is missing', 'com.microsoft:MultiHeadAttention', {}, [ones(1, 1, 2), ones(1, 1, 2), ones(1, 1, 2)]],
  ['keys or values are missing', 'com.microsoft:MultiHeadAttention', heads, [ones(1, 1, 2), ones(1, 1, 2)]],
  ['keys or values are missing', 'com.microsoft:MultiHeadAttention', heads, [ones(1, 1, 2)]],
  [
    unsupported('the attribute', 'do_rotary'),
    'com.microsoft:Attention',
    { ...heads, do_rotary: 1 },
    [ones(1, 1, 2), ones(2, 6), ones(6)],
  ],
  [
    unsupported('labels', 'of strings'),
    'ai.onnx.ml:LinearClassifier',
    { classlabels_strings: { texts: ['a'] }, coefficients: { floats: [1] } },
    [ones(1, 1)],
  ],
  [
    unsupported('the transform', 'SQUARE'),
    'ai.onnx.ml:LinearRegressor',
    { post_transform: 'SQUARE', coefficients: { floats: [1] } },
    [ones(1, 1)],
  ],
  [
    unsupported('the aggregate function', 'MEDIAN'),
    'ai.onnx.ml:TreeEnsembleRegressor',
    { ...tree, aggregate_function: 'MEDIAN' },
    [ones(1, 1)],
  ],
  ['a branch of a tree leads to no node', 'ai.onnx.ml:TreeEnsembleRegressor', { ...tree, nodes_truenodeids: [3] }, [ones(1, 1)]],
  ['a tree has no leaf', 'ai.onnx.ml:TreeEnsembleRegressor', tree, [ones(1, 1)]],
  [
    unsupported('the mode of a tree', 'BRANCH_ODD'),
    'ai.onnx.ml:TreeEnsembleRegressor',
    { ...tree, nodes_modes: { texts: ['BRANCH_ODD'] } },
    [ones(1, 1)],
  ],
  [unsupported('the norm', 'L3'), 'ai.onnx.ml:Normalizer', { norm: 'L3' }, [ones(1, 1)]],
  [unsupported('categories', 'of strings'), 'ai.onnx.ml:OneHotEncoder', { cats_strings: { texts: ['a'] } }, [list(1)]],
  ['3 is none of the categories', 'ai.onnx.ml:OneHotEncoder', { cats_int64s: [1, 2], zeros: 0 }, [list(3)]],
  [
    unsupported('labels', 'of strings'),
    'ai.onnx.ml:LabelEncoder',
    { keys_strings: { texts: ['a'] }, values_int64s: [1] },
    [list(1)],
  ],
  [
    unsupported('labels', 'of strings'),
    'ai.onnx.ml:LabelEncoder',
    { keys_int64s: [1], values_strings: { texts: ['a'] } },
    [list(1)],
  ],
  ['the parts of 1, 1 are not the 3 elements of axis 0', 'Split', {}, [ones(3), list(1, 1)]],
  ['there are no tensors to join', 'Concat', { axis: 0 }, []],
  ['input 0 is no sequence', 'ConcatFromSequence', { axis: 0 }, []],
  [unsupported('the mode', 'mirror'), 'Pad', { mode: 'mirror' }, [ones(1), list(1, 1)]],
  ['1 axes have 3 pads', 'Pad', {}, [ones(1), list(1, 1, 1)]],
  ['0, 0 is no order of 2 dimensions', 'Transpose', { perm: [0, 0] }, [ones(2, 3)]],
  ['0 is no order of 2 dimensions', 'Transpose', { perm: [0] }, [ones(2, 3)]],
  ['a step is 0', 'Slice', {}, [ones(2), list(0), list(2), list(0), list(0)]],
  ['the images have 3 instead of 4 dimensions', 'DepthToSpace', { blocksize: 2 }, [ones(1, 4, 1)]],
  [unsupported('the mode', 'RCD'), 'DepthToSpace', { blocksize: 2, mode: 'RCD' }, [ones(1, 4, 1, 1)]],
  ['the images do not consist of blocks of 2', 'DepthToSpace', { blocksize: 2 }, [ones(1, 3, 1, 1)]],
  ['2 groups do not divide 3 channels', 'GroupNormalization', { num_groups: 2 }, [ones(1, 3, 1), ones(3), ones(3)]],
  ['p is 3 instead of 1 or 2', 'LpNormalization', { p: 3 }, [ones(1)]],
  ['the attribute size is missing', 'LRN', {}, [ones(1, 1, 1)]],
  [unsupported('a pooling', '0 dimensions of space (DirectML has up to 3)'), 'MaxPool', { kernel_shape: [] }, [ones(1, 1)]],
  [
    unsupported('a pooling', '4 dimensions of space (DirectML has up to 3)'),
    'MaxPool',
    { kernel_shape: [1, 1, 1, 1] },
    [ones(1, 1, 1, 1, 1, 1)],
  ],
  [unsupported('a pooling', 'an input without elements'), 'MaxPool', { kernel_shape: [1], pads: [1, 0] }, [ones(1, 1, 0)]],
  ['a window of 2 dimensions lies in 1', 'MaxPool', { kernel_shape: [1, 1] }, [ones(1, 1, 1)]],
  [unsupported('the output', 'int32'), 'QuantizeLinear', {}, [ones(1), ones(), ints()]],
  ['the scale has not as many dimensions as the input', 'QuantizeLinear', { block_size: 2, axis: 0 }, [ones(3), ones(2, 1)]],
  ['there are too few blocks', 'QuantizeLinear', { block_size: 2, axis: 0 }, [ones(5), ones(2)]],
  ['there are no elements along the axis', 'ArgMax', { axis: 0 }, [ones(0, 1)]],
  ['there are fewer than 3 elements along the axis', 'TopK', {}, [ones(2), list(3)]],
  ['there are fewer than -1 elements along the axis', 'TopK', {}, [ones(2), list(-1)]],
  [unsupported('the mode', 'min'), 'RoiAlign', { mode: 'min' }, [ones(1, 1, 1, 1), ones(1, 4), list(0)]],
  ['a tensor without elements cannot be resized', 'Resize', {}, [ones(0), null, null, list(2)]],
  [
    unsupported('the coordinate transformation mode', 'corner'),
    'Resize',
    { coordinate_transformation_mode: 'corner' },
    [ones(1), null, null, list(2)],
  ],
  [unsupported('the mode', 'area'), 'Resize', { mode: 'area' }, [ones(1), null, null, list(2)]],
  [
    'there is no region to crop',
    'Resize',
    { mode: 'linear', coordinate_transformation_mode: 'tf_crop_and_resize' },
    [ones(1), null, null, list(2)],
  ],
  ['there are neither scales nor sizes', 'Resize', {}, [ones(1)]],
  [unsupported('the mode', 'nearest (it has no antialiasing)'), 'Resize', { antialias: 1 }, [ones(1), null, null, list(2)]],
  [unsupported('the nearest mode', 'even'), 'Resize', { nearest_mode: 'even' }, [ones(1), null, null, list(2)]],
  ['the frames do not advance', 'STFT', {}, [ones(1, 4, 1), one(0), ones(2)]],
  ['a size is negative', 'ConstantOfShape', {}, [list(1, -1)]],
  ['the input is no matrix', 'EyeLike', {}, [ones(1)]],
  ['3 elements cannot become 2 × -1', 'Reshape', {}, [ones(3), list(2, -1)]],
  ['a size that is squeezed is not 1', 'Squeeze', {}, [ones(2), list(0)]],
  ['an axis is listed twice', 'Unsqueeze', {}, [ones(2), list(0, 0)]],
  ['the step is 0', 'Range', {}, [one(0), one(1), one(0)]],
  ['the range does not end', 'Range', {}, [ones(), infinite, ones()]],
  [unsupported('the value', 'value_string'), 'Constant', { value_string: 'a' }, []],
  ['the position 2 is none of 1 tensors', inserting, {}, [ones(1), one(2)]],
  ['the position -2 is none of 1 tensors', inserting, {}, [ones(1), one(-2)]],
  [
    'there are no tensors to join',
    [
      ['SequenceEmpty', '', 's'],
      ['ConcatFromSequence', 's', 'y', { axis: 0 }],
    ],
    {},
    [],
  ],
  [
    'there are no parts of size 0',
    [
      ['SplitToSequence', 'in0 in1', 's'],
      ['SequenceLength', 's', 'y'],
    ],
    {},
    [ones(2), one(0)],
  ],
  [
    unsupported('the input', 'past_sequence_length'),
    'com.microsoft:Attention',
    heads,
    [ones(1, 1, 2), ones(2, 6), ones(6), null, null, null, ints()],
  ],
  [unsupported('a mask', '1x1x1x2'), 'com.microsoft:Attention', heads, [ones(1, 2, 2), ones(2, 6), ones(6), ints(1, 1, 1, 2)]],
  [unsupported('a mask', '1x3'), 'com.microsoft:Attention', heads, [ones(1, 2, 2), ones(2, 6), ones(6), ints(1, 3)]],
  [
    unsupported('a mask', '3 numbers for 1 samples'),
    'com.microsoft:Attention',
    heads,
    [ones(1, 2, 2), ones(2, 6), ones(6), ints(3)],
  ],
  [
    'queries, keys or values are missing',
    'com.microsoft:Attention',
    { ...heads, qkv_hidden_sizes: [2, 4] },
    [ones(1, 2, 2), ones(2, 6)],
  ],
  ['keys or values are missing', 'com.microsoft:MultiHeadAttention', heads, [ones(1, 1, 2), null, ones(1, 1, 2)]],
  [
    unsupported('a bias', 'one beside keys that have their heads apart'),
    'com.microsoft:MultiHeadAttention',
    heads,
    [ones(1, 1, 2), ones(1, 2, 1, 1), ones(1, 2, 1, 1), ones(6)],
  ],
  [
    unsupported('the output', 'output_qk'),
    'com.microsoft:GroupQueryAttention',
    { ...heads, kv_num_heads: 1 },
    [ones(1, 1, 2), ones(1, 1, 1), ones(1, 1, 1), null, null, ints(1), ints()],
    { outputs: 'y - - q' },
  ],
  [
    unsupported('the attribute', 'is_packed_batching'),
    'com.microsoft:RotaryEmbedding',
    { is_packed_batching: 1 },
    [ones(1, 1, 2), list(0), ones(1, 1), ones(1, 1)],
  ],
  [
    '1 cosines for 4 elements',
    'com.microsoft:RotaryEmbedding',
    { rotary_embedding_dim: 4 },
    [ones(1, 1, 4), list(0), ones(1, 1), ones(1, 1)],
  ],
  ['2 cosines for heads of 2 elements', 'com.microsoft:RotaryEmbedding', {}, [ones(1, 1, 1, 2), list(0), ones(1, 2), ones(1, 2)]],
  [unsupported('the metric', 'cosine'), 'com.microsoft:CDist', { metric: 'cosine' }, [ones(1, 1), ones(1, 1)]],
  [
    unsupported('a scale', 'one that differs from matrix to matrix, or that of no elements'),
    'com.microsoft:MatMulIntegerToFloat',
    {},
    [bytes(2, 1, 1), bytes(2, 1, 1), ones(2, 1, 1), ones()],
  ],
  [
    unsupported('the input', 'g_idx'),
    'com.microsoft:MatMulNBits',
    { K: 16, N: 1, block_size: 16 },
    [ones(1, 16), bytes(1, 1, 8), ones(1), null, ints(16)],
  ],
  [
    unsupported('the number of bits', '2'),
    'com.microsoft:MatMulNBits',
    { K: 16, N: 1, block_size: 16, bits: 2 },
    [ones(1, 16), bytes(1, 1, 8), ones(1)],
  ],
  [
    unsupported('the axes', 'others than rows that are quantized along themselves'),
    'com.microsoft:GatherBlockQuantized',
    { gather_axis: 1 },
    [bytes(1, 8), list(0), ones(1, 1)],
  ],
  [
    unsupported('the axes', 'others than rows that are quantized along themselves'),
    'com.microsoft:GatherBlockQuantized',
    { quantize_axis: 0 },
    [bytes(1, 8), list(0), ones(1, 1)],
  ],
  [
    unsupported('the axes', 'others than rows that are quantized along themselves'),
    'com.microsoft:GatherBlockQuantized',
    { quantize_axis: 2 },
    [bytes(1, 1, 8), list(0), ones(1, 1)],
  ],
  ['the index 1 is none of 1 elements', 'ScatterND', { reduction: 'add' }, [ones(1), ['int64', [1, 1], [1]], ones(1)]],
  [
    'the index 2 is none of 2 elements',
    'ScatterElements',
    { reduction: 'max' },
    [ones(2, 1), ['int64', [1, 1], [2]], ones(1, 1)],
  ],
  ['1 terms are given for 0 inputs', 'Einsum', { equation: '' }, []],
  [
    'the optional has no value',
    [
      ['Optional', '', 'o', { type: 1 }],
      ['OptionalGetElement', 'o', 'y'],
    ],
    {},
    [],
  ],
];

describe.each(ownBackend)('on %s', (backend) => {
  const device = deviceOn(backend);

  test.each(rows)('%s: %s %o', async (message, operator, attributes, inputs, others) => {
    const error = await rejected(compute(device(), { operator, attributes, inputs, opset: 24, ...others }));
    expect(error.code).toBe('ERR_INVALID_FILE');
    const [, type, what] = /^node '(\w+) of .+?' \(\1\): (.+)$/.exec(error.message) ?? [];
    expect(what ?? error.message).toBe(message);
    if (typeof operator === 'string') expect(operator.split(':').at(-1)).toBe(type);
  });
});
