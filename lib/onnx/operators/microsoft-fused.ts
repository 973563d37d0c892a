/** Operators of onnxruntime that do several of ONNX's at once. */
import { hostOperand, scalar, vector } from '../make-data.js';
import { like, type Node } from '../node.js';
import { broadcast, numbersOf, permuted, type Item, type Operand } from '../operand.js';
import { namedActivation, quickGelu, tanhGelu } from './activations-helpers.js';
import { convolve } from './convolution-helpers.js';
import type { Lowerings } from './lowering.js';
import { matMul } from './matrix-helpers.js';
import { simplifiedLayerNormalization } from './normalization.js';
import { normalized, statistics } from './normalization-helpers.js';
import { taken } from './move-helpers.js';
import { reduced, upTo, zeros } from './tensor-helpers.js';

export const fusedOperators: Lowerings = {
  'com.microsoft:FastGelu': (node) => tanhGelu(node, plus(node, node.input(0), node.optional(1))),
  'com.microsoft:BiasGelu': (node) => node.map('activationGelu', plus(node, node.input(0), node.input(1))),
  'com.microsoft:Gelu': (node) => node.map('activationGelu', node.input(0)),
  'com.microsoft:QuickGelu': (node) => quickGelu(node, node.input(0), node.float('alpha', 1.702)),
  'com.microsoft:SimplifiedLayerNormalization': simplifiedLayerNormalization,
  'com.microsoft:SkipLayerNormalization': (node) => skipNormalization(node, true),
  'com.microsoft:SkipSimplifiedLayerNormalization': (node) => skipNormalization(node, false),
  'com.microsoft:EmbedLayerNormalization': embedding,
  'com.microsoft:FusedConv': fusedConvolution,
  'com.microsoft:NhwcConv': channelsLastConvolution,
  'com.microsoft:FusedMatMul': fusedProduct,
  'com.microsoft:FusedGemm': fusedGemm,
  'com.microsoft:CDist': distances,
  'com.microsoft:Trilu': triangle,
};

function plus(node: Node, a: Operand, b: Operand | undefined): Operand {
  return b === undefined ? a : node.arithmetic('elementWiseAdd', a, b);
}

/** Normalizes the sum of the input, the skipped connection and a bias. */
function skipNormalization(node: Node, useMean: boolean): readonly Item[] {
  const beta = useMean ? node.optional(3) : undefined;
  const sum = plus(node, plus(node, node.input(0), node.input(1)), node.optional(useMean ? 4 : 3));
  const axes = [sum.dims.length - 1];
  const epsilon = node.float('epsilon', 1e-12);
  const output = normalized(node, sum, { axes, epsilon, scale: node.input(2), bias: beta, useMean });
  const isAsked = node.has(1) || node.has(2);
  const { mean, inverse } = isAsked ? statistics(node, sum, axes, epsilon, useMean) : { mean: null, inverse: null };
  return [output, mean, inverse, sum];
}

function embedding(node: Node): readonly Item[] {
  const [words, segments] = [node.input(0), node.optional(1)];
  const [batch = 1, length = 1] = words.dims;
  const positions = node.optional(8) ?? vector('int64', upTo(length));
  const segmentTable = node.optional(4);
  const sum = plus(node, taken(node, node.input(2), 0, words), taken(node, node.input(3), 0, positions));
  const isSegmented = segments !== undefined && segmentTable !== undefined;
  const all = isSegmented ? plus(node, sum, taken(node, segmentTable, 0, segments)) : sum;
  const how = { axes: [2], epsilon: node.float('epsilon', 1e-12), scale: node.input(5), bias: node.input(6) };
  return [normalized(node, all, how), maskIndex(node, batch), all];
}

/** The number of words of each sample that the mask shows. */
function maskIndex(node: Node, batch: number): Operand {
  const mask = node.optional(7);
  if (mask === undefined) return zeros(node, 'int32', [batch]);
  return node.reshape(reduced(node, 'sum', node.cast(mask, 'int32'), [1]), [batch]);
}

function fusedConvolution(node: Node): Operand {
  const sum = plus(node, convolve(node, node.input(0), node.input(1), node.optional(2)), node.optional(3));
  return namedActivation(node, sum, node.text('activation', ''), node.floats('activation_params') ?? []);
}

/** The channels come last in input and output, and in the filters too. */
function channelsLastConvolution(node: Node): Operand {
  const rank = node.input(0).dims.length;
  const first = [0, rank - 1, ...upTo(rank - 2).map((i) => i + 1)];
  const last = [0, ...upTo(rank - 2).map((i) => i + 2), 1];
  const made = convolve(node, permuted(node.input(0), first), permuted(node.input(1), first), node.optional(2));
  return node.packed(permuted(made, last));
}

function fusedProduct(node: Node): Operand {
  const [a, b] = [
    arranged(node.input(0), node.flag('transA'), node.flag('transBatchA')),
    arranged(node.input(1), node.flag('transB'), node.flag('transBatchB')),
  ];
  return matMul(node, a, b, node.float('alpha', 1));
}

/** `transBatch` moves the first dimension before the last; `trans` exchanges the last two. */
function arranged(input: Operand, isTransposed: boolean, isBatchTransposed: boolean): Operand {
  const rank = input.dims.length;
  if (rank < 2) return input;
  const all = upTo(rank);
  const moved = isBatchTransposed ? [...all.slice(1, -1), 0, rank - 1] : all;
  const [row = 0, column = 1] = moved.slice(-2);
  return permuted(input, isTransposed ? [...moved.slice(0, -2), column, row] : moved);
}

function fusedGemm(node: Node): Operand {
  const [turnsA, turnsB] = [node.flag('transA'), node.flag('transB')];
  const [a, b, c] = [arranged(node.input(0), turnsA, false), arranged(node.input(1), turnsB, false), node.optional(2)];
  const made = matMul(node, a, b, node.float('alpha', 1));
  const beta = node.float('beta', 1);
  const sum = c === undefined ? made : plus(node, made, beta === 1 ? c : node.scaled(c, beta));
  const parameters = ['activation_alpha', 'activation_beta', 'activation_gamma'].map((name) => node.float(name));
  return namedActivation(
    node,
    sum,
    node.text('activation', ''),
    parameters.filter((parameter) => parameter !== undefined),
  );
}

/** Distances between the rows of two matrices. */
function distances(node: Node): Operand {
  const [a, b] = [node.input(0), node.input(1)];
  const [rows = 1, size = 1] = a.dims;
  const [columns = 1] = b.dims;
  if (a.dataType === 'float64') return doubleDistances(node, a, b);
  const [left, right] = [node.reshape(a, [rows, 1, size]), node.reshape(b, [1, columns, size])];
  const squares = node.arithmetic('elementWiseDifferenceSquare', left, right);
  const sums = node.reshape(reduced(node, 'sum', squares, [2]), [rows, columns]);
  return isSquared(node) ? sums : node.map('elementWiseSqrt', sums);
}

function isSquared(node: Node): boolean {
  const metric = node.text('metric', 'sqeuclidean');
  if (metric !== 'sqeuclidean' && metric !== 'euclidean') throw node.unsupported('the metric', metric);
  return metric === 'sqeuclidean';
}

function doubleDistances(node: Node, a: Operand, b: Operand): Operand {
  const [rows = 1, size = 1] = a.dims;
  const [columns = 1] = b.dims;
  const isSquare = isSquared(node);
  return node.computeOne([a, b], (...given) => {
    const [left = [], right = []] = given.map(numbersOf);
    const elements = upTo(rows * columns).map((i) => {
      const [row, column] = [Math.floor(i / columns), i % columns];
      const sum = upTo(size).reduce((all, k) => all + ((left[row * size + k] ?? 0) - (right[column * size + k] ?? 0)) ** 2, 0);
      return isSquare ? sum : Math.sqrt(sum);
    });
    return hostOperand('float64', [rows, columns], elements);
  });
}

/** One half of matrices; the other becomes 0. */
function triangle(node: Node): Operand {
  const input = node.input(0);
  const [rows = 1, columns = 1] = input.dims.slice(-2);
  const given = node.optional(1);
  const diagonal = given === undefined ? 0 : node.number(given);
  const isUpper = node.flag('upper', true);
  const kept = upTo(rows * columns).map((i) => {
    const offset = (i % columns) - Math.floor(i / columns);
    return (isUpper ? offset >= diagonal : offset <= diagonal) ? 1 : 0;
  });
  return node.add('elementWiseIf', {
    conditionTensor: broadcast(hostOperand('uint8', [rows, columns], kept, true), input.dims),
    aTensor: input,
    bTensor: broadcast(scalar(input.dataType, 0), input.dims),
    outputTensor: like(input),
  });
}
