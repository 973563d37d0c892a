/** Operators of onnxruntime that do several of ONNX's at once. */
import { vector } from '../make-data.js';
import { like, type Node } from '../node.js';
import { permuted, type Item, type Operand } from '../operand.js';
import { activationPart, tanhGelu } from './activation.js';
import { channelsFirst, channelsLast, convolve } from './convolution-helpers.js';
import { combineInMemory } from './in-memory.js';
import type { Lowerings } from './lowering.js';
import { matMul } from './matrix-helpers.js';
import { scaleAndZeroPoint } from './microsoft-quantized.js';
import { taken } from './move-helpers.js';
import { layerNormalization, normalized, withStatistics } from './normalization.js';
import { dequantize } from './quantize.js';
import { lineInMemory, sum } from './reduce.js';
import { plus, reduced, upTo, zeros } from './tensor-helpers.js';

export const fusedOperators: Lowerings = {
  'com.microsoft:FastGelu': (node) => tanhGelu(node, plus(node, node.input(0), node.optional(1))),
  'com.microsoft:BiasGelu': (node) => node.map('activationGelu', plus(node, node.input(0), node.input(1))),
  'com.microsoft:Gelu': (node) => node.map('activationGelu', node.input(0)),
  'com.microsoft:QuickGelu': quickGelu,
  'com.microsoft:SimplifiedLayerNormalization': (node) => layerNormalization(node, false),
  'com.microsoft:SkipLayerNormalization': (node) => skipNormalization(node, true),
  'com.microsoft:SkipSimplifiedLayerNormalization': (node) => skipNormalization(node, false),
  'com.microsoft:EmbedLayerNormalization': (node) => embedding(node, node.optional(8)),
  'com.microsoft:QEmbedLayerNormalization': quantizedEmbedding,
  'com.microsoft:FusedConv': fusedConvolution,
  'com.microsoft:NhwcConv': channelsLastConvolution,
  'com.microsoft:FusedMatMul': fusedProduct,
  'com.microsoft:FusedGemm': fusedGemm,
  'com.microsoft:CDist': distances,
};

/** `x · sigmoid(alpha · x)` */
function quickGelu(node: Node): Operand {
  const [input, alpha] = [node.input(0), node.float('alpha', 1.702)];
  const gate = node.map('activationSigmoid', alpha === 1 ? input : node.scaled(input, alpha));
  return node.arithmetic('elementWiseMultiply', input, gate);
}

/** Normalizes the sum of the input, the skipped connection and a bias. */
function skipNormalization(node: Node, useMean: boolean): readonly Item[] {
  const sum = plus(node, plus(node, node.input(0), node.input(1)), node.optional(useMean ? 4 : 3));
  const [scale, bias] = [node.input(2), useMean ? node.optional(3) : undefined];
  const how = { axes: [sum.dims.length - 1], epsilon: node.float('epsilon', 1e-12), scale, bias, useMean };
  return [...withStatistics(node, sum, how), sum];
}

/** Each table, the scale and the bias of the normalization have a scale and a zero point of their own. */
function quantizedEmbedding(node: Node): readonly Item[] {
  return embedding(node, undefined, (given, i) => dequantize(node, given, scaleAndZeroPoint(node, i + 6, i + 11)));
}

/** @param floats Turns what comes from an input into floats. */
function embedding(node: Node, places: Operand | undefined, floats = (given: Operand, _input: number) => given): readonly Item[] {
  const [words, segments] = [node.input(0), node.optional(1)];
  const [batch = 1, length = 1] = words.dims;
  const rows = (table: number, numbers: Operand) => floats(taken(node, node.input(table), 0, numbers), table);
  const sum = plus(node, rows(2, words), rows(3, places ?? vector('int64', upTo(length))));
  const isSegmented = segments !== undefined && node.optional(4) !== undefined;
  const all = isSegmented ? plus(node, sum, rows(4, segments)) : sum;
  const [scale, bias] = [floats(node.input(5), 5), floats(node.input(6), 6)];
  const how = { axes: [2], epsilon: node.float('epsilon', 1e-12), scale, bias };
  // The number of words of each sample that the mask shows.
  const mask = node.optional(7);
  const counts = mask && node.reshape(reduced(node, 'sum', node.cast(mask, 'int32'), [1]), [batch]);
  return [normalized(node, all, how), counts ?? zeros(node, 'int32', [batch]), all];
}

function fusedConvolution(node: Node): Operand {
  const sum = plus(node, convolve(node, node.input(0), node.input(1), node.optional(2)), node.optional(3));
  return activated(node, sum, (_, i) => node.floats('activation_params')?.[i]);
}

/** With the activation that is built in. */
function activated(node: Node, input: Operand, parameterOf: (name: string, i: number) => number | undefined): Operand {
  const name = node.text('activation', '');
  if (name === '') return input;
  const { type, ...fields } = activationPart(node, name, parameterOf);
  return node.map(type, input, fields);
}

/** The channels come last in input and output, and in the filters too. */
function channelsLastConvolution(node: Node): Operand {
  const made = convolve(node, channelsFirst(node.input(0)), channelsFirst(node.input(1)), node.optional(2));
  return node.packed(channelsLast(made));
}

function fusedProduct(node: Node): Operand {
  return matMul(node, arranged(node, 'A'), arranged(node, 'B'), node.float('alpha', 1));
}

/** Batches are transposed by moving the first dimension before the last; matrices by exchanging the last two. */
function arranged(node: Node, name: 'A' | 'B'): Operand {
  const input = node.input(name === 'A' ? 0 : 1);
  const rank = input.dims.length;
  if (rank < 2) return input;
  const all = upTo(rank);
  const moved = node.flag(`transBatch${name}`) ? [...all.slice(1, -1), 0, rank - 1] : all;
  const ends = moved.slice(-2);
  return permuted(input, [...moved.slice(0, -2), ...(node.flag(`trans${name}`) ? ends.reverse() : ends)]);
}

function fusedGemm(node: Node): Operand {
  const [c, beta] = [node.optional(2), node.float('beta', 1)];
  const sum = plus(node, fusedProduct(node), c === undefined || beta === 1 ? c : node.scaled(c, beta));
  return activated(node, sum, (parameter) => node.float(`activation_${parameter}`));
}

/** Distances between the rows of two matrices. */
function distances(node: Node): Operand {
  const [a, b] = [node.input(0), node.input(1)];
  const [rows = 1, size = 1] = a.dims;
  const [columns = 1] = b.dims;
  const metric = node.text('metric', 'sqeuclidean');
  if (metric !== 'sqeuclidean' && metric !== 'euclidean') throw node.unsupported('the metric', metric);
  const isSquared = metric === 'sqeuclidean';
  const [left, right] = [node.reshape(a, [rows, 1, size]), node.reshape(b, [1, columns, size])];
  if (a.dataType === 'float64') {
    const squares = combineInMemory(node, left, right, (x, y) => (x - y) ** 2);
    return lineInMemory(node, squares, [2], like(a, [rows, columns]), (line) => [isSquared ? sum(line) : Math.sqrt(sum(line))]);
  }
  const squares = node.arithmetic('elementWiseDifferenceSquare', left, right);
  const sums = node.reshape(reduced(node, 'sum', squares, [2]), [rows, columns]);
  return isSquared ? sums : node.map('elementWiseSqrt', sums);
}
